"""Subscription lists: OPML in, from anywhere and trusted in nothing, and out, always the same.

Takes a title, an address and a category of each feed; every other attribute is ignored, because
lists that carried more (proxies, headers) were used to attack their readers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from newsloom.feeds.parse.document import read_document
from newsloom.feeds.parse.elements import Node, local
from newsloom.feeds.parse.plain import one_line
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.slips import meant
from newsloom.kernel.text.urls import one_spelling
from newsloom.kernel.text.xml import DECLARATION, Markup, element, start_tag

if TYPE_CHECKING:
    from newsloom.reading.values.reading import Subscription

MOST_FEEDS = 10_000
_MOST_OUTLINES = 100_000  # with the folders and the doubles
_DEEPEST = 8
_LONGEST_TITLE = 200
_LONGEST_URL = 4096
LARGEST_BODY = 16_000_000  # 10,000 outlines with every attribute in use have 4 MB
_TAIL = 1_000  # in which a list that is whole says that it ends
_SEPARATOR = "/"
MOST_LEFT_OUT = 1_000
# Kinds of outlines that hold an address and are no feeds.
_NO_FEEDS = {
    "link": "a link to a page, not a feed",
    "include": "includes another OPML file; import that file by its URL",
}


@dataclass(frozen=True, slots=True)
class OutlineFeed:
    """A feed in a subscription list. Folders in folders are one category, joined by "/"."""

    url: str
    title: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An outline that is not imported, and why."""

    title: str
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A subscription list."""

    feeds: tuple[OutlineFeed, ...] = ()
    pages: tuple[OutlineFeed, ...] = ()  # feeds of which the list knows only the site's page
    left_out: tuple[LeftOut, ...] = ()  # at most MOST_LEFT_OUT


def read_opml(body: bytes) -> tuple[OutlineFeed, ...]:
    """The feeds in a list; see `read_outline`."""
    return read_outline(body).feeds


def read_outline(body: bytes) -> Outline:
    """The feeds and pages of an OPML file, each address once, and what was left out.

    Raises ParseError, with words for a person, if the file is no OPML, too large or incomplete:
    no part of such a file is imported.
    """
    if len(body) > LARGEST_BODY:
        raise ParseError(f"The list has {len(body):,} bytes; {LARGEST_BODY:,} are the limit.")
    document = read_document(body, "", "")
    if document is None or _name(document.root) not in {"opml", "outline", "body"}:
        raise ParseError("The file is not an OPML list of feeds.")
    if document.cut and b"</opml" not in body[-_TAIL:].lower():
        raise ParseError("The list is incomplete.")
    feeds: dict[str, OutlineFeed] = {}
    pages: dict[str, OutlineFeed] = {}
    left_out: list[LeftOut] = []
    for leaf, folders in _leaves(document.root):
        title, category = _title(leaf), _joined(folders) or _category(leaf)
        written = _attribute(leaf, "xmlurl").strip() or _attribute(leaf, "url").strip()
        url = _web_address(written)
        page = "" if written else _web_address(_attribute(leaf, "htmlurl"))
        one = OutlineFeed(url or page, title, category)
        if reason := _left_out(leaf, written, url or page, feeds):
            left_out.append(LeftOut(title, (written or page)[:_LONGEST_TITLE], reason))
        elif url:
            feeds[url] = one
            if len(feeds) > MOST_FEEDS:
                raise ParseError(f"The list has more than {MOST_FEEDS:,} feeds. Split it.")
        else:
            pages.setdefault(page, one)
    return Outline(
        tuple(feeds.values()),
        tuple(pages.values())[:MOST_LEFT_OUT],
        tuple(left_out[:MOST_LEFT_OUT]),
    )


def _left_out(element: Node, written: str, url: str, feeds: Collection[str]) -> str:
    """Why an outline is not imported; "" when it is."""
    kind = _attribute(element, "type").strip().lower()
    if kind in _NO_FEEDS:
        return _NO_FEEDS[kind]
    if not url:
        return "not a web URL" if written else "no URL"
    return "duplicate in this list" if url in feeds else ""


def _leaves(root: Node) -> Iterator[tuple[Node, tuple[str, ...]]]:
    """The outlines that are no folders, in document order, each with the folders it is in.

    Without recursion: a list may nest as deep as the XML parser lets it.
    """
    waiting: list[tuple[Node, tuple[str, ...]]] = [(root, ())]
    seen = 0
    while waiting:
        seen += 1
        if seen > _MOST_OUTLINES:
            raise ParseError(f"The list has more than {_MOST_OUTLINES:,} outlines. Split it.")
        element, folders = waiting.pop()
        inside = folders
        if _name(element) == "outline":
            title = _title(element)
            named = any(_attribute(element, one) for one in ("xmlurl", "url", "htmlurl"))
            if named or not len(element):
                yield element, folders
            elif title and len(folders) < _DEEPEST:
                inside = (*folders, title)
        children = islice(element, _MOST_OUTLINES + 1)
        waiting += reversed([(child, inside) for child in children])


def _joined(folders: Iterable[str]) -> str:
    """A folder "a/b" is the folder b in a."""
    parts = (part.strip() for one in folders for part in one.split(_SEPARATOR))
    return _SEPARATOR.join(filter(None, parts))


def _name(element: Node) -> str:
    return local(element.tag).lower()


def _attribute(element: Node, *names: str) -> str:
    """The first that says something, in any case: xmlUrl, xmlurl and XMLURL are all in use."""
    values = {str(key).lower(): str(value) for key, value in element.attrib.items()}
    return next((values[name] for name in names if values.get(name, "").strip()), "")


def _title(element: Node) -> str:
    return one_line(_attribute(element, "title", "text")[: 8 * _LONGEST_TITLE])[:_LONGEST_TITLE]


def _category(element: Node) -> str:
    """Without folders a feed may name its category itself: OPML 2.0 writes "/News/Local,tag"."""
    first = _attribute(element, "category").split(",")[0]
    return one_line(first[:_LONGEST_TITLE]).strip(_SEPARATOR)


def _web_address(url: str) -> str:
    url = url.strip()
    if url.lower().startswith("feed:"):  # feed://host/path and feed:https://host/path
        url = url[5:]
        url = f"http:{url}" if url.startswith("//") else url
    url = meant(url[: _LONGEST_URL + 1])
    if not url or len(url) > _LONGEST_URL or not url.isprintable() or " " in url:
        return ""
    try:
        parts = urlsplit(url)
        return one_spelling(url) if parts.scheme in {"http", "https"} and parts.hostname else ""
    except ValueError:
        return ""


def write_opml(subscriptions: Iterable[Subscription]) -> bytes:
    """A list any reader can import, in the reader's own order, else sorted by name; the same
    subscriptions always give the same bytes."""
    tree: dict[tuple[str, ...], list[Subscription]] = {}
    for one in subscriptions:
        parts = (one_line(part) for part in one.category.split(_SEPARATOR))
        tree.setdefault(tuple(filter(None, parts)), []).append(one)
    return "\n".join(
        [
            DECLARATION + start_tag("opml", {"version": "2.0"}),
            "  " + element("head", element("title", "Newsloom subscriptions")),
            "  <body>",
            *_body(tree),
            "  </body>",
            "</opml>\n",
        ]
    ).encode()


def _body(tree: dict[tuple[str, ...], list[Subscription]]) -> Iterator[str]:
    """Folders in order, each open as long as the next category lies inside it."""
    first = _first_places(tree)
    opened: list[str] = []
    for path in sorted(tree, key=lambda path: _in_order(path, first)):
        shared = 0
        while shared < min(len(opened), len(path)) and opened[shared] == path[shared]:
            shared += 1
        while len(opened) > shared:
            opened.pop()
            yield f"{_indent(len(opened))}</outline>"
        for part in path[shared:]:
            yield _indent(len(opened)) + start_tag("outline", {"text": part, "title": part})
            opened.append(part)
        for one in sorted(tree[path], key=lambda one: (one.place, one.title.casefold(), one.url)):
            yield _indent(len(opened)) + _outline(one)
    while opened:
        opened.pop()
        yield f"{_indent(len(opened))}</outline>"


def _first_places(tree: dict[tuple[str, ...], list[Subscription]]) -> dict[tuple[str, ...], int]:
    """Where the first feed of each folder stands, whatever folder in it that is of."""
    first: dict[tuple[str, ...], int] = {}
    for path, feeds in tree.items():
        place = min(one.place for one in feeds)
        for depth in range(1, len(path) + 1):
            above = path[:depth]
            first[above] = min(place, first.get(above, place))
    return first


def _in_order(
    path: tuple[str, ...], first: dict[tuple[str, ...], int]
) -> tuple[tuple[int, str], ...]:
    return tuple((first[path[:depth]], path[depth - 1]) for depth in range(1, len(path) + 1))


def _indent(depth: int) -> str:
    return "  " * (depth + 2)


def _outline(feed: Subscription) -> Markup:
    title = one_line(feed.title or feed.url)
    site = {"htmlUrl": feed.site_url} if feed.site_url else {}
    names = {"type": "rss", "text": title, "title": title}
    return element("outline", names, {"xmlUrl": feed.url}, site)
