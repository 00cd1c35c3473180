"""The Google Reader protocol as bytes: what is asked, and what the answers must hold. Asks nothing.

Every answer is hostile until read: of a wrong type anywhere it is refused whole, with words.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from newsloom.bridges.values import RemoteEntry, RemoteFeed
from newsloom.feeds.parse.plain import line_of_either, one_line, storable
from newsloom.feeds.values.published import Enclosure, ParsedArticle
from newsloom.kernel.errors import BridgeError
from newsloom.kernel.text.urls import join

READING_LIST = "user/-/state/com.google/reading-list"
READ = "user/-/state/com.google/read"
STARRED = "user/-/state/com.google/starred"
LABEL = "user/-/label/"

# What FreshRSS and Miniflux number articles with fits 63 bits; what does not is not kept by either
# of Newsloom's databases.
_MOST = 2**63 - 1
_LONG = re.compile(r"tag:google\.com,2005:reader/item/([0-9a-fA-F]{1,16})")
_USER = re.compile(r"user/[^/]+/")

# Far beyond any article; what a server sends is bounded as a whole before it comes here.
_LONGEST_BODY = 1_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One article of a stream, with its marks."""

    entry: RemoteEntry
    read: bool
    starred: bool
    labels: frozenset[str]  # of the article itself and of its feed's folder alike


@dataclass(frozen=True, slots=True)
class Keys:
    """A part of the keys in a stream, and where the next part begins ("" at the end)."""

    keys: tuple[int, ...]
    continuation: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A label that the server lists."""

    name: str
    folder: bool  # of feeds; else of articles, or the server does not say


def form(pairs: Iterable[tuple[str, str]]) -> bytes:
    """The body of a POST."""
    return urlencode(list(pairs)).encode()


def login(body: bytes) -> str:
    """The token of a login's answer: lines, or JSON where a server prefers it."""
    text = body.decode(errors="replace").strip()
    if text.startswith("{"):
        found = _string(_object(_json(body)), "Auth")
    else:
        lines = dict(line.partition("=")[::2] for line in text.splitlines())
        found = lines.get("Auth", "").strip()
    if not found or not found.isprintable() or not found.isascii():
        raise BridgeError("the server's login response has no token")
    return found


def token(body: bytes) -> str:
    """The token that every change must carry."""
    found = body.decode(errors="replace").strip()
    if len(found) > 500 or not found.isprintable() or not found.isascii():
        raise BridgeError("the server's token is invalid")
    return found


def subscriptions(body: bytes) -> tuple[RemoteFeed, ...]:
    """All feeds, each in the first of its folders."""
    rows = _list(_object(_json(body)), "subscriptions")
    return tuple(_subscription(_object(row)) for row in rows)


def _subscription(row: dict[str, Any]) -> RemoteFeed:
    folders = [_string(_object(one), "label") for one in _list(row, "categories", optional=True)]
    return RemoteFeed(
        key=_string(row, "id"),
        title=line_of_either(_string(row, "title")),
        category=line_of_either(next(iter(folders), "")),
        site_url=_address(_string(row, "htmlUrl", optional=True)),
    )


def tags(body: bytes) -> tuple[Tag, ...]:
    """The labels of a list of tags, however the server writes the reader into their names."""
    rows = [_object(one) for one in _list(_object(_json(body)), "tags")]
    named = [(_USER.sub("user/-/", _string(row, "id"), count=1), row) for row in rows]
    return tuple(
        Tag(name.removeprefix(LABEL), _string(row, "type", optional=True) == "folder")
        for name, row in named
        if name.startswith(LABEL)
    )


def folders(body: bytes) -> frozenset[str]:
    """The folders that any feed is in."""
    rows = [_object(row) for row in _list(_object(_json(body)), "subscriptions")]
    return frozenset(
        _string(_object(one), "label")
        for row in rows
        for one in _list(row, "categories", optional=True)
    )


def keys(body: bytes) -> Keys:
    """The keys of a stream of ids."""
    whole = _object(_json(body))
    refs = [_object(one) for one in _list(whole, "itemRefs", optional=True)]
    found = tuple(key(_string(one, "id")) for one in refs)
    # An empty part ends the stream whatever it says: some servers name a next one for ever.
    return Keys(found, _continuation(whole) if found else "")


