"""Rows of several articles, in a real Chromium: sources, taking apart, what changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from newsloom.duplicates.values import Relation
from web.chromium import PHONE
from web.keyboard import press, row, toast, visit
from web.world import NEWS, World

pytestmark = pytest.mark.browser


@pytest.fixture
def world(world: World) -> World:
    """The first in the list told by three; the second with a version of its own."""
    first, second, *others = (world.named(NEWS[number]["title"]) for number in (0, 1, 6, 9))
    world.relate(Relation.SAME_EVENT, first, others[0], "3 of 3 names in common")
    world.relate(Relation.SAME_TEXT, first, others[1], "every sentence")
    world.relate(Relation.REVISION, second, world.named(NEWS[8]["title"]), "alike titles")
    return world


def test_sources_by_keys_and_each_opens(page: Any) -> None:
    press(page, "j")
    chip = row(page, 0).locator(".sources > summary")
    assert "2 reports of this event from 3 sources, this text in 3 feeds" in chip.inner_text()
    assert not row(page, 0).locator(".sources li").first.is_visible()
    press(page, "c")
    row(page, 0).locator(".sources li").first.wait_for()
    assert row(page, 0).locator(".sources li").count() == 4
    chip.focus()
    press(page, "Enter")
    row(page, 0).locator(".sources li").first.wait_for(state="hidden")
    press(page, "Space")
    row(page, 0).locator(".sources li a").first.click()
    page.locator("#text").wait_for()
    assert page.locator("#related > summary").is_visible()


def test_reading_the_row_takes_its_others_along(page: Any) -> None:
    before = int(page.locator("#count-unread").inner_text())
    press(page, "j", "m")
    page.locator("#rows > .row.is-read").first.wait_for()
    expect(page.locator("#count-unread")).to_have_text(str(before - 1))
    press(page, "u")
    toast(page, "Undone: “")
    expect(page.locator("#count-unread")).to_have_text(str(before))


def test_not_the_same(page: Any, home: str) -> None:
    row(page, 0).locator(".open").click()
    page.locator("#related > summary").wait_for()
    press(page, "c")
    button = page.locator("#related button").filter(has_text="Not the same").last
    button.click()
    toast(page, "Separated")
    visit(page, home + "/?show=all")
    assert row(page, 0).locator(".sources li").count() == 3
    assert "same text in 3 feeds" in row(page, 0).locator(".sources > summary").inner_text()


def test_what_changed_between_versions(page: Any) -> None:
    version = page.locator(".row .version a").first
    version.click()
    frame = page.locator("#text")
    frame.locator(".difference ins").first.wait_for(state="attached")
    assert frame.locator(".difference del").count() > 0
    struck = frame.locator(".difference del").first
    assert "line-through" in struck.evaluate("e => getComputedStyle(e).textDecoration")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_narrow_page_is_not_wider_than_the_screen(
    chromium: Any, home: str, shots: Path, colours: str
) -> None:
    context = chromium.new_context(viewport=PHONE, color_scheme=colours)
    page = context.new_page()
    visit(page, home + "/")
    row(page, 0).locator(".sources > summary").click()
    page.screenshot(path=shots / f"together-{colours}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    row(page, 0).locator(".open").click()
    page.locator("#related > summary").click()
    page.screenshot(path=shots / f"together-article-{colours}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    context.close()
