"""What a reader sees: times, pictures that never come, numbers, where buttons stand, what goes."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from web.chromium import PHONE, WIDE, serving
from web.keyboard import pick, press, row, toast, until, visit
from web.world import NEWS, NOW, World, article

pytestmark = pytest.mark.browser

SIZES = pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
FIRST = NEWS[0]["title"]


@SIZES
def test_times_are_the_browsers(
    chromium: Any, home: str, world: World, size: dict[str, int]
) -> None:
    context = chromium.new_context(viewport=size, timezone_id="Asia/Kathmandu")
    page = context.new_page()
    page.goto(f"{home}/articles/{world.named(FIRST)}")
    byline = page.locator("#text").locator("header .by time")
    expect(byline).to_have_text("Friday, 20 November 2026, 12:15")
    page.goto(home + "/feeds/1")
    expect(page.locator(".facts time").first).to_have_text("2026-11-20 15:15")
    assert "UTC" not in page.locator("main").inner_text()
    context.close()


@SIZES
def test_without_javascript_times_are_utc_and_say_so(
    chromium: Any, home: str, world: World, size: dict[str, int]
) -> None:
    context = chromium.new_context(
        viewport=size, timezone_id="Asia/Kathmandu", java_script_enabled=False
    )
    page = context.new_page()
    page.goto(f"{home}/articles/{world.named(FIRST)}")
    byline = page.locator("#text").locator("header .by time")
    expect(byline).to_have_text("Friday, 20 November 2026, 06:30 UTC")
    context.close()


def test_a_browser_that_moves_is_followed(chromium: Any, home: str) -> None:
    for zone, clock in (
        ("Europe/Berlin", "10:30"),
        ("America/Lima", "04:30"),
        ("UTC", "09:30 UTC"),
    ):
        context = chromium.new_context(timezone_id=zone)
        context.add_cookies([{"name": "newsloom-zone", "value": "Asia%2FTokyo", "url": home}])
        page = context.new_page()
        page.goto(home + "/feeds/1")
        expect(page.locator(".facts time").first).to_have_text(f"2026-11-20 {clock}")
        context.close()


@pytest.fixture
def pictures(world: World) -> Iterator[str]:
    """An article with pictures that fail, that hang and that are there."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(20)
        hanging = f"http://127.0.0.1:{silent.getsockname()[1]}/a.png"
        refused = "http://127.0.0.1:9/b.png"
        html = "<p>Before.</p>" + "".join(
            f'<p><img src="{source}" width="640" height="480"{alt}></p>'
            for source in (hanging, refused, "https://gone.example/c.png")
            for alt in ("", ' alt=""', ' alt="A long description of what the picture had shown"')
        )
        html += '<p><img src="https://there.example/d.png" width="64" height="48"></p><p>After.</p>'
        data = NEWS[0] | {"title": "Pictures", "html": html}
        feed = world.reader().subscriptions()[0].feed_id
        world.put(feed, article(data, 999, NOW)._replace(guid="pictures"))
        yield f"/articles/{world.named('Pictures')}"


@SIZES
def test_pictures_that_fail_leave_no_hole(
    chromium: Any, home: str, pictures: str, size: dict[str, int]
) -> None:
    context = chromium.new_context(viewport=size)
    there = (
        b'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="9"/></svg>'
    )
    context.route("https://gone.example/**", lambda route: route.abort())
    context.route(
        "https://there.example/**",
        lambda route: route.fulfill(body=there, content_type="image/svg+xml"),
    )
    page = context.new_page()
    page.goto(home + pictures, wait_until="commit")
    images = page.locator("#text").locator(".text img")
    expect(images).to_have_count(10)
    until(page, lambda: images.nth(9).evaluate("image => image.complete && image.naturalWidth > 0"))
    heights = [images.nth(place).bounding_box()["height"] for place in range(10)]
    assert max(heights[:9]) < 30
    assert heights[9] == 48
    context.close()


@SIZES
def test_why_opens_below(chromium: Any, home: str, size: dict[str, int]) -> None:
    context = chromium.new_context(viewport=size)
    page = context.new_page()
    visit(page, home + "/")
    before = row(page, 0).locator(".excerpt").bounding_box()
    pick(page, row(page, 0), "Why it ranks here")
    row(page, 0).locator(".why-words .reason").first.wait_for()
    assert row(page, 0).locator(".excerpt").bounding_box() == before, "nothing above moves"
    words = row(page, 0).locator(".why-words").bounding_box()
    assert words["y"] >= before["y"] + before["height"]
    assert words["width"] > row(page, 0).bounding_box()["width"] * 0.75
    context.close()


