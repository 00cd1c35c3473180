"""Icons of sites: asked for politely by passes, never by pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, update

from newsloom.feeds.service import subscribing
from newsloom.feeds.service.icons import Icons
from newsloom.feeds.store.tables import feeds, pauses
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.urls import shared_host
from newsloom.web.app import create_app
from pictures import gif, png
from publisher import Publisher, rss
from whole.conftest import Whole

WEEK = timedelta(days=7)
ICON = "/favicon.ico"


@pytest.fixture
def whole(open_whole: Callable[..., Whole], publisher: Publisher) -> Whole:
    return open_whole(publisher.host, icons=True)


def follow(whole: Whole, publisher: Publisher, path: str = "/feed", image: str = "") -> FeedId:
    """A feed of the publisher's that has answered."""
    [found] = whole.follow(publisher.url + path)
    facts = {
        "site_url": f"{publisher.url}/",
        "image": publisher.url + image if image else "",
        "ok_at": whole.clock(),
    }
    with whole.app.store.database.write() as connection:  # type: ignore[attr-defined]
        connection.execute(update(feeds).where(feeds.c.id == found).values(**facts))
    return found


def ask(whole: Whole) -> int:
    """The side task alone."""

    async def asking() -> int:
        async with whole.app.fetching() as fetcher:
            return await Icons(whole.app.store, whole.clock).run(fetcher)

    return asyncio.run(asking())


def asked(publisher: Publisher) -> list[str]:
    return [path for path, _headers in publisher.asked if "feed" not in path]


def visitor(whole: Whole) -> TestClient:
    return TestClient(create_app(whole.app.reader()), base_url="http://127.0.0.1")


def test_an_icon_is_asked_for_once_a_week_and_conditionally(
    whole: Whole, publisher: Publisher
) -> None:
    feed = rss("A feed", ("1", publisher.url + "/1", "One"))
    whole.follow(publisher.puts("/feed", feed, ETag='"feed"'))
    publisher.puts(ICON, png(), ETag='"1"', Last_Modified="Sat, 21 Nov 2026 10:00:00 GMT")
    report = whole.run(stages=())
    assert ("icons", 1) in [(one.stage, one.done) for one in report.stages]
    for day in range(6):
        whole.clock.ahead = timedelta(days=day)
        ask(whole)
    assert asked(publisher) == [ICON]
    whole.clock.ahead = WEEK + timedelta(hours=1)
    ask(whole)
    assert asked(publisher) == [ICON, ICON]
    _path, headers = next(one for one in reversed(publisher.asked) if one[0] == ICON)
    assert headers["if-none-match"] == '"1"'
    assert headers["if-modified-since"] == "Sat, 21 Nov 2026 10:00:00 GMT"
    assert subscribing.icons(whole.app.reader(), whole.app.reader().subscriptions())


def test_a_new_picture_takes_the_place_of_the_old(whole: Whole, publisher: Publisher) -> None:
    feed = follow(whole, publisher)
    publisher.puts(ICON, png(), ETag='"1"')
    ask(whole)
    before = subscribing.icon(whole.app.reader(), feed)
    publisher.puts(ICON, gif(), ETag='"2"')
    whole.clock.ahead = WEEK
    ask(whole)
    after = subscribing.icon(whole.app.reader(), feed)
    assert (before.type, after.type) == ("image/png", "image/gif")
    assert before.tag != after.tag


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"gone", 404),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", 200),
        (b"<!doctype html>", 200),
        (png() + b"\0" * 200_000, 200),
        (png(9_000, 9_000), 200),
        (b"", 500),
    ],
    ids=["404", "svg", "html", "too large", "too wide", "500"],
)
def test_that_there_is_none_is_remembered_as_long(
    whole: Whole, publisher: Publisher, body: bytes, status: int
) -> None:
    feed = follow(whole, publisher)
    publisher.puts(ICON, body, status=status)
    for day in range(7):
        whole.clock.ahead = timedelta(days=day)
        ask(whole)
    assert asked(publisher) == [ICON]
    assert visitor(whole).get(f"/icons/{feed}").status_code == 404


def test_many_feeds_of_one_site_ask_once(whole: Whole, publisher: Publisher) -> None:
    for number in range(12):
        follow(whole, publisher, f"/feed{number}")
    publisher.puts(ICON, png())
    ask(whole)
    assert asked(publisher) == [ICON]


