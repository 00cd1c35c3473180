"""Following feeds from the pages: real feeds on a loopback server, OPML, interests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

import loopback
from newsloom.kernel.http.client import HttpFetcher
from newsloom.kernel.settings import FetchSettings
from newsloom.web.app import create_app
from web.conftest import HOME, SAME, Visitor
from web.world import World

FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Quay Times</title>
<link>http://127.0.0.1/</link><item><title>One</title><guid>1</guid></item></channel></rss>"""
PAGE = b"""<!doctype html><title>Quay</title>
<link rel="alternate" type="application/rss+xml" title="News" href="/feed.xml">
<link rel="alternate" type="application/rss+xml" title="&lt;b&gt;Sport" href="/sport.xml">"""
ANSWERS = {
    "/feed.xml": ("application/rss+xml", FEED),
    "/sport.xml": ("application/rss+xml", FEED.replace(b"Quay Times", b"Sport")),
    "/": ("text/html", PAGE),
    "/plain": ("text/html", b"<!doctype html><title>x</title><p>nothing here"),
}


class Publisher(loopback.Handler):
    def do_GET(self) -> None:
        kind, body = ANSWERS.get(self.path, ("text/plain", b""))
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def publisher() -> Iterator[str]:
    with loopback.answering(Publisher) as port:
        yield f"127.0.0.1:{port}"


def follow(world: World, publisher: str, url: str, category: str = "") -> httpx.Response:
    """Post the form with a real client behind it."""

    async def posting() -> httpx.Response:
        settings = FetchSettings(private_hosts=(publisher,), timeout_seconds=5, host_seconds=0)
        async with HttpFetcher(settings, version="0", now=lambda: world.now) as fetcher:
            world.fetcher = fetcher
            transport = httpx.ASGITransport(create_app(world.reader()))
            async with httpx.AsyncClient(transport=transport, base_url=HOME) as client:
                form = {"url": url, "category": category}
                return await client.post("/feeds", data=form, headers=SAME)

    return asyncio.run(posting())


def test_a_feed_is_followed_once(world: World, publisher: str) -> None:
    url = f"http://{publisher}/feed.xml"
    first = follow(world, publisher, url, "Harbour")
    assert (first.status_code, first.headers["location"]) == (303, "/feeds?did=added")
    assert (url, "Harbour") in {(one.url, one.category) for one in world.reader().subscriptions()}
    again = follow(world, publisher, url)
    assert again.headers["location"] == "/feeds?did=known"


def test_a_page_brings_its_first_feed_and_offers_the_others(world: World, publisher: str) -> None:
    answer = follow(world, publisher, f"http://{publisher}/")
    assert answer.status_code == 200
    assert f"http://{publisher}/feed.xml" in {one.url for one in world.reader().subscriptions()}
    assert "Other feeds of this site" in answer.text
    assert f'name="url" value="http://{publisher}/sport.xml"' in answer.text
    assert "<b>Sport" not in answer.text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("http://{}/plain", "not a feed"),
        ("http://{}/missing", "404"),
        ("ftp://{}/", "is not a web URL"),
        ("   ", "Paste the URL"),
        ("http://169.254.169.254/latest", "could not be fetched"),
        ('"><script>alert(1)</script>', ""),
    ],
)
def test_what_is_no_feed_says_so_and_keeps_what_was_typed(
    world: World, publisher: str, path: str, words: str
) -> None:
    before = world.reader().subscriptions()
    answer = follow(world, publisher, path.format(publisher))
    assert answer.status_code == 400
    assert words in answer.text
    assert 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text
    assert world.reader().subscriptions() == before


def test_health_is_shown(world: World, visitor: Visitor) -> None:
    page = visitor.get("/feeds").text
    assert "It answered 500." in page
    assert 'class="health warn">slow<' in page
    feed = next(one for one in world.reader().subscriptions() if one.problem)
    assert "It answered 500." in visitor.get(f"/?feed={feed.feed_id}").text


