"""Feeds damaged in the ways feeds are, and how much of them each parser still finds.

Makes the damage from whole feeds, always the same; measures only, prints nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import feedparser
from lxml import etree

from newsloom.feeds.parse import parse_feed
from newsloom.kernel.errors import ParseError
from newsloom_lab.bench.parse_agreement import BASE

# Ten times a usual feed; feedparser takes a second for the next larger ones, once a kind.
_LARGEST = 400_000
_ARTICLE = re.compile(rb"<(?:item|entry)[\s>]")
_TITLE = re.compile(rb"<title[^<>]*>")
_DECLARED = re.compile(rb"""(<\?xml[^>]*encoding=["'])[^"']*(["'])""")

Reads = Callable[[bytes], list[str]]


@dataclass(frozen=True, slots=True)
class Damaged:
    """A feed with one kind of damage."""

    body: bytes
    intact: bytes  # the same feed whole, without the article that the damage is in


@dataclass(frozen=True, slots=True)
class Recovery:
    """One kind of damage over a folder."""

    kind: str
    feeds: int
    articles: int  # intact, by Newsloom's reading of the whole feeds
    found: dict[str, float]  # parser -> share of its own intact articles that it found again


@dataclass(frozen=True, slots=True)
class DamageBench:
    """Every kind."""

    kinds: tuple[Recovery, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def table(self) -> list[tuple[str, ...]]:
        """Rows for people: kind, feeds, and each parser's share."""
        return [
            (one.kind, str(one.feeds), *(f"{share:.1%}" for share in one.found.values()))
            for one in self.kinds
        ]


def run(folder: Path, most: int = 60) -> DamageBench:
    """Every kind on the first feeds of a folder that are whole and not too large."""
    wholes: list[bytes] = []
    for file in sorted(path for path in folder.iterdir() if path.is_file()):
        body = file.read_bytes()
        if len(body) <= _LARGEST and len(wholes) < most and _is_whole(body):
            wholes.append(body)
    return DamageBench(tuple(_recovered(kind, damage, wholes) for kind, damage in KINDS))


def _is_whole(body: bytes) -> bool:
    """Well-formed, in UTF-8, and with an article before and after the one to be damaged."""
    try:
        body.decode("utf-8")
        feed = parse_feed(body, BASE)
    except (UnicodeDecodeError, ParseError):
        return False
    return not feed.problem and len(_ARTICLE.findall(body)) >= 3


def _recovered(
    kind: str, damage: Callable[[bytes], Damaged | None], wholes: list[bytes]
) -> Recovery:
    feeds = 0
    intact, found = dict.fromkeys(NAMES, 0), dict.fromkeys(NAMES, 0)
    for body in wholes:
        damaged = damage(body)
        if damaged is None:
            continue
        feeds += 1
        for name, read in PARSERS:
            wanted = set(read(damaged.intact))
            intact[name] += len(wanted)
            found[name] += len(wanted & set(read(damaged.body)))
    shares = {name: found[name] / max(intact[name], 1) for name in NAMES}
    return Recovery(kind, feeds, intact[NAMES[0]], shares)


# --- kinds of damage ---


def _middle(body: bytes) -> tuple[int, int]:
    """Where the article in the middle begins and ends."""
    starts = [match.start() for match in _ARTICLE.finditer(body)]
    place = len(starts) // 2
    return starts[place], starts[place + 1] if place + 1 < len(starts) else len(body)


