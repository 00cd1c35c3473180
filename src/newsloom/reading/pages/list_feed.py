"""A list of articles as a feed: Atom (RFC 4287) and JSON Feed 1.1. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from newsloom.kernel.text.xml import ATOM, DECLARATION, Markup, element
from newsloom.reading.api.shapes import Article
from newsloom.web.wording import title_of


@dataclass(frozen=True, slots=True)
class ListFeed:
    """A list under its name, with the address it is read at."""

    name: str
    address: str
    home: str
    entries: Sequence[Article]
    today: datetime  # its date as long as it has no entries

    @property
    def id(self) -> str:
        """Tells nothing of the secret address."""
        digest = hashlib.blake2b(self.address.encode(), digest_size=8).hexdigest()
        return f"urn:newsloom:list:{digest}"


def atom(feed: ListFeed) -> str:
    """As Atom."""
    updated = max((one.published for one in feed.entries), default=feed.today)
    return DECLARATION + element(
        "feed",
        {"xmlns": ATOM},
        element("title", feed.name),
        element("id", feed.id),
        element("link", {"rel": "self", "type": "application/atom+xml", "href": feed.address}),
        element("link", {"rel": "alternate", "type": "text/html", "href": feed.home}),
        element("updated", updated.isoformat()),
        element("author", element("name", "Newsloom")),
        *(_atom_entry(one, feed.id) for one in feed.entries),
    )


def _atom_entry(one: Article, feed: str) -> Markup:
    author = ", ".join(part for part in (one.author, one.feed_title) if part) or "Newsloom"
    return element(
        "entry",
        {"xml:lang": one.language} if one.language else {},
        element("title", title_of(one)),
        element("id", f"{feed}:{one.id}"),
        element("link", {"rel": "alternate", "href": one.url}) if one.url else "",
        element("updated", one.published.isoformat()),
        element("published", one.published.isoformat()),
        element("author", element("name", author)),
        element("summary", {"type": "text"}, one.excerpt),
    )


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


def _item(one: Article, feed: str) -> dict[str, object]:
    authors = [{"name": name} for name in (one.author, one.feed_title) if name]
    found: dict[str, object] = {
        "id": f"{feed}:{one.id}",
        "url": one.url,
        "title": title_of(one),
        "content_text": one.excerpt,
        "image": one.image,
        "date_published": one.published.isoformat(),
        "authors": authors,
        "language": one.language,
    }
    return {name: value for name, value in found.items() if value or name == "content_text"}


# How a list is read: what stands behind its address, its media type, and who writes it.
FORMATS: tuple[tuple[str, str, Callable[[ListFeed], str]], ...] = (
    ("atom", "application/atom+xml", atom),
    ("json", "application/feed+json", json_feed),
)
