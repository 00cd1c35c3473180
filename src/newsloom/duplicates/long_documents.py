"""What is added of a document with more new articles than one poll may add. Pure.

The newest are added, by date; without dates by the numbers in ids and links, which tell whether the
first or the last is the newest. What is left out is remembered, so that the next poll tells it from
what is new since.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from struct import Struct
from zlib import crc32

from newsloom.duplicates.values import Action, JudgedArticle

# Of 181 real feeds one has more than a thousand articles, the next 338.
MOST_NEW = 1_000

_ADDED = frozenset({Action.NEW, Action.DUPLICATE})
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"\d{1,15}")
_MARK = Struct("<I")
MARK_BYTES = _MARK.size


def limited(
    judged: Sequence[JudgedArticle], left_out: bytes
) -> tuple[tuple[JudgedArticle, ...], bytes]:
    """The judgements to carry out, and the marks of all articles that are left out.

    `left_out` are the marks that the poll before returned: articles that are not new.
    """
    before = {mark for (mark,) in _MARK.iter_unpack(left_out)}
    added = [place for place, one in enumerate(judged) if one.judgement.action in _ADDED]
    new = [place for place in added if _mark(judged[place]) not in before]
    out = set(added) - set(_newest(judged, new))
    marks = sorted({_mark(judged[place]) for place in out})
    kept = tuple(one for place, one in enumerate(judged) if place not in out)
    return kept, b"".join(map(_MARK.pack, marks))


def _mark(one: JudgedArticle) -> int:
    return crc32(one.incoming.copy.guid.casefold().encode("utf-8", "surrogatepass"))


def _newest(judged: Sequence[JudgedArticle], places: list[int]) -> list[int]:
    if len(places) <= MOST_NEW:
        return places
    dates = [
        judged[place].incoming.parsed.published or judged[place].incoming.parsed.updated
        for place in places
    ]
    if not any(dates):
        return places[-MOST_NEW:] if _oldest_first(judged) else places[:MOST_NEW]
    moments = dict(zip(places, _filled(dates), strict=True))
    return sorted(places, key=lambda place: moments[place], reverse=True)[:MOST_NEW]


def _filled(dates: Sequence[datetime | None]) -> list[datetime]:
    """Each missing date filled with the one before, to sort by alone."""
    last = next((one for one in dates if one), _LONG_AGO)
    return [last := one or last for one in dates]


def _oldest_first(judged: Sequence[JudgedArticle]) -> bool:
    """Whether the numbers in ids, links or titles grow from the first article to the last."""
    first, last = judged[0].incoming.copy, judged[-1].incoming.copy
    for one, other in ((first.url, last.url), (first.guid, last.guid), (first.title, last.title)):
        numbers = _numbers(one), _numbers(other)
        if len(numbers[0]) == len(numbers[1]) and numbers[0] != numbers[1]:
            return numbers[0] < numbers[1]
    return False


def _numbers(text: str) -> list[int]:
    return [int(one) for one in _NUMBER.findall(text)]
