"""The sample's web site: what is answered to which request. Knows no time but the edition's.

Sends only what render and pages made; reads nothing a request carries but its path and validators.
"""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from aiohttp import web

from newsloom.sample.content import SampleArticle, SampleFeed, sample
from newsloom.sample.pages import (
    PAGE_POLICY,
    article_page,
    home_page,
    icon,
    index_page,
    picture,
)
from newsloom.sample.render import Document, render
from newsloom.sample.sound import SOUND_TYPE, sound
from newsloom.sample.wire import Edition, feed_path, http_date

_NAMES = frozenset({"127.0.0.1", "localhost"})


@dataclass(frozen=True, slots=True)
class _Version:
    document: Document
    etag: str
    modified: datetime  # when the bytes became what they are


class Site:
    """Answers for all feeds; `edition` says which edition of a feed is the one of now."""

    def __init__(self, edition: Callable[[SampleFeed], Edition]) -> None:
        self._edition = edition
        self._feeds = {feed.name: feed for feed in sample()}

    def application(self) -> web.Application:
        app = web.Application(middlewares=[_guarded])
        app.add_routes(
            [
                web.get("/", self._index),
                web.get("/favicon.ico", self._favicon),
                web.get("/favicon.svg", self._favicon),
                web.get("/feeds/{file}", self._feed),
                web.get("/media/{file}", self._media),
                web.get("/{feed}", self._home),
                web.get("/{feed}/", self._home),
                web.get("/{feed}/{slug}", self._article),
                # The forms of an address under which other feeds repeat an article.
                web.get("/{feed}/{slug}/", self._article),
                web.get("/{feed}/{slug}/amp", self._article),
                web.get("/{feed}/{slug}/index.html", self._article),
            ]
        )
        return app

    async def _feed(self, request: web.Request) -> web.StreamResponse:
        name, _, _ending = request.match_info["file"].partition(".")
        feed = self._feeds.get(name)
        if feed is None or request.path != feed_path(feed):
            raise web.HTTPNotFound
        version = self._version(feed)
        headers = {
            "ETag": f'"{version.etag}"',
            "Last-Modified": http_date(version.modified),
            "Vary": "Accept-Encoding",
        }
        if _unchanged(request, version):
            return web.Response(status=304, headers=headers)
        document = version.document
        response = web.Response(
            body=document.body, content_type=document.content_type, headers=headers
        )
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            response.enable_compression(web.ContentCoding.gzip)
        return response

    def _version(self, feed: SampleFeed) -> _Version:
        """The document of now, dated to the earliest generation that has the same bytes."""
        edition = self._edition(feed)
        document = render(edition)
        since = edition.generation
        while since and render(replace(edition, generation=since - 1)) == document:
            since -= 1
        began = edition.now.astimezone(UTC).replace(microsecond=0)
        etag = hashlib.blake2b(document.body, digest_size=12).hexdigest()
        return _Version(document, etag, began + timedelta(seconds=since))

    async def _index(self, _request: web.Request) -> web.Response:
        return _page(index_page(tuple(self._feeds.values())))

    async def _home(self, request: web.Request) -> web.Response:
        return _page(home_page(self._edition(self._known(request))))

    async def _article(self, request: web.Request) -> web.Response:
        edition = self._edition(self._known(request))
        wanted = request.match_info["slug"]

        def is_wanted(one: SampleArticle) -> bool:
            return not one.link and wanted == (one.page or one.slug)

        found = tuple(filter(is_wanted, edition.articles()))
        if not found:
            raise web.HTTPNotFound
        return _page(article_page(edition, found))

    async def _media(self, request: web.Request) -> web.Response:
        name, _, ending = request.match_info["file"].partition(".")
        if ending == "wav" and any(
            one.slug == name and one.minutes
            for feed in self._feeds.values()
            for one in feed.articles
        ):
            return web.Response(body=sound(name), content_type=SOUND_TYPE)
        if ending == "svg" and name in self._feeds:
            feed = self._feeds[name]
            return _svg(icon(feed.colour, feed.title.removeprefix("The ")[0]).encode())
        if ending == "svg" and name in {"river", "pixel"}:
            return _svg(picture(f"{name}.svg"))
        raise web.HTTPNotFound

    async def _favicon(self, _request: web.Request) -> web.Response:
        return _svg(icon("#1d4e89", "N").encode())

    def _known(self, request: web.Request) -> SampleFeed:
        feed = self._feeds.get(request.match_info["feed"])
        if feed is None:
            raise web.HTTPNotFound
        return feed


async def publish(site: Site, host: str, port: int) -> web.AppRunner:
    """Serve the site on the port asked for, or on any when another program has it."""
    runner = web.AppRunner(site.application(), access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await _listen(runner, host, port)
    except BaseException:
        await runner.cleanup()
        raise
    return runner


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        await web.TCPSite(runner, host, 0).start()


def _unchanged(request: web.Request, version: _Version) -> bool:
    """If-None-Match decides; only without it the date does (RFC 9110, 13.2.2)."""
    if (wanted := request.if_none_match) is not None:
        return any(one.value in {version.etag, "*"} for one in wanted)
    since = request.if_modified_since
    return since is not None and since >= version.modified


def _page(html: str) -> web.Response:
    return web.Response(
        text=html, content_type="text/html", headers={"Content-Security-Policy": PAGE_POLICY}
    )


def _svg(body: bytes) -> web.Response:
    return web.Response(body=body, content_type="image/svg+xml")


@web.middleware
async def _guarded(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Answers to its own names only: a page elsewhere that points its name here gets nothing."""
    name = request.host.partition(":")[0]
    if name not in _NAMES:
        raise web.HTTPMisdirectedRequest
    return await handler(request)
