"""Swipes, long presses and the menu of a row, in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from newsloom.accounts.preference_values import PASSED, SWIPE_LEFT
from newsloom.accounts.service.preferences import choose
from web.axe import violations
from web.chromium import PHONE
from web.keyboard import press, row, toast, until, visit
from web.world import World

pytestmark = pytest.mark.browser
REST = 200  # ms


class Finger:
    """One finger on a touch screen, as the browser's own protocol has it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def down(self, x: float, y: float) -> None:
        self._send("touchStart", (x, y))

    def move(self, x: float, y: float) -> None:
        self._send("touchMove", (x, y))

    def up(self) -> None:
        self._send("touchEnd")

    def swipe(self, there: Any, dx: float, dy: float = 0) -> None:
        """Over the middle of an element, in ten steps."""
        self.begin(there, dx, dy)
        self.up()

    def begin(self, there: Any, dx: float, dy: float = 0) -> None:
        there.scroll_into_view_if_needed()
        box = there.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + 20
        self.down(x, y)
        for step in range(1, 11):
            self.move(x + dx * step / 10, y + dy * step / 10)
        # It rests before it is lifted: a finger lifted while it moves is a fling, and Chromium
        # takes a tap soon after one for a hand laid on a rolling list, which presses nothing.
        self.page.wait_for_timeout(REST)


@pytest.fixture
def phone(chromium: Any, home: str) -> Iterator[Any]:
    with chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True) as context:
        page = context.new_page()
        visit(page, home + "/")
        yield page


def is_read(page: Any, number: int, value: str) -> None:
    until(page, lambda: row(page, number).get_attribute("data-read") == value)


def test_a_swipe_marks_says_so_and_is_taken_back(phone: Any, world: World, shots: Any) -> None:
    finger = Finger(phone)
    finger.begin(row(phone, 1), 120)
    expect(row(phone, 1)).to_have_attribute("data-words", "Read")
    expect(row(phone, 1)).to_have_class("row swiped enough")
    phone.screenshot(path=str(shots / "swipe-phone.png"))
    finger.up()
    is_read(phone, 1, "1")
    toast(phone, "Marked read")
    assert "/articles/" not in phone.url  # it opened nothing
    phone.locator("#toast button").tap()
    is_read(phone, 1, "0")
    finger.swipe(row(phone, 1), -120)
    until(phone, lambda: row(phone, 1).get_attribute("data-starred") == "1")
    finger.begin(row(phone, 1), -120)
    expect(row(phone, 1)).to_have_attribute("data-words", "Unstar")
    finger.up()
    until(phone, lambda: row(phone, 1).get_attribute("data-starred") == "0")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_short_slanted_and_unwanted_swipes_do_nothing(phone: Any, home: str, world: World) -> None:
    marks: list[str] = []
    phone.on("request", lambda request: marks.append(request.url) if "/marks" in request.url else 0)
    finger = Finger(phone)
    finger.swipe(row(phone, 0), 60)
    assert row(phone, 0).get_attribute("style") in ("", None)
    top = phone.evaluate("scrollY")
    finger.swipe(row(phone, 2), 40, -200)  # the list scrolls instead
    until(phone, lambda: phone.evaluate("scrollY") > top + 50)
    assert phone.locator(".row.swiped").count() == 0
    choose(world.reader(), {SWIPE_LEFT: "off"})
    visit(phone, home + "/")
    finger.swipe(row(phone, 0), -120)
    phone.wait_for_timeout(200)
    assert marks == []


def test_a_long_press_opens_the_menu_of_a_row(phone: Any, home: str, shots: Any) -> None:
    finger = Finger(phone)
    row(phone, 2).scroll_into_view_if_needed()
    box = row(phone, 2).bounding_box()
    finger.down(box["x"] + 150, box["y"] + 20)
    menu = phone.locator("#row-menu")
    expect(menu).to_be_visible()
    finger.up()
    phone.wait_for_timeout(100)
    expect(menu).to_be_visible()
    assert "/articles/" not in phone.url
    phone.screenshot(path=str(shots / "menu-phone.png"))
    assert "\n".join(violations(phone)) == ""
    menu.get_by_role("menuitem", name="Mark 2 above read").tap()
    is_read(phone, 0, "1")
    is_read(phone, 1, "1")
    is_read(phone, 2, "0")
    toast(phone, "2 articles marked read")
    expect(menu).to_be_hidden()
    row(phone, 3).locator(".acts-menu").tap()
    menu.get_by_role("menuitem", name="Star").tap()
    until(phone, lambda: row(phone, 3).get_attribute("data-starred") == "1")


def test_the_menu_by_keys(page: Any) -> None:
    menu = page.locator("#row-menu")
    row(page, 1).locator(".open").focus()
    press(page, "Shift+F10")
    expect(menu).to_be_visible()
    expect(menu.get_by_role("menuitem", name="Open", exact=True)).to_be_focused()
    press(page, "ArrowUp")
    expect(menu.get_by_role("menuitem", name="Mark 1 above read")).to_be_focused()
    press(page, "j", "Home", "ArrowDown", "Escape")
    expect(menu).to_be_hidden()
    expect(row(page, 1).locator(".open")).to_be_focused()
    assert row(page, 1).get_attribute("aria-current") == "true"
    press(page, "j", ".")
    menu.get_by_role("menuitem", name="Mark read").focus()
    press(page, "Enter")
    is_read(page, 2, "1")
    # From the button of a row at the lower edge, the menu is in the window whole.
    page.evaluate("document.querySelector('#rows > .row:nth-child(8)').scrollIntoView(false)")
    row(page, 7).hover()
    row(page, 7).locator(".acts-menu").click()
    box = menu.bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    press(page, "Escape")
    # A mouse's right button keeps the menu of the browser.
    row(page, 4).locator(".open").click(button="right")
    assert not menu.is_visible()


def test_a_list_that_is_hardly_longer_than_the_screen_marks_nothing_passed(
    page: Any, home: str, world: World
) -> None:
    choose(world.reader(), {PASSED: "read"})
    for path, height in (("/?rows=3", 900), ("/search?q=title:harbour", 2_000)):
        page.set_viewport_size({"width": 1280, "height": height})
        visit(page, home + path)
        sent: list[str] = []
        page.on("request", lambda request, sent=sent: sent.append(request.url))
        page.mouse.move(700, 500)
        page.mouse.wheel(0, 2_000)
        page.wait_for_timeout(1_800)
        assert not [url for url in sent if "passed" in url]
