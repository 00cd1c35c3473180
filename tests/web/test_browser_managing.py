"""The page of feeds and a newcomer's first minutes in a real Chromium, wide and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from web.axe import violations
from web.chromium import LOOKS, PHONE, WIDE, serving
from web.keyboard import press, toast, until, visit
from web.world import World

pytestmark = pytest.mark.browser

SIZES = pytest.mark.parametrize("size", [WIDE, PHONE], ids=["1280", "360"])


def order(world: World) -> list[str]:
    return [one.title for one in world.reader().subscriptions()]


def managed(page: Any, home: str) -> None:
    visit(page, home + "/feeds")
    page.locator("html[data-managed]").wait_for(state="attached")


def row(page: Any, name: str) -> Any:
    return page.locator("table.feeds tbody tr[id]").filter(has_text=name)


def shown(page: Any) -> list[str]:
    return page.locator("table.feeds tbody tr[id]:not([hidden]) th a").all_inner_texts()


@pytest.fixture
def sheet(chromium: Any, home: str, size: dict[str, int]) -> Iterator[Any]:
    """The page of feeds; any complaint in its console fails the test."""
    context = chromium.new_context(viewport=size, has_touch=size is PHONE)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    managed(page, home)
    yield page
    context.close()
    assert complaints == []


@SIZES
def test_feeds_are_found_chosen_moved_and_left(sheet: Any, home: str, world: World) -> None:
    every = shown(sheet)
    sheet.locator("#seek").press_sequentially("tech")
    assert set(shown(sheet)) == {"Compiler Weekly", "Kernel & Root", "Wochenblatt Technik"}
    sheet.locator("#seek").fill("")
    assert shown(sheet) == every
    row(sheet, every[1]).get_by_role("checkbox").check()
    row(sheet, every[4]).get_by_role("checkbox").click(modifiers=["Shift"])
    expect(sheet.locator("#chosen-count")).to_have_text("4 selected")
    row(sheet, every[2]).get_by_role("checkbox").uncheck()
    expect(sheet.locator("#chosen-count")).to_have_text("3 selected")
    sheet.get_by_text("Move to …").click()
    sheet.locator(".bulk-tools input[name=category]").fill("Chosen")
    press(sheet, "Enter")
    toast(sheet, "Feeds moved: 3.")
    named = {one.title for one in world.reader().subscriptions() if one.category == "Chosen"}
    assert named == {every[1], every[3], every[4]}
    managed(sheet, home)
    sheet.locator("#seek").fill("chosen")
    sheet.locator("#choose-all").click()
    expect(sheet.locator("#chosen-count")).to_have_text("3 selected")
    sheet.get_by_text("Unfollow …").click()
    sheet.get_by_role("button", name="Unfollow selected").click()
    toast(sheet, "Feeds unfollowed.")
    assert len(order(world)) == len(every) - 3
    sheet.get_by_role("button", name="Undo").click()
    toast(sheet, "Feeds restored")
    assert len(order(world)) == len(every)
    managed(sheet, home)
    sheet.get_by_role("button", name="Mark read").click()
    toast(sheet, "Select feeds first.")


@SIZES
def test_feeds_and_categories_are_put_in_order(sheet: Any, world: World) -> None:
    row(sheet, "Wochenblatt Technik").get_by_role("checkbox").focus()
    press(sheet, "Alt+ArrowUp", "Alt+ArrowUp")
    toast(sheet, "Wochenblatt Technik: 1 of 3 in Technology")
    assert sheet.evaluate("document.activeElement.value") == row(
        sheet, "Wochenblatt Technik"
    ).get_by_role("checkbox").get_attribute("value")
    until(sheet, lambda: categorised(world, "Technology")[0] == "Wochenblatt Technik")
    drag(sheet, row(sheet, "Agence Nord"), row(sheet, "Compiler Weekly"))
    toast(sheet, "Agence Nord: 2 of 4 in Technology")
    until(sheet, lambda: categorised(world, "Technology")[1:2] == ["Agence Nord"])
    science = sheet.locator(".shelves li[data-category=Science]")
    technology = sheet.locator(".shelves li[data-category=Technology]")
    drag(sheet, technology, science)
    toast(sheet, "Technology: 1 of 3")
    until(sheet, lambda: categories(world) == ["Technology", "Science", "World"])
    science.get_by_role("button", name="Move Science down").click()
    sheet.locator("#toast .said", has_text="Saved.").wait_for()
    assert categories(world) == ["Technology", "World", "Science"]
    sheet.get_by_role("button", name="Sort all by name").click()
    sheet.locator("#toast .said", has_text="Saved.").wait_for()
    assert categories(world) == ["Science", "Technology", "World"]


def categorised(world: World, category: str) -> list[str]:
    return [one.title for one in world.reader().subscriptions() if one.category == category]


def categories(world: World) -> list[str]:
    found = [one.category for one in world.reader().subscriptions() if one.category]
    return list(dict.fromkeys(found))


def drag(page: Any, one: Any, other: Any) -> None:
    """By its handle to the upper half of another."""
    other.evaluate("item => item.scrollIntoView({ block: 'center' })")
    grip = one.locator(".grip").bounding_box()
    there = other.bounding_box()
    page.mouse.move(grip["x"] + 8, grip["y"] + 8)
    page.mouse.down()
    page.mouse.move(there["x"] + 60, there["y"] + there["height"] / 2, steps=4)
    page.mouse.move(there["x"] + 60, there["y"] + 4, steps=3)
    page.mouse.up()


@SIZES
def test_a_category_is_renamed_onto_another(sheet: Any, world: World) -> None:
    shelf = sheet.locator(".shelves li[data-category=World]")
    shelf.locator("summary").focus()
    press(sheet, "Enter")
    shelf.get_by_label("New name").fill("Science")
    press(sheet, "Enter")
    sheet.get_by_role("heading", name="Merge categories?").wait_for()
    assert violations(sheet) == []
    sheet.get_by_role("button", name="Merge").click()
    toast(sheet, "Saved.")
    assert categories(world) == ["Science", "Technology"]


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_a_newcomer_is_led_by_keyboard(
    chromium: Any, empty: World, size: dict[str, int], scheme: str
) -> None:
    empty.store.users.set_preferences(empty.user, {("", "tour"): None})
    with serving(empty) as home:
        context = chromium.new_context(viewport=size, color_scheme=scheme)
        page = context.new_page()
        visit(page, home + "/")
        page.locator("html[data-ready]").wait_for(state="attached")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        page.locator("[name=topic]").first.focus()
        press(page, "Space", "Tab", "Tab", "Space", "Enter")
        page.locator("#toast .said", has_text="new feeds").wait_for()
        assert len({one.category for one in empty.reader().subscriptions()}) == 2
        page.locator("#tour form[data-htmx-powered]").wait_for(state="attached")
        assert violations(page) == []
        page.locator("#tour-end").focus()
        press(page, "Enter")
        expect(page.locator("#tour")).to_have_count(0)
        context.close()


def test_all_of_it_works_without_scripts(chromium: Any, home: str, world: World) -> None:
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(home + "/feeds")
    assert page.locator(".grip").count() == 0
    row(page, "Wochenblatt Technik").get_by_role("checkbox").check()
    page.get_by_role("button", name="Move up").click()
    page.locator("#toast .said", has_text="Saved.").wait_for()
    assert categorised(world, "Technology")[1] == "Wochenblatt Technik"
    page.locator("#seek").fill("science")
    press(page, "Enter")
    page.get_by_role("link", name="Select all").click()
    page.get_by_text("Move to …").click()
    page.locator(".bulk-tools input[name=category]").fill("Later")
    page.get_by_role("button", name="Move", exact=True).click()
    page.locator("#toast .said", has_text="Feeds moved: 3.").wait_for()
    assert "q=science" in page.url
    assert len(categorised(world, "Later")) == 3
    page.goto(home + "/preferences")
    page.get_by_role("button", name="Show the tour").click()
    assert page.locator("#tour small").inner_text() == "Step 2 of 3"
    page.get_by_role("button", name="Skip").click()
    assert page.locator("section.tour").count() == 0
    context.close()