def _halved(body: bytes) -> Damaged:
    return Damaged(body[: len(body) // 2], body)


def _halved_whole(body: bytes) -> Damaged:
    """Half of an article is no article: the one that the cut went through does not count."""
    place = len(body) // 2
    starts = [match.start() for match in _ARTICLE.finditer(body)]
    cut = max((start for start in starts if start < place), default=starts[0])
    end = max(body.rfind(tag) + len(tag) for tag in (b"</item>", b"</entry>"))
    return Damaged(body[:place], body[:cut] + body[end:])


def _in_title(text: bytes) -> Callable[[bytes], Damaged | None]:
    """Put at the beginning of a title; not into CDATA, where it would be no damage."""

    def damage(body: bytes) -> Damaged | None:
        start, end = _middle(body)
        title = _TITLE.search(body, start, end)
        if title is None:
            return None
        return Damaged(body[: title.end()] + text + body[title.end() :], body[:start] + body[end:])

    return damage


def _without(tag: bytes) -> Callable[[bytes], Damaged | None]:
    """Without an end tag in the middle."""

    def damage(body: bytes) -> Damaged | None:
        start, end = _middle(body)
        place = re.search(tag, body[start:end])
        if place is None:
            return None
        cut = body[: start + place.start()] + body[start + place.end() :]
        return Damaged(cut, body[:start] + body[end:])

    return damage


def _behind_junk(body: bytes) -> Damaged:
    return Damaged(b"<br />\n<b>Warning</b>: failed\n" + body, body)


def _declared_utf16(body: bytes) -> Damaged | None:
    said, count = _DECLARED.subn(rb"\1utf-16\2", body, count=1)
    return Damaged(said, body) if count else None


def _windows_as_utf8(body: bytes) -> Damaged | None:
    if body.isascii():
        return None
    try:
        return Damaged(body.decode("utf-8").encode("windows-1252"), body)
    except UnicodeEncodeError:
        return None


KINDS: tuple[tuple[str, Callable[[bytes], Damaged | None]], ...] = (
    ("truncated half, of all articles", _halved),
    ("truncated half, of whole articles", _halved_whole),
    ("bare ampersand", _in_title(b"this & that ")),
    ("bare <", _in_title(b"1 < 2 ")),
    ("control character", _in_title(b"\x08")),
    ("bad UTF-8", _in_title(b"caf\xe9 ")),
    ("HTML entity", _in_title(b"&nbsp;&eacute; ")),
    ("undeclared namespace", _in_title(b"<who:knows>x</who:knows>")),
    ("tag not closed", _without(rb"</title>")),
    ("article not closed", _without(rb"</(?:item|entry)>")),
    ("junk before", _behind_junk),
    ("UTF-8 declared UTF-16", _declared_utf16),
    ("windows-1252 declared UTF-8", _windows_as_utf8),
)


# --- what reads them: each gives the addresses of the articles it finds ---


def _newsloom(body: bytes) -> list[str]:
    try:
        return [one.url for one in parse_feed(body, BASE).articles if one.url]
    except ParseError:
        return []


def _feedparser(body: bytes) -> list[str]:
    off = {"sanitize_html": False, "resolve_relative_uris": False}
    found = feedparser.parse(BytesIO(body), **off).entries
    return [one.link for one in found if one.get("link")]


def _fastfeedparser(body: bytes) -> list[str]:
    import fastfeedparser  # a peer of the bench group, not installed with Newsloom

    return [one["link"] for one in fastfeedparser.parse(body).entries if one.get("link")]


def _lxml(body: bytes) -> list[str]:
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    root = etree.fromstring(body, parser)
    articles = () if root is None else root.iter("{*}item", "{*}entry")
    links = (article.find("{*}link") for article in articles)
    found = ((link.text or link.get("href") or "").strip() for link in links if link is not None)
    return [address for address in found if address]


def _never(read: Reads) -> Reads:
    """A peer that raises has found nothing."""

    def guarded(body: bytes) -> list[str]:
        try:
            return read(body)
        except Exception:  # noqa: BLE001 - whatever a peer raises is its failure
            return []

    return guarded


PARSERS: tuple[tuple[str, Reads], ...] = (
    ("newsloom", _newsloom),
    ("feedparser", _never(_feedparser)),
    ("fastfeedparser", _never(_fastfeedparser)),
    ("lxml recover", _never(_lxml)),
)
NAMES = tuple(name for name, _read in PARSERS)
