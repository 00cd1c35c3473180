"""How relevance decays. Pure: takes facts and `now`, touches no clock and no store."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.ranking.ports import HalfLives

__all__ = ["FLOOR", "UNSCORED_HALF_LIFE", "checked", "decayed", "in_days", "lasting", "remaining"]


# R(t) = R0 * 2^(-age / half-life): how much of an article's relevance is left.
# Pure: the moment is always passed in. What makes the ranked list exact without ever computing this
# for every article is the static rank key, in ranking/rank_key.py.

# The least relevance that is told apart, in points of 100: the rank key's logarithm needs one, and
# a model that says 0.01 means never.
FLOOR = 0.01

# Until a model has scored an article it stands where an average one would: half the points and the
# usual half-life of sensitivity 3.
UNSCORED_HALF_LIFE = timedelta(days=30)


def remaining(age: timedelta, half_life: timedelta) -> float:
    """The share of the base score that is left, 0..1. An article is never younger than new."""
    return math.exp2(-(max(age, timedelta(0)) / half_life))


def decayed(relevance: float, age: timedelta, half_life: timedelta) -> float:
    """R(t): freshness-adjusted relevance, 0..100."""
    return relevance * remaining(age, half_life)


LEVELS = 5

# Days. A quarter of an hour is less than any feed is polled in, a century more than anyone reads.
SHORTEST, LONGEST = 0.01, 36_500.0


def checked(days: Sequence[float]) -> tuple[float, ...]:
    """Five numbers of days that can be half-lives. Raises UserError with words."""
    if len(days) != LEVELS:
        raise UserError(
            f"Half-lives are {LEVELS} numbers of days, for sensitivity 1 (evergreen) to 5 "
            f"(urgent); {len(days)} were given."
        )
    for level, one in enumerate(days, start=1):
        if not (math.isfinite(one) and SHORTEST <= one <= LONGEST):
            raise UserError(
                f"The half-life of sensitivity {level} is {one:g} days; it must be from "
                f"{SHORTEST:g} to {LONGEST:,.0f}."
            )
    for level, (slower, faster) in enumerate(pairwise(days), start=1):
        if faster > slower:
            raise UserError(
                f"Sensitivity {level + 1} would last longer ({faster:g} days) than {level} "
                f"({slower:g} days), but it must not."
            )
    return tuple(float(one) for one in days)


def lasting(own: Sequence[float] | None, usual: HalfLives) -> HalfLives:
    """The half-lives in force."""
    if own is None:
        return usual
    return MappingProxyType(
        {level: timedelta(days=days) for level, days in enumerate(own, start=1)}
    )


def in_days(half_lives: HalfLives) -> tuple[float, ...]:
    """Days for sensitivity 1 to 5."""
    return tuple(half_lives[level] / timedelta(days=1) for level in range(1, LEVELS + 1))


# Points of relevance in lists, of importance in digests. A score of 70 then stands as one of 80
# does: enough to be seen among what is read first, and too little to put what a reader passes over
# at the top.
RAISE = 10.0


def raised(relevance: float, *, followed: bool) -> float:
    """Relevance, 0 to 100, as it is kept."""
    return min(relevance + RAISE, 100.0) if followed else relevance
