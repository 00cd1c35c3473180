"""The static rank key as stored: what orders the ranked list at any moment. Touches no database.

R(t) = R0 * 2^(-age / half-life), so log2 R(t) = (log2 R0 + dated / half-life) - t / half-life. The
first part never changes and is stored and indexed; the second is the same for a whole sensitivity
class. Within a class the stored order is the order for ever, and a page is a merge of the classes'
ranges, each shifted by its own constant.

The key is in whole numbers of 2^-40 halvings, made without floating point but for
the logarithm. A double near today's dates holds no finer ones, and sums of doubles would let keys
collapse into one or, between two classes, change places.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.kernel.db.columns import micros
from newsloom.ranking.scoring import FLOOR, UNSCORED_HALF_LIFE, remaining

if TYPE_CHECKING:
    from newsloom.ranking.ports import HalfLives

UNIT = 2**40
LARGEST = 2**62  # a date thousands of years off must not overflow the column

# What no model has scored is a class of its own.
UNSCORED = 0
UNSCORED_RELEVANCE = 50.0
UNSCORED_SENSITIVITY = 3

# What raises an article above all that are not: no relevance comes to seven halvings, so at the
# shortest usual half-life, five days, it stands above the newest for more than nine months.
RAISED = 64 * UNIT


def stored_key(relevance: float, dated: datetime, half_life: timedelta) -> int:
    """The static rank key, as stored."""
    return max(-LARGEST, min(LARGEST, sort_key(relevance) + _halvings(dated, half_life)))


def sort_key(score: float) -> int:
    """Where a score stands at any moment: a key less its class's shift."""
    return round(math.log2(max(score, FLOOR)) * UNIT)


def by_rules(base: float | None, points: int) -> float:
    """Relevance with the points that rules give; `base` is None where nothing has scored it."""
    plain = UNSCORED_RELEVANCE if base is None else base
    return max(0.0, min(100.0, plain + points)) if points else plain


def shifts(now: datetime, half_lives: HalfLives) -> Mapping[int, int]:
    """What `now` takes from the keys of each class, 0 (unscored) among them."""
    classes = {UNSCORED: UNSCORED_HALF_LIFE, **half_lives}
    return {level: _halvings(now, life) for level, life in classes.items()}


def _halvings(moment: datetime, half_life: timedelta) -> int:
    """Half-lives since 1970, in whole units, rounded down: the same for equal moments."""
    return micros(moment) * UNIT // (half_life // timedelta(microseconds=1))


def score(
    relevance: float | None, sensitivity: int, age: timedelta, half_lives: HalfLives
) -> float:
    """R(now) of a stored state, 0..100."""
    half_life = UNSCORED_HALF_LIFE if sensitivity == UNSCORED else half_lives[sensitivity]
    base = UNSCORED_RELEVANCE if relevance is None else relevance
    return base * remaining(age, half_life)
