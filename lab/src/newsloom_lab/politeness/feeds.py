"""A feed as the publisher of a case has it: what a case changes between polls, and what it answers.

Answers conditional requests as RFC 9110 says: If-None-Match decides where it was sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime
from html import escape

from newsloom_lab.politeness.publisher import Answer, Headers, Publisher, RecordedRequest

RSS = ("Content-Type", "application/rss+xml; charset=utf-8")
HTML = ("Content-Type", "text/html; charset=utf-8")


@dataclass(frozen=True, slots=True)
class Item:
    """One article of a document."""

    guid: str
    title: str
    link: str = ""
    text: str = ""
    date: str = ""  # as written


@dataclass
class Feed:
    """Set any of it; the next answer is made of it."""

    publisher: Publisher
    url: str
    title: str
    items: list[Item]
    etag: str = ""
    last_modified: str = ""
    headers: Headers = ()
    status: int = 200
    body: bytes | None = None  # instead of the document
    channel: str = ""  # more elements of the channel
    site: str = ""
    language: str = "en"
    answer: Callable[[RecordedRequest], Answer | None] = field(default=lambda _asked: None)

    def says(self, request: RecordedRequest) -> Answer:
        """What a request is answered with."""
        special = self.answer(request)
        if special is not None:
            return special
        validators = tuple(
            (name, value)
            for name, value in (("ETag", self.etag), ("Last-Modified", self.last_modified))
            if value
        )
        if self.status == 200 and self._known(request):
            return Answer(b"", 304, validators + self.headers)
        headers = self.headers
        if not any(name.lower() == "content-type" for name, _ in headers):
            headers = (RSS, *headers)
        return Answer(
            self.document() if self.status == 200 else b"no", self.status, validators + headers
        )

    def _known(self, request: RecordedRequest) -> bool:
        if tag := request.header("If-None-Match"):
            return bool(self.etag) and tag == self.etag
        since = request.header("If-Modified-Since")
        return bool(since) and since == self.last_modified

    def document(self) -> bytes:
        if self.body is not None:
            return self.body
        return rss(self.title, self.items, self.channel, self.site or self.url, self.language)

    def news(self, title: str, **parts: str) -> Item:
        """A new article on top; the validators change with it."""
        number = len(self.items) + 1
        parts = {"link": f"{self.site or self.url.rsplit('/', 1)[0]}/{_slug(title)}"} | parts
        one = Item(guid=parts.pop("guid", f"{_slug(title)}-{number}"), title=title, **parts)
        self.items.insert(0, one)
        self.touch(f"news-{number}")
        return one

    def touch(self, word: str = "touched") -> None:
        """New validators of the kinds there are."""
        if self.etag:
            self.etag = f'"{word}"'
        if self.last_modified:
            self.last_modified = format_datetime(self.publisher.clock.now(), usegmt=True)

    @property
    def requests(self) -> tuple[RecordedRequest, ...]:
        return self.publisher.requests(self.url)

    def requests_since(self, mark: int) -> tuple[RecordedRequest, ...]:
        return self.publisher.requests(self.url, mark)


def make_feed(
    publisher: Publisher,
    path: str,
    host: int | str = 0,
    *,
    articles: int = 3,
    etag: str = '"first"',
    last_modified: str = "",
    headers: Headers = (),
    channel: str = "",
    scheme: str = "http",
) -> Feed:
    """A feed with a few articles, on the publisher from now on."""
    url = publisher.url(path, host, scheme=scheme)
    name = _slug(path)
    day = publisher.clock.now() - timedelta(hours=articles)
    items = [
        Item(
            guid=f"{name}-{number}",
            title=f"Report {number} of {name} {_WORDS[number % len(_WORDS)]}",
            link=f"{url.rsplit('/', 1)[0]}/{name}/{number}",
            text=f"What happened in case {number} of {name}, told in a sentence or two.",
            date=rfc822(day + timedelta(minutes=number)),
        )
        for number in range(articles, 0, -1)
    ]
    feed = Feed(
        publisher, url, f"Feed {name}", items, etag, last_modified, headers, channel=channel
    )
    publisher.on(url, feed.says)
    return feed


_WORDS = (
    "harbour",
    "meadow",
    "lantern",
    "granite",
    "violin",
    "compass",
    "orchard",
    "glacier",
    "saffron",
    "timber",
    "anchor",
    "pigeon",
)


def rss(
    title: str, items: Sequence[Item], channel: str = "", site: str = "", language: str = "en"
) -> bytes:
    """An RSS 2.0 document."""
    head = (
        f"<title>{escape(title)}</title><link>{escape(site)}</link>"
        f"<description>{escape(title)}</description><language>{language}</language>{channel}"
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" '
        'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" '
        f'xmlns:atom="http://www.w3.org/2005/Atom"><channel>{head}{"".join(map(_item, items))}'
        "</channel></rss>\n"
    ).encode()


def _item(one: Item) -> str:
    parts = [
        f"<title>{escape(one.title)}</title>",
        f'<guid isPermaLink="false">{escape(one.guid)}</guid>' if one.guid else "",
        f"<link>{escape(one.link)}</link>" if one.link else "",
        f"<description>{escape(one.text)}</description>" if one.text else "",
        f"<pubDate>{escape(one.date)}</pubDate>" if one.date else "",
    ]
    return f"<item>{''.join(parts)}</item>"


def rfc822(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)


def page(title: str, body: str = "", head: str = "") -> bytes:
    """A web page."""
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{escape(title)}</title>"
        f"{head}</head><body><h1>{escape(title)}</h1>{body}</body></html>"
    ).encode()


def _slug(words: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in words.lower()).strip("-")
