"""R(t) = R0 * 2^(-age / half-life): how much of an article's relevance is left.

Pure: the moment is always passed in. What makes the ranked list exact without ever computing this
for every article is the static rank key, in ranking/rank_key.py.
"""

from __future__ import annotations

import math
from datetime import timedelta

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
