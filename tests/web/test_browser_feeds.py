"""How feeds are, in a real Chromium: quarantine by its buttons, alerts by keyboard, the looks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from web.chromium import PHONE, WIDE, serving
from web.crowded import Ward
from web.keyboard import visit
from web.unwell import DEAD, HELD, ILL, MOVED, unwell
from web.world import World

pytestmark = pytest.mark.browser

PLACES = ("/", "/feeds", *(f"/feeds/{feed}" for feed in (MOVED, HELD, DEAD, ILL)))


@pytest.fixture
def home(world: World) -> Iterator[str]:
    unwell(world)
    with serving(Ward(world.store, world.user, world.now)) as url:
        yield url


def test_a_quarantine_is_ended_and_begun_again(page: Any, home: str) -> None:
    visit(page, f"{home}/feeds/{HELD}")
    page.get_by_role("button", name="Same feed").click()
    page.locator("#toast", has_text="3 articles new or changed").wait_for()
    page.get_by_role("link", name="its articles").click()
    page.locator(".row h2", has_text="Spin and win").wait_for()
    visit(page, f"{home}/feeds/{HELD}")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("heading", name="Is this still the same feed?").wait_for()
    page.get_by_role("button", name="block it").click()
    page.get_by_role("heading", name="You blocked this feed").wait_for()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["1280", "360"])
def test_all_feeds_are_refreshed(
    chromium: Any, home: str, size: dict[str, int], *, scripts: bool
) -> None:
    context = chromium.new_context(viewport=size, java_script_enabled=scripts)
    page = context.new_page()
    page.goto(f"{home}/feeds")
    page.get_by_role("button", name="Refresh all").click()
    page.locator("#toast", has_text="Refreshing feeds: 9.").wait_for()
    assert page.url.partition("?")[0] == f"{home}/feeds"
    assert page.locator("#toast").is_visible()
    context.close()


def test_alerts_are_found_and_waved_away_by_keyboard(page: Any, home: str) -> None:
    visit(page, home + "/")
    page.get_by_role("link", name="View").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="4 feeds need attention").wait_for()
    page.get_by_role("button", name="Dismiss all").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".alerts")).to_have_count(0)
    visit(page, home + "/")
    assert page.locator(".told").count() == 0


def test_the_history_is_told_to_those_who_cannot_see_it(page: Any, home: str) -> None:
    visit(page, f"{home}/feeds/{MOVED}")
    picture = page.get_by_role("img", name="Last 45 polls, newest on the right")
    assert picture.is_visible()
    page.get_by_text("Poll log").click()
    assert page.locator(".polls tbody tr").count() == 30
    assert page.get_by_text("the server answered 503").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["1280", "360"])
def test_the_looks(
    chromium: Any, home: str, shots: Path, scheme: str, size: dict[str, int]
) -> None:
    context = chromium.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    for path in PLACES:
        visit(page, home + path)
        name = f"health{path.replace('/', '-')}-{size['width']}-{scheme}.png"
        page.screenshot(path=str(shots / name), full_page=path != "/")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"], f"{path} is wider than the window"
        for one in page.locator("main button:visible").all():
            box = one.bounding_box()
            assert box["height"] >= 24, "WCAG 2.2: targets of 24 pixels"
    context.close()
