"""The sample's feeds as bytes in their wire formats. Pure: the same values give the same bytes."""

from __future__ import annotations

import io
import json
import math
import wave
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from types import MappingProxyType
from typing import Any

from lxml import etree
from lxml.etree import _Element

from newsloom.sample.content import SampleArticle
from newsloom.sample.wire import Edition, rss_date

SOUND_TYPE = "audio/wav"
_RATE = 8_000  # samples a second, one byte each
_HEADER_BYTES = 44
SOUND_BYTES = _HEADER_BYTES + _RATE

# Five notes that sound well after each other: A minor pentatonic from 220 Hz.
_NOTES = (220.0, 261.63, 293.66, 329.63, 392.0)


@lru_cache(maxsize=16)
def sound(name: str) -> bytes:
    """The note of an episode, as a WAV file of SOUND_BYTES bytes."""
    pitch = _NOTES[zlib.crc32(name.encode()) % len(_NOTES)]
    samples = bytes(
        128 + round(90 * math.exp(-3 * step / _RATE) * math.sin(math.tau * pitch * step / _RATE))
        for step in range(_RATE)
    )
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(1)
        writer.setframerate(_RATE)
        writer.writeframes(samples)
    return file.getvalue()


_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ATOM = "http://www.w3.org/2005/Atom"
_CONTENT = "http://purl.org/rss/1.0/modules/content/"
_DC = "http://purl.org/dc/elements/1.1/"
_ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RSS1 = "http://purl.org/rss/1.0/"
_XML = "http://www.w3.org/XML/1998/namespace"


@dataclass(frozen=True, slots=True)
class Document:
    """What the server sends for a feed."""

    body: bytes
    content_type: str


def render(edition: Edition) -> Document:
    """A feed in the edition given."""
    return _FORMATS[edition.feed.format](edition)


def _rss(edition: Edition) -> Document:
    feed = edition.feed
    spaces = {"atom": _ATOM, "content": _CONTENT, "dc": _DC}
    if any(one.minutes for one in feed.articles):
        spaces["itunes"] = _ITUNES
    rss = etree.Element("rss", {"version": "2.0"}, nsmap=spaces)
    channel = etree.SubElement(rss, "channel")
    for name, text in (
        ("title", feed.title),
        ("link", edition.site),
        ("description", feed.description),
        ("language", feed.language),
    ):
        _add(channel, name, text)
    _add(channel, f"{{{_ATOM}}}link", rel="self", href=edition.url, type="application/rss+xml")
    image = _add(channel, "image")
    for name, text in (("url", edition.icon()), ("title", feed.title), ("link", edition.site)):
        _add(image, name, text)
    for article in edition.articles():
        _rss_item(_add(channel, "item"), edition, article)
    return Document(_xml(rss, feed.encoding), "application/rss+xml")


def _rss_item(item: _Element, edition: Edition, article: SampleArticle) -> None:
    feed = edition.feed
    # A publisher that runs its titles through two templates: "&" goes out as "&amp;amp;".
    title = _numbered(escape(article.title, quote=False)) if feed.double_escaped else article.title
    _add(item, "title", title)
    _add(item, "link", edition.link(article))
    _add(item, f"{{{_DC}}}creator", article.author)
    if article.language != feed.language:
        _add(item, f"{{{_DC}}}language", article.language)
    for category in article.categories:
        _add(item, "category", category)
    if feed.guids:
        _add(item, "guid", edition.guid(article), isPermaLink="false")
    if date := rss_date(edition.published(article), article.date, edition.now):
        _add(item, "pubDate", date)
    if edition.original(article).revised(edition.generation):
        _add(item, f"{{{_ATOM}}}updated", edition.updated(article).isoformat())
    whole = feed.body == "description"
    _add(item, "description", edition.html(article) if whole else edition.lead(article))
    if feed.body == "full":
        _add(item, f"{{{_CONTENT}}}encoded", edition.html(article))
    if article.minutes:
        url, size = edition.sound(article), str(SOUND_BYTES)
        _add(item, "enclosure", url=url, type=SOUND_TYPE, length=size)
        _add(item, f"{{{_ITUNES}}}duration", f"{article.minutes}:00")


