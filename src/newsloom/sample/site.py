"""The sample's web site: what is answered to which request. Knows no time but the edition's.

Sends only what render and pages made; reads nothing a request carries but its path, the name it is
sent to, validators, and whether it takes gzip.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from html import escape
from importlib.resources import files
from typing import ClassVar

from newsloom.kernel.text import response_headers as http_headers
from newsloom.kernel.text.html import sanitize
from newsloom.sample.content import SampleArticle, SampleFeed, sample
from newsloom.sample.render import SOUND_TYPE, Document, render, sound
from newsloom.sample.wire import Edition, feed_path, http_date, page_path

_NAMES = frozenset({"127.0.0.1", "localhost"})


@dataclass(frozen=True, slots=True)
class _Version:
    document: Document
    etag: str
    modified: datetime  # when the bytes became what they are


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent. Without a body the status says it all."""

    status: int = 200
    body: bytes = b""
    type: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


NOT_FOUND = Answer(404)
MISDIRECTED = Answer(421)


class Site:
    """Answers for all feeds; `edition` says which edition of a feed is the one of now."""

    def __init__(self, edition: Callable[[SampleFeed], Edition]) -> None:
        self._edition = edition
        self._feeds = {feed.name: feed for feed in sample()}

    def answer(self, path: str, values: Mapping[str, str]) -> Answer:
        """What to send for a path; `asked` are the headers of the request, names in lower case.

        Answers to its own names only: a page elsewhere that points its name here gets nothing.
        """
        host = values.get("host", "").partition(":")[0]
        if host not in _NAMES and host.removesuffix(".localhost") not in self._feeds:
            return MISDIRECTED
        for pattern, answer in self._ROUTES:
            if found := pattern.fullmatch(path):
                return answer(self, path, values, *found.groups())
        return NOT_FOUND

    def _feed(self, path: str, values: Mapping[str, str], name: str) -> Answer:
        feed = self._feeds.get(name)
        if feed is None or path != feed_path(feed):
            return NOT_FOUND
        version = self._version(feed)
        headers = {
            "ETag": f'"{version.etag}"',
            "Last-Modified": http_date(version.modified),
            "Vary": "Accept-Encoding",
        }
        if _unchanged(values, version):
            return Answer(304, headers=headers)
        document = version.document
        if "gzip" not in values.get("accept-encoding", ""):
            return Answer(200, document.body, document.content_type, headers)
        packed = gzip.compress(document.body, mtime=0)
        return Answer(200, packed, document.content_type, {**headers, "Content-Encoding": "gzip"})

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

    def _index(self, _path: str, _asked: Mapping[str, str]) -> Answer:
        return _page(index_page(tuple(self._feeds.values())))

    def _home(self, _path: str, _asked: Mapping[str, str], name: str) -> Answer:
        feed = self._feeds.get(name)
        return NOT_FOUND if feed is None else _page(home_page(self._edition(feed)))

    def _article(self, _path: str, _asked: Mapping[str, str], name: str, wanted: str) -> Answer:
        feed = self._feeds.get(name)
        if feed is None:
            return NOT_FOUND
        edition = self._edition(feed)

        def is_wanted(one: SampleArticle) -> bool:
            return not one.link and wanted == (one.page or one.slug)

        found = tuple(filter(is_wanted, edition.articles()))
        return _page(article_page(edition, found)) if found else NOT_FOUND

    def _media(self, _path: str, _asked: Mapping[str, str], name: str, ending: str) -> Answer:
        if ending == "wav" and any(
            one.slug == name and one.minutes
            for feed in self._feeds.values()
            for one in feed.articles
        ):
            return Answer(200, sound(name), SOUND_TYPE)
        if ending == "svg" and name in self._feeds:
            feed = self._feeds[name]
            return _svg(icon(feed.colour, feed.title.removeprefix("The ")[0]).encode())
        if ending == "svg" and name in {"river", "pixel"}:
            return _svg(picture(f"{name}.svg"))
        return NOT_FOUND

    def _favicon(self, _path: str, _asked: Mapping[str, str]) -> Answer:
        return _svg(icon("#1d4e89", "N").encode())

    # The first that fits answers.
    _ROUTES: ClassVar[tuple[tuple[re.Pattern[str], Callable[..., Answer]], ...]] = (
        (re.compile("/"), _index),
        (re.compile(r"/favicon\.(?:ico|svg)"), _favicon),
        (re.compile(r"/feeds/([^/.]+)[^/]*"), _feed),
        (re.compile(r"/media/([^/.]+)\.([^/]*)"), _media),
        (re.compile("/([^/]+)/?"), _home),
        # Also the forms of an address under which other feeds repeat an article.
        (re.compile("/([^/]+)/([^/]+)(?:/|/amp|/index\\.html)?"), _article),
    )