def _continuation(whole: dict[str, Any]) -> str:
    value = whole.get("continuation", "")
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise _wrong("continuation")
    return str(value)


def key(text: str) -> int:
    """The number of an article, of its long or its decimal form."""
    long = _LONG.fullmatch(text)
    if long:
        number = int(long[1], 16)
    elif text.isascii() and text.isdecimal() and len(text) < 20:
        number = int(text)
    else:
        raise _wrong("id")
    if number > _MOST:
        raise _wrong("id")
    return number


def long_form(number: int) -> str:
    """The form that every server reads: FreshRSS takes a bare hexadecimal one for decimal."""
    return f"tag:google.com,2005:reader/item/{number:016x}"


def entries(body: bytes) -> tuple[Entry, ...]:
    """The articles of an answer with contents."""
    rows = _list(_object(_json(body)), "items")
    return tuple(_entry(_object(row)) for row in rows)


def _entry(row: dict[str, Any]) -> Entry:
    number = key(_string(row, "id"))
    categories = _list(row, "categories", optional=True)
    if not all(isinstance(one, str) for one in categories):
        raise _wrong("categories")
    marks = {_USER.sub("user/-/", one, count=1) for one in categories}
    article = _article(row, number)
    text = f"{article.title}\n{article.url}\n{article.content}"
    return Entry(
        RemoteEntry(
            key=number,
            feed=_string(_object(row.get("origin")), "streamId"),
            article=article,
            digest=hashlib.blake2b(text.encode(), digest_size=16).hexdigest(),
        ),
        read=READ in marks,
        starred=STARRED in marks,
        labels=frozenset(one.removeprefix(LABEL) for one in marks if one.startswith(LABEL)),
    )


def _article(row: dict[str, Any], number: int) -> ParsedArticle:
    bodies = [_body(row.get(name)) for name in ("content", "summary")]
    links = [
        _address(_string(_object(one), "href", optional=True))
        for name in ("canonical", "alternate")
        for one in _list(row, name, optional=True)
    ]
    return ParsedArticle(
        guid=str(number),
        url=next(filter(None, links), ""),
        title=line_of_either(_string(row, "title", optional=True)),
        author=one_line(_string(row, "author", optional=True)),
        content=max(bodies, key=len),
        published=_moment(row.get("published")),
        enclosures=tuple(_enclosures(_list(row, "enclosure", optional=True))),
    )


def _body(holder: object) -> str:
    if holder is None:
        return ""
    text = _string(_object(holder), "content", optional=True)
    return text[:_LONGEST_BODY].strip()


def _enclosures(rows: Sequence[object]) -> Iterable[Enclosure]:
    for row in map(_object, rows):
        address = _address(_string(row, "href", optional=True))
        length = row.get("length")
        known = isinstance(length, int) and not isinstance(length, bool) and length >= 0
        if address:
            kind = one_line(_string(row, "type", optional=True))
            yield Enclosure(address, kind, length if known else None)


def _address(text: str) -> str:
    """An absolute http(s) address, or nothing."""
    return join("", text) if text else ""


def _moment(seconds: object) -> datetime | None:
    """When the publisher says it is from; a date that cannot be is none."""
    if not isinstance(seconds, int) or isinstance(seconds, bool) or seconds <= 0:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _json(body: bytes) -> object:
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BridgeError("the server's response is not JSON") from error
    return found


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BridgeError("the server's response is not from the Google Reader API")
    return value


def _list(holder: dict[str, Any], name: str, *, optional: bool = False) -> list[Any]:
    value = holder.get(name, [] if optional else None)
    if optional and value is None:
        return []
    if not isinstance(value, list):
        raise _wrong(name)
    return value


def _string(holder: dict[str, Any], name: str, *, optional: bool = False) -> str:
    value = holder.get(name, "" if optional else None)
    if optional and value is None:
        return ""
    if not isinstance(value, str):
        raise _wrong(name)
    return storable(value)


def _wrong(name: str) -> BridgeError:
    return BridgeError(f'the server\'s response has no valid "{name}"')
