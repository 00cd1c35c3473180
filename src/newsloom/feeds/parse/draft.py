"""An article while its elements are read. Every format fills the same draft; one rule finishes it.

Holds only what is needed to choose among the many elements that say the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from html import escape
from typing import Any

from newsloom.feeds.parse.elements import Node, canonical, text_of
from newsloom.feeds.parse.elements import language as language_of
from newsloom.feeds.parse.links import absolute, base_of, rebased, resolve
from newsloom.feeds.parse.pictures import Picture, with_pictures
from newsloom.feeds.parse.plain import line_of_either, plain_words
from newsloom.feeds.values.published import Enclosure, ParsedArticle
from newsloom.kernel.text.lead_picture import is_article_picture
from newsloom.kernel.text.picture_sources import is_placeholder

# An article with more is a mistake or an attack; the most in real feeds is 148 categories.
_MOST = 200
_LONGEST_TITLE = 300  # of a chapter
# Different names in the documents of a while; a document that invents more has them looked up anew.
_MOST_NAMES = 4096


class Draft:
    """What the elements of one article said, in order of preference where several may say it."""

    guid_is_url = False
    guid_is_said_url = False  # in as many words, so that it may be a relative one
    url = ""
    url_fits = False  # it is said to lead to a page in the article's language
    other_url = ""  # from another vocabulary than the format's own
    title = ""
    other_title = ""
    summary = ""
    second_summary = ""
    other_summary = ""  # from another vocabulary
    caption = ""  # said of a picture or a recording, or in a line
    content = ""
    published: datetime | None = None
    created: datetime | None = None  # which may be long before
    dated: datetime | None = None  # a date that does not say of what
    updated: datetime | None = None
    image = ""
    image_later = ""
    player = ""  # the page of a recording
    seconds: int | None = None  # how long it is
    season = ""
    episode = ""
    episode_type = ""
    chapters: Sequence[tuple[int, str, str]] = ()  # second, title, link
    comments_url = ""
    origin = ""
    publisher = ""
    publisher_url = ""

    def __init__(self, base: str, home: str, guid: str, language: str) -> None:
        self.base = base  # what relative addresses start from
        self.home = home  # the document's own address
        self.guid = guid
        self.language = language
        self.authors: list[str] = []
        self.credited: list[str] = []  # named by a vocabulary that gives way to the format's own
        self.categories: list[str] = []
        self.enclosures: list[Enclosure] = []
        self.pictures: list[tuple[Node, str]] = []  # that its text may lack, and their addresses

    def placed(self, html: str, element: Node) -> str:
        """HTML whose relative addresses are made absolute where the feed sets xml:base.

        Where it sets none they stay: then they mean the article's page, known when it is shown.
        """
        base = base_of(element, self.base) if element.keys() else self.base
        return html if base == self.home or not html else rebased(html, base)


Handler = Callable[[Draft, Node], None]


class Handlers(dict[Any, Handler | None]):
    """Who reads which element: looked up by names as they stand in documents, not canonical."""

    def __init__(self, by_name: Mapping[str, Handler], unknown: Handler) -> None:
        super().__init__()
        self.by_name = by_name
        self.unknown = unknown  # who reads elements of no known name that hold others

    def __missing__(self, tag: object) -> Handler | None:
        handler = self.by_name.get(canonical(tag))
        if isinstance(tag, str) and len(tag) < _MOST:
            if len(self) >= _MOST_NAMES:
                self.clear()
            self[tag] = handler
        return handler


def read_article(
    element: Node,
    handlers: Handlers,
    *,
    home: str,
    base: str,
    language: str,
    author: str = "",
    guid: str = "",
) -> ParsedArticle:
    """One pass over an article's elements, each going to whoever knows its name."""
    if element.keys():
        base, language = base_of(element, base), language_of(element) or language
    draft = Draft(base, home, guid, language)
    for child in element:
        if handler := handlers[child.tag]:
            handler(draft, child)
        elif len(child):
            handlers.unknown(draft, child)
    return finish(draft, author)


