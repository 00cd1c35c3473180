"""What `newsloom serve` shows of its own doing, in a real Chromium: the first fetch, new scores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from web.chromium import PHONE, WIDE
from web.keyboard import press, row, toast, visit
from web.served import EACH, Slow, newsloom_serve, slow_feeds

pytestmark = pytest.mark.browser

FEEDS = 8


@pytest.fixture
def feeds() -> Iterator[Slow]:
    with slow_feeds(FEEDS) as feeds:
        yield feeds


@pytest.fixture
def served(tmp_path: Path, feeds: Slow) -> Iterator[str]:
    with newsloom_serve(tmp_path, feeds) as url:
        yield url


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def page(request: pytest.FixtureRequest, chromium: Any, served: str) -> Iterator[Any]:
    context = chromium.new_context(viewport=request.param)
    page = context.new_page()
    page.set_default_timeout(60_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    visit(page, served + "/feeds")
    yield page
    context.close()
    assert complaints == []


def bring_in(page: Any, feeds: Slow) -> None:
    opml = {"name": "feeds.opml", "mimeType": "text/x-opml", "buffer": feeds.opml()}
    page.set_input_files("#file", opml)
    page.get_by_role("button", name="Import").click()
    toast(page, f"{FEEDS} new feeds")


def scores(page: Any) -> dict[str, str]:
    found = page.locator("#rows .score").evaluate_all(
        "all => all.map(one => [one.id, one.textContent])"
    )
    return dict(found)


def test_a_first_list_fills_before_the_readers_eyes(page: Any, served: str, feeds: Slow) -> None:
    bring_in(page, feeds)
    expect(page.locator("#news")).to_contain_text(f"0 of {FEEDS}")
    visit(page, served + "/")
    expect(page.locator(".empty h2")).to_have_text("Fetching your feeds")
    feeds.gates[0].set()
    expect(page.locator("#rows > .row")).to_have_count(EACH, timeout=60_000)
    expect(page.locator("#news")).to_contain_text(f"1 of {FEEDS}", timeout=60_000)
    feeds.gates[1].set()
    expect(page.locator("#rows > .row")).to_have_count(2 * EACH, timeout=60_000)

    # Somebody reads: nothing moves any more but by their own hand.
    press(page, *"j" * 9)
    before = page.locator(".row .open").all_inner_texts()
    place = row(page, 8).bounding_box()
    for gate in feeds.gates[2:]:
        gate.set()
    expect(page.locator("#news")).to_contain_text(f"Fetched {FEEDS} feeds", timeout=90_000)
    expect(page.locator("#count-unread")).to_have_text(str(FEEDS * EACH))
    assert page.locator(".row .open").all_inner_texts() == before
    assert row(page, 8).bounding_box() == place
    fresh = page.locator("#news .fresh a")
    expect(fresh).to_have_text(f"{(FEEDS - 2) * EACH} new articles")
    fresh.click()
    expect(page.locator("#rows > .row")).to_have_count(30)


def test_a_like_moves_its_feed_while_a_server_is_silent(
    page: Any, served: str, feeds: Slow
) -> None:
    """The order follows within seconds, not when the last feed has answered; and what the rows
    show then is what a page shows that is loaded again."""
    for gate in feeds.gates[:2]:
        gate.set()
    bring_in(page, feeds)
    visit(page, served + "/?order=newest")
    expect(page.locator("#rows > .row")).to_have_count(2 * EACH, timeout=60_000)
    again = page.context.new_page()
    again.set_default_timeout(60_000)
    for key, words in (("l", "1 of 20 likes"), ("u", "0 of 20 likes"), ("d", "1 of 20 dislikes")):
        before = scores(page)
        page.bring_to_front()
        if key == "l":
            press(page, "j")
        press(page, key)
        expect(page.locator("#tour")).to_contain_text(words)
        for _ in range(300):
            if scores(page) != before:
                break
            page.wait_for_timeout(100)
        shown = page.locator("#pulse-at").input_value()
        visit(again, f"{served}/?{shown}")
        assert scores(page) == scores(again) != before


def test_without_javascript_the_page_looks_again(chromium: Any, served: str, feeds: Slow) -> None:
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(served + "/feeds")
    bring_in(page, feeds)
    page.goto(served + "/")
    expect(page.locator(".empty h2")).to_have_text("Fetching your feeds")
    assert page.get_by_role("link", name="Reload").is_visible()
    feeds.gates[0].set()
    expect(page.locator("#rows > .row")).to_have_count(EACH, timeout=60_000)
    assert page.locator("noscript meta").count() == 0
    context.close()
