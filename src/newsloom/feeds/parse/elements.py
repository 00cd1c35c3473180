"""What an element holds: its text, or its markup. lxml in, text out; no feed words."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from newsloom.feeds.parse.names import canonical, local
from newsloom.feeds.parse.nodes import Node
from newsloom.feeds.parse.plain import body, body_of_plain


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