def finish(draft: Draft, author: str = "") -> ParsedArticle:
    """The article, each field from the best that was said about it."""
    published, updated = draft.published or draft.created, draft.updated
    url = draft.url or draft.other_url or (_guid_as_url(draft) if draft.guid_is_url else "")
    summary, content = _texts(draft)
    if draft.image and is_placeholder(draft.image):
        draft.image = ""
    if draft.pictures or draft.image:
        title = draft.title or draft.other_title
        thumbnail = Picture(draft.image, link=draft.player or url)
        missing = _missing_pictures(draft, max(content, summary, key=len))
        summary, content = with_pictures(summary, content, title, missing, thumbnail)
    if draft.chapters:
        content = _with_chapters(max(content, summary, key=len), draft.chapters[:_MOST])
    if draft.dated is not None:
        if published is None:
            published = draft.dated
        elif updated is None:
            updated = draft.dated
    # By position: sixteen names take twice as long.
    return ParsedArticle(
        draft.guid,
        url,
        draft.title or draft.other_title,
        joined(draft.authors or draft.credited) or author,
        summary,
        content,
        published,
        updated,
        draft.language,
        tag_names(draft.categories[:_MOST]) if draft.categories else (),
        _files(draft) if draft.enclosures else (),
        draft.image or draft.image_later,
        draft.comments_url,
        draft.origin,
        draft.publisher,
        draft.publisher_url,
    )


def _with_chapters(html: str, chapters: Sequence[tuple[int, str, str]]) -> str:
    """A text with the list of chapters behind it, unless it names them all."""
    named = [(second, escape(title[:_LONGEST_TITLE]), url) for second, title, url in chapters]
    if all(title in html for _, title, _ in named):
        return html
    items = "".join(
        f"<li>{timedelta(seconds=second)} "
        + (f'<a href="{escape(url)}">{title}</a></li>' if url else f"{title}</li>")
        for second, title, url in named
    )
    return f"{html}<ul>{items}</ul>"


def _files(draft: Draft) -> tuple[Enclosure, ...]:
    """Each file once, with all that several elements say of it."""
    found: dict[str, Enclosure] = {}
    for one in draft.enclosures[:_MOST]:
        key = one.url.partition("://")[2] or one.url
        known = found.setdefault(key, one)
        if known is not one:
            found[key] = Enclosure(
                known.url,
                known.type or one.type,
                known.length or one.length,
                known.seconds or one.seconds,
                known.title or one.title,
            )
    numbers = (("season", draft.season), ("episode", draft.episode))
    title = ", ".join(f"{name} {number}" for name, number in numbers if number)
    if draft.episode_type in {"bonus", "trailer"}:
        title = f"{title}, {draft.episode_type}" if title else draft.episode_type
    if draft.seconds or title:
        for key, one in found.items():
            if not one.title and not one.type.startswith("image/"):
                seconds = one.seconds or draft.seconds
                found[key] = replace(one, seconds=seconds, title=title.capitalize())
    return tuple(found.values())


def _missing_pictures(draft: Draft, html: str) -> list[Picture]:
    """The declared pictures whose addresses are not in a text."""
    missing: list[Picture] = []
    at = 0
    for one, url in draft.pictures[:_MOST]:
        address = one.get("url") or one.get("href") or ""
        found = html.find(address, at)  # most feeds name them in the order of the text
        if found < 0 and len(html) > _LONG and not is_article_picture(address):
            continue
        if found < 0 and at:
            found = html.find(address)
        if found < 0:
            missing.append(_declared(draft, one, url))
        else:
            at = found
    return missing


def _declared(draft: Draft, element: Node, url: str) -> Picture:
    """A picture with what its element says of it."""
    about = None
    if len(element):
        said = {canonical(child.tag): child for child in element}
        about = next((said[name] for name in _ABOUT_A_PICTURE if name in said), None)
    return Picture(
        url or absolute(draft.base, element, element.get("url") or element.get("href")),
        "" if about is None else line_of_either(text_of(about)),
        size(element.get("width")) or 0,
        size(element.get("height")) or 0,
    )


# To look for an address in a longer text takes longer than to look at the address.
_LONG = 20_000
_ABOUT_A_PICTURE = ("media:description", "media:text", "media:title")


