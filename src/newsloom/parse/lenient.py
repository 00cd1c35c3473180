"""The second try on small broken documents: feedparser reads, and its result becomes ours.

Only maps. feedparser is asked neither to sanitise nor to resolve addresses inside HTML: the first
belongs to showing, and both cost more than the reading.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from time import struct_time
from typing import Any

import feedparser

from newsloom.parse.draft import joined, size
from newsloom.parse.feed_head import MOST_ARTICLES, too_many
from newsloom.parse.links import resolve
from newsloom.parse.plain import (
    body,
    body_of_plain,
    line_of_either,
    line_of_markup,
    mended,
    one_line,
    storable,
)
from newsloom.parse.rss import person
from newsloom.types import Enclosure, ParsedArticle, ParsedFeed

# feedparser needs 1 s for 2 MB of ordinary broken feed and 30 times more memory than that.
LARGEST = 2_000_000
_FORMATS = {"rss10": "rdf 1.0", "rss090": "rdf 0.9", "atom03": "atom 0.3", "atom10": "atom 1.0"}
_HTML = frozenset({"text/html", "application/xhtml+xml"})


def read_leniently(utf8: bytes, url: str, problem: str) -> ParsedFeed:
    """What feedparser makes of it; a feed without articles when it makes nothing of it."""
    found = feedparser.parse(
        BytesIO(utf8),
        response_headers={"content-location": url, "content-type": "application/xml"},
        resolve_relative_uris=False,
        sanitize_html=False,
    )
    feed, entries = found.feed, found.entries
    return ParsedFeed(
        format=_format(found.version),
        title=_title(feed),
        site_url=resolve(url, feed.get("link", "")),
        description=_html(feed.get("subtitle", ""), feed.get("subtitle_detail")),
        language=one_line(feed.get("language"))[:35],
        image=resolve(url, _image(feed)),
        articles=tuple(_article(entry, url) for entry in entries[:MOST_ARTICLES]),
        problem=problem or too_many(len(entries)),
    )


def _format(version: str) -> str:
    if version in _FORMATS:
        return _FORMATS[version]
    if version.startswith("atom"):
        return "atom 1.0"
    digits = version.removeprefix("rss")[:3].rstrip("nu")
    return f"rss {digits[0]}.{digits[1:]}" if len(digits) > 1 and digits.isdecimal() else "rss 2.0"


def _article(entry: Any, base: str) -> ParsedArticle:
    bodies = entry.get("content", [])
    content = _html(bodies[0].get("value", ""), bodies[0]) if bodies else ""
    summary = _html(entry.get("summary", ""), entry.get("summary_detail"))
    return ParsedArticle(
        guid=one_line(entry.get("id")),
        url=resolve(base, entry.get("link", "")),
        title=_title(entry),
        author=_author(entry),
        summary="" if summary == content else summary,
        content=content,
        published=_moment(entry.get("published_parsed")),
        updated=_moment(dict.get(entry, "updated_parsed")),
        language=one_line((entry.get("title_detail") or {}).get("language"))[:35],
        categories=_categories(entry),
        enclosures=tuple(_enclosures(entry, base)),
        image=resolve(base, _image(entry)),
        comments_url=resolve(base, entry.get("comments", "")),
    )


def _title(of: Any) -> str:
    kind = (of.get("title_detail") or {}).get("type", "")
    text = storable(of.get("title", ""))
    return line_of_markup(text) if kind in _HTML else line_of_either(text)


def _html(text: str, detail: Any) -> str:
    text = storable(text)
    return body_of_plain(text) if (detail or {}).get("type") == "text/plain" else body(text)


def _author(entry: Any) -> str:
    names = [one_line(one.get("name") or one.get("email")) for one in entry.get("authors", [])]
    return joined(names) or person(one_line(entry.get("author")))


def _categories(entry: Any) -> tuple[str, ...]:
    tags = entry.get("tags", [])
    names = (line_of_either(tag.get("term") or tag.get("label")) for tag in tags)
    return tuple(dict.fromkeys(filter(None, names)))


def _enclosures(entry: Any, base: str) -> list[Enclosure]:
    return [
        Enclosure(url, one_line(link.get("type")), size(link.get("length")))
        for link in entry.get("links", [])
        if link.get("rel") == "enclosure" and (url := resolve(base, link.get("href", "")))
    ]


def _image(of: Any) -> str:
    for one in (*of.get("media_thumbnail", []), of.get("image") or {}):
        if address := one.get("url") or one.get("href"):
            return str(mended(address))
    return ""


def _moment(parsed: struct_time | None) -> datetime | None:
    try:
        return datetime(*parsed[:6], tzinfo=UTC) if parsed else None
    except (ValueError, OverflowError):  # 31 June, the 60th second
        return None
