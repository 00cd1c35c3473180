"""Writes XML 1.0 that is well-formed for any text. Pure.

Characters that XML 1.0 cannot represent, not even as references, are left out
(https://www.w3.org/TR/xml/#charsets); all others come back from a parser as they were.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# A parser turns a literal carriage return into a line feed, and white space in attributes into
# spaces.
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = _TEXT | str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;"})

ATOM = "http://www.w3.org/2005/Atom"


class Markup(str):
    """Well-formed XML, which is not escaped again."""

    __slots__ = ()


DECLARATION = Markup('<?xml version="1.0" encoding="utf-8"?>\n')


def element(name: str, *content: str | Mapping[str, str]) -> Markup:
    """An element. In `content`, mappings are attributes, Markup is a child, other strings text."""
    start = start_tag(name, *(part for part in content if not isinstance(part, str)))
    inner = "".join(
        part if isinstance(part, Markup) else legal(part).translate(_TEXT)
        for part in content
        if isinstance(part, str)
    )
    return Markup(f"{start}{inner}</{name}>" if inner else f"{start[:-1]}/>")


def start_tag(name: str, *attributes: Mapping[str, str]) -> Markup:
    """For an element whose content is written piece by piece."""
    written = "".join(
        f' {key}="{legal(value).translate(_ATTRIBUTE)}"'
        for part in attributes
        for key, value in part.items()
    )
    return Markup(f"<{name}{written}>")


def legal(text: str) -> str:
    """Without the characters that XML 1.0 cannot represent."""
    return _ILLEGAL.sub("", text)