def test_numbers_are_written_alike(world: World, chromium: Any) -> None:
    feed = world.reader().subscriptions()[0].feed_id
    columns = "feed_id, original_id, fullest_id, first_seen_at, dated_at, version_at"
    with world.store.database.write() as connection:
        connection.exec_driver_sql(
            f"""WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
            INSERT INTO articles (id, {columns}) SELECT i, {feed}, i, i, 0, i, 0 FROM n"""
        )
        connection.exec_driver_sql(
            f"""INSERT INTO states (user_id, article_id, feed_id, dated_at, rank_key)
            SELECT {world.user}, id, feed_id, dated_at, dated_at FROM articles WHERE id >= 1000"""
        )
    with serving(world) as home:
        page = chromium.new_page(viewport=WIDE)
        for path in ("/", "/feeds"):
            visit(page, home + path)
            counts = page.locator(".count").all_inner_texts()
            assert any("2," in one for one in counts)
            assert not [one for one in counts if re.search(r"\d{4}", one)]
        visit(page, home + "/")
        press(page, "j", "l")
        toast(page, "Liked")
        expect(page.locator("#count-unread")).to_have_text("2,079")
        link = page.locator(f"#tree [data-feed='{feed}']")
        assert not re.search(r"\d{4}", link.get_attribute("data-count"))
        page.close()


@SIZES
def test_stopping_to_follow_is_asked_and_taken_back(
    chromium: Any, home: str, world: World, size: dict[str, int]
) -> None:
    before = world.reader().subscriptions()
    for scripts in (True, False):
        context = chromium.new_context(viewport=size, java_script_enabled=scripts)
        page = context.new_page()
        page.goto(home + "/feeds/3")
        page.locator(".leave > summary").click()
        page.get_by_text("You can undo this for 30 days").wait_for()
        page.get_by_role("button", name="Unfollow").click()
        page.locator("#toast .said", has_text="Feed unfollowed").wait_for()
        assert len(world.reader().subscriptions()) == len(before) - 1
        if scripts:
            until(page, lambda p=page: p.locator("html[data-ready]").count() == 1)
            press(page, "u")
        else:
            page.get_by_role("button", name=re.compile("Follow again: ")).click()
        page.locator("#toast .said", has_text="Feed restored").wait_for()
        assert world.reader().subscriptions() == before
        context.close()


@SIZES
def test_everything_is_marked_read_by_keyboard_and_taken_back(
    chromium: Any, home: str, world: World, size: dict[str, int]
) -> None:
    page = chromium.new_page(viewport=size)
    visit(page, home + "/")
    press(page, "A", "Tab", "Enter")
    toast(page, "80 articles marked read")
    expect(page.locator(".empty h2")).to_have_text("All read")
    assert world.reader().unread() == 0
    press(page, "u")
    expect(page.locator("#rows > .row")).to_have_count(30)
    assert world.reader().unread() == 80
    page.close()


@SIZES
def test_what_is_judged_stays_dimmed_and_is_found_again(
    chromium: Any, home: str, world: World, size: dict[str, int]
) -> None:
    page = chromium.new_page(viewport=size)
    visit(page, home + "/")
    liked, disliked = (row(page, at).locator(".open").inner_text() for at in (0, 1))
    press(page, "j", "l")
    toast(page, "Liked")
    press(page, "j", "d")
    toast(page, "Disliked")
    expect(row(page, 1)).to_have_class(re.compile("is-gone"))
    expect(row(page, 1).locator(".excerpt")).to_be_hidden()
    assert "is-read" in row(page, 0).get_attribute("class")
    assert "selected" in row(page, 1).get_attribute("class")
    visit(page, home + "/")
    assert not {liked, disliked} & set(page.locator(".row .open").all_inner_texts())
    press(page, "g", "l")
    page.wait_for_url("**/?show=liked")
    expect(page.locator(".row .open")).to_have_text([liked])
    press(page, "u")  # the dislike
    toast(page, "Undone")
    press(page, "u")  # the like
    toast(page, liked[:20])
    visit(page, home + "/")
    assert page.locator(".row .open").all_inner_texts()[:2] == [liked, disliked]
    page.close()


@SIZES
@pytest.mark.parametrize("key", ["A", "f"])
def test_a_menu_opened_by_key_is_ready_for_the_next_key(
    chromium: Any, home: str, key: str, size: dict[str, int]
) -> None:
    """Also when the next key comes before the browser tells that the menu is open."""
    page = chromium.new_page(viewport=size)
    visit(page, home + "/")
    inside, after = page.evaluate(FAST_KEYS, key)
    assert inside, "the focus is in the menu at once"
    assert after, "and what is chosen meanwhile keeps it"
    page.close()


FAST_KEYS = """async (key) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const menu = document.querySelector("details.menu[open]");
  const inside = menu.querySelector(":scope :is(button, select):focus") !== null;
  const last = [...menu.querySelectorAll("button")].filter((one) => one.checkVisibility()).at(-1);
  last.focus();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return [inside, document.activeElement === last];
}"""
