"""Names as they are compared: one form for what is written in several. Finds none in a text."""

from __future__ import annotations

import re
import unicodedata

from newsloom.kernel.text.names import ALIASES, TITLES

_EDGES = " \t\"'“”‘’«»().,;:!?-–—*_[]"


def normal_name(kind: str, written: str) -> str:
    """Without case, title, "the" and "'s"; "" when nothing is left."""
    words = unicodedata.normalize("NFKC", written).split()
    if words and words[-1] in {"'s", "’s", "'", "’"}:
        words.pop()
    if words and words[-1].endswith(("'s", "’s")):
        words[-1] = words[-1][:-2]
    while len(words) > 1 and words[0].lower() in {"the", "a", "an"}:
        del words[0]
    if kind == "person":
        while len(words) > 1 and words[0].rstrip(".").lower() in TITLES:
            del words[0]
    name = " ".join(words).replace(".", "").strip(_EDGES)
    return ALIASES.get(name) or name.casefold()


def as_printed(name: str, text: str) -> str:
    """A name as a text has it, or with capitals where it stands there in another form."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    return found[0] if found else name.title()
