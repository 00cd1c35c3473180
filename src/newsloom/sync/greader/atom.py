"""A stream as Atom, which older clients read (newsboat's `feedhq` mode). Pure.

Read and unread are categories of Google Reader's scheme; newsboat posts an entry's id back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from xml.sax.saxutils import escape, quoteattr

SCHEME = "http://www.google.com/reader/"
MEDIA_TYPE = "application/atom+xml; charset=utf-8"

# What XML 1.0 has no way to write.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def feed(
    stream: str, title: str, items: Iterator[dict[str, Any]], now: datetime
) -> Iterator[bytes]:
    """The document in parts, of articles as items.item_of makes them."""
    yield (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>tag:google.com,2005:reader/{_text(stream)}</id>"
        f"<title>{_text(title)}</title><updated>{now.strftime('%Y-%m-%dT%H:%M:%SZ')}</updated>\n"
    ).encode()
    for one in items:
        yield _entry(one).encode("utf-8", "replace")
    yield b"</feed>\n"


def _entry(item: dict[str, Any]) -> str:
    at = datetime.fromtimestamp(item["published"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    marks = "".join(
        f"<category term={_attribute(one)} scheme={_attribute(SCHEME)}"
        f" label={_attribute(one.rpartition('/')[2])}/>"
        for one in item["categories"]
    )
    files = "".join(
        f'<link rel="enclosure" href={_attribute(one["href"])} type={_attribute(one["type"])}/>'
        for one in item["enclosure"]
    )
    origin = item["origin"]
    return (
        f'<entry><id>{_text(item["id"])}</id><title type="text">{_text(item["title"])}</title>'
        f"<published>{at}</published><updated>{at}</updated>"
        f'<link rel="alternate" href={_attribute(item["canonical"][0]["href"])}/>{files}'
        f"<author><name>{_text(item['author'])}</name></author>{marks}"
        f"<source><id>{_text(origin['streamId'])}</id><title>{_text(origin['title'])}</title>"
        f'</source><content type="html">{_text(item["summary"]["content"])}</content></entry>\n'
    )


def _text(value: str) -> str:
    return escape(_FORBIDDEN.sub("", value))


def _attribute(value: str) -> str:
    return quoteattr(_FORBIDDEN.sub("", value))
