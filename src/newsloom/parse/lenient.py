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
from newsloom.parse.feed_head import MOST_ARTICLES
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
from newsloom.types import Enclosure, ParsedArticle

# feedparser reads about 2 MB or 50,000 tags of broken feed in a second, whichever is slower.
_LARGEST = 2_000_000
_MOST_TAGS = 100_000
_HTML = frozenset({"text/html", "application/xhtml+xml"})


def is_small(utf8: bytes) -> bool:
    """Whether feedparser may be given the document."""
    return len(utf8) <= _LARGEST and utf8.count(b"<") <= _MOST_TAGS


def read_leniently(utf8: bytes, url: str) -> tuple[ParsedArticle, ...]:
    """The articles feedparser finds, which may be none."""
    try:
        # Without the document's address, so that ids stay as written; addresses are resolved here.
        found = feedparser.parse(
            BytesIO(utf8),
            response_headers={"content-type": "application/xml"},
            resolve_relative_uris=False,
            sanitize_html=False,
        )
    except Exception:  # noqa: BLE001 - broken input makes it raise what it never meant to
        return ()
    atom = found.version.startswith("atom")
    author = _author(found.feed) if atom else ""
    language = one_line(found.feed.get("language"))[:35]
    return tuple(
        _article(entry, url, language, author, atom=atom) for entry in found.entries[:MOST_ARTICLES]
    )


def _article(entry: Any, base: str, language: str, author: str, *, atom: bool) -> ParsedArticle:
    bodies = entry.get("content", [])
    content = _html(bodies[0].get("value"), bodies[0]) if bodies else ""
    summary = _html(entry.get("summary"), entry.get("summary_detail"))
    published, updated = _moment(dict.get(entry, "published_parsed")), _updated(entry)
    if published is None and not atom:  # feedparser's name for dc:date is updated
        published, updated = updated, None
    enclosures = _enclosures(entry, base)
    return ParsedArticle(
        guid=one_line(entry.get("id")),
        url=resolve(base, entry.get("link") or ""),
        title=_title(entry),
        author=_author(entry) or author,
        summary="" if summary == content else summary,
        content=content,
        published=published,
        updated=updated,
        language=language,
        categories=_categories(entry),
        enclosures=enclosures,
        image=resolve(base, _image(entry)) or _picture(enclosures),
        comments_url=resolve(base, entry.get("comments") or ""),
    )


def _updated(entry: Any) -> datetime | None:
    """Past the kindness of FeedParserDict, which answers with the date published."""
    return _moment(dict.get(entry, "updated_parsed"))


def _picture(enclosures: tuple[Enclosure, ...]) -> str:
    return next((one.url for one in enclosures if one.type.startswith("image/")), "")


def _title(of: Any) -> str:
    kind = (of.get("title_detail") or {}).get("type", "")
    text = storable(of.get("title") or "")
    return line_of_markup(text) if kind in _HTML else line_of_either(text)


def _html(text: str | None, detail: Any) -> str:
    text = storable(text or "")
    return body_of_plain(text) if (detail or {}).get("type") == "text/plain" else body(text)


def _author(entry: Any) -> str:
    people = entry.get("authors", [])
    names = [line_of_either(one.get("name") or one.get("email")) for one in people]
    return joined(names) or person(line_of_either(entry.get("author")))


def _categories(entry: Any) -> tuple[str, ...]:
    tags = entry.get("tags", [])
    names = (line_of_either(tag.get("term") or tag.get("label")) for tag in tags)
    return tuple(dict.fromkeys(filter(None, names)))


def _enclosures(entry: Any, base: str) -> tuple[Enclosure, ...]:
    return tuple(
        Enclosure(url, one_line(link.get("type")), size(link.get("length")))
        for link in entry.get("links", [])
        if link.get("rel") == "enclosure" and (url := resolve(base, link.get("href") or ""))
    )


def _image(of: Any) -> str:
    for one in (*of.get("media_thumbnail", []), of.get("image")):
        if isinstance(one, dict) and (address := one.get("url") or one.get("href")):
            return str(mended(address))
    return ""


def _moment(parsed: struct_time | None) -> datetime | None:
    try:
        return datetime(*parsed[:6], tzinfo=UTC) if parsed else None
    except (ValueError, OverflowError):  # 31 June, the 60th second
        return None