def _unchanged(values: Mapping[str, str], version: _Version) -> bool:
    """If-None-Match decides; only without it the date does (RFC 9110, 13.2.2)."""
    if (tags := values.get("if-none-match")) is not None:
        wanted = {tag.strip().removeprefix("W/").strip('"') for tag in tags.split(",")}
        return bool(wanted & {version.etag, "*"})
    since = http_headers.http_date(values.get("if-modified-since", ""))
    return since is not None and since >= version.modified


def _page(html: str) -> Answer:
    policy = {"Content-Security-Policy": PAGE_POLICY}
    return Answer(200, html.encode(), "text/html; charset=utf-8", policy)


def _svg(body: bytes) -> Answer:
    return Answer(200, body, "image/svg+xml")


# The sample's web pages and pictures: the site of each feed, its articles, an index.

# One article's HTML is hostile on purpose: that is for the feed. Its page is sanitised, and may run
# and load nothing all the same.
PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_FEED_TYPES = {
    "rss 2.0": "application/rss+xml",
    "rdf 1.0": "application/rdf+xml",
    "atom 1.0": "application/atom+xml",
    "json 1.1": "application/feed+json",
}

_STYLE = """
body { margin: 0 auto; max-width: 42rem; padding: 1rem 1rem 4rem; color: #1b1b1b;
  background: #fdfcfa; font: 1.05rem/1.6 Georgia, 'Times New Roman', serif; }
header { border-bottom: 3px solid var(--own); margin-bottom: 1.5rem; padding-bottom: .5rem; }
header a { color: var(--own); font-weight: bold; text-decoration: none; }
.from, footer { color: #666; font: .85rem/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: left; }
img { max-width: 100%; height: auto; } pre { overflow-x: auto; }
blockquote { border-left: 3px solid var(--own); margin-left: 0; padding-left: 1rem; }
footer { border-top: 1px solid #ddd; margin-top: 3rem; padding-top: .5rem; }
@media (prefers-color-scheme: dark) { body { color: #e6e3de; background: #1a1a1a; }
  .from, footer { color: #a5a19a; } header a { color: inherit; } }
"""
_FOOTER = (
    "Part of Newsloom's built-in sample. Every place, person, company and event on these pages is "
    "invented."
)


def article_page(edition: Edition, articles: tuple[SampleArticle, ...]) -> str:
    """The page of an article, or of all posts of a live page."""
    parts = []
    for one in articles:
        when = edition.published(one).strftime("%Y-%m-%d %H:%M UTC")
        sound = (
            f'<p><audio controls src="/media/{one.slug}.wav"></audio></p>' if one.minutes else ""
        )
        text = sanitize(one.html, edition.base)
        parts.append(
            f'<article id="{one.slug}" lang="{one.language}"><h1>{escape(one.title)}</h1>'
            f'<p class="from">{escape(one.author)}, {when}</p>\n{sound}{text}</article>'
        )
    return _article_page(edition.feed, articles[0].title, "\n".join(parts), articles[0].language)


def home_page(edition: Edition) -> str:
    """The site of a feed: its articles, and a link to the feed for readers to find."""
    rows = "".join(
        f'<li><a href="{page_path(one)}">{escape(one.title)}</a></li>'
        for one in edition.articles()
        if not one.link
    )
    feed = edition.feed
    body = f"<h1>{escape(feed.title)}</h1><p>{escape(feed.description)}</p><ul>{rows}</ul>"
    return _article_page(feed, feed.title, body, feed.language)


def index_page(feeds: tuple[SampleFeed, ...]) -> str:
    """All sites of the sample."""
    rows = "".join(
        f'<li><a href="/{one.name}/">{escape(one.title)}</a>: {escape(one.description)} '
        f'<a class="from" href="{feed_path(one)}">feed</a></li>'
        for one in feeds
    )
    body = f"<h1>The built-in sample</h1><ul>{rows}</ul>"
    return _html("The built-in sample", "#1d4e89", "en", "", body)


def icon(colour: str, letter: str) -> str:
    """A letter on a coloured square."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">'
        f'<rect width="64" height="64" rx="12" fill="{colour}"/>'
        '<text x="32" y="46" font-size="40" font-family="Georgia, serif" fill="#fff" '
        f'text-anchor="middle">{escape(letter)}</text></svg>'
    )


def picture(name: str) -> bytes:
    """A picture that an article shows. Raises FileNotFoundError when there is none."""
    return (files("newsloom.sample") / "pictures" / name).read_bytes()


def _article_page(feed: SampleFeed, title: str, body: str, language: str) -> str:
    links = (
        f'<link rel="alternate" type="{_FEED_TYPES[feed.format]}" title="{escape(feed.title)}" '
        f'href="{feed_path(feed)}">\n<link rel="icon" href="/media/{feed.name}.svg">'
    )
    header = f'<header><a href="/{feed.name}/">{escape(feed.title)}</a></header>'
    return _html(title, feed.colour, language, links, header + body)


def _html(title: str, colour: str, language: str, head: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n{head}\n"
        f"<style>:root {{ --own: {colour} }}{_STYLE}</style>\n</head>\n<body>\n{body}\n"
        f"<footer>{_FOOTER}</footer>\n</body>\n</html>\n"
    )
