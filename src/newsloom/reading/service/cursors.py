"""Cursors as a part of an address: numbers with dots and tildes between. Pure.

What comes back may be anything: a cursor that cannot be is none, and a list begins at its top.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.values.searching import Cursor, Position

# 64 bits; a larger number is no position of a database.
_LARGEST = 2**63 - 1

# More feeds than variety can hold back at once, or can have taken in.
_MOST_FEEDS = 64

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER, _SIGNED = r"\d{1,19}", r"-?\d{1,19}"
_CURSOR = re.compile(
    rf"(?P<at>\d{{1,17}})~(?P<sort_key>{_SIGNED})\.(?P<article>{_NUMBER})~(?P<before>{_NUMBER})"
    rf"~(?P<recent>(?:{_NUMBER}(?:\.{_NUMBER})*)?)(?P<waiting>(?:~{_NUMBER}\.{_SIGNED}\.{_NUMBER})*)",
    re.ASCII,
)


def written(cursor: Cursor | None) -> str:
    """For an address; "" for none."""
    if cursor is None:
        return ""
    at = (cursor.at - _EPOCH) // timedelta(microseconds=1)
    parts = [
        str(at),
        ".".join(map(str, cursor.last)),
        str(cursor.before or 0),
        ".".join(map(str, cursor.recent)),
        *(f"{feed}.{first.sort_key}.{first.article}" for feed, first in cursor.waiting),
    ]
    return "~".join(parts)


def parse(text: str) -> Cursor | None:
    """What `written` made; None for anything else."""
    found = _CURSOR.fullmatch(text[:4_000])
    if found is None:
        return None
    recent = [int(one) for one in found["recent"].split(".") if one]
    waiting = [tuple(map(int, one.split("."))) for one in found["waiting"].split("~") if one]
    last = Position(int(found["sort_key"]), int(found["article"]))
    before = int(found["before"])
    numbers = [*last, before, *recent, *(number for one in waiting for number in one)]
    if any(abs(number) > _LARGEST for number in numbers) or len(numbers) > 3 * _MOST_FEEDS:
        return None
    return Cursor(
        at=_EPOCH + timedelta(microseconds=int(found["at"])),
        last=last,
        waiting=tuple((FeedId(feed), Position(*first)) for feed, *first in waiting),
        recent=tuple(map(FeedId, recent)),
        before=ArticleId(before) if before else None,
    )
