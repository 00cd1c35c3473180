"""The player of a brief in a real Chromium that plays a real sound: tones, three seconds each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from migrated import copied
from web.chromium import PHONE, WIDE, serving
from web.keyboard import press, toast, until
from web.spoken import Spoken, spoken
from web.world import World, open_world

pytestmark = pytest.mark.browser


class Room:
    """A world whose brief is served."""

    def __init__(self, world: World, made: Spoken, url: str, chromium: Any) -> None:
        self.world, self.made, self.url, self.chromium = world, made, url, chromium
        self.path = f"{url}/briefs/{made.heard}"
        self.contexts: list[Any] = []
        self.complaints: list[str] = []

    def open(self, **options: Any) -> Any:
        """The brief on a device of its own."""
        self.contexts.append(self.chromium.new_context(**{"viewport": WIDE, **options}))
        page = self.contexts[-1].new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.visit(page)
        return page

    def visit(self, page: Any) -> None:
        page.goto(self.path)
        page.locator("html[data-ready=yes] .player.ready").wait_for()
        until(page, lambda: page.evaluate("document.getElementById('sound').readyState > 0"))

    @property
    def heard(self) -> float:
        return self.world.store.briefs.heard(self.world.user, self.made.heard)


@pytest.fixture
def room(furnished: Path, tmp_path: Path, chromium: Any) -> Iterator[Room]:
    copied(furnished, tmp_path)
    world = open_world(tmp_path)
    made = spoken(world, tmp_path / "sound")
    with serving(world, spoken=made.actions) as url:
        here = Room(world, made, url, chromium)
        yield here
        for one in here.contexts:
            one.close()
    world.store.close()
    assert here.complaints == []


def current(page: Any, number: int) -> None:
    """Wait until that sentence is the marked one."""
    page.locator(f"#s{number}.current[aria-current=true]").wait_for()


def time(page: Any) -> float:
    return page.evaluate("document.getElementById('sound').currentTime")


def stopped(page: Any) -> None:
    page.get_by_role("button", name="Play", exact=True).wait_for()


def test_the_transcript_follows_the_voice_and_leads_it(room: Room) -> None:
    page = room.open()
    page.get_by_role("button", name="Play", exact=True).click()
    current(page, 1)
    assert page.locator(".current").count() == 1
    assert page.locator(".chapters [aria-current]").inner_text().startswith("0:03")
    page.locator("#s5 .spoken").click()
    current(page, 5)
    assert 15 <= time(page) < 18
    assert page.url == room.path
    page.keyboard.press(" ")
    stopped(page)
    press(page, "j")
    current(page, 6)
    assert time(page) == pytest.approx(18, abs=0.05)
    press(page, "k", "k")
    current(page, 4)
    page.keyboard.press("ArrowLeft")
    current(page, 0)
    page.keyboard.press("ArrowRight")
    current(page, 5)
    press(page, "J")
    current(page, 7)
    press(page, "K")
    current(page, 4)
    page.locator("#s2 .spoken").focus()
    page.keyboard.press("Enter")
    current(page, 2)
    page.get_by_role("button", name="Pause", exact=True).click()
    page.locator(".chapters a").nth(3).click()
    current(page, 7)
    text = "navigator.mediaSession.metadata"
    assert page.evaluate(f"[{text}.title, {text}.album]") == ["Close", "Morning brief, 20 November"]
    place = page.get_by_role("slider", name="Position")
    place.focus()
    page.keyboard.press("ArrowRight")
    assert re.fullmatch(r"0:2\d of 0:30", place.get_attribute("aria-valuetext"))
    page.locator("#s9 .spoken").click()
    until(page, lambda: room.heard == 30)
    stopped(page)


def test_one_marks_what_is_told_while_listening(room: Room) -> None:
    page = room.open()
    first, second, third = room.made.articles
    like = page.locator(".now-marks .like")
    assert like.is_disabled(), "the opening tells of nothing"
    page.locator("#s1 .spoken").click()
    current(page, 1)
    page.keyboard.press(" ")
    press(page, "l")
    toast(page, "Liked")
    page.locator(".now-marks .like[aria-pressed=true]").wait_for()
    state = room.world.reader().article(first).listed.state
    assert state.rating == 1
    press(page, "u")
    toast(page, "Undone")
    page.locator(".now-marks .like[aria-pressed=false]").wait_for()
    page.locator("#s6 .spoken").click()
    current(page, 6)
    page.locator(".now-marks .star").click()
    toast(page, "Starred")
    assert room.world.reader().article(third).listed.state.starred
    assert not room.world.reader().article(second).listed.state.starred
    press(page, "c")
    page.locator("#s6 details[open] li").first.wait_for()
    assert page.locator("#s6 li").count() == 2
    with page.expect_popup() as opened:
        press(page, "o")
    assert f"/articles/{third}" in opened.value.url
    page.get_by_role("button", name="Pause", exact=True).wait_for()


def test_speed_is_kept_and_the_timer_ends_the_voice(room: Room) -> None:
    page = room.open()
    page.get_by_label("Speed").select_option("2")
    room.visit(page)
    assert page.get_by_label("Speed").input_value() == "2"
    assert page.evaluate("document.getElementById('sound').playbackRate") == 2
    press(page, "<")
    toast(page, "Speed 1.75×")
    press(page, ">")
    page.locator("#s3 .spoken").click()
    current(page, 3)
    page.get_by_label("Sleep timer").select_option("chapter")
    stopped(page)
    assert 12 <= time(page) < 13.5, "where the next chapter begins"
    assert page.get_by_label("Sleep timer").input_value() == ""
    page.get_by_label("Sleep timer").select_option("10")
    assert page.locator(".sleeps").inner_text() == "10 m"
    page.locator("#s4 .spoken").click()
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.clock.set_system_time(page.evaluate("Date.now()") + 11 * 60_000)
    stopped(page)
    assert time(page) < 29


def test_another_device_goes_on_where_one_stopped(room: Room) -> None:
    page = room.open()
    with page.expect_response(re.compile("/heard$")):
        page.locator("#s5 .spoken").click()
        current(page, 5)
        page.keyboard.press(" ")
    assert 15 <= room.heard < 18
    phone = room.open(viewport=PHONE)
    current(phone, 5)
    assert time(phone) == pytest.approx(room.heard, abs=0.05)
    with phone.expect_response(re.compile("/heard$")):
        phone.get_by_role("button", name="Next chapter").click()
    current(phone, 7)
    assert room.heard == pytest.approx(21, abs=0.05)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    current(page, 7)
    page.goto(room.url + "/briefs")
    assert "left" in page.locator(".brief-list li", has_text="Morning brief").inner_text()


def test_a_phone_has_all_of_it(room: Room) -> None:
    page = room.open(viewport=PHONE, has_touch=True, reduced_motion="reduce")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    for one in page.locator(".deck :is(button, select):visible").all():
        box = one.bounding_box()
        assert box["width"] >= 44, one
        assert box["height"] >= 44, one
        assert box["x"] >= 0, one
        assert box["x"] + box["width"] <= PHONE["width"], one
    page.locator("#s6 .spoken").click()
    current(page, 6)
    page.keyboard.press(" ")
    bar = page.locator("#player").bounding_box()
    assert bar["y"] + bar["height"] == pytest.approx(PHONE["height"], abs=1)
    page.mouse.move(100, 200)
    page.mouse.wheel(0, -5_000)
    back = page.get_by_role("button", name="Go to current sentence")
    back.click()
    until(page, lambda: page.locator(".current").bounding_box()["y"] > 50)
    box = page.locator(".current").bounding_box()
    assert box["y"] + box["height"] <= page.locator("#player").bounding_box()["y"]
    back.wait_for(state="hidden")


def test_it_is_heard_read_and_marked_without_scripts(room: Room) -> None:
    context = room.chromium.new_context(java_script_enabled=False, viewport=PHONE)
    room.contexts.append(context)
    page = context.new_page()
    page.goto(room.path)
    assert page.locator("audio[controls]").is_visible()
    assert not page.locator(".deck").is_visible()
    page.locator(f"#source-{room.made.articles[0]} .mark.star").click()
    assert page.locator("#toast").inner_text().startswith("Starred")
    assert room.world.reader().article(room.made.articles[0]).listed.state.starred