def test_the_feeds_own_picture_goes_first_where_it_is_an_icon(
    whole: Whole, publisher: Publisher
) -> None:
    follow(whole, publisher, image="/touch-icon.png")
    publisher.puts("/touch-icon.png", png())
    ask(whole)
    assert asked(publisher) == ["/touch-icon.png"]


def test_a_site_that_has_none_is_asked_elsewhere_a_week_later(
    whole: Whole, publisher: Publisher
) -> None:
    follow(whole, publisher, image="/logo.png")
    publisher.puts("/logo.png", png())
    for week in range(3):
        whole.clock.ahead = week * WEEK
        ask(whole)
    assert asked(publisher) == [ICON, "/logo.png", "/logo.png"]


def test_a_picture_stays_while_its_site_is_in_trouble(whole: Whole, publisher: Publisher) -> None:
    feed = follow(whole, publisher)
    publisher.puts(ICON, png())
    ask(whole)
    for week, (status, there) in enumerate([(503, True), (404, False)], start=1):
        publisher.puts(ICON, b"", status=status)
        whole.clock.ahead = week * WEEK
        ask(whole)
        assert (visitor(whole).get(f"/icons/{feed}").status_code == 200) is there


def test_a_killed_pass_has_asked(whole: Whole, publisher: Publisher) -> None:
    """What is under way is written down first, so that another process does not ask again."""
    follow(whole, publisher)
    ask(whole)

    class Killed(Exception):
        """Ends a pass where a kill would."""

    class Dying:
        async def get(self, request: object) -> object:
            raise Killed

    whole.clock.ahead = WEEK
    side_task = Icons(whole.app.store, whole.clock)
    with pytest.raises(ExceptionGroup):
        asyncio.run(side_task.run(Dying()))  # type: ignore[arg-type]
    ask(whole)
    assert asked(publisher) == [ICON]


@pytest.mark.parametrize("state", ["dead", "paused", "unfollowed", "never answered"])
def test_who_is_left_alone(whole: Whole, publisher: Publisher, state: str) -> None:
    feed = follow(whole, publisher)
    store, now = whole.app.store, whole.clock()
    with store.database.write() as connection:  # type: ignore[attr-defined]
        if state == "dead":
            connection.execute(update(feeds).values(dead=True))
        if state == "paused":
            host = shared_host(publisher.url)
            pause = {"host": host, "at": now, "until": now + WEEK, "because": "429"}
            connection.execute(insert(pauses).values(**pause))
        if state == "never answered":
            connection.execute(update(feeds).values(ok_at=None))
    if state == "unfollowed":
        whole.app.reader().unsubscribe(feed)
    ask(whole)
    assert asked(publisher) == []


def test_no_page_asks(whole: Whole, publisher: Publisher) -> None:
    """P25: a thousand page views, no request."""
    feed = follow(whole, publisher)
    publisher.puts(ICON, png())
    ask(whole)
    before = len(publisher.asked)
    reader, client = whole.app.reader(), visitor(whole)
    for _view in range(1_000):
        assert subscribing.icons(reader, reader.subscriptions())
        subscribing.icon(reader, feed)
    for _view in range(5):
        assert f'src="/icons/{feed}?v=' in client.get("/feeds/beside").text
        assert client.get(f"/icons/{feed}").status_code == 200
    assert len(publisher.asked) == before


def test_an_icon_is_served_as_a_picture_and_nothing_else(
    whole: Whole, publisher: Publisher
) -> None:
    feed = follow(whole, publisher)
    publisher.puts(ICON, png(), Content_Type="text/html")
    ask(whole)
    client = visitor(whole)
    answer = client.get(f"/icons/{feed}")
    assert answer.content == png()
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["cache-control"] == "private, no-cache"
    tag = answer.headers["etag"]
    assert client.get(f"/icons/{feed}", headers={"if-none-match": tag}).status_code == 304
    response = client.get(f"/icons/{feed}?v={tag.strip(chr(34))}")
    assert "immutable" in response.headers["cache-control"]
    assert client.get("/icons/999").status_code == 404
    assert client.get("/icons/0").status_code == 404


def test_where_there_is_none_a_letter_stands(whole: Whole, publisher: Publisher) -> None:
    follow(whole, publisher)
    ask(whole)
    page = visitor(whole).get("/feeds/beside").text
    assert 'data-letter="H"' in page
    assert "/icons/" not in page