def test_a_feed_is_renamed_moved_and_left(world: World, visitor: Visitor) -> None:
    form = {"title": "Post\x00 of\nthe Meridian", "category": " Dailies "}
    assert visitor.post("/feeds/1/edit", form).headers["location"] == "/feeds?did=edited"
    named = {one.feed_id: (one.title, one.category) for one in world.reader().subscriptions()}
    assert named[1] == ("Post of the Meridian", "Dailies")
    assert visitor.post("/feeds/1/remove").headers["location"] == "/feeds?did=removed&n=1"
    assert 1 not in {one.feed_id for one in world.reader().subscriptions()}
    assert visitor.post("/feeds/1/remove").status_code == 404
    assert visitor.post("/feeds/1/edit", form).status_code == 404


@contextmanager
def upload(visitor: Visitor, document: bytes) -> Iterator[httpx.Response]:
    yield visitor.ask(
        "POST", "/feeds/import", files={"file": ("feeds.opml", document)}, headers=SAME
    )


def test_opml_goes_out_and_comes_in(world: World, visitor: Visitor, empty: World) -> None:
    exported = visitor.get("/feeds/export")
    assert "attachment" in exported.headers["content-disposition"]
    with upload(Visitor(empty), exported.content) as answer:
        assert answer.headers["location"] == "/feeds?did=imported&n=10"
    mine = {(one.url, one.category) for one in empty.reader().subscriptions()}
    assert mine == {(one.url, one.category) for one in world.reader().subscriptions()}
    assert "10 new feeds" in Visitor(empty).get("/feeds?did=imported&n=10").text


def test_what_of_a_list_is_not_imported_is_listed_with_its_reason(empty: World) -> None:
    outlines = b"<outline text='One' xmlUrl='https://one.test/'/><outline text='&lt;Two&gt;'/>"
    with upload(Visitor(empty), b"<opml><body>" + outlines + b"</body></opml>") as answer:
        assert answer.status_code == 200
        assert "1 feed imported, 1 skipped" in answer.text
        assert "&lt;Two&gt;</bdi>: no URL." in answer.text
    assert [one.url for one in empty.reader().subscriptions()] == ["https://one.test/"]


@pytest.mark.parametrize(
    "document",
    [b"", b"not xml", b"<opml><body/></opml>", b"\0" * 1_000, b"<" * 100_000],
    ids=["empty", "text", "no feeds", "zeros", "broken"],
)
def test_what_is_no_opml_is_refused_in_words(empty: World, document: bytes) -> None:
    with upload(Visitor(empty), document) as answer:
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
    assert empty.reader().subscriptions() == ()


def test_a_huge_opml_is_refused(empty: World) -> None:
    with upload(Visitor(empty), b" " * 16_000_001) as answer:
        assert answer.status_code == 413


def test_interests_come_and_go(world: World, visitor: Visitor) -> None:
    assert visitor.post("/interests", {"text": " tides  and harbours "}).status_code == 303
    (kept,) = world.reader().interests()
    assert kept.text == "tides and harbours"
    assert "tides and harbours" in visitor.get("/you").text
    assert visitor.post(f"/interests/{kept.id}/remove").status_code == 303
    assert world.reader().interests() == ()
    assert visitor.post(f"/interests/{kept.id}/remove").status_code == 404


@pytest.mark.parametrize("text", ["", "   ", "\x00"])
def test_an_interest_needs_words(world: World, visitor: Visitor, text: str) -> None:
    answer = visitor.post("/interests", {"text": text})
    assert answer.status_code == 400
    assert "at least one word" in answer.text


def test_words_in_an_address_are_only_ours(visitor: Visitor) -> None:
    page = visitor.get("/feeds?did=<script>&n=<b>").text
    assert "<script>&" not in page
    assert "said" not in page.partition('id="toast"')[2].partition("</div>")[0]
