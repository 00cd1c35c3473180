"""Which score each unread entry is to have: Newsloom's order exactly, with few rewritten. Pure.

Tiny Tiny RSS sorts by score and then by date, so that two entries with one score would stand in
its order, not ours: every score is another. It is the freshness-adjusted relevance in hundred
thousandths of a point (85.3 points: 8,530,000), moved as little as it takes to keep the order.

As time passes every relevance falls a little, and writing all of them every half hour would fill
the other side's database with dead rows. What stands there is kept while it is within half a
point of the truth and its place among the others is right.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

POINT = 100_000
TOLERANCE = POINT // 2

# Its scores are 32-bit integers. Below zero it hides articles from its fresh list and digests, and
# a filter's score from 1000 up stars what comes in; none of that looks at what is written later.
LEAST, MOST = 1, 2**31 - 1


def scores(points: Sequence[float], present: Sequence[int | None]) -> list[int]:
    """One score each, falling, for entries given best first with what stands there now."""
    wanted = [round(one * POINT) for one in reversed(points)]
    kept = _kept(wanted, list(reversed(present)))
    return _filled(wanted, kept)[::-1]


def _kept(wanted: Sequence[int], present: Sequence[int | None]) -> dict[int, int]:
    """The largest set of present scores, by place, that may stand as they are.

    They must rise, and leave between two as many numbers as there are entries between: that is,
    score minus place must never fall.
    """
    count = len(wanted)
    places: list[int] = []  # the last place of the best run of each length ...
    heights: list[int] = []  # ... and its score minus place
    before: dict[int, int | None] = {}
    for place, score in enumerate(present):
        if score is None or abs(score - wanted[place]) > TOLERANCE:
            continue
        height = score - place
        if not LEAST <= height <= MOST - (count - 1):
            continue
        length = bisect_right(heights, height)
        before[place] = places[length - 1] if length else None
        places[length : length + 1] = [place]
        heights[length : length + 1] = [height]
    kept = {}
    at = places[-1] if places else None
    while at is not None:
        score = present[at]
        assert score is not None
        kept[at] = score
        at = before[at]
    return kept


def _filled(wanted: Sequence[int], kept: dict[int, int]) -> list[int]:
    """All scores, rising: the kept ones, and between them the nearest to what is wanted."""
    count = len(wanted)
    ceilings = [0] * count
    ceiling = MOST
    for place in reversed(range(count)):
        ceiling = ceilings[place] = kept.get(place, ceiling)
        ceiling -= 1
    found: list[int] = []
    floor = LEAST
    for place in range(count):
        found.append(kept.get(place, min(max(wanted[place], floor), ceilings[place])))
        floor = found[-1] + 1
    return found
