"""A stream as Atom, which older clients read (newsboat's `feedhq` mode). Pure.

Read and unread are categories of Google Reader's scheme; newsboat posts an entry's id back.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from newsloom.kernel.text.xml import ATOM, DECLARATION, Markup, element, start_tag

SCHEME = "http://www.google.com/reader/"
MEDIA_TYPE = "application/atom+xml; charset=utf-8"


def feed(
    stream: str, title: str, items: Iterator[dict[str, Any]], now: datetime
) -> Iterator[bytes]:
    """The document in parts, of articles as items.item_of makes them."""
    yield (
        DECLARATION
        + start_tag("feed", {"xmlns": ATOM})
        + element("id", f"tag:google.com,2005:reader/{stream}")
        + element("title", title)
        + element("updated", now.strftime("%Y-%m-%dT%H:%M:%SZ"))
    ).encode()
    for one in items:
        yield _entry(one).encode()
    yield b"</feed>"


def _entry(item: dict[str, Any]) -> Markup:
    at = datetime.fromtimestamp(item["published"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    origin = item["origin"]
    return element(
        "entry",
        element("id", item["id"]),
        element("title", {"type": "text"}, item["title"]),
        element("published", at),
        element("updated", at),
        element("link", {"rel": "alternate", "href": item["canonical"][0]["href"]}),
        *(
            element("link", {"rel": "enclosure", "href": one["href"], "type": one["type"]})
            for one in item["enclosure"]
        ),
        element("author", element("name", item["author"])),
        *(
            element("category", {"term": one, "scheme": SCHEME, "label": one.rpartition("/")[2]})
            for one in item["categories"]
        ),
        element("source", element("id", origin["streamId"]), element("title", origin["title"])),
        element("content", {"type": "html"}, item["summary"]["content"]),
    )
