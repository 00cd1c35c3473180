"""Tags, notes, highlights and reading later in a real Chromium, wide and narrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from newsloom.reading.values.reading import ListQuery
from web.axe import violations
from web.chromium import PHONE
from web.keyboard import until, visit
from web.world import NEWS, World

pytestmark = pytest.mark.browser


def listed(world: World, **query: Any) -> list[str]:
    found = world.reader().page(ListQuery(unread_only=False, limit=200, **query))
    return [one.title for one in found]


def settle(page: Any) -> None:
    expect(page.locator(".htmx-request")).to_have_count(0)


def test_tags_and_reading_later_by_keys(page: Any, home: str, world: World, shots: Path) -> None:
    visit(page, home + "/")
    page.keyboard.press("j")
    page.keyboard.press("b")
    until(page, lambda: page.locator("#count-later").inner_text() == "1")
    expect(page.locator(".row.selected .later")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("u")
    until(page, lambda: page.locator("#count-later").inner_text() == "")
    page.keyboard.press("b")
    until(page, lambda: page.locator("#count-later").inner_text() == "1")
    page.keyboard.press("t")
    page.keyboard.type("To cook, sea")
    page.keyboard.press("Enter")
    until(page, lambda: page.locator("#tags-beside li").count() == 2)
    expect(page.locator(".row.selected .tags")).to_contain_text("#sea")
    first = page.locator(".row.selected .open").inner_text()
    # Several at once: the ones that were chosen.
    page.keyboard.press("Escape")
    for _ in range(2):
        page.keyboard.press("j")
        page.keyboard.press("x")
    expect(page.locator(".row.chosen")).to_have_count(2)
    page.keyboard.press("t")
    page.keyboard.type("SEA")
    page.screenshot(path=shots / "tagging.png")
    page.keyboard.press("Enter")
    until(page, lambda: page.locator("#tags-beside .count").all_inner_texts() == ["3", "1"])
    page.screenshot(path=shots / "tagged.png")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("B")
    page.wait_for_url("**/?show=later*")
    expect(page.locator("#rows .open")).to_have_text([first])
    assert listed(world, tag="to cook") == [first]


def test_the_tag_button_is_there_while_rows_are_chosen_and_in_the_filters(
    page: Any, home: str
) -> None:
    visit(page, home + "/")
    button = page.locator("#tag-many > summary")
    expect(button).to_be_hidden()
    page.locator("#filters > summary").click()
    page.locator("#tag-these").click()
    expect(page.locator("#filters > .sheet")).to_be_hidden()
    expect(page.locator("#tag-many [name=names]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_hidden()
    for key in "jx":
        page.keyboard.press(key)
    button.click()
    expect(page.locator("#tag-many [data-shown]")).to_have_text("1 selected")


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_words_are_highlighted_and_shown_again(
    chromium: Any, home: str, world: World, shots: Path, size: str
) -> None:
    narrow = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    context = chromium.new_context(**(narrow if size == "narrow" else {}))
    page = context.new_page()
    number = world.named(NEWS[0]["title"])
    visit(page, f"{home}/articles/{number}")
    page.screenshot(path=shots / f"article-{size}.png")
    page.keyboard.press("e")
    page.keyboard.type("Ask Müller about it.")
    page.screenshot(path=shots / f"article-open-{size}.png")
    page.get_by_role("button", name="Save note").click()
    until(page, lambda: world.store.annotations.note(world.user, number) is not None)
    settle(page)
    page.locator("#to-words").click()
    until(page, lambda: "/words" in page.url)
    page.locator("html[data-ready]").wait_for(state="attached")
    page.locator(".by-script:not([hidden])").wait_for(state="attached")
    # By the keys: the second sentence.
    page.locator("body").press("ArrowRight")
    page.locator("body").press("ArrowRight")
    chosen = "The first boats left before dawn"
    until(page, lambda: page.locator("[name=quote]").input_value().startswith(chosen))
    page.screenshot(path=shots / f"words-{size}.png")
    page.keyboard.press("h")
    until(page, lambda: len(world.store.annotations.highlights(world.user, number)) == 1)
    until(page, lambda: page.url.endswith("#h1"))
    page.locator("html[data-ready]").wait_for(state="attached")
    # By the pointer or a finger, which leave a selection and then press the button.
    page.locator("#words p").last.evaluate(
        """(one) => {
            const node = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode();
            getSelection().setBaseAndExtent(node, 0, node, 12);
        }"""
    )
    until(page, lambda: len(page.locator("[name=quote]").input_value()) > 3)
    page.locator("[name=note]").last.scroll_into_view_if_needed()
    page.locator("#choose [name=note]").fill("So it is.")
    press = page.get_by_role("button", name="Highlight", exact=True)
    press.tap() if size == "narrow" else press.click()
    until(page, lambda: len(world.store.annotations.highlights(world.user, number)) == 2)
    page.screenshot(path=shots / f"highlighted-{size}.png", full_page=True)
    assert violations(page) == []
    visit(page, f"{home}/articles/{number}")
    frame = page.locator("#text")
    assert "".join(frame.locator("mark.own").all_inner_texts()).startswith(chosen)
    assert frame.locator("mark.own").last.get_attribute("title") == "So it is."
    page.locator("#added summary").click()
    page.screenshot(path=shots / f"marked-{size}.png")
    assert violations(page) == []
    # In the article itself, by the pointer or a finger.
    page.locator("#text > .text > p").nth(-2).evaluate(
        """(one) => {
            const node = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode();
            getSelection().setBaseAndExtent(node, 4, node, 21);
        }"""
    )
    press = page.locator("#highlight button")
    press.wait_for()
    page.screenshot(path=shots / f"selected-{size}.png")
    press.tap() if size == "narrow" else press.click()
    page.locator("#h3").wait_for()
    press.wait_for(state="hidden")
    assert page.locator("#h3").inner_text() == "pilot turned anot"
    expect(page.locator("#added summary")).to_contain_text("3 highlights")
    assert page.locator("#text > .text > p").nth(-2).locator("#h3").count() == 1
    for path in ("/highlights", "/tags", f"/articles/{number}/added"):
        visit(page, home + path)
        page.screenshot(path=shots / f"{path.strip('/').replace('/', '-')}-{size}.png")
        assert violations(page) == []
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"]
    context.close()


def test_highlighting_without_scripts(chromium: Any, home: str, world: World) -> None:
    context = chromium.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    number = world.named(NEWS[0]["title"])
    page.goto(f"{home}/articles/{number}/words")
    words = " ".join(page.locator("#words p").first.inner_text().split()[:3])
    page.fill("[name=quote]", f"  {words}\n")
    page.get_by_role("button", name="Highlight", exact=True).click()
    page.goto(f"{home}/articles/{number}/added")
    assert words in page.locator(".quotes").inner_text()
    page.fill("[name=add]", "sea, Sea, wind")
    page.get_by_role("button", name="Add", exact=True).click()
    assert world.store.annotations.tags_of(world.user, [number]) == {number: ("sea", "wind")}
    context.close()
