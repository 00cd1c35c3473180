"""How far a figure measured on so many labels may lie from the true one. Pure numbers.

These intervals hold the values that would not make what was measured a surprise (95%). Resampling
the labels, or DeLong's formula, cannot be used near the ends: from 28 likes and 20 dislikes in
perfect order both say "1.000 to 1.000". Drawn from two normal distributions (ROC AUC .64 to .98,
20 to 500 labels), these held the true ROC AUC in 92 to 99% of the draws and the true average
precision in 96 to 100%, where resampling held that in 52 to 100%, as the tests show.
"""

from __future__ import annotations

import math
from collections.abc import Callable

Interval = tuple[float, float]

UNKNOWN: Interval = (math.nan, math.nan)

# Standard errors to both sides of 95% of a normal distribution.
ERRORS = 1.959964

# Where an interval is wider than this, the sentence says what would narrow it.
WIDE = 0.05

HALVINGS = 40  # each halves what is left between 0 and 1


def of_share(share: float, count: float) -> Interval:
    """Wilson 1927: of a share of so many. Precision and recall are such shares.

    Also of average precision, `count` being the likes: Boyd, Eng and Page 2013 find that it may be
    taken for a share of them, and that resampling is too sure of itself.
    """
    if math.isnan(share) or count <= 0:
        return UNKNOWN
    return _around(share, lambda true: true * (1.0 - true) / count)


def of_f1(f1: float, either: float) -> Interval:
    """Of F1, `either` being what is liked or was recommended: of these, f1 / (2 - f1) are both."""
    low, high = of_share(f1 / (2.0 - f1), either)
    return 2.0 * low / (1.0 + low), 2.0 * high / (1.0 + high)


def of_roc_auc(roc_auc: float, likes: float, dislikes: float) -> Interval:
    """Newcombe 2006, method 5: as Wilson's, with the variance of Hanley and McNeil 1982."""
    if math.isnan(roc_auc) or likes <= 0 or dislikes <= 0:
        return UNKNOWN
    more = (likes + dislikes) / 2.0 - 1.0

    def variance(true: float) -> float:
        pairs = 1.0 + more * ((1.0 - true) / (2.0 - true) + true / (1.0 + true))
        return true * (1.0 - true) * pairs / (likes * dislikes)

    return _around(roc_auc, variance)


def describe(name: str, ends: Interval, labels: float) -> str:
    """What an interval means, in a sentence; nothing when there is none."""
    low, high = ends
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    more = " More likes and dislikes narrow this down." if high - low > WIDE else ""
    return (
        f"From {labels:,.0f} labels: the true {name} probably lies between "
        f"{low:.2f} and {high:.2f}.{more}"
    )


def _around(seen: float, variance: Callable[[float], float]) -> Interval:
    """The lowest and the highest true value that lie near enough to what was seen."""

    def near(true: float) -> bool:
        return (seen - true) ** 2 <= ERRORS**2 * variance(true)

    return _edge(seen, 0.0, near), _edge(seen, 1.0, near)


def _edge(inside: float, outside: float, near: Callable[[float], bool]) -> float:
    if near(outside):
        return outside
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2.0
        inside, outside = (middle, outside) if near(middle) else (inside, middle)
    return inside
