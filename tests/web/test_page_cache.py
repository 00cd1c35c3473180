"""Pages are kept while nothing they show has changed, and not a moment longer."""

from __future__ import annotations

import gzip
import random
import threading
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import brotli
import pytest
from starlette.testclient import TestClient

from newsloom.accounts.preference_values import LOOK
from newsloom.accounts.service.preferences import choose
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import EventKind, ListQuery
from newsloom.store import open_store
from newsloom.web import page_cache
from newsloom.web.app import create_app
from newsloom.web.compression import compressed
from newsloom.web.list_view import ListView
from newsloom.web.site import SECONDS, Site
from newsloom.web.templating import environment
from web.world import World


@pytest.fixture
def client(world: World) -> TestClient:
    return TestClient(create_app(world.reader()), base_url="http://127.0.0.1")


def test_a_page_is_the_same_until_something_is_marked(client: TestClient, world: World) -> None:
    first = client.get("/")
    again = client.get("/")
    assert (again.text, again.headers["etag"]) == (first.text, first.headers["etag"])
    known = client.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    reader = world.reader()
    reader.mark([reader.page(ListView().query())[0].id], EventKind.READ, "test")
    after = client.get("/", headers={"if-none-match": first.headers["etag"]})
    assert after.status_code == 200
    assert after.text != first.text


def test_another_process_that_writes_is_noticed(client: TestClient, world: World) -> None:
    token = world.store.database.change_token(world.user)
    assert world.store.database.change_token(world.user) == token
    with world.reader().store.database.write() as connection:
        connection.exec_driver_sql("UPDATE feeds SET title = 'Another name' WHERE id = 1")
    assert world.store.database.change_token(world.user) != token
    assert "Another name" in client.get("/").text


def test_cookies_and_parts_have_pages_of_their_own(client: TestClient) -> None:
    whole = client.get("/").text
    assert client.get("/", headers={"cookie": "newsloom-theme=dark"}).text != whole
    assert client.get("/", headers={"hx-request": "true"}).text != whole
    assert client.get("/?order=newest").text != whole


def test_an_error_is_not_kept(client: TestClient) -> None:
    assert client.get("/?feed=0").status_code == 404
    assert client.get("/?feed=4711").status_code == 404


@pytest.mark.parametrize(("accepted", "coding"), [("br, gzip", "br"), ("gzip", "gzip"), ("", "")])
def test_every_coding_is_the_same_page(client: TestClient, accepted: str, coding: str) -> None:
    plain = client.get("/", headers={"accept-encoding": "identity"})
    with client.stream("GET", "/", headers={"accept-encoding": accepted or "identity"}) as answer:
        body = b"".join(answer.iter_raw())
    unpacked = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}[coding](body)
    assert answer.headers.get("content-encoding", "") == coding
    assert unpacked == plain.content
    assert "Accept-Encoding" in answer.headers["vary"]


def test_nothing_is_compressed_that_another_site_caused(client: TestClient) -> None:
    for path in ("/", "/search?q=tide", "/help"):
        headers = {"accept-encoding": "br", "sec-fetch-site": "cross-site"}
        assert "content-encoding" not in client.get(path, headers=headers).headers


def test_the_cache_is_bounded(client: TestClient, world: World) -> None:
    site = client.app.state.sites.shared  # type: ignore[attr-defined]
    size = len(compressed(client.get("/").content, "br"))
    site.page_cache.most = 3 * size
    for number in range(12):
        client.get(f"/?score={number + 2}")
    held = sum(len(one.body) for one in site.page_cache._pages.values())
    assert held <= 3 * size
    assert len(site.page_cache._pages) < 12
    client.get("/", headers={"accept-encoding": "gzip"})
    client.get("/", headers={"accept-encoding": "gzip"})
    assert site.page_cache._held == sum(len(one.body) for one in site.page_cache._pages.values())


def test_ages_move_by_themselves(world: World) -> None:
    moved = [timedelta(0)]
    reader = replace(world.reader(), now=lambda: world.now + moved[0])
    client = TestClient(create_app(reader), base_url="http://127.0.0.1")
    client.get("/")
    (before,) = client.app.state.sites.shared.page_cache._pages.values()  # type: ignore[attr-defined]
    moved[0] = timedelta(seconds=SECONDS)
    client.get("/")
    (after,) = client.app.state.sites.shared.page_cache._pages.values()  # type: ignore[attr-defined]
    assert after.version != before.version


def test_a_kept_page_is_the_page_that_would_be_made(world: World) -> None:
    """Whoever writes: pages that were asked for before show what new ones do."""
    kept = TestClient(create_app(world.reader()), base_url="http://127.0.0.1")
    chance, reader = random.Random(5), world.reader()
    kinds = (EventKind.READ, EventKind.UNREAD, EventKind.LIKE, EventKind.STAR)
    paths = ("/", "/?order=newest", "/?show=all", "/?show=starred", "/search?q=the", "/feeds")
    with closing(open_store(world.store.database.path, now=lambda: world.now)) as other:
        for number in range(12):
            for path in paths:
                kept.get(path)
            articles = [one.id for one in reader.page(ListQuery(unread_only=False))]
            writing = other if number % 2 else world.store
            if number % 4 == 3:
                title = f"Name {number}"
                writing.reading.edit_subscription(world.user, FeedId(1), title=title)
            else:
                some = chance.sample(articles, min(3, len(articles)))
                writing.reading.mark(world.user, some, chance.choice(kinds), world.now, "test")
            fresh = TestClient(create_app(world.reader()), base_url="http://127.0.0.1")
            for path in paths:
                assert kept.get(path).text == fresh.get(path).text


def test_a_slow_page_does_not_hold_up_the_others(world: World) -> None:
    """They wait for a turn, but not for ever; who went ahead gives back no turn."""
    pages = page_cache.PageCache(waited=0.01)
    for _ in range(2):
        with pages.slot() as first:
            assert first
            for _ in range(3):
                with pages.slot() as ahead:
                    assert not ahead


def test_page_version_while_a_page_is_made_is_on_the_next(world: World) -> None:
    """The page reads the store as of its beginning, and what surrounds it is of that moment too."""
    site = Site(world.reader(), environment("", lambda _url: ""))
    with site.snapshot():
        site.reader.unread()  # from here on the transaction sees nothing new
        writer = threading.Thread(target=choose, args=(world.reader(), {LOOK: "compact"}))
        writer.start()
        writer.join()
        assert site.chrome().preferred.value(LOOK) == "list"
    assert site.chrome().preferred.value(LOOK) == "compact"
