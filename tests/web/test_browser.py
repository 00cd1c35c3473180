"""A reader at the keyboard, in a real Chromium: the list, an article, undo, narrow and dark."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from newsloom.reading.values.reading import EventKind
from web.chromium import PHONE, serving
from web.keyboard import pick, press, row, toast, until, visit
from web.world import NEWS, World

pytestmark = pytest.mark.browser

FIRST = NEWS[0]["title"]


def test_j_and_k_walk_the_list(page: Any) -> None:
    press(page, "j")
    assert "selected" in row(page, 0).get_attribute("class")
    press(page, "j", "j", "k")
    assert page.locator(".row.selected").count() == 1
    assert row(page, 1).get_attribute("aria-current") == "true"
    press(page, *"j" * 12)
    assert row(page, 13).evaluate(
        "row => { const at = row.getBoundingClientRect();"
        " return at.top >= 0 && at.bottom <= innerHeight; }"
    )


@pytest.mark.parametrize(
    ("key", "kind", "said"),
    [
        ("l", "like", "Liked"),
        ("d", "dislike", "Disliked"),
        ("s", "star", "Starred"),
        ("m", "read", "Marked read"),
    ],
)
def test_a_key_marks_and_u_takes_it_back(
    world: World, page: Any, key: str, kind: str, said: str
) -> None:
    button = row(page, 0).locator(f".mark.{kind}")
    press(page, "j", key)
    toast(page, said)
    assert button.get_attribute("aria-pressed") == "true"
    assert "selected" in row(page, 0).get_attribute("class")
    count = page.locator("#count-unread").inner_text()
    assert count == ("80" if kind == "star" else "79")
    press(page, "u")
    toast(page, "Undone")
    assert button.get_attribute("aria-pressed") == "false"
    assert page.locator("#count-unread").inner_text() == "80"
    assert world.reader().unread() == 80


def test_marks_by_mouse_leave_the_page_where_it_is(page: Any) -> None:
    place = page.url
    row(page, 2).hover()
    row(page, 2).locator(".mark.star").click()
    toast(page, "Starred")
    pick(page, row(page, 2), "Mark read")
    toast(page, "Marked read")
    assert "is-read" in row(page, 2).get_attribute("class")
    page.locator("#toast button").click()
    toast(page, "Undone")
    assert "is-read" not in row(page, 2).get_attribute("class")
    assert page.url == place


def test_why_opens_in_its_row(page: Any) -> None:
    press(page, "j", "w")
    row(page, 0).locator(".why-words .reason").first.wait_for()
    assert not row(page, 0).locator("figure.curve svg").is_visible()
    row(page, 0).get_by_text("Details").click()
    assert row(page, 0).locator("figure.curve svg").is_visible()
    press(page, "w")
    assert not row(page, 0).locator(".why-words").is_visible()


def test_opening_reads_and_the_list_knows(world: World, page: Any) -> None:
    press(page, "j", "o")
    page.wait_for_url("**/articles/*")
    frame = page.locator("#text")
    frame.get_by_role("heading", name=FIRST).wait_for()
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    assert world.reader().article(world.named(FIRST)).listed.state.read
    press(page, "Escape")
    page.wait_for_url(re.compile(r"/$"))
    opened = page.locator(".row.is-read.selected")
    opened.wait_for()
    assert FIRST in opened.inner_text()
    page.goto(page.url)
    assert page.locator(".row", has_text=FIRST).count() == 0


def test_the_browsers_back_shows_what_was_read(page: Any) -> None:
    press(page, "j", "o")
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    page.go_back()
    page.locator("#rows").wait_for()
    until(page, lambda: page.locator(".row:not(.is-read)", has_text=FIRST).count() == 0)


@pytest.mark.parametrize(
    ("seconds", "kinds"),
    [(10, []), (60, [EventKind.FINISHED]), (7_200, [])],
    ids=["glanced", "read", "left open"],
)
def test_an_article_whose_end_was_seen_in_its_time_was_finished(
    chromium: Any, home: str, world: World, seconds: int, kinds: list[EventKind]
) -> None:
    page = chromium.new_page()
    visit(page, home + "/")
    press(page, "j", "o")
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    page.evaluate(LATER, seconds)
    page.locator("#text > footer").scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    press(page, "Escape")
    page.wait_for_url(re.compile(r"/$"))
    until(page, lambda: [one.kind for one in world.store.models.labels(world.user)] == kinds)
    page.close()


def test_reading_to_the_end_is_told_once(page: Any, world: World) -> None:
    page.set_viewport_size({"width": 1280, "height": 400})
    visit(page, page.url + f"articles/{world.named(FIRST)}")
    page.evaluate(
        "() => { window.told = 0; navigator.sendBeacon = () => Boolean(window.told += 1); }"
    )

    def told() -> int:
        return int(page.evaluate("window.told"))

    def away(seconds: int, then: int) -> None:
        for act, value in ((HIDE, "hidden"), (LATER, seconds), (HIDE, "visible"), (LATER, then)):
            page.evaluate(act, value)

    away(300, 600)
    away(0, 0)
    assert told() == 0, "the end was not in view"
    page.locator("#text > footer").scroll_into_view_if_needed()
    until(page, lambda: told() == 1)
    away(300, 600)
    away(0, 0)
    assert told() == 1


# As if so many seconds had passed.
LATER = """(seconds) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 1000 * seconds;
}"""
# No page can hide itself: what the browser would say of it, and the event that tells.
HIDE = """(state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_j_and_k_walk_articles_in_the_order_of_the_list(page: Any) -> None:
    titles = page.locator(".row .open").all_inner_texts()
    press(page, "j", "o")
    for key, number in (("", 0), ("j", 1), ("j", 2), ("k", 1), ("k", 0)):
        if key:
            press(page, key)
        page.locator("h1", has_text=titles[number]).wait_for(state="attached")
        page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
        page.wait_for_load_state()
    assert page.locator("#before").get_attribute("aria-disabled") == "true"


def test_an_article_scrolls_and_still_listens(world: World, page: Any) -> None:
    def scrolled() -> bool:
        """Far, and no more: a key that is pressed meanwhile scrolls from where the page is."""
        top = page.evaluate("scrollY")
        page.wait_for_timeout(200)
        return bool(page.evaluate("scrollY") == top > 300)

    visit(page, page.url + f"articles/{world.named(FIRST)}")
    press(page, "Space")
    until(page, scrolled)
    expect(page.locator(".tools.away")).to_be_attached()
    press(page, "PageUp")
    until(page, lambda: page.evaluate("scrollY === 0"))
    expect(page.locator(".tools.away")).to_have_count(0)
    page.locator("#text p").first.click()
    press(page, "s")
    page.locator(".tools .mark.star[aria-pressed=true]").wait_for()


def test_the_frame_opens_links_in_new_tabs_without_a_trace(world: World, page: Any) -> None:
    visit(page, page.url + f"articles/{world.named(FIRST)}")
    page.context.route("https://*.example/**", lambda route: route.fulfill(body="outside"))
    with page.context.expect_page() as opening:
        page.locator("#text").get_by_role("link", name="Comments").click()
    outside = opening.value
    outside.wait_for_load_state()
    assert outside.evaluate("[window.opener, document.referrer]") == [None, ""]
    assert "/articles/" in page.url


def test_v_opens_the_original(page: Any) -> None:
    page.context.route("https://*.example/**", lambda route: route.fulfill(body="outside"))
    press(page, "j")
    with page.context.expect_page() as opening:
        press(page, "v")
    assert opening.value.url.startswith("https://www.meridian.example/")


def test_search_by_key(page: Any) -> None:
    press(page, "/")
    page.keyboard.type("typewriter")
    press(page, "Enter")
    page.wait_for_url("**/search?q=typewriter")
    assert "typewriter" in row(page, 0).inner_text()


def test_a_search_is_ordered_and_goes_on_by_key(page: Any, world: World) -> None:
    press(page, "/")
    page.keyboard.type("article -is:starred")
    press(page, "Enter")
    page.wait_for_url("**/search?q=article+-is%3Astarred")
    for sort in ("&sort=newest", "&sort=oldest", "&sort=score", r"&sort=random&seed=\d+", ""):
        press(page, "n")
        page.wait_for_url(re.compile(rf"starred{sort}$"))
        visit(page, page.url)
    press(page, "j", "m")
    page.locator(".row.selected.is-read").wait_for()
    page.locator("#more a[data-htmx-powered]").click()
    until(page, lambda: page.locator("#rows > .row").count() == 60)
    assert len(set(page.locator(".row .open").all_inner_texts())) == 60
    press(page, "j", "Enter")
    page.wait_for_url("**/articles/*")
    press(page, "Escape")
    page.wait_for_url("**/search?q=article+-is%3Astarred&rows=60")
    assert page.locator("#rows > .row").count() == 60
    until(page, lambda: "selected" in row(page, 1).get_attribute("class"))
    until(page, lambda: "is-read" in row(page, 1).get_attribute("class"))


def test_what_is_wrong_with_a_search_is_said_where_it_is_typed(page: Any) -> None:
    page.goto(page.url + "search?q=is:new")
    box = page.locator("#q-main")
    assert page.get_by_role("alert").inner_text().startswith("is:new is not known")
    assert box.get_attribute("aria-invalid") == "true"
    assert box.evaluate("box => box === document.activeElement")
    assert page.locator("details.syntax[open]").count() == 1


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        ("ga", "/?show=all"),
        ("gS", "/?show=starred"),
        ("gs", "/stories"),
        ("g,", "/settings"),
        ("n", "/?order=newest"),
    ],
)
def test_keys_go_places(page: Any, keys: str, path: str) -> None:
    press(page, *keys)
    page.wait_for_url(re.compile(re.escape(path) + "$"))
    press(page, "g", "u") if keys != "n" else press(page, "n")
    page.wait_for_url(re.compile(r"/$"))


