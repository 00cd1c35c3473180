"""What readers may choose of how a list flows, in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest

from newsloom.accounts.preference_values import MORE, PASSED
from newsloom.accounts.service.preferences import choose
from newsloom.reading.values.reading import ListQuery
from web.keyboard import until, visit
from web.world import World

pytestmark = pytest.mark.browser


def unread(world: World) -> int:
    return len(world.reader().page(ListQuery(limit=500)))


def test_further_rows_come_as_one_scrolls(page: Any, home: str, world: World) -> None:
    choose(world.reader(), {MORE: "scroll"})
    visit(page, home + "/")
    assert page.locator("#rows > .row").count() == 30
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    until(page, lambda: page.locator("#rows > .row").count() == 60)
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    until(page, lambda: page.locator("#rows > .row").count() == 80)
    assert unread(world) == 80


def test_rows_scrolled_past_are_read_and_teach_nothing(page: Any, home: str, world: World) -> None:
    choose(world.reader(), {PASSED: "read"})
    learned = world.store.models.labels(world.user)
    visit(page, home + "/")
    before = unread(world)
    page.mouse.move(700, 500)
    for _ in range(8):
        page.mouse.wheel(0, 200)
        page.wait_for_timeout(150)
    until(page, lambda: page.locator("#rows > .row.is-read").count() >= 5)
    assert 80 - 20 < unread(world) <= before - 5
    assert page.locator("#rows > .row").nth(20).get_attribute("data-read") == "0"
    assert world.store.models.labels(world.user) == learned


def test_what_is_jumped_over_stays_unread(page: Any, home: str, world: World) -> None:
    choose(world.reader(), {PASSED: "read"})
    visit(page, home + "/")
    page.locator("#rows > .row").nth(28).evaluate("row => row.scrollIntoView()")
    page.wait_for_timeout(2_500)
    jumped = page.locator("#rows > .row").nth(20)
    assert jumped.get_attribute("data-read") == "0"
    assert unread(world) > 70


def test_nothing_is_read_by_scrolling_unless_that_is_chosen(
    page: Any, home: str, world: World
) -> None:
    visit(page, home + "/")
    before = unread(world)
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    page.wait_for_timeout(2_500)
    assert unread(world) == before
    assert page.locator("#rows > .row").count() == 30
