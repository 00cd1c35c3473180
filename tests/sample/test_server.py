"""The server as a client meets it: through Newsloom's own fetcher, on loopback."""

from __future__ import annotations

import asyncio
import gzip
import re
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from lxml import html as lxml_html

from newsloom.feeds.discovery import feed_links
from newsloom.feeds.parse import parse_feed, read_opml
from newsloom.kernel.http.client import HttpFetcher
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.settings import FetchSettings
from newsloom.sample import SampleServer
from newsloom.sample.content import LAST_GENERATION, planted, sample
from newsloom.sample.render import SOUND_BYTES
from newsloom.sample.server import GENERATION_EVERY, PORT
from newsloom.sample.wire import base_of, feed_path

NOW = datetime(2026, 11, 21, 5, 0, 7, 5, tzinfo=UTC)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


Get = Callable[..., Awaitable[Reply]]


def with_server(visit: Callable[[SampleServer, Get, Clock], Awaitable[None]]) -> None:
    """Run a visit to a fresh server on any port."""

    async def main() -> None:
        clock = Clock()
        async with SampleServer(now=clock, port=0) as server:
            settings = FetchSettings(
                private_hosts=(server.address, *server.hosts), per_host=4, host_seconds=0
            )
            async with HttpFetcher(settings, version="0", now=clock) as fetcher:

                async def get(path: str, **validators: str) -> Reply:
                    url = path if path.startswith("http") else server.url + path
                    return await fetcher.get(Request(url, **validators))

                await visit(server, get, clock)

    asyncio.run(main())


def test_every_feed_answers_and_then_says_unchanged():
    async def visit(server, get, _clock):
        assert len(server.feed_urls) == len(sample())
        for url in server.feed_urls:
            reply = await get(url)
            assert reply.status == 200
            assert parse_feed(reply.body, url, content_type=reply.header("content-type")).articles
            by_tag = await get(url, etag=reply.header("etag"))
            by_date = await get(url, last_modified=reply.header("last-modified"))
            assert (by_tag.status, by_tag.body) == (304, b"")
            assert (by_date.status, by_date.body) == (304, b"")

    with_server(visit)


def test_generations_come_with_time_or_by_hand():
    async def visit(server, get, clock):
        url = server.feed_urls[0]
        first = await get(url)
        assert server.generation == 0
        clock.now += GENERATION_EVERY
        assert server.generation == 1
        second = await get(
            url, etag=first.header("etag"), last_modified=first.header("last-modified")
        )
        assert second.status == 200
        assert second.body != first.body
        server.advance()
        assert server.generation == LAST_GENERATION
        clock.now += timedelta(days=9)
        server.advance()
        assert server.generation == LAST_GENERATION

    with_server(visit)


def test_a_feed_that_does_not_change_stays_unchanged():
    async def visit(server, get, _clock):
        url = next(one for one in server.feed_urls if "highwater" in one)
        first = await get(url)
        server.advance()
        later = await get(url, last_modified=first.header("last-modified"))
        assert later.status == 304

    with_server(visit)


def test_every_link_of_the_sample_resolves():
    async def visit(server, get, _clock):
        server.advance()
        server.advance()
        hostile = planted().hostile
        addresses = {server.url + "/", server.url + "/favicon.ico", server.url + "/favicon.svg"}
        for url in server.feed_urls:
            reply = await get(url)
            feed = parse_feed(reply.body, url, content_type=reply.header("content-type"))
            addresses.add(feed.site_url)
            for article in feed.articles:
                addresses.add(article.url)
                addresses |= {one.url for one in article.enclosures}
                if hostile not in article.url:
                    found = re.findall(r'(?:href|src)="([^"]+)"', article.content)
                    addresses |= {one if one[0] != "/" else server.url + one for one in found}
        replies = await asyncio.gather(*map(get, sorted(addresses)))
        assert [reply.url for reply in replies if reply.status != 200] == []
        assert len(replies) > 230

    with_server(visit)


def test_pages_link_to_their_feed():
    async def visit(server, get, _clock):
        for feed in sample():
            site = base_of(feed.name, server.port)
            for path in (f"/{feed.name}/", f"/{feed.name}"):
                reply = await get(site + path)
                links = feed_links(reply.body, reply.url)
                assert [one.url for one in links] == [site + feed_path(feed)]
                assert links[0].title == feed.title

    with_server(visit)


