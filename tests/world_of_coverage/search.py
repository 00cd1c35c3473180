"""A news search that answers with RSS, as the well-known ones do.

It knows `q` (words, `-site:`, `site:`, `after:`, `before:`, "phrases"), `hl`, `gl`. A hit's link is
an address of the search itself, from which the publisher's has to be found; its title ends in the
publisher's name, and <source url> names the site.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime
from enum import StrEnum
from urllib.parse import parse_qs, quote, unquote, urlsplit

from world_of_coverage.events import EVENTS, FESTIVAL, Event
from world_of_coverage.publishers import Publisher, Reply

HOST = "search.example"


class Answer(StrEnum):
    """What a search is answered with."""

    HITS = "hits"
    EMPTY = "empty"
    TOO_MANY = "429"  # with Retry-After: 120
    UNAVAILABLE = "503"
    CAPTCHA = "captcha"  # a page of HTML, status 200
    BROKEN = "broken"  # RSS that ends in the middle of an item
    HOSTILE = "hostile"  # entities that grow, scripts in titles, links into this machine
    SLOW = "slow"
    DROPPED = "dropped"


class Link(StrEnum):
    """How the publisher's address is in a link of a hit."""

    ENCODED = "encoded"  # base64 of a protobuf with the address in it
    OPAQUE = "opaque"  # an id; the page there names the address in `data-n-au` and canonical
    SIGNED = "signed"  # an id; the page has signature and time for a batchexecute call
    REDIRECT = "redirect"  # an id; 302
    LOST = "lost"  # an id of which nobody knows the address
    DIRECT = "direct"  # the publisher's own address


@dataclass(frozen=True)
class Hit:
    """One item of an answer."""

    title: str
    url: str  # the publisher's
    publisher: Publisher
    event: Event
    at: datetime


@dataclass
class Search:
    """Set `answer`, `link`, `most`, `fillers`; read `queries`."""

    publishers: Mapping[str, Publisher]
    now: datetime
    answer: Answer = Answer.HITS
    link: Link = Link.ENCODED
    most: int = 100  # hits of one answer
    fillers: int = 40  # hits about nothing that was asked for, in each answer
    queries: list[str] = field(default_factory=list)
    _links: dict[str, str] = field(default_factory=dict)

    def hits(self) -> Iterator[Hit]:
        """All that can be found: every telling of every publisher, six hours after each other."""
        for place, one in enumerate(self.publishers.values()):
            for event in one.about:
                at = self.now - timedelta(minutes=20 * (place + 1))
                yield Hit(one.title(event), one.article(event), one, event, at)

    def found(self, query: str) -> list[Hit]:
        """What a query finds: the most words in common first."""
        words, near, far, after, before = _parsed(query)
        chosen = [
            (len(words & _words(f"{one.title} {' '.join(one.event.names)}")), one)
            for one in self.hits()
            if not any(_under(one.publisher.place, name) for name in far)
            and (not near or any(_under(one.publisher.place, name) for name in near))
            and after <= one.at.strftime("%Y-%m-%d") <= before
        ]
        best = sorted((row for row in chosen if row[0]), key=lambda row: -row[0])
        rest = [one for common, one in chosen if not common]
        filled = [one for _common, one in best] + self._filled(rest, after, before)
        return filled[: self.most]

    def _filled(self, rest: list[Hit], after: str, before: str) -> list[Hit]:
        others = [one for one in rest if not one.event.planted]
        fillers: list[Hit] = []
        for number in range(self.fillers if others else 0):
            one = others[number % len(others)]
            title = f"{one.title}, part {number}"
            fillers.append(Hit(title, f"{one.url}?part={number}", one.publisher, FESTIVAL, one.at))
        return [one for one in fillers if after <= one.at.strftime("%Y-%m-%d") <= before]

    def reply(self, method: str, target: str, body: bytes) -> Reply:
        """The answer to a request for this host."""
        parts = urlsplit(target)
        if parts.path == "/robots.txt":
            return Reply(b"User-agent: *\nAllow: /\n", kind="text/plain")
        if "batchexecute" in parts.path:
            return self._batch(body) if method == "POST" else Reply(status=405)
        if "/articles/" in parts.path or "/read/" in parts.path:
            return self._article(parts.path.rpartition("/")[2])
        if "q" not in parse_qs(parts.query):
            return Reply(b"nothing here", 404, "text/plain")
        return self._search(parse_qs(parts.query)["q"][0])

    def _search(self, query: str) -> Reply:
        self.queries.append(query)
        if self.answer is Answer.HITS:
            return _rss(self._document(self.found(query)))
        if self.answer is Answer.SLOW:
            return Reply(_rss(self._document(self.found(query))).body, wait=60.0)
        if self.answer is Answer.BROKEN:
            whole = self._document(self.found(query))
            return _rss(whole[: len(whole) // 2])
        if self.answer is Answer.HOSTILE:
            return _rss(HOSTILE)
        return _FIXED[self.answer]

    def _document(self, found: list[Hit]) -> str:
        items = "".join(self._item(one) for one in found)
        return (
            '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel>'
            f"<title>Search</title><link>http://{HOST}/</link>{items}</channel></rss>"
        )

    def _item(self, hit: Hit) -> str:
        one, link = hit.publisher, self._linked(hit.url)
        title = html.escape(f"{hit.title} - {one.name}")
        shown = html.escape(f'<a href="{link}">{hit.title}</a>&nbsp;<font>{one.name}</font>')
        return (
            f"<item><title>{title}</title><link>{html.escape(link)}</link>"
            f"<guid isPermaLink='false'>{link.rpartition('/')[2].partition('?')[0]}</guid>"
            f"<pubDate>{format_datetime(hit.at, usegmt=True)}</pubDate>"
            f"<description>{shown}</description>"
            f'<source url="{html.escape(one.url)}">{html.escape(one.name)}</source></item>'
        )

    def _linked(self, url: str) -> str:
        if self.link is Link.DIRECT:
            return url
        key = encoded(url) if self.link is Link.ENCODED else _opaque(url)
        self._links[key] = url
        return f"http://{HOST}/rss/articles/{key}?oc=5"

    def _article(self, key: str) -> Reply:
        url = self._links.get(key, "")
        if self.link in (Link.REDIRECT, Link.ENCODED) and url:
            return Reply(status=302, headers=(("Location", url),))
        if self.link is Link.OPAQUE and url:
            shown = html.escape(url)
            text = (
                f"<html><head><link rel='canonical' href='{shown}'></head><body><c-wiz "
                f"data-n-au='{shown}'></c-wiz><a href='{shown}'>Opening</a></body></html>"
            )
        elif self.link is Link.SIGNED and url:
            text = (
                f'<html><body><c-wiz><div jscontroller="x" data-n-a-id="{key}" '
                f'data-n-a-ts="1700000000" data-n-a-sg="{_signature(key)}"></div></c-wiz>'
                "</body></html>"
            )
        else:
            text = "<html><body><c-wiz></c-wiz><a href='/about'>About</a></body></html>"
        return Reply(text.encode())

    def _batch(self, body: bytes) -> Reply:
        text = unquote(body.decode().replace("+", " "))
        for key, url in self._links.items():
            if key in text and _signature(key) in text:
                inner = json.dumps(["garturlres", url, 1])
                rows = [["wrb.fr", "Fbv4je", inner, None, None, None, "generic"], ["di", 9]]
                return Reply(f")]}}'\n\n{json.dumps(rows)}".encode(), kind="application/json")
        return Reply(b")]}'\n\n[]", 400, "application/json")


def encoded(url: str) -> str:
    """An address inside a protobuf message in base64, as the older links have it."""
    data = url.encode()
    size = len(data)
    length = bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])
    return base64.urlsafe_b64encode(b"\x08\x13\x22" + length + data + b"\xd2\x01\x00").decode()


