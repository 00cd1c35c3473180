"""A reader's own pronunciations: found first, said as they are, rewritten by nothing.

Each is held in the text by one character of a private plane, which no rule knows, and put back at
the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from newsloom.briefs.values.pronouncing import Pronunciation

_FIRST = 0xF0000
_MOST = 0xFFFD  # characters of the plane
HELD = re.compile("[\U000f0000-\U000ffffd]")


@lru_cache(maxsize=16)
def _pattern(written: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(written, key=lambda one: (-len(one), one))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=16)
def _table(
    own: tuple[Pronunciation, ...], language: str
) -> tuple[re.Pattern[str], dict[str, int]] | None:
    """What finds them, and the place of each in the list; the first of two for one word holds."""
    places: dict[str, int] = {}
    for place, one in enumerate(own[:_MOST]):
        written = " ".join(one.written.split()).casefold()
        if written and one.language in {"", language} and _same(written):
            places.setdefault(written, place)
    return (_pattern(tuple(places)), places) if places else None


def _same(written: str) -> bool:
    return HELD.search(written) is None


def held(text: str, language: str, own: Sequence[Pronunciation]) -> str:
    """The text with a character of the private plane for each of the reader's words."""
    table = _table(tuple(own), language) if own else None
    if table is None:
        return text
    pattern, places = table
    return pattern.sub(lambda found: _character(places.get(found[0].casefold()), found[0]), text)


def _character(place: int | None, written: str) -> str:
    return written if place is None else chr(_FIRST + place)


def put_back(text: str, own: Sequence[Pronunciation]) -> str:
    """The text with the reader's pronunciations where they were held."""
    return HELD.sub(lambda found: _spoken(own, ord(found[0]) - _FIRST), text) if own else text


def _spoken(own: Sequence[Pronunciation], place: int) -> str:
    return " ".join(own[place].spoken.split()) if place < len(own) else ""
