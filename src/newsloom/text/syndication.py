"""Whose wire copy a text says it is. Pure; counts nothing."""

from __future__ import annotations

import re

_AGENCY = re.compile(
    r"\((Reuters|AP|AFP|dpa)\)\s*[-\u2013\u2014]|^By (The Associated Press|Reuters)\b", re.MULTILINE
)
_NAMES = {"The Associated Press": "AP"}


def agency(author: str, text: str) -> str:
    """The name of the agency whose copy an article says to be; "" when it says none."""
    for one in (f"By {author.strip()}", text[:400]):
        if match := _AGENCY.search(one):
            name = match[1] or match[2]
            return _NAMES.get(name, name)
    return ""
