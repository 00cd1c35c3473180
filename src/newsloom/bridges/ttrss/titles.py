"""Titles with the score before and the sensitivity behind, and back again. Exactly reversible.

An invisible separator (U+2063) stands at both joints, so that a mark is never taken for what the
publisher wrote, and what the publisher wrote ("[2024] ...") never for a mark. The original is the
rest of the title: nothing else is needed to restore it, not even this program's own database.
"""

from __future__ import annotations

import re
from typing import NamedTuple

SEAM = "\u2063"

_MARKED = re.compile(rf"\[(\d{{1,3}})\]{SEAM} (.*?)(?:{SEAM} \(TS: ([1-5])\))?", re.DOTALL)

# What LIKE finds a marked title by.
LIKE = f"[%]{SEAM} %"


class Title(NamedTuple):
    original: str
    mark: str  # "85 4": points and sensitivity; "85": not judged; "": no mark


def parse(title: str) -> Title:
    """A title as it stands there, taken apart."""
    found = _MARKED.fullmatch(title)
    if found is None:
        return Title(title, "")
    points, original, sensitivity = found.groups()
    return Title(original, points if sensitivity is None else f"{points} {sensitivity}")


def marked(original: str, mark: str) -> str:
    """The title with that mark; with none, the original."""
    if not mark:
        return original
    points, _, sensitivity = mark.partition(" ")
    behind = f"{SEAM} (TS: {sensitivity})" if sensitivity else ""
    return f"[{points}]{SEAM} {original}{behind}"
