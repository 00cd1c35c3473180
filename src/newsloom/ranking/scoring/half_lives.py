"""Half-lives of one reader: their own where they set some, else the usual ones. Pure."""

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
