"""A world on loopback: a news search, thirty publishers, a language model, and a feed of one's own.

    with coverage_world(now=clock()) as world:
        settings.fetch.proxy = world.proxy       # every name below ends at this machine
        settings.fetch.host_seconds = 0
        provider = world.search_url              # a template with {query}
        settings.language_model.url = world.chat_url     # directly, no proxy

        world.feed_url                           # the reader's feed: one article per PLANTED event
        world.publisher("paywall").url           # by the first label of the domain, or the domain
        world.publisher("courier").article(FERRY)        # an address of an article
        world.of_kind(Kind.GOOD)                 # all publishers of a kind
        world.publisher("ft").kind = Kind.GOOD   # it recovers; any kind may be set at any time

        world.search.answer = Answer.TOO_MANY    # HITS EMPTY TOO_MANY UNAVAILABLE CAPTCHA BROKEN...
        world.search.link = Link.OPAQUE          # how the links of hits hide the address
        world.search.most, world.search.fillers  # hits of an answer; those about something else
        world.search.queries                     # what was searched for

        world.chat.manner = Manner.LYING         # GOOD UNSURE SLOW REFUSING BROKEN HOSTILE DOWN...
        world.chat.answers = lambda question, truth: {...}     # where it cannot guess the fields
        world.chat.questions

        world.requests                           # every Asked(host, method, path), in order
        world.asked("ft.example")                # the paths asked of a host, robots.txt left out
        world.relevant(FERRY)                    # usable addresses that tell of an event

Publishers, kinds and events stand in publishers.py and events.py. The names are of .example, which
nobody owns; requests reach them because the server is a proxy, so nothing is patched and nothing is
looked up. `ft.example` answers 503 and `microsoft.example` is good: a rule of one is none of the
other; so `x.example` (social media) and `netflix.example`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlsplit

import loopback
from world_of_coverage.chat import Chat, Manner, Question
from world_of_coverage.events import (
    BANK,
    EVENTS,
    FERRY,
    FESTIVAL,
    OBSERVATORY,
    OTHER_BANK,
    OTHER_FERRY,
    PLANTED,
    Event,
    events_in,
)
from world_of_coverage.publishers import PUBLISHERS, Kind, Publisher, Reply, fresh, wait
from world_of_coverage.search import HOST, Answer, Link, Search, feed_of

__all__ = [
    "BANK", "EVENTS", "FERRY", "FESTIVAL", "OBSERVATORY", "OTHER_BANK", "OTHER_FERRY", "PLANTED",
    "PUBLISHERS", "Answer", "Asked", "Chat", "Event", "Kind", "Link", "Manner", "Publisher",
    "Question", "Search", "World", "coverage_world", "events_in",
]  # fmt: skip

HOME = "home.example"


@dataclass(frozen=True)
class Asked:
    """One request."""

    host: str
    method: str
    path: str  # with the query
    status: int  # 0: none was sent


@dataclass
class World:
    """All of it; see above."""

    port: int
    now: datetime
    publishers: dict[str, Publisher]
    search: Search
    chat: Chat = field(default_factory=Chat)
    requests: list[Asked] = field(default_factory=list)
    over: bool = False

    @property
    def proxy(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def search_url(self) -> str:
        return f"http://{HOST}/rss/search?q={{query}}&hl={{language}}&gl={{region}}"

    @property
    def chat_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def feed_url(self) -> str:
        return f"http://{HOME}/feed"

    def publisher(self, name: str) -> Publisher:
        return self.publishers[name if "." in name else f"{name}.example"]

    def of_kind(self, kind: Kind) -> list[Publisher]:
        return [one for one in self.publishers.values() if one.kind is kind]

    def relevant(self, event: Event) -> list[str]:
        """Addresses of articles that tell of an event and can be read."""
        usable = (Kind.GOOD, Kind.CHAIN)
        return [
            one.article(event)
            for one in self.publishers.values()
            if one.kind in usable and event in one.about
        ]

    def asked(self, host: str) -> list[str]:
        """The paths that were asked of a host or one under it, robots.txt left out."""
        return [
            one.path
            for one in list(self.requests)
            if (one.host == host or one.host.endswith(f".{host}")) and one.path != "/robots.txt"
        ]

    def reply(self, host: str, method: str, path: str, body: bytes) -> Reply:
        """What is answered to a request."""
        if host == HOST:
            return self.search.reply(method, path, body)
        if host == HOME:
            return self._home(path)
        if path == "/v1/chat/completions":
            return self.chat.reply(body)
        one = self.publishers.get(host) or self.publishers.get(host.removeprefix("www."))
        return one.reply(path) if one is not None else Reply(b"nobody of this name", 502)

    def _home(self, path: str) -> Reply:
        if path == "/feed":
            return Reply(feed_of(PLANTED, self.now).encode(), kind="application/rss+xml")
        if path == "/robots.txt":
            return Reply(b"User-agent: *\nAllow: /\n", kind="text/plain")
        return Reply(b"nothing here", 404, "text/plain")


@contextmanager
def coverage_world(now: datetime | None = None) -> Iterator[World]:
    """The world, until the block ends. Hits are dated within the ten hours before `now`."""
    at = now or datetime.now(UTC)  # noqa: TID251 - the world of a test without a clock
    publishers = fresh()

    class Handler(_Handler):
        def reply(self, host: str, body: bytes) -> Reply:
            return world.reply(host, self.command, self.target, body)

        def note(self, host: str, status: int) -> None:
            world.requests.append(Asked(host, self.command, self.target, status))

        def pause(self, seconds: float) -> None:
            wait(seconds, lambda: world.over)

    with loopback.answering(Handler) as port:
        world = World(port, at, publishers, Search(publishers, at))
        try:
            yield world
        finally:
            world.over = True


class _Handler(loopback.Handler):
    """HTTP for any host: as a proxy, or by the Host header."""

    protocol_version = "HTTP/1.1"
    target: str

    def reply(self, host: str, body: bytes) -> Reply:
        raise NotImplementedError

    def note(self, host: str, status: int) -> None:
        raise NotImplementedError

    def pause(self, seconds: float) -> None:
        raise NotImplementedError

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        parts = urlsplit(self.path)
        host = (parts.hostname or self.headers.get("Host", "").partition(":")[0]).lower()
        self.target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        said = self.reply(host, body)
        self.note(host, 0 if said.drop else said.status)
        if said.drop:
            self.close_connection = True
            return
        if said.wait:
            self.pause(said.wait)
        with suppress(OSError):
            self._send(said)

    def _send(self, said: Reply) -> None:
        self.send_response(said.status)
        self.send_header("Content-Type", said.kind)
        self.send_header("Content-Length", str(len(said.body)))
        for name, value in said.headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(said.body)
