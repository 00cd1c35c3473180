"""Every rule of axe-core while something goes on: a first import, marking, news, leaving a feed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from newsloom.feeds.service import subscribing
from web.axe import MORE_CONTRAST, unfold, violations
from web.chromium import LOOKS, serving
from web.keyboard import press, toast, visit
from web.world import NEWS, World, article, open_world

pytestmark = [pytest.mark.browser, pytest.mark.parametrize(("size", "scheme"), LOOKS)]


@pytest.fixture
def imported(tmp_path: Path) -> Iterator[World]:
    """A list of three feeds was brought in; none has answered."""
    world = open_world(tmp_path)
    feeds = "".join(f'<outline xmlUrl="https://{name}.example/"/>' for name in "abc")
    subscribing.import_opml(world.reader(), f"<opml><body>{feeds}</body></opml>".encode())
    yield world
    world.store.close()


def broken(page: Any) -> list[str]:
    unfold(page)
    found = violations(page)
    page.emulate_media(contrast="more")
    found += violations(page, MORE_CONTRAST)
    page.emulate_media(contrast="no-preference")
    return found


def test_a_first_import(open_page: Any, imported: World, size: dict[str, int], scheme: str) -> None:
    page = open_page(size, scheme)
    first, second, third = imported.reader().subscriptions()
    with serving(imported) as url:
        visit(page, url + "/")
        expect(page.locator(".empty h2")).to_have_text("Fetching your feeds")
        expect(page.locator("#news progress")).to_be_visible()
        assert broken(page) == [], "nothing has answered"
        visit(page, url + "/feeds?did=imported&n=3")
        toast(page, "3 new feeds")
        assert broken(page) == [], "on the page of feeds"
        imported.polled(second.feed_id, problem="It answered 500")
        imported.put(first.feed_id, article(NEWS[0], 0, imported.now))
        visit(page, url + "/")
        expect(page.locator("#rows > .row")).to_have_count(1)
        expect(page.locator("#news")).to_contain_text("2 of 3, 1 failed")
        assert broken(page) == [], "a part has answered"
        press(page, "j")
        imported.put(third.feed_id, article(NEWS[1], 1, imported.now))
        expect(page.locator("#news")).to_contain_text("Fetched 3 feeds", timeout=120_000)
        expect(page.locator("#news .fresh a")).to_have_text("1 new article")
        assert broken(page) == [], "all have answered, and more has come than is shown"


def test_marking_that_takes_long(
    open_page: Any, world: World, size: dict[str, int], scheme: str
) -> None:
    page = open_page(size, scheme)
    with serving(world) as url:
        visit(page, url + "/")
        press(page, "A")
        with world.store.database.write():  # nobody else writes meanwhile
            page.get_by_role("button", name="Mark all in").click()
            toast(page, "Marking read in the background")
            expect(page.locator("#news progress")).to_be_visible()
            assert broken(page) == []
        expect(page.locator(".empty h2")).to_have_text("All read", timeout=120_000)
        assert broken(page) == [], "all read"


def test_rows_added_judged_and_left(
    open_page: Any, world: World, size: dict[str, int], scheme: str
) -> None:
    """More rows, a liked and a disliked one, and a feed that is asked about and left."""
    page = open_page(size, scheme)
    with serving(world) as url:
        visit(page, url + "/")
        page.locator("#more a[data-htmx-powered]").click()
        expect(page.locator("#rows > .row")).to_have_count(60)
        press(page, "j", "l", "j", "d")
        toast(page, "Disliked")
        assert broken(page) == [], "after marks"
        visit(page, url + "/feeds/3")
        page.locator(".leave > summary").click()
        assert violations(page) == [], "asked once more"
        page.get_by_role("button", name="Unfollow").click()
        toast(page, "Feed unfollowed")
        assert broken(page) == [], "left"
        page.goto(url + "/feeds/3")
        expect(page.locator("h1")).to_be_visible()
        assert broken(page) == [], "the page of a feed that was left"


@pytest.mark.parametrize("path", ["/?order=newest", "/search?q=article"])
def test_the_page_after_the_first(
    open_page: Any, home: str, path: str, size: dict[str, int], scheme: str
) -> None:
    """Where More leads without scripts."""
    page = open_page(size, scheme)
    visit(page, home + path)
    page.goto(home + page.locator("#more a").get_attribute("href"))
    assert "after=" in page.url
    expect(page.locator("#rows > .row")).not_to_have_count(0)
    assert broken(page) == []
