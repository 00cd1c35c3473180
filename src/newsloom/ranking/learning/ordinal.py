"""Ratings 1 to 5 from features: four logistic thresholds, calibrated, and a decision. Pure numpy.

Threshold k asks "is it above k?". A rating's probability is what lies between two thresholds, so a
miss by one class costs less than a miss by three, which is how kappa and RPS judge it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.learning.lbfgs import Floats, minimize
from newsloom.ranking.learning.lexical_features import COLUMNS, Sparse
from newsloom.ranking.learning.logistic import Line, problem, sigmoid, solve

LEVELS = 5
CUTS = np.arange(1, LEVELS)

# Any from 0.1 to 1 gave the same cross-validated kappa within 0.005.
PENALTY = 0.6
CALIBRATION_PENALTY = 0.05
FOLDS = 5

# Two to six in a hundred articles are rated 5, so its chance rarely passes one half: saying it from
# a quarter finds two more in a hundred of them than saying it only where it is the median.
RAREST_FROM = 0.25

# Slope left per article at which fitting stops; ten times finer changes no figure's third digit.
TOLERANCE = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """What is known of each article: a few dense columns and its hashed words."""

    dense: Floats
    words: Sparse

    def take(self, rows: NDArray[np.intp]) -> Features:
        """Those articles, in that order."""
        return Features(self.dense[rows], self.words.take(rows))


@dataclass(frozen=True, slots=True, eq=False)
class Ordinal:
    """A fitted scale. Each matrix has a column per threshold."""

    dense: Floats
    words: Floats
    bias: Floats
    calibration: Floats  # rows: of the sum of all four chances, of its own logit, constant

    def above(self, features: Features) -> Floats:
        """The calibrated chance to be above 1, 2, 3 and 4: never rising from left to right."""
        return calibrated(self.logits(features), self.calibration)

    def logits(self, features: Features) -> Floats:
        """The same before calibration, on the scale the thresholds are lines on."""
        # Not `@`, for the reason in logistic.Line.
        dense = np.einsum("ij,jk->ik", features.dense, self.dense, optimize=False)
        return np.asarray(dense + features.words.times(self.words) + self.bias)


def probabilities(above: Floats) -> Floats:
    """Chances to be above each cut to chances of each rating."""
    ends = np.hstack([np.ones((len(above), 1)), above, np.zeros((len(above), 1))])
    return np.asarray(ends[:, :-1] - ends[:, 1:])


def decide(chances: Floats) -> NDArray[np.intp]:
    """The median rating, which is the least far off; but 5, the rarest, once likely enough."""
    above = chances[:, :0:-1].cumsum(1)
    median = 1 + (above > 0.5).sum(1)
    return np.where(chances[:, -1] >= RAREST_FROM, LEVELS, median)


def calibrated(logits: Floats, calibration: Floats) -> Floats:
    """Logits to chances that held on articles not trained on.

    How likely one threshold is depends on the other three too: hence the sum. Of its own it reads
    the logit: its chance instead, which ends at 0 and 1, left the score a fiftieth worse.
    """
    total = sigmoid(logits).sum(1, keepdims=True)
    lines = total * calibration[0] + logits * calibration[1] + calibration[2]
    return np.asarray(np.minimum.accumulate(sigmoid(lines), axis=1))


def fit(
    features: Features,
    ratings: NDArray[np.intp],
    groups: Sequence[str],
    around: Ordinal | None = None,
) -> Ordinal:
    """The scale of rated articles; with `around`, one that leaves it only as far as they pull.

    The calibration comes from folds that keep each group whole, to hold for sources never seen.
    """
    whole = _thresholds(features, ratings, around, around)
    held_out = np.empty((len(ratings), len(CUTS)))
    for held in filter(len, group_folds(ratings, groups)):
        kept = np.setdiff1d(np.arange(len(ratings)), held)
        # The best point is one and the same from wherever it is sought; from here it is near.
        part = _thresholds(features.take(kept), ratings[kept], whole, around)
        held_out[held] = part.logits(features.take(held))
    return replace(whole, calibration=_calibrate(held_out, ratings))


def group_folds(ratings: NDArray[np.intp], groups: Sequence[str]) -> list[NDArray[np.intp]]:
    """Folds of about equal size and ratings that never split a group; no chance involved.

    With fewer groups than folds every article is a group of its own.
    """
    names, place = np.unique(np.array(groups), return_inverse=True)
    if len(names) < FOLDS:
        names, place = np.arange(len(ratings)), np.arange(len(ratings))
    counts = np.zeros((len(names), LEVELS + 1))
    np.add.at(counts, (place, ratings - 1), 1)
    counts[:, LEVELS] = counts.sum(1)
    filled = np.zeros((FOLDS, LEVELS + 1))
    fold_of = np.empty(len(names), int)
    scarce = 1.0 / np.maximum(counts.sum(0), 1)
    for group in np.argsort(-counts[:, LEVELS], kind="stable"):
        # To the fold that lacks most of what the group has, rare ratings weighing more.
        load = ((filled + counts[group]) ** 2 * scarce).sum(1) - (filled**2 * scarce).sum(1)
        fold_of[group] = int(np.argmin(load))
        filled[fold_of[group]] += counts[group]
    return [np.flatnonzero(fold_of[place] == fold) for fold in range(FOLDS)]


def _thresholds(
    features: Features,
    ratings: NDArray[np.intp],
    near: Ordinal | None,
    around: Ordinal | None,
) -> Ordinal:
    """All four thresholds at once, not calibrated; sought from `near`, held to `around`."""
    truth = (ratings[:, None] > CUTS).astype(np.float64)
    width = features.dense.shape[1]
    shape = (width + COLUMNS + 1, len(CUTS))
    ridge = np.vstack([np.full((width + COLUMNS, 1), PENALTY), [[1e-6]]])
    # The curvature's diagonal alone: the full matrix of 8,700 columns would be 600 MB.
    dense_bend = (features.dense**2).sum(0)
    word_bend = np.bincount(features.words.columns, features.words.values**2, minlength=COLUMNS)
    bend = np.concatenate([dense_bend, word_bend, [len(ratings)]])[:, None]
    scale = np.broadcast_to(1.0 / (0.25 * bend + ridge), shape).ravel()
    flat = minimize(
        partial(_loss, features, truth, ridge, _lines(around, shape)),
        _lines(near, shape).ravel(),
        TOLERANCE * len(ratings),
        lambda slope: scale * slope,
    )
    line = flat.reshape(shape)
    return Ordinal(line[:width], line[width:-1], line[-1], np.zeros((3, len(CUTS))))


def _lines(scale: Ordinal | None, shape: tuple[int, int]) -> Floats:
    """Weights and constants of a scale in one matrix; zeros for none."""
    return np.zeros(shape) if scale is None else np.vstack([scale.dense, scale.words, scale.bias])


def _loss(
    features: Features, truth: Floats, ridge: Floats, around: Floats, flat: Floats
) -> tuple[float, Floats]:
    line = flat.reshape(around.shape)
    width = features.dense.shape[1]
    dense, words, bias = line[:width], line[width:-1], line[-1]
    logits = features.dense @ dense + features.words.times(words) + bias
    away = line - around
    value = (np.logaddexp(0.0, logits) - truth * logits).sum() + 0.5 * (ridge * away**2).sum()
    error = sigmoid(logits) - truth
    slope = np.vstack(
        [features.dense.T @ error, features.words.transposed_times(error), error.sum(0)]
    )
    return float(value), (slope + ridge * away).ravel()


def _calibrate(logits: Floats, ratings: NDArray[np.intp]) -> Floats:
    """For each threshold a line over all four chances' sum and its own logit."""
    total, ones = sigmoid(logits).sum(1, keepdims=True), np.ones(len(ratings))
    lines: list[Line] = []
    for cut in range(len(CUTS)):
        rows = np.hstack([total, logits[:, [cut]]])
        truth = (ratings > cut + 1).astype(np.float64)
        lines.append(solve(problem(rows, truth, ones), CALIBRATION_PENALTY))
    return np.array([[*line.weights, line.bias] for line in lines]).T


def confusion(truth: np.ndarray, answers: np.ndarray) -> NDArray[np.int64]:
    """Counts by truth (rows) and answer (columns), both 1 to 5."""
    table = np.zeros((LEVELS, LEVELS), np.int64)
    np.add.at(table, (np.asarray(truth, int) - 1, np.asarray(answers, int) - 1), 1)
    return table


def quadratic_weighted_kappa(truth: np.ndarray, answers: np.ndarray) -> float:
    """Agreement beyond chance on an ordered scale, errors weighed by their square."""
    table = confusion(truth, answers).astype(np.float64)
    rows, columns = np.indices(table.shape)
    weights = (rows - columns) ** 2
    expected = (weights * np.outer(table.sum(1), table.sum(0))).sum()
    missed = (weights * table).sum() * table.sum()
    return float(1.0 - missed / expected) if expected else float("nan")


def rank_probability_score(truth: np.ndarray, chances: Floats) -> float:
    """Mean squared distance of the cumulative distributions, over levels less one; 0 is perfect."""
    reached = np.asarray(truth, int)[:, None] <= CUTS
    return float(((chances.cumsum(1)[:, :-1] - reached) ** 2).mean()) if len(chances) else np.nan