def test_article_page_shows_the_article():
    async def visit(_server, get, _clock):
        reply = await get("/lantern/lamplighter-comes-home")
        page = lxml_html.fromstring(reply.body)
        assert (
            page.findtext(".//h1")
            == "'The Lamplighter' comes home after 38 years behind a wardrobe"
        )
        assert "Elsbet Marholm" in page.text_content()
        assert "default-src 'none'" in reply.header("content-security-policy")

    with_server(visit)


def test_page_of_the_hostile_article_is_harmless():
    async def visit(_server, get, _clock):
        page = (await get(f"/{planted().hostile}")).body
        assert b"Then it works" in page
        for danger in (b"<script", b"onerror", b"<iframe", b"javascript:", b"<form", b"fixed"):
            assert danger not in page

    with_server(visit)


def test_live_page_shows_all_its_posts():
    async def visit(_server, get, _clock):
        page = lxml_html.fromstring((await get("/live/cup-final")).body)
        assert len(page.findall(".//article")) == 4

    with_server(visit)


def test_sound_is_a_wave_file_of_the_length_declared():
    async def visit(_server, get, _clock):
        (article, *_more) = [
            one for feed in sample() for one in feed.articles if one.minutes and not one.generation
        ]
        reply = await get(f"/media/{article.slug}.wav")
        assert reply.body[:4] == b"RIFF"
        assert len(reply.body) == SOUND_BYTES

    with_server(visit)


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/nothing/",
        "/courier/nothing",
        "/feeds/nothing.xml",
        "/feeds/meridian.json",
        "/feeds/..%2f..%2fcontent.py",
        "/media/nothing.svg",
        "/media/..%2fcontent.py",
        "/media/meridian.wav",
        "/meridian/port-sevrin-approves-strait-accord-by-three-votes",
    ],
)
def test_what_is_not_there(path):
    async def visit(_server, get, _clock):
        assert (await get(path)).status == 404

    with_server(visit)


async def raw(server: SampleServer, request: str) -> bytes:
    """The whole answer to bytes sent as they are."""
    port = int(server.address.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with closing(writer):
        writer.write(request.encode())
        return await reader.read()


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:80", 200),
        ("ledger.localhost:80", 200),
        ("evil.localhost", 421),
        ("evil.example", 421),
    ],
)
def test_answers_to_its_own_names_only(host, status):
    async def visit(server, _get, _clock):
        answer = await raw(server, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        assert answer.split()[1] == str(status).encode()

    with_server(visit)


def test_gzip_when_accepted():
    async def visit(server, get, _clock):
        path = "/feeds/meridian.xml"
        head = f"GET {path} HTTP/1.1\r\nHost: {server.address}\r\nConnection: close\r\n"
        plain = await raw(server, f"{head}\r\n")
        packed = await raw(server, f"{head}Accept-Encoding: gzip\r\n\r\n")
        assert b"Content-Encoding" not in plain.partition(b"\r\n\r\n")[0]
        assert b"Content-Encoding: gzip" in packed.partition(b"\r\n\r\n")[0]
        assert len(packed) < len(plain) / 2
        assert gzip.decompress(packed.partition(b"\r\n\r\n")[2]) == (await get(path)).body

    with_server(visit)


def test_opml_lists_every_feed_in_its_folder():
    async def visit(server, _get, _clock):
        listed = {one.url: one for one in read_opml(server.opml())}
        assert tuple(sorted(listed)) == tuple(sorted(server.feed_urls))
        for url, feed in zip(server.feed_urls, sample(), strict=True):
            assert (listed[url].title, listed[url].category) == (feed.title, feed.folder)

    with_server(visit)


def test_takes_another_port_when_its_own_is_in_use():
    async def main() -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            async with SampleServer(now=Clock(), port=port) as server:
                assert server.port != port
                assert server.address == f"127.0.0.1:{server.port}"

    asyncio.run(main())


def test_can_start_again_at_once_on_the_same_port():
    async def main() -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        addresses = []
        for _time in range(2):
            async with SampleServer(now=Clock(), port=port) as server:
                addresses.append(server.address)
                await raw(server, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert addresses == [f"127.0.0.1:{port}"] * 2

    asyncio.run(main())


def test_begins_with_the_generation_given():
    assert SampleServer(now=Clock(), generation=LAST_GENERATION).generation == LAST_GENERATION
    assert SampleServer(now=Clock()).address == f"127.0.0.1:{PORT}"