def _opaque(url: str) -> str:
    inner = b"AU_yqL" + hashlib.sha256(url.encode()).hexdigest().encode()
    data = b"\x08\x13\x22" + bytes([len(inner)]) + inner + b"\xd2\x01\x00"
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _signature(key: str) -> str:
    return "AZ5r3e" + hashlib.sha256(key.encode()).hexdigest()[:20]


def _parsed(query: str) -> tuple[set[str], list[str], list[str], str, str]:
    """Words, sites wanted, sites not wanted, first and last day."""
    near, far, after, before = [], [], "0000", "9999"
    words: list[str] = []
    for part in query.replace('"', " ").split():
        name, colon, value = part.partition(":")
        if colon and name == "-site":
            far.append(value.lower())
        elif colon and name == "site":
            near.append(value.lower())
        elif colon and name == "after":
            after = value
        elif colon and name == "before":
            before = value
        else:
            words.append(part)
    return _words(" ".join(words)), near, far, after, before


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"[\w-]+", text.lower()) if len(word) > 3}


def _under(host: str, name: str) -> bool:
    return host == name or host.endswith(f".{name}")


def _rss(text: str) -> Reply:
    return Reply(text.encode(), kind="application/rss+xml; charset=utf-8")


HOSTILE = (
    '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + '<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&j;</title>'
    "<item><title>&lt;script&gt;alert(1)&lt;/script&gt; &x; Ferry Aurelia runs aground - Evil"
    "</title><link>http://127.0.0.1:1/admin</link><source url='javascript:alert(1)'>Evil</source>"
    "</item><item><title>Ferry Aurelia</title><link>file:///etc/passwd</link></item>"
    f"<item><title>{'Aurelia ' * 20_000}</title><link>http://{HOST}/rss/articles/"
    f"{'A' * 20_000}</link></item></channel></rss>"
)
_CAPTCHA = (
    "<!doctype html><html><head><title>Sorry...</title></head><body><h1>We're sorry</h1><p>Our "
    "systems have detected unusual traffic from your network. Please solve the captcha.</p>"
    "<form action='/sorry'><input name='captcha'></form></body></html>"
)
_FIXED = {
    Answer.EMPTY: _rss(
        '<?xml version="1.0"?><rss version="2.0"><channel><title>Search</title>'
        f"<link>http://{HOST}/</link></channel></rss>"
    ),
    Answer.TOO_MANY: Reply(b"Too many requests", 429, "text/plain", (("Retry-After", "120"),)),
    Answer.UNAVAILABLE: Reply(b"Unavailable", 503, "text/plain"),
    Answer.CAPTCHA: Reply(_CAPTCHA.encode()),
    Answer.DROPPED: Reply(drop=True),
}


def feed_of(events: tuple[Event, ...], now: datetime) -> str:
    """The reader's own feed: one article of each event, by "Home Paper"."""
    items = "".join(
        f"<item><guid isPermaLink='false'>{event.key}</guid>"
        f"<link>http://home.example/{quote(event.key)}</link>"
        f"<title>{html.escape(event.title(0))}</title>"
        f"<description>{html.escape(' '.join(event.paragraphs(0)[:2]))}</description>"
        f"<pubDate>{format_datetime(now - timedelta(hours=2), usegmt=True)}</pubDate></item>"
        for event in events
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Home Paper'
        f"</title><link>http://home.example/</link>{items}</channel></rss>"
    )


assert all(len(one.names) >= 2 for one in EVENTS)