def _texts(draft: Draft) -> tuple[str, str]:
    """Summary and content.

    Of two summaries, which feeds have that know no content, the longer is the content, unless one
    says nothing that the other does not. feedparser takes the second, whatever it says.
    """
    first = draft.summary or draft.other_summary or draft.caption
    second = draft.second_summary or (draft.other_summary if draft.summary else "")
    if draft.content or not second or second == first:
        return first, draft.content
    shown, other = plain_words(first), plain_words(second)
    if shown in other or other in shown:
        return (first, second) if len(other) > len(shown) else (first, "")
    return (first, second) if len(other) >= len(shown) else (second, first)


def _guid_as_url(draft: Draft) -> str:
    """The page that an id is the address of: absolute, or relative where that must be meant."""
    found = resolve("", draft.guid)
    if not found and (draft.guid_is_said_url or draft.guid.startswith("/")):
        found = "" if " " in draft.guid else resolve(draft.base, draft.guid)
    return found if found.startswith(("http://", "https://")) else ""


def joined(names: Sequence[str]) -> str:
    """Names once each, in order."""
    if len(names) < 2:
        return names[0] if names else ""
    return ", ".join(dict.fromkeys(name for name in names if name))


def add_enclosure(
    draft: Draft,
    element: Node,
    address: str | None,
    kind: str | None,
    length: str | None,
    seconds: int | None = None,
    title: str = "",
) -> None:
    """A file of the article; a picture is its picture when nothing better is named."""
    url = absolute(draft.base, element, address)
    if not url:
        return
    kind = (kind or "").strip()
    draft.enclosures.append(Enclosure(url, kind, size(length), seconds, title))
    if kind.startswith("image/"):
        draft.pictures.append((element, url))
        draft.image_later = draft.image_later or url


def add_summary(draft: Draft, html: str) -> None:
    """A summary, or the next one."""
    if not draft.summary:
        draft.summary = html
    elif not draft.second_summary and html != draft.summary:
        draft.second_summary = html


_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,4}):(\d{1,2})(?:\.\d{1,9})?")
_ISO = re.compile(r"PT(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:(\d{1,6})(?:\.\d{1,9})?S)?")
# A day; longer ones are milliseconds, or a mistake.
_LONGEST = 86_400


def duration(text: str | None) -> int | None:
    """Seconds of "1665", "27:45", "1:02:03" or "PT1H2M"; None for what says no length."""
    text = (text or "").strip()[:40]
    if found := _CLOCK.fullmatch(text) or _ISO.fullmatch(text.upper()):
        hours, minutes, seconds = (int(one or 0) for one in found.groups())
        total = 3_600 * hours + 60 * minutes + seconds
    else:
        whole = text.partition(".")[0]
        total = int(whole) if whole.isascii() and whole.isdecimal() and len(whole) < 8 else 0
    return total if 0 < total <= _LONGEST else None


# Between tags in one field; "1,000" is a number.
_BETWEEN_TAGS = re.compile(r"\s*(?:,(?!\d{3}\b)|[;，、；])\s*")
_AMONG_OTHERS = re.compile(r"\s*(?:,(?![\s\d])|[;，、；])\s*")
_BETWEEN_HASHES = re.compile(r"\s+(?=#\w)")
_SIGNS, _WIDE_SIGNS = (",", "#", ";"), ("，", "、", "；")


def tag_names(fields: Sequence[str]) -> tuple[str, ...]:
    """The tags of an article, each once; its only field may hold several, with commas between.

    Among other fields a comma and a space belong to a name: "al-Hayya, Khalil (1960- )".
    """
    text = "\n".join(fields)
    if not any(map(text.__contains__, _SIGNS if text.isascii() else (*_SIGNS, *_WIDE_SIGNS))):
        return tuple(dict.fromkeys(fields))
    names: list[str] = []
    for one in fields:
        parts = (_AMONG_OTHERS if len(fields) > 1 else _BETWEEN_TAGS).split(one)
        for part in parts:
            names += _BETWEEN_HASHES.split(part) if part.lstrip()[:1] == "#" else (part,)
    shown = (one.strip(" ,").removeprefix("#") for one in names)
    return tuple(dict.fromkeys(filter(None, shown)))[:_MOST]


def size(length: str | None) -> int | None:
    """Bytes as declared; nothing for what is no positive number or larger than any file."""
    if length and len(length) < 16 and length.isascii() and length.strip().isdecimal():
        return int(length) or None
    return None
