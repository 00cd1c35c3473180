"""The look "article beside the list", in a real Chromium."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from newsloom.accounts.preference_values import BESIDE, LOOK
from newsloom.accounts.service.preferences import choose, choose_in
from newsloom.reading.values.reading import EventKind, ListQuery
from web.axe import violations
from web.chromium import PHONE, WIDE
from web.keyboard import press, row, until, visit
from web.world import World

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def beside(world: World) -> None:
    choose(world.reader(), {LOOK: BESIDE})


def opened(page: Any) -> str:
    """Which article the address names."""
    return parse_qs(urlsplit(page.url).query).get("open", [""])[0]


def shows(page: Any, number: int) -> str:
    """Wait until the article of a row is open; its id."""
    there = row(page, number)
    title = there.locator("h2").inner_text()
    expect(page.locator("#pane #opened-title")).to_have_text(title)
    until(page, lambda: opened(page) == there.get_attribute("data-id"))
    return there.get_attribute("data-id")


def test_articles_open_beside_and_the_address_goes_along(
    page: Any, home: str, world: World, shots: Any
) -> None:
    visit(page, home + "/")
    row(page, 0).locator(".open").click()
    first = shows(page, 0)
    expect(page.locator("#text .title")).to_be_visible()
    until(page, lambda: row(page, 0).get_attribute("data-read") == "1")  # what is opened is read
    # Hiding the caret would write a style, which the policy refuses.
    page.screenshot(path=str(shots / "beside-wide.png"), caret="initial")
    row(page, 2).locator(".open").click()
    third = shows(page, 2)
    page.go_back()
    assert shows(page, 0) == first
    page.go_forward()
    assert shows(page, 2) == third
    page.reload()
    page.locator("html[data-ready]").wait_for(state="attached")
    expect(page.locator("#pane .tools")).to_have_attribute("data-id", third)
    page.locator("#pane #back").click()
    expect(page.locator("#pane .tools")).to_have_count(0)
    assert opened(page) == ""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_keys_walk_the_list_and_the_article_follows(page: Any, home: str, world: World) -> None:
    visit(page, home + "/")
    press(page, "j")
    shows(page, 0)
    press(page, "j", "j", "j")
    shows(page, 3)
    expect(page.locator("#pane-said")).to_contain_text("Opened: ")
    press(page, "k")
    third = shows(page, 2)
    press(page, "s")
    until(page, lambda: row(page, 2).get_attribute("data-starred") == "1")
    star = page.locator("#pane .mark.star")
    expect(star).to_have_attribute("aria-pressed", "true")
    # Enter goes into the article; Esc comes back to its row.
    row(page, 2).locator(".open").focus()
    press(page, "Enter")
    until(page, lambda: page.evaluate("document.activeElement.id") == "pane")
    press(page, "Escape")
    expect(page.locator("#pane .tools")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('.row').dataset.id") == third
    assert opened(page) == ""
    press(page, "Enter")
    shows(page, 2)
    assert "\n".join(violations(page)) == ""


def test_reading_to_the_end_beside_the_list_is_told(page: Any, home: str, world: World) -> None:
    visit(page, home + "/")
    press(page, "j")
    article = shows(page, 0)
    page.locator("#pane .tools").evaluate("tools => { tools.dataset.needed = '1'; }")
    page.wait_for_timeout(1_100)
    with page.expect_request("**/finished") as told:
        page.locator("#pane #text > footer").scroll_into_view_if_needed()
    assert f"/articles/{article}/finished" in told.value.url
    assert int(told.value.post_data.partition("seconds=")[2].partition("&")[0]) >= 1


def test_the_divider_moves_by_keys_and_mouse_and_stays(page: Any, home: str) -> None:
    visit(page, home + "/")
    divider = page.locator("#divider")
    before = page.locator("#pane").bounding_box()["width"]
    divider.focus()
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft")
    assert divider.get_attribute("aria-valuenow") == "32"
    assert page.locator("#pane").bounding_box()["width"] > before + 40
    box = divider.bounding_box()
    page.mouse.move(box["x"] + 4, 400)
    page.mouse.down()
    page.mouse.move(box["x"] + 204, 400, steps=3)
    page.mouse.up()
    moved = divider.get_attribute("aria-valuenow")
    assert int(moved) > 45
    page.reload()
    assert page.locator("#divider").get_attribute("aria-valuenow") == moved


def test_a_narrow_screen_and_one_without_scripts_have_the_list_and_its_links(
    chromium: Any, home: str, world: World
) -> None:
    with chromium.new_context(viewport=PHONE) as context:
        page = context.new_page()
        visit(page, home + "/")
        assert not page.locator("#pane").is_visible()
        number = row(page, 1).get_attribute("data-id")
        row(page, 1).locator(".open").click()
        page.wait_for_url("**/articles/*")
        page.goto(f"{home}/?open={number}")
        page.wait_for_url(f"**/articles/{number}*")
    with chromium.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{home}/?open={number}")
        assert not page.locator("#pane").is_visible()
        page.get_by_role("link", name="Open the article").click()
        assert f"/articles/{number}" in page.url


def test_it_is_remembered_for_one_category_and_holds_in_searches(
    page: Any, home: str, world: World
) -> None:
    reader = world.reader()
    choose(reader, {LOOK: "list"})
    choose_in(reader, "category:World", LOOK, BESIDE, everywhere=False)
    visit(page, home + "/")
    assert page.locator("#pane").count() == 0
    number = row(page, 0).get_attribute("data-id")
    page.goto(f"{home}/?open={number}")
    assert f"/articles/{number}" in page.url  # where the look is another, by itself
    visit(page, home + "/?category=World")
    press(page, "j")
    shows(page, 0)
    choose(reader, {LOOK: BESIDE})
    reader.mark([reader.page(ListQuery(limit=1))[0].id], EventKind.STAR, "test")
    visit(page, home + "/search?q=is:starred")
    press(page, "j")
    shows(page, 0)
    assert urlsplit(page.url).path == "/search"
