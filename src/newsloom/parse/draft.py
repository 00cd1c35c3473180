"""An article while its elements are read. Every format fills the same draft; one rule finishes it.

Holds only what is needed to choose among the many elements that say the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from lxml.etree import _Element

from newsloom.parse.links import absolute, resolve
from newsloom.parse.names import canonical
from newsloom.types import Enclosure, ParsedArticle

LANG = "{http://www.w3.org/XML/1998/namespace}lang"
# An article with more is a mistake or an attack; the most in real feeds is 148 categories.
_MOST = 200


class Draft:
    """What the elements of one article said, in order of preference where several may say it."""

    __slots__ = (
        "authors",
        "base",
        "categories",
        "comments_url",
        "content",
        "credited",
        "dated",
        "enclosures",
        "guid",
        "guid_is_url",
        "image",
        "image_later",
        "language",
        "origin",
        "other_summary",
        "other_title",
        "other_url",
        "published",
        "publisher",
        "publisher_url",
        "summary",
        "title",
        "updated",
        "url",
    )

    def __init__(self, base: str = "", guid: str = "") -> None:
        self.base = base  # the document's own address
        self.guid = guid
        self.guid_is_url = False
        self.url = ""
        self.other_url = ""  # from another vocabulary than the format's own
        self.title = ""
        self.other_title = ""
        self.authors: list[str] = []
        self.credited: list[str] = []  # named by a vocabulary that gives way to the format's own
        self.summary = ""
        self.other_summary = ""
        self.content = ""
        self.published: datetime | None = None
        self.dated: datetime | None = None  # a date that does not say of what
        self.updated: datetime | None = None
        self.language = ""
        self.categories: list[str] = []
        self.enclosures: list[Enclosure] = []
        self.image = ""
        self.image_later = ""
        self.comments_url = ""
        self.origin = ""
        self.publisher = ""
        self.publisher_url = ""


Handler = Callable[[Draft, _Element], None]
Handlers = Mapping[str, Handler]


def read_article(
    element: _Element,
    handlers: Handlers,
    *,
    base: str,
    language: str,
    author: str = "",
    guid: str = "",
) -> ParsedArticle:
    """One pass over an article's elements, each going to whoever knows its name."""
    draft = Draft(base, guid)
    for child in element:
        handler = handlers.get(canonical(child.tag))
        if handler is not None:
            handler(draft, child)
    return finish(draft, language=element.get(LANG) or language, author=author)


def finish(draft: Draft, *, language: str, author: str = "") -> ParsedArticle:
    """The article, each field from the best that was said about it."""
    published, updated = draft.published, draft.updated
    if draft.dated is not None:
        if published is None:
            published = draft.dated
        elif updated is None:
            updated = draft.dated
    return ParsedArticle(
        guid=draft.guid,
        url=draft.url or draft.other_url or (_guid_as_url(draft) if draft.guid_is_url else ""),
        title=draft.title or draft.other_title,
        author=joined(draft.authors or draft.credited) or author,
        summary=draft.summary or draft.other_summary,
        content=draft.content,
        published=published,
        updated=updated,
        language=draft.language or language,
        categories=tuple(dict.fromkeys(draft.categories[:_MOST])) if draft.categories else (),
        enclosures=tuple(dict.fromkeys(draft.enclosures[:_MOST])) if draft.enclosures else (),
        image=draft.image or draft.image_later,
        comments_url=draft.comments_url,
        origin=draft.origin,
        publisher=draft.publisher,
        publisher_url=draft.publisher_url,
    )


def _guid_as_url(draft: Draft) -> str:
    absolute_guid = draft.guid.startswith(("http://", "https://"))
    return resolve("", draft.guid) if absolute_guid else ""


def joined(names: Sequence[str]) -> str:
    """Names once each, in order."""
    if len(names) < 2:
        return names[0] if names else ""
    return ", ".join(dict.fromkeys(name for name in names if name))


def add_enclosure(
    draft: Draft, element: _Element, address: str | None, kind: str | None, length: str | None
) -> None:
    """A file of the article; a picture is its picture when nothing better is named."""
    url = absolute(element, address)
    if not url:
        return
    kind = (kind or "").strip()
    draft.enclosures.append(Enclosure(url, kind, size(length)))
    if kind.startswith("image/") and not draft.image_later:
        draft.image_later = url


def size(length: str | None) -> int | None:
    """Bytes as declared; nothing for what is no positive number or larger than any file."""
    if length and len(length) < 16 and length.isascii() and length.strip().isdecimal():
        return int(length) or None
    return None
