"""A list of articles as a feed: Atom (RFC 4287) and JSON Feed 1.1. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """One article. Texts are plain."""

    id: int
    title: str
    url: str  # empty: it has none
    source: str
    author: str
    excerpt: str
    language: str
    image: str
    dated: datetime


@dataclass(frozen=True, slots=True)
class ListFeed:
    """A list under its name, with the address it is read at."""

    name: str
    address: str
    home: str
    entries: Sequence[Entry]

    @property
    def id(self) -> str:
        """Tells nothing of the secret address."""
        digest = hashlib.blake2b(self.address.encode(), digest_size=8).hexdigest()
        return f"urn:newsloom:list:{digest}"


def atom(feed: ListFeed) -> str:
    """As Atom."""
    updated = max((one.dated for one in feed.entries), default=_NEVER)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{_text(feed.name)}</title>",
        f"<id>{feed.id}</id>",
        f'<link rel="self" type="application/atom+xml" href={quoteattr(feed.address)}/>',
        f'<link rel="alternate" type="text/html" href={quoteattr(feed.home)}/>',
        f"<updated>{updated.isoformat()}</updated>",
        "<author><name>Newsloom</name></author>",
        *(_atom_entry(one, feed.id) for one in feed.entries),
        "</feed>",
    ]
    return "\n".join(lines) + "\n"


def _atom_entry(one: Entry, feed: str) -> str:
    language = f" xml:lang={quoteattr(one.language)}" if one.language else ""
    link = f'<link rel="alternate" href={quoteattr(one.url)}/>' if one.url else ""
    author = _text(", ".join(part for part in (one.author, one.source) if part) or "Newsloom")
    return (
        f"<entry{language}><title>{_text(one.title)}</title><id>{feed}:{one.id}</id>{link}"
        f"<updated>{one.dated.isoformat()}</updated><published>{one.dated.isoformat()}</published>"
        f"<author><name>{author}</name></author>"
        f'<summary type="text">{_text(one.excerpt)}</summary></entry>'
    )


def _text(value: str) -> str:
    """Escaped, without what XML 1.0 cannot say."""
    return escape("".join(one for one in value if one >= " " or one in "\t\n\r"))


def json_feed(feed: ListFeed) -> str:
    """As JSON Feed 1.1 (jsonfeed.org/version/1.1)."""
    return json.dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": feed.name,
            "feed_url": feed.address,
            "home_page_url": feed.home,
            "items": [_item(one, feed.id) for one in feed.entries],
        },
        ensure_ascii=False,
    )


def _item(one: Entry, feed: str) -> dict[str, object]:
    authors = [{"name": name} for name in (one.author, one.source) if name]
    found: dict[str, object] = {
        "id": f"{feed}:{one.id}",
        "url": one.url,
        "title": one.title,
        "content_text": one.excerpt,
        "image": one.image,
        "date_published": one.dated.isoformat(),
        "authors": authors,
        "language": one.language,
    }
    return {name: value for name, value in found.items() if value or name == "content_text"}


# How a list is read: what stands behind its address, its media type, and who writes it.
FORMATS: tuple[tuple[str, str, Callable[[ListFeed], str]], ...] = (
    ("atom", "application/atom+xml", atom),
    ("json", "application/feed+json", json_feed),
)
