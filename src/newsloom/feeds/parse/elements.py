"""What an element holds: its text, or its markup. lxml in, text out; no feed words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import Any, Protocol

from newsloom.feeds.parse.plain import body, body_of_plain

# Names stand as `{namespace}local` (lxml) or `namespace}local` (expat); `canonical` reads both.


# XML names as feed authors mean them: any spelling of a namespace becomes one short prefix.
# Knows names only, never what an element says.

# Namespace addresses, less scheme and final slash, which feeds get wrong -> the prefix the handlers
# use. "" is RSS itself, whichever of its addresses a feed declares.
_PREFIXES = {
    "www.w3.org/2005/atom": "atom",
    "purl.org/atom/ns": "atom",
    "purl.org/rss/1.0": "",
    "purl.org/net/rss1.1": "",
    "my.netscape.com/rdf/simple/0.9": "",
    "channel.netscape.com/rdf/simple/0.9": "",
    "backend.userland.com/rss": "",
    "backend.userland.com/rss2": "",
    "backend.userland.com/rss091": "",
    "blogs.law.harvard.edu/tech/rss": "",
    "cyber.law.harvard.edu/rss/rss.html": "",
    "purl.org/rss/1.0/modules/rss091": "",
    "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
    "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/terms": "dcterms",
    "purl.org/rss/1.0/modules/content": "content",
    "search.yahoo.com/mrss": "media",
    "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "purl.org/rss/1.0/modules/syndication": "sy",
    "purl.org/syndication/thread/1.0": "thr",
    "purl.org/rss/1.0/modules/slash": "slash",
    "www.w3.org/1999/xhtml": "xhtml",
    "rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "www.pheedo.com/namespace/pheedo": "pheedo",
    "podcastindex.org/namespace/1.0": "podcast",
    "podlove.org/simple-chapters": "psc",
}
# What stands in the addresses of those that have been declared in many ways: the vocabulary of
# media alone by four hosts, its specification's among them.
_FRAGMENTS = (
    ("mrss", "media"),
    ("media-rss", "media"),
    ("purl.org/dc/elements", "dc"),
    ("purl.org/dc/terms", "dcterms"),
    ("podcast-1.0.dtd", "itunes"),
    ("modules/content", "content"),
    ("podcast-namespace", "podcast"),
    ("modules/syndication", "sy"),
)
# What a prefix means by convention, for feeds that use it and declare nothing.
CONVENTIONAL = {"rss": "http://backend.userland.com/rss"} | {
    prefix: f"http://{address}/" for address, prefix in reversed(_PREFIXES.items()) if prefix
}


# A document has some thirty different names; the cache only has to outlive a few documents, and its
# bound keeps one that invents a name per element from filling memory.
@lru_cache(maxsize=4096)
def canonical(tag: object) -> str:
    """`{http://purl.org/dc/elements/1.1/}creator` is `dc:creator`; names without meaning are "".

    RSS's own names come without a prefix, all in lower case. A prefix nobody declared counts as
    what it is by convention, since feeds are pasted together from samples.
    """
    if not isinstance(tag, str):  # an entity, a comment
        return ""
    address, brace, name = tag.rpartition("}")
    if brace:
        prefix = _meant(address.removeprefix("{"))
    elif ":" in tag:
        given, _, name = tag.partition(":")
        prefix = _meant(CONVENTIONAL.get(given.lower(), ""))
    else:
        prefix, name = "", tag
    if prefix is None:
        return ""
    name = name.lower()
    return f"{prefix}:{name}" if prefix else name


def local(tag: object) -> str:
    """A name without its namespace. lxml's QName refuses the names that broken documents have."""
    return str(tag).rpartition("}")[2]


def _meant(address: str) -> str | None:
    """The prefix for a namespace, None when it says nothing that is kept."""
    bare = address.strip().lower().removeprefix("https://").removeprefix("http://")
    bare = bare.rstrip("/#")
    if bare in _PREFIXES:
        return _PREFIXES[bare]
    return next((prefix for fragment, prefix in _FRAGMENTS if fragment in bare), None)


XML = "{http://www.w3.org/XML/1998/namespace}"
_LANG = f"{XML}lang"


class Node(Protocol):
    """What `lxml.etree` and `xml.etree` elements have in common, and no more."""

    tag: Any  # no str for what is no element: a comment, an entity
    text: str | None
    tail: str | None

    @property
    def attrib(self) -> Any: ...
    def keys(self) -> Sequence[str]: ...
    def get(self, key: str, /) -> str | None: ...
    def iter(self) -> Iterator[Node]: ...
    def itertext(self) -> Iterator[str]: ...
    def __iter__(self) -> Iterator[Node]: ...
    def __len__(self) -> int: ...


def attribute(node: Node, name: str) -> str:
    """An attribute with a namespace, given as `{namespace}local`; "" when it is not there."""
    return node.get(name) or node.get(name[1:]) or ""


def language(node: Node) -> str:
    """Its xml:lang."""
    return (attribute(node, _LANG) or "").replace("_", "-") if node.keys() else ""


def text_of(element: Node) -> str:
    """All text inside, without markup."""
    if len(element):
        return "".join(map(str, element.itertext()))
    return element.text or ""


def markup_of(element: Node) -> str:
    """What is inside as HTML, whether it was escaped, in CDATA, or (wrongly, often) plain XML."""
    if len(element):
        return body(inner(element))
    return body(element.text)


def xhtml_of(element: Node) -> str:
    """The inside of Atom's `<div>`, or of the element where a feed leaves the div out."""
    children = list(element)
    bare = not (element.text or "").strip() and not (children and (children[-1].tail or "").strip())
    if len(children) == 1 and bare and canonical(children[0].tag) in {"xhtml:div", "div"}:
        return body(inner(children[0]))
    return body(inner(element))


def plain_of(element: Node, *, lines: bool = False) -> str:
    """Plain text as HTML."""
    return body_of_plain(text_of(element), lines=lines)


def inner(element: Node) -> str:
    """The markup inside an element, as HTML that no longer knows its namespaces.

    Written by hand: lxml would repeat every namespace the feed declares in every fragment.
    """
    parts: list[str] = []
    _write(element, parts.append)
    return "".join(parts)


def _write(element: Node, say: Callable[[str], None]) -> None:
    if element.text:
        say(escape(element.text, quote=False))
    for child in element:
        if isinstance(child.tag, str):
            name = _local(child.tag)
            say(f"<{name}{_attributes(child)}>")
            if name.lower() not in _VOID:
                _write(child, say)
                say(f"</{name}>")
        if child.tail:
            say(escape(child.tail, quote=False))


def _attributes(element: Node) -> str:
    if not element.keys():
        return ""
    found = element.attrib.items()
    return "".join([f' {_local(key)}="{escape(str(value))}"' for key, value in found])


def _local(tag: object) -> str:
    return local(tag).rpartition(":")[2]


_VOID = frozenset(
    {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr",
    }
)  # fmt: skip