def test_typing_is_not_commanding(page: Any, world: World) -> None:
    press(page, "j", "/")
    page.keyboard.type("lsmdu")
    assert page.locator("#q").input_value() == "lsmdu"
    assert world.reader().undo("test") == ()


def test_help_by_key(page: Any) -> None:
    press(page, "?")
    assert page.locator("#keys").is_visible()
    press(page, "Escape")
    assert not page.locator("#keys").is_visible()


def test_more_goes_on_where_the_list_is_now(page: Any, world: World) -> None:
    for _ in range(3):
        press(page, "j", "m")
        page.locator(".row.selected.is-read").wait_for()
    page.locator("#more a[data-htmx-powered]").click()
    until(page, lambda: page.locator("#rows > .row").count() == 60)
    page.locator("#more a[data-htmx-powered]").click()
    until(page, lambda: page.locator("#rows > .row").count() == 80)
    assert len(set(page.locator(".row .open").all_inner_texts())) == 80
    assert page.locator("#more").count() == 0


def test_a_page_is_marked_read_in_two_steps_and_taken_back(page: Any, world: World) -> None:
    press(page, "A")
    page.get_by_role("button", name="Mark these 30 read").wait_for()
    press(page, "Enter")
    toast(page, "30 articles marked read")
    assert world.reader().unread() == 50
    until(page, lambda: "did=" not in page.url)
    press(page, "u")
    toast(page, "Undone: 30 articles")
    assert world.reader().unread() == 80


