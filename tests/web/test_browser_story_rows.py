"""Rows of stories and a story that is looked at, in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from web.axe import violations
from web.chromium import LOOKS
from web.keyboard import pick, press, toast, until, visit
from web.storied import WHOLE, storied
from web.world import World

pytestmark = pytest.mark.browser


@pytest.fixture
def world(world: World) -> World:
    storied(world)
    return world


def choose(page: Any, kind: str) -> None:
    page.locator("#filters > summary").click()
    page.locator("#filters .kinds button", has_text=kind).click()
    page.locator("html[data-ready]").wait_for(state="attached")


def told(page: Any) -> Any:
    return page.locator("#rows > .row").filter(has=page.locator(f'a[href="/story/{WHOLE}"]')).first


def test_the_choice_is_made_on_a_page_and_kept(page: Any, home: str) -> None:
    before = int(page.locator("#count-unread").inner_text())
    choose(page, "Story")
    expect(page.locator("#rows details.told").first).to_be_attached()
    assert int(page.locator("#count-unread").inner_text()) < before
    visit(page, home + "/?order=newest")
    expect(page.locator("#rows details.told").first).to_be_attached()
    choose(page, "Article")
    expect(page.locator("#rows details.told")).to_have_count(0)


def test_a_row_opens_to_its_story_and_is_marked_read_whole(page: Any, home: str) -> None:
    choose(page, "Story")
    visit(page, home + "/")
    row = told(page)
    before = int(page.locator("#count-unread").inner_text())
    row.locator("details.told > summary").click()
    row.locator("li a").first.wait_for()
    assert row.locator("li").count() == 4
    row.locator("button", has_text="Mark story read").click()
    toast(page, "5 articles marked read")
    # Its copies, which are in no story, were a row of their own.
    expect(page.locator("#count-unread")).to_have_text(str(before - 2))
    press(page, "u")
    toast(page, "Undone: 5 articles")
    expect(page.locator("#count-unread")).to_have_text(str(before))


def test_reading_the_row_leaves_the_rest_of_the_story(page: Any, home: str) -> None:
    choose(page, "Story")
    visit(page, home + "/")
    row = told(page)
    lead, before = row.get_attribute("data-id"), int(page.locator("#count-unread").inner_text())
    pick(page, row, "Mark read")
    page.locator(f"#a{lead}.is-read").wait_for()
    # Its copies, which are in no story, were a row of their own.
    expect(page.locator("#count-unread")).to_have_text(str(before - 1))
    visit(page, home + "/")
    assert told(page).get_attribute("data-id") != lead


def test_a_story_in_view_is_seen(page: Any, home: str, world: World) -> None:
    def looked() -> Any:
        return world.store.stories.story_subscriptions(world.user)[WHOLE].looked

    before = looked()
    visit(page, f"{home}/story/{WHOLE}")
    said = page.locator("#story-seen .by-itself")
    expect(said).to_contain_text("after 5 seconds in view")
    assert looked() == before
    expect(said).to_contain_text("Marked seen.", timeout=30_000)
    until(page, lambda: looked() == world.now)


def test_without_scripts_a_button_says_so(chromium: Any, home: str, world: World) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{home}/story/{WHOLE}")
    assert not page.locator("#story-seen .by-itself").is_visible()
    page.locator("#story-seen button").click()
    expect(page.locator("main")).to_contain_text("Nothing new since")
    assert world.store.stories.story_subscriptions(world.user)[WHOLE].looked == world.now
    context.close()


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_rows_and_the_choice_fit_and_can_be_used_by_all(
    open_page: Any, home: str, shots: Path, size: Any, scheme: str
) -> None:
    page = open_page(size, scheme)
    visit(page, home + "/")
    choose(page, "Story")
    visit(page, home + "/")
    told(page).locator("details.told > summary").click()
    page.screenshot(path=shots / f"story-rows-{size['width']}-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert violations(page) == []
    page.locator("#filters > summary").click()
    page.screenshot(path=shots / f"story-choice-{size['width']}-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert violations(page) == []
    visit(page, home + "/search?q=is:unread")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert violations(page) == []
