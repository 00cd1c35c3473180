"""Clicks into an article's text, which stands in a frame without scripts: every key still works."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from web.chromium import PHONE, WIDE
from web.keyboard import press, until, visit
from web.world import NEWS, World

pytestmark = pytest.mark.browser

FIRST = NEWS[0]["title"]


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def opened(request: pytest.FixtureRequest, chromium: Any, home: str, world: World) -> Iterator[Any]:
    """An article, opened from the list; anything in the console fails the test."""
    context = chromium.new_context(viewport=request.param)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if is_ours(said) else None)
    visit(page, home + "/")
    press(page, "j", "o")
    page.frame_locator("#text").locator(".text p").first.wait_for()
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    yield page
    context.close()
    assert complaints == []


def is_ours(said: Any) -> bool:
    """The driver itself tries to run a script in the frame where a test moves the mouse over it."""
    return said.type == "error" and not said.text.startswith("Blocked script execution")


def inner(page: Any) -> Any:
    return page.locator("#text").element_handle().content_frame()


def paragraph(page: Any) -> Any:
    return page.frame_locator("#text").locator(".text p").first


def focus_is_here(page: Any) -> None:
    until(page, lambda: page.evaluate("document.activeElement.id") == "main")


def test_the_frame_stays_without_scripts_and_origin(opened: Any) -> None:
    sandbox = opened.locator("#text").get_attribute("sandbox")
    assert sandbox == "allow-popups allow-popups-to-escape-sandbox"


def test_every_key_works_after_a_click(opened: Any, world: World) -> None:
    paragraph(opened).click()
    focus_is_here(opened)
    press(opened, "s")
    opened.locator(".tools .mark.star[aria-pressed=true]").wait_for()
    paragraph(opened).click()
    focus_is_here(opened)
    press(opened, "j")
    opened.locator(f"h1:not(:has-text('{FIRST}'))").wait_for(state="attached")
    opened.wait_for_load_state()
    opened.frame_locator("#text").locator("article h1").click(position={"x": 1, "y": 1})
    focus_is_here(opened)
    press(opened, "Escape")
    opened.wait_for_url(re.compile(r"/$"))
    assert world.reader().article(world.named(FIRST)).listed.state.starred


def pasted(page: Any) -> str:
    """What was copied, as it is pasted into a field of the page."""
    press(page, "/")
    page.locator("#q").fill("")
    press(page, "Control+v")
    return page.locator("#q").input_value()


def draw(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Select by mouse, past the driver: it drags by a script in every frame, and this runs none."""
    session = page.context.new_cdp_session(page)
    held = {"button": "left", "buttons": 1, "clickCount": 1}

    def send(kind: str, x: float, y: float) -> None:
        session.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **held})

    send("mousePressed", *start)
    focus_is_here(page)
    for step in range(1, 9):
        send("mouseMoved", start[0] + step / 8 * (end[0] - start[0]), end[1])
    send("mouseReleased", *end)


def test_text_is_selected_and_copied(opened: Any) -> None:
    box = paragraph(opened).bounding_box()
    right = box["x"] + box["width"] - 2
    draw(opened, (box["x"] + 2, box["y"] + 10), (right, box["y"] + 12))
    selected = inner(opened).evaluate("getSelection().toString()")
    assert len(selected) > 20
    press(opened, "Control+c")
    focus_is_here(opened)
    press(opened, "s")
    opened.locator(".tools .mark.star[aria-pressed=true]").wait_for()
    assert pasted(opened) == selected


def test_a_chord_that_takes_longer_than_the_focus_is_lent_works_at_the_next_try(
    opened: Any,
) -> None:
    paragraph(opened).dblclick(position={"x": 12, "y": 10})
    focus_is_here(opened)
    word = inner(opened).evaluate("getSelection().toString()").strip()
    assert word
    opened.keyboard.down("Control")
    opened.wait_for_timeout(1_500)
    press(opened, "c")
    opened.keyboard.up("Control")
    opened.locator("#toast .said", has_text="Press copy again").wait_for()
    press(opened, "Control+c")
    focus_is_here(opened)
    assert pasted(opened).strip() == word


def test_links_and_the_wheel_work(opened: Any) -> None:
    opened.context.route("https://*.example/**", lambda route: route.fulfill(body="outside"))
    box = opened.locator("#text").bounding_box()
    opened.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened.mouse.wheel(0, 300)
    until(opened, lambda: inner(opened).evaluate("scrollY") > 100)
    opened.mouse.click(box["x"] + 4, box["y"] + box["height"] / 2)
    focus_is_here(opened)
    opened.mouse.wheel(0, 200)
    until(opened, lambda: inner(opened).evaluate("scrollY") > 350)
    with opened.context.expect_page() as opening:
        opened.frame_locator("#text").get_by_role("link", name="Comments").click()
    opening.value.close()
    focus_is_here(opened)


def test_tab_leads_into_the_text_and_stays_there(opened: Any) -> None:
    """Who walks the links of a text by keyboard is not thrown out of it."""
    opened.locator("#nearest summary").focus()  # the last stop before it
    press(opened, "Tab")
    until(opened, lambda: opened.evaluate("document.activeElement.id") == "text")
    opened.wait_for_timeout(200)
    assert opened.evaluate("document.activeElement.id") == "text"
    before = inner(opened).evaluate("document.activeElement.outerHTML")
    press(opened, "Tab", "Tab")
    assert inner(opened).evaluate("document.activeElement.outerHTML") != before