def test_a_reader_that_is_gone_says_so(chromium: Any, world: World) -> None:
    """As over http from another machine, where browsers have no worker to keep the mark."""
    page = chromium.new_page(service_workers="block")
    with serving(world) as home:
        visit(page, home + "/")
    press(page, "j", "l")
    toast(page, "reach Newsloom")
    page.close()


def test_what_is_gone_meanwhile_is_said_in_a_toast(chromium: Any, home: str, world: World) -> None:
    page = chromium.new_page()
    visit(page, home + "/")
    for one in world.reader().subscriptions():
        world.reader().unsubscribe(one.feed_id)
    press(page, "j", "l")
    toast(page, "There is no article")
    assert page.locator("#rows > .row").count() == 30
    page.close()


def test_without_javascript_everything_is_read_and_marked(
    chromium: Any, home: str, world: World
) -> None:
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(home + "/")
    row(page, 0).locator(".mark.like").click()
    page.locator("#toast .said", has_text="Liked").wait_for()
    page.locator("#toast button").click()
    page.locator("#toast .said", has_text="Undone").wait_for()
    row(page, 0).get_by_role("link", name="Why").click()
    page.locator(".why-details > summary").click()
    page.get_by_text("halves every").wait_for()
    page.goto(home + "/")
    page.locator("#filters > summary").click()
    page.locator("#filters select[name=language]").select_option("de")
    page.locator("#filters").get_by_role("button", name="Apply").click()
    page.wait_for_url("**/?language=de")
    page.goto(home + "/")
    page.locator(".drawer").click()
    page.locator("#side").get_by_role("link", name="All feeds").click()
    page.locator("table.feeds").get_by_role("link", name="Compiler Weekly").click()
    page.get_by_role("link", name="its articles").click()
    page.get_by_role("heading", name="Compiler Weekly").wait_for()
    row(page, 0).locator(".open").click()
    page.locator("#text .title").wait_for()
    page.locator(".tools .mark.read").click()
    page.locator(".tools .mark.read[aria-pressed=true]").wait_for()
    page.locator("#after").click()
    page.locator("#text .title").wait_for()
    context.close()
    assert world.reader().unread() == 79


def test_fragments_come_in_where_a_script_is_late(chromium: Any, home: str) -> None:
    """The feeds beside the page need htmx alone; what lets it parse them is there first."""
    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    late: list[Any] = []
    page.route("**/newsloom.js*", lambda route: late.append(route))
    page.goto(f"{home}/", wait_until="commit")
    expect(page.locator("#tree-feeds a").first).to_be_attached()
    late[0].continue_()
    page.wait_for_load_state()
    context.close()
