"""An XML element as the formats see it, whichever of the two parsers made it.

Names stand as `{namespace}local` (lxml) or `namespace}local` (expat); `names.canonical` reads both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

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
