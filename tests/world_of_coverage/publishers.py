"""The thirty publishers, and how each answers. A row of PUBLISHERS is one publisher."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from world_of_coverage import pages
from world_of_coverage.events import (
    BANK,
    FERRY,
    FESTIVAL,
    OBSERVATORY,
    OTHER_BANK,
    OTHER_FERRY,
    PLANTED,
    Event,
)

HTML = "text/html; charset=utf-8"
HUGE = 40_000_000  # bytes; more than any setting lets through
SLOW = 60.0  # seconds, unless the world ends before


class Kind(StrEnum):
    """What a publisher is like."""

    GOOD = "good"  # tells of the planted events; its pages can be used
    OTHER = "other events"  # good pages about other things
    CHAIN = "redirect chain"  # four redirects, then a good page
    PAYWALL = "paywall"
    COOKIE_WALL = "cookie wall"
    LOOP = "redirect loop"
    SOFT_404 = "soft 404"
    SLOW = "slow"
    HUGE = "huge"
    HOSTILE = "hostile"  # another event, with orders to the language model
    ROBOTS = "robots"  # robots.txt disallows all
    SCRIPT = "script only"
    LINKS = "links only"
    BOILERPLATE = "boilerplate"
    REPEATED = "repeated words"
    SOCIAL = "social media"
    SHORT = "near-empty"
    GERMAN = "wrong language"
    ERROR = "http 500"
    UNAVAILABLE = "http 503"
    GONE = "http 410"
    FORBIDDEN = "http 403"
    DROPPED = "connection dropped"
    PICTURE = "no html"


@dataclass(frozen=True)
class Reply:
    """What is sent."""

    body: bytes = b""
    status: int = 200
    kind: str = HTML
    headers: tuple[tuple[str, str], ...] = ()
    wait: float = 0.0  # seconds before it
    drop: bool = False  # end the connection instead


@dataclass
class Publisher:
    """One of the thirty. `kind` may be changed while the world runs: it recovers, or breaks."""

    name: str  # in the titles of hits and in <source>
    domain: str
    kind: Kind
    about: tuple[Event, ...] = PLANTED
    host: str = ""  # where its pages are, where that is not the domain
    asked: int = field(default=0, compare=False)  # pages, robots.txt not counted

    @property
    def place(self) -> str:
        return self.host or self.domain

    @property
    def url(self) -> str:
        """The address of its site."""
        return f"http://{self.place}"

    def article(self, event: Event) -> str:
        """The address of its article about an event."""
        return f"{self.url}/{event.key.replace(' ', '-')}/story"

    @property
    def wording(self) -> int:
        return PUBLISHERS.index(next(one for one in PUBLISHERS if one.domain == self.domain))

    def title(self, event: Event) -> str:
        return event.title(1 + self.wording)

    def reply(self, path: str) -> Reply:
        """Its answer to a path."""
        if path == "/robots.txt":
            refused = self.kind is Kind.ROBOTS
            text = "User-agent: *\nDisallow: /\n" if refused else "User-agent: *\nAllow: /\n"
            return Reply(text.encode(), kind="text/plain")
        self.asked += 1
        event = next((one for one in self.about if f"/{_slug(one)}/" in path), None)
        if event is None:
            return Reply(pages.soft_404(self.name).encode(), 404)
        return ANSWERS[self.kind](self, event, path)


def _slug(event: Event) -> str:
    return event.key.replace(" ", "-")


Answer = Callable[[Publisher, Event, str], Reply]


def _html(text: str, status: int = 200) -> Reply:
    return Reply(text.encode("utf-8", "replace"), status)


def _good(one: Publisher, event: Event, _path: str) -> Reply:
    template = pages.TEMPLATES[one.wording % len(pages.TEMPLATES)]
    return _html(template(one.title(event), event.paragraphs(one.wording), one.name))


def _chain(one: Publisher, event: Event, path: str) -> Reply:
    steps = ("story", "step-1", "step-2", "step-3", "end")
    here = path.rpartition("/")[2].partition("?")[0]
    if here == "end":
        return _good(one, event, path)
    onward = steps[steps.index(here) + 1] if here in steps else "end"
    status = (301, 302, 307, 308)[steps.index(here) % 4] if here in steps else 302
    return Reply(status=status, headers=(("Location", f"/{_slug(event)}/{onward}"),))


def _loop(one: Publisher, event: Event, path: str) -> Reply:
    onward = "back" if path.endswith("story") else "story"
    return Reply(status=302, headers=(("Location", f"/{_slug(event)}/{onward}"),))


def _huge(one: Publisher, event: Event, _path: str) -> Reply:
    beginning = pages.semantic(one.title(event), event.paragraphs(one.wording), one.name).encode()
    return Reply(beginning + b"<p>" + b"more words of no use " * (HUGE // 21))


def _hostile(one: Publisher, _event: Event, _path: str) -> Reply:
    return _html(pages.hostile(one.title(FESTIVAL), FESTIVAL.paragraphs(0), one.name))


def _short(one: Publisher, event: Event, _path: str) -> Reply:
    return _html(pages.semantic(one.title(event), ["More soon."], one.name))


def _german(one: Publisher, event: Event, _path: str) -> Reply:
    text = pages.semantic("Fähre auf Grund gelaufen", pages.GERMAN, one.name)
    return _html(text.replace("lang='en'", "lang='de'"))


def _error(status: int, *headers: tuple[str, str]) -> Answer:
    return lambda one, _event, _path: Reply(f"<h1>{status}</h1>".encode(), status, headers=headers)


ANSWERS: dict[Kind, Answer] = {
    Kind.GOOD: _good,
    Kind.OTHER: _good,
    Kind.ROBOTS: _good,
    Kind.CHAIN: _chain,
    Kind.PAYWALL: lambda one, event, _path: _html(
        pages.paywall(one.title(event), event.paragraphs(one.wording), one.name)
    ),
    Kind.COOKIE_WALL: lambda one, event, _path: _html(
        pages.cookie_wall(one.title(event), one.name)
    ),
    Kind.LOOP: _loop,
    Kind.SOFT_404: lambda one, _event, _path: _html(pages.soft_404(one.name)),
    Kind.SLOW: lambda one, event, path: Reply(_good(one, event, path).body, wait=SLOW),
    Kind.HUGE: _huge,
    Kind.HOSTILE: _hostile,
    Kind.SCRIPT: lambda one, event, _path: _html(pages.script_only(one.title(event), one.name)),
    Kind.LINKS: lambda one, _event, _path: _html(pages.links_only(one.name)),
    Kind.BOILERPLATE: lambda one, event, _path: _html(
        pages.boilerplate(one.title(event), one.name)
    ),
    Kind.REPEATED: lambda one, event, _path: _html(pages.repeated(one.title(event), one.name)),
    Kind.SOCIAL: lambda one, event, _path: _html(
        pages.semantic(one.title(event), ["Log in or sign up to see posts and replies."], one.name)
    ),
    Kind.SHORT: _short,
    Kind.GERMAN: _german,
    Kind.ERROR: _error(500),
    Kind.UNAVAILABLE: _error(503),
    Kind.GONE: _error(410),
    Kind.FORBIDDEN: _error(403),
    Kind.DROPPED: lambda _one, _event, _path: Reply(drop=True),
    Kind.PICTURE: lambda _one, _event, _path: Reply(b"%PDF-1.7\n" + b"\0" * 4_000,
                                                    kind="application/pdf"),
}  # fmt: skip

PUBLISHERS = (
    Publisher("The Courier", "courier.example", Kind.GOOD),
    Publisher("Daily Herald", "herald.example", Kind.GOOD, host="www.herald.example"),
    Publisher("Old Gazette", "gazette.example", Kind.GOOD, (FERRY, BANK)),
    Publisher("Evening Post", "post.example", Kind.GOOD, (FERRY, OBSERVATORY)),
    Publisher("Tribune", "tribune.example", Kind.GOOD, (BANK, OBSERVATORY)),
    # Its name ends in that of a publisher that is always unavailable.
    Publisher("Microsoft News", "microsoft.example", Kind.GOOD),
    Publisher("Netflix Tudum", "netflix.example", Kind.OTHER, (FESTIVAL,)),
    Publisher("The Chronicle", "chronicle.example", Kind.OTHER, (OTHER_FERRY, OTHER_BANK)),
    Publisher("The Bulletin", "bulletin.example", Kind.OTHER, (OTHER_FERRY, FESTIVAL)),
    Publisher("Winding Times", "winding.example", Kind.CHAIN),
    Publisher("Financial Observer", "paywall.example", Kind.PAYWALL),
    Publisher("Consent Daily", "consent.example", Kind.COOKIE_WALL),
    Publisher("Roundabout", "roundabout.example", Kind.LOOP, (FERRY,)),
    Publisher("Lost and Found", "lost.example", Kind.SOFT_404),
    Publisher("Slow News", "slow.example", Kind.SLOW, (FERRY,)),
    Publisher("Endless Page", "endless.example", Kind.HUGE, (FERRY,)),
    Publisher("Hostile Herald", "hostile.example", Kind.HOSTILE),
    Publisher("Private Press", "private.example", Kind.ROBOTS),
    Publisher("App Daily", "app-daily.example", Kind.SCRIPT),
    Publisher("Portal", "portal.example", Kind.LINKS),
    Publisher("Legal Notice", "notice.example", Kind.BOILERPLATE),
    Publisher("Echo", "echo.example", Kind.REPEATED),
    Publisher("X", "x.example", Kind.SOCIAL),
    Publisher("Ticker", "ticker.example", Kind.SHORT),
    Publisher("Hafenzeitung", "hafenzeitung.example", Kind.GERMAN, (FERRY,)),
    Publisher("Broken Times", "broken.example", Kind.ERROR),
    Publisher("FT", "ft.example", Kind.UNAVAILABLE),
    Publisher("Yesterday", "yesterday.example", Kind.GONE),
    Publisher("Bouncer", "bouncer.example", Kind.FORBIDDEN),
    Publisher("Hangup", "hangup.example", Kind.DROPPED),
)


def fresh() -> dict[str, Publisher]:
    """All of them by domain, for one world."""
    return {
        one.domain: Publisher(one.name, one.domain, one.kind, one.about, one.host)
        for one in PUBLISHERS
    }


def wait(seconds: float, over: Callable[[], bool]) -> None:
    """Until then, or until the world ends."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not over():
        time.sleep(0.05)
