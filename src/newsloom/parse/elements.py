"""What an element holds: its text, or its markup. lxml in, text out; no feed words."""

from __future__ import annotations

from html import escape

from lxml.etree import _Element

from newsloom.parse.names import canonical, local
from newsloom.parse.plain import body, body_of_plain


def text_of(element: _Element) -> str:
    """All text inside, without markup."""
    if len(element):
        return "".join(map(str, element.itertext()))
    return element.text or ""


def markup_of(element: _Element) -> str:
    """What is inside as HTML, whether it was escaped, in CDATA, or (wrongly, often) plain XML."""
    if len(element):
        return body(inner(element))
    return body(element.text)


def xhtml_of(element: _Element) -> str:
    """The inside of Atom's `<div>`, or of the element where a feed leaves the div out."""
    children = list(element)
    bare = not (element.text or "").strip() and not (children and (children[-1].tail or "").strip())
    if len(children) == 1 and bare and canonical(children[0].tag) in {"xhtml:div", "div"}:
        return body(inner(children[0]))
    return body(inner(element))


def plain_of(element: _Element, *, lines: bool = False) -> str:
    """Plain text as HTML."""
    return body_of_plain(text_of(element), lines=lines)


def inner(element: _Element) -> str:
    """The markup inside an element, as HTML that no longer knows its namespaces."""
    parts = [escape(element.text or "", quote=False)]
    for child in element:
        if isinstance(child.tag, str):
            parts.append(_html(child))
        parts.append(escape(child.tail or "", quote=False))
    return "".join(parts)


def _html(element: _Element) -> str:
    """Serialised by hand: lxml would repeat every namespace the feed declares in every fragment."""
    name = _local(element.tag)
    attributes = "".join(
        f' {_local(key)}="{escape(str(value))}"' for key, value in element.attrib.items()
    )
    if name.lower() in _VOID:
        return f"<{name}{attributes}>"
    return f"<{name}{attributes}>{inner(element)}</{name}>"


def _local(tag: object) -> str:
    return local(tag).rpartition(":")[2]


_VOID = frozenset(
    {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr",
    }
)  # fmt: skip
