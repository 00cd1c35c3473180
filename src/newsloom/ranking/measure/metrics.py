"""Measures of quality over arrays of truths and answers. Pure numpy; reads nothing.

Each agrees with scikit-learn where it has the same measure (the tests compare). A measure that has
no answer (one class only, nothing at all) is nan, not an error: reports show it as missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.learning.calibration import Numbers
from newsloom.ranking.learning.calibration import average_precision as average_precision
from newsloom.ranking.learning.calibration import roc_auc as roc_auc

# Resamples for an interval: its ends then move by about a tenth of its width between seeds.
RESAMPLES = 1_000


def precision_at(positive: Numbers, scores: Numbers, count: int) -> float:
    """The share of positives among the best `count`, or among all when there are fewer."""
    order = np.argsort(-np.asarray(scores), kind="stable")[:count]
    return float(np.asarray(positive, bool)[order].mean()) if len(order) else math.nan


def log_loss(positive: Numbers, probabilities: Numbers) -> float:
    """Mean negative log likelihood, with certainty clipped as scikit-learn clips it."""
    edge = float(np.finfo(np.float64).eps)
    p = np.clip(np.asarray(probabilities, np.float64), edge, 1.0 - edge)
    right = np.where(np.asarray(positive, bool), p, 1.0 - p)
    return float(-np.log(right).mean()) if len(right) else math.nan


def calibration_error(positive: Numbers, probabilities: Numbers, bins: int = 10) -> float:
    """Expected calibration error over equal-width bins."""
    p = np.asarray(probabilities, np.float64)
    truth = np.asarray(positive, np.float64)
    if not len(p):
        return math.nan
    place = np.minimum((p * bins).astype(int), bins - 1)
    gap = np.bincount(place, truth - p, minlength=bins)
    return float(np.abs(gap).sum() / len(p))


def precision(positive: Numbers, probabilities: Numbers) -> float:
    """Of what is more likely liked than not, the share that is."""
    said = np.asarray(probabilities) >= 0.5
    return float(np.asarray(positive, bool)[said].mean()) if said.any() else math.nan


def recall(positive: Numbers, probabilities: Numbers) -> float:
    """Of what is liked, the share held more likely liked than not."""
    positive = np.asarray(positive, bool)
    return (
        float((np.asarray(probabilities) >= 0.5)[positive].mean()) if positive.any() else math.nan
    )


def f1(positive: Numbers, probabilities: Numbers) -> float:
    """The harmonic mean of precision and recall; 0 when nothing was found."""
    positive, said = np.asarray(positive, bool), np.asarray(probabilities) >= 0.5
    either = int(positive.sum()) + int(said.sum())
    return float(2 * (positive & said).sum() / either) if either else math.nan


def roc_points(positive: Numbers, scores: Numbers, most: int = 101) -> list[tuple[float, float]]:
    """(share of negatives let through, share of positives found) from (0, 0) to (1, 1)."""
    found, passed = _steps(positive, scores)
    if not found[-1] or not passed[-1]:
        return []
    return _thinned(np.append(0, passed) / passed[-1], np.append(0, found) / found[-1], most)


def precision_recall_points(
    positive: Numbers, scores: Numbers, most: int = 101
) -> list[tuple[float, float]]:
    """(share of positives found, share of positives among what was let through), best first."""
    found, passed = _steps(positive, scores)
    if not found[-1]:
        return []
    return _thinned(found / found[-1], found / (found + passed), most)


def reliability(
    positive: Numbers, probabilities: Numbers, bins: int = 10
) -> list[tuple[float, float, int]]:
    """(mean probability, share of positives, how many) of equal-width bins with anything in."""
    p, truth = np.asarray(probabilities, np.float64), np.asarray(positive, np.float64)
    place = np.minimum((p * bins).astype(int), bins - 1)
    return [
        (float(p[place == one].mean()), float(truth[place == one].mean()), int(count))
        for one, count in enumerate(np.bincount(place, minlength=bins))
        if count
    ]


def _steps(positive: Numbers, scores: Numbers) -> tuple[Numbers, Numbers]:
    """Positives and negatives at or above each score that occurs, highest first."""
    positive, scores = np.asarray(positive, bool), np.asarray(scores)
    order = np.argsort(-scores, kind="stable")
    steps = np.append(np.flatnonzero(np.diff(scores[order])), len(order) - 1)
    found = positive[order].cumsum()[steps]
    return found, steps + 1 - found


def _thinned(across: Numbers, up: Numbers, most: int) -> list[tuple[float, float]]:
    """At most that many points, evenly chosen, both ends among them."""
    chosen = np.unique(np.linspace(0, len(across) - 1, min(most, len(across))).round().astype(int))
    return [(float(across[one]), float(up[one])) for one in chosen]


def interval(
    measure: Callable[..., float], *columns: Numbers, seed: int = 0, share: float = 0.95
) -> tuple[float, float]:
    """The middle `share` of `measure` over bootstrap resamples of the rows of `columns`."""
    return middle(resampled((measure,), columns, RESAMPLES, seed)[:, 0], share)


def resampled(
    measures: Sequence[Callable[..., float]],
    columns: Sequence[Numbers],
    times: int = RESAMPLES,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Each measure (column) on each bootstrap resample (row) of the rows of `columns`."""
    arrays = [np.asarray(column) for column in columns]
    rows = len(arrays[0])
    draw = np.random.default_rng(seed)
    values = np.full((times if rows else 0, len(measures)), math.nan)
    for line in values:
        sample = draw.integers(0, rows, rows)
        taken = [array[sample] for array in arrays]
        line[:] = [measure(*taken) for measure in measures]
    return values


def middle(values: NDArray[np.float64], share: float = 0.95) -> tuple[float, float]:
    """The middle `share` of some values; those that are nan do not count."""
    values = values[~np.isnan(values)]
    if not len(values):
        return math.nan, math.nan
    low, high = np.quantile(values, [(1 - share) / 2, (1 + share) / 2])
    return float(low), float(high)
