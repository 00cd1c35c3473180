"""Names of tags: what is taken, and which two are one. Decides nothing about articles."""

from __future__ import annotations

import unicodedata

from newsloom.kernel.text.characters import plain

LONGEST = 60

# A comma stands between names that are typed in one field, a quotation mark around words of a
# search, and a hash before a name on other pages.
_REFUSED = frozenset(',"')


def name(typed: str) -> str:
    """A name as it is kept: Unicode's composed form, single spaces, no "#" before it.

    Raises ValueError, with words for who typed it.
    """
    found = unicodedata.normalize("NFC", plain(" ".join(typed.split()))).lstrip("#").strip()
    if not found:
        raise ValueError("A tag needs a name.")
    if len(found) > LONGEST:
        raise ValueError(f"A tag can have up to {LONGEST} characters.")
    if _REFUSED.intersection(found):
        raise ValueError("A tag cannot contain commas or quotation marks.")
    if not any(unicodedata.category(one)[0] in "LNSP" for one in found):
        raise ValueError("A tag needs a visible character.")
    return found


def from_label(label: str) -> str:
    """A label of another program, with spaces for the signs that no tag has."""
    return " ".join("".join(" " if one in _REFUSED else one for one in label).split())


def names(typed: str) -> tuple[str, ...]:
    """Several with commas between, each once. Raises ValueError."""
    found: dict[str, str] = {}
    for one in map(name, filter(str.strip, typed.split(","))):
        found.setdefault(key(one), one)
    return tuple(found.values())


def key(kept: str) -> str:
    """Names with the same key are one tag: "Politik" is "politik"."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", kept).casefold())