def _rdf(edition: Edition) -> Document:
    feed, about = edition.feed, f"{{{_RDF}}}about"
    spaces: Any = {None: _RSS1, "rdf": _RDF, "dc": _DC, "content": _CONTENT}
    rdf = etree.Element(f"{{{_RDF}}}RDF", nsmap=spaces)
    channel = _add(rdf, f"{{{_RSS1}}}channel", **{about: edition.url})
    for name, text in (
        ("title", feed.title),
        ("link", edition.site),
        ("description", feed.description),
    ):
        _add(channel, f"{{{_RSS1}}}{name}", text)
    _add(channel, f"{{{_DC}}}language", feed.language)
    order = _add(_add(channel, f"{{{_RSS1}}}items"), f"{{{_RDF}}}Seq")
    for article in edition.articles():
        link = edition.link(article)
        _add(order, f"{{{_RDF}}}li", **{f"{{{_RDF}}}resource": link})
        item = _add(rdf, f"{{{_RSS1}}}item", **{about: link})
        _add(item, f"{{{_RSS1}}}title", article.title)
        _add(item, f"{{{_RSS1}}}link", link)
        _add(item, f"{{{_RSS1}}}description", edition.lead(article))
        _add(item, f"{{{_CONTENT}}}encoded", edition.html(article))
        _add(item, f"{{{_DC}}}creator", article.author)
        _add(item, f"{{{_DC}}}date", edition.published(article).isoformat())
        _add(item, f"{{{_DC}}}language", article.language)
        for category in article.categories:
            _add(item, f"{{{_DC}}}subject", category)
    return Document(_xml(rdf, feed.encoding), "application/rdf+xml")


def _atom(edition: Edition) -> Document:
    feed = edition.feed
    spaces: Any = {None: _ATOM}
    root = etree.Element(f"{{{_ATOM}}}feed", {f"{{{_XML}}}lang": feed.language}, nsmap=spaces)

    def add(parent: _Element, name: str, text: str = "", **attributes: str) -> _Element:
        return _add(parent, f"{{{_ATOM}}}{name}", text, **attributes)

    add(root, "id", edition.url)
    add(root, "title", feed.title)
    add(root, "subtitle", feed.description)
    add(root, "updated", max(map(edition.updated, edition.articles())).isoformat())
    add(root, "link", rel="self", href=edition.url)
    add(root, "link", rel="alternate", type="text/html", href=edition.site)
    add(root, "icon", edition.icon())
    for article in edition.articles():
        entry = add(root, "entry")
        add(entry, "id", edition.guid(article))
        add(entry, "title", article.title)
        add(entry, "link", rel="alternate", type="text/html", href=edition.link(article))
        add(add(entry, "author"), "name", article.author)
        for category in article.categories:
            add(entry, "category", term=category)
        add(entry, "published", edition.published(article).isoformat())
        add(entry, "updated", edition.updated(article).isoformat())
        add(entry, "summary", edition.lead(article), type="html")
        add(entry, "content", edition.html(article), type="html")
    return Document(_xml(root, feed.encoding), "application/atom+xml")


def _json(edition: Edition) -> Document:
    feed = edition.feed
    items: list[dict[str, Any]] = [
        {
            "id": edition.guid(article),
            "url": edition.link(article),
            "title": article.title,
            "authors": [{"name": article.author}],
            "tags": list(article.categories),
            "date_published": edition.published(article).isoformat(),
            "date_modified": edition.updated(article).isoformat(),
            "content_html": edition.html(article),
        }
        for article in edition.articles()
    ]
    document = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": edition.site,
        "feed_url": edition.url,
        "description": feed.description,
        "language": feed.language,
        "icon": edition.icon(),
        "items": items,
    }
    return Document(
        json.dumps(document, ensure_ascii=False, indent=1).encode(), "application/feed+json"
    )


def _add(parent: _Element, name: str, text: str = "", **attributes: str) -> _Element:
    element = etree.SubElement(parent, name, attributes)
    if text:
        element.text = text
    return element


def _numbered(text: str) -> str:
    """Typographic signs as the numbers old content systems write them with."""
    return "".join(one if one.isascii() else f"&#{ord(one)};" for one in text)


def _xml(root: _Element, encoding: str) -> bytes:
    """The document, which always says that it is UTF-8, in the encoding that it really has."""
    etree.indent(root, space=" ")
    return (_DECLARATION + etree.tostring(root, encoding="unicode") + "\n").encode(encoding)


_FORMATS: Mapping[str, Callable[[Edition], Document]] = MappingProxyType(
    {"rss 2.0": _rss, "rdf 1.0": _rdf, "atom 1.0": _atom, "json 1.1": _json}
)
