"""Icons and players in a real Chromium: quiet, in their room, and loading nothing from outside."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from newsloom.articles.store.tables import articles
from newsloom.feeds.site_icons import home_of, site_key
from newsloom.feeds.values.pages import SiteIcon
from pictures import png
from publisher import Publisher
from web.keyboard import until, visit
from web.world import NEWS, NOW, World

pytestmark = pytest.mark.browser


def give_icons(world: World) -> int:
    """Every second feed has one; how many."""
    subscriptions = world.reader().subscriptions()[::2]
    keys = {site_key(home_of(one.url, one.site_url)) for one in subscriptions}
    world.store.sites.put_icons(
        [
            SiteIcon(key, f"https://{key}/i", NOW, type="image/png", tag="abc", body=png(32, 32))
            for key in sorted(keys)
        ]
    )
    return len(subscriptions)


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_icons_take_the_room_of_letters(
    page: Any, home: str, world: World, theme: str, width: int, tmp_path: Any
) -> None:
    letters = page.locator(".tree [data-feed]").first.bounding_box()
    first = page.locator("#rows .row").first.bounding_box()
    count = give_icons(world)
    page.emulate_media(color_scheme=theme)
    visit(page, home + "/")
    pictures = page.locator(".tree img.tile")
    expect(pictures).to_have_count(count)
    pictures.first.scroll_into_view_if_needed()
    until(page, lambda: pictures.first.evaluate("picture => picture.naturalWidth") == 32)
    assert pictures.first.bounding_box()["width"] == pictures.first.bounding_box()["height"] == 16
    assert page.locator(".tree [data-feed]").first.bounding_box()["height"] == letters["height"]
    assert page.locator("#rows .row").first.bounding_box() == first
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=tmp_path / f"icons-{theme}-{width}.png")


def test_icons_say_nothing_aloud(page: Any, home: str, world: World) -> None:
    page.locator(".tree [data-feed]").first.wait_for()
    before = page.locator(".side .tree").aria_snapshot()
    give_icons(world)
    visit(page, home + "/")
    page.locator(".tree .tile").first.wait_for()
    assert page.locator(".side .tree").aria_snapshot() == before


def test_players_load_nothing_until_pressed(
    page: Any, home: str, world: World, publisher: Publisher
) -> None:
    sound = publisher.puts("/episode.mp3", b"\xff\xfb" * 500, Content_Type="audio/mpeg")
    film = publisher.puts("/film.webm", b"\x1a\x45" * 500, Content_Type="video/webm")
    number = world.named(NEWS[0]["title"])
    attached = [[sound, "audio/mpeg", 1_000], [film, "video/webm", None], [sound, "", None]]
    with world.store.database.write() as connection:
        connection.execute(articles.update().values(enclosures=attached))
    visit(page, f"{home}/articles/{number}")
    frame = page.locator("#text")
    frame.locator("audio").first.wait_for()
    assert frame.locator("audio").count() == 2
    assert frame.locator("video").count() == 1
    assert "audio/mpeg, 1 kB" in frame.locator(".attached").inner_text()
    page.wait_for_timeout(500)
    assert publisher.asked == []
    frame.locator("audio").first.click(position={"x": 20, "y": 25})
    page.wait_for_timeout(500)
    assert {path for path, _headers in publisher.asked} == {"/episode.mp3"}
    assert all("referer" not in headers for _path, headers in publisher.asked)
