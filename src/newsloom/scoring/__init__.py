"""Decay and the static rank key. Pure: takes facts and `now`, touches no clock and no store."""

from newsloom.scoring.decay import (
    FLOOR,
    Ranked,
    decayed,
    merge_ranges,
    rank_key,
    remaining,
    score_from_key,
)

__all__ = [
    "FLOOR",
    "Ranked",
    "decayed",
    "merge_ranges",
    "rank_key",
    "remaining",
    "score_from_key",
]
