"""R(t) = R0 * 2^(-age / half-life), and the one number per article that orders it for ever.

Pure: the moment is always passed in. With the age written as now - dated,

    log2 R(t) = (log2 R0 + dated / half-life) - now / half-life

and only the last term moves, by the same amount for every article of one sensitivity. What is left
of it, the rank key, can stand in an index; a ranked page is a merge of five index ranges.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from newsloom.types import ArticleId

# The least relevance that is told apart, in points of 100: the logarithm needs one, and a model
# that says 0.01 means never.
FLOOR = 0.01

# No score is above this; a key that says more is of an article dated after `now`.
CEILING = 100.0


class Ranked(NamedTuple):
    """One article in a merged order."""

    id: ArticleId
    sensitivity: int
    key: float


def remaining(age: timedelta, half_life: timedelta) -> float:
    """The share of the base score that is left, 0..1. An article is never younger than new."""
    return math.exp2(-(max(age, timedelta(0)) / half_life))


def decayed(relevance: float, age: timedelta, half_life: timedelta) -> float:
    """R(t): freshness-adjusted relevance, 0..100."""
    return relevance * remaining(age, half_life)


def rank_key(relevance: float, dated: datetime, half_life: timedelta) -> float:
    """The constant that orders articles of one sensitivity at any moment; larger is better.

    As a float it tells apart dates a microsecond apart at a half-life of 365 days: the key is then
    near 57, its last bit worth 0.2 microseconds of age.
    """
    return math.log2(max(relevance, FLOOR)) + dated.timestamp() / half_life.total_seconds()


def score_from_key(key: float, now: datetime, half_life: timedelta) -> float:
    """R(now) out of a rank key; what `rank_key` did, undone."""
    return math.exp2(min(_log_score(key, now, half_life), math.log2(CEILING)))


def merge_ranges(
    ranges: Mapping[int, Iterable[tuple[float, ArticleId]]],
    now: datetime,
    half_lives: Mapping[int, timedelta],
    limit: int,
) -> list[Ranked]:
    """The best `limit` of all ranges in the exact order of R(now).

    Each range holds (key, id) of one sensitivity, largest key first and, among equal keys, largest
    id first (an index read backwards). Ties between ranges also go to the larger id: the article
    stored later. Ranges are read lazily, one row ahead of what is returned.
    """
    streams = [
        _scored(sensitivity, rows, now, half_lives[sensitivity])
        for sensitivity, rows in ranges.items()
    ]
    # Ordered by the logarithm, not by R itself: that underflows to 0 after a thousand half-lives.
    merged = heapq.merge(*streams, key=lambda pair: (pair[0], pair[1].id), reverse=True)
    return [ranked for _, ranked in islice(merged, limit)]


def _scored(
    sensitivity: int,
    rows: Iterable[tuple[float, ArticleId]],
    now: datetime,
    half_life: timedelta,
) -> Iterator[tuple[float, Ranked]]:
    for key, article in rows:
        yield _log_score(key, now, half_life), Ranked(article, sensitivity, key)


def _log_score(key: float, now: datetime, half_life: timedelta) -> float:
    return key - now.timestamp() / half_life.total_seconds()
