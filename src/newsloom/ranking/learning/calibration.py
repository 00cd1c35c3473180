"""What trainers share: class weights, folds without chance, held-out logits made chances.

Numbers only, no articles. A trainer judges itself on folds that did not train it; `calibrate` then
says what its logits are worth.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.learning.logistic import Line, problem, sigmoid, solve

Numbers = NDArray[Any]

FOLDS = 5

# Ridge on the two numbers of the calibration, in labels: with 40 labels it matters, with 400 not.
CALIBRATION_PENALTY = 1.0


def balanced(truth: Floats, weights: Floats) -> Floats:
    """Row weights under which both classes weigh the same, and all together their number."""
    sums = np.array([weights[truth == side].sum() for side in (0, 1)])
    return np.asarray(weights * (len(truth) / 2.0 / sums)[truth.astype(int)])


def folds(truth: Floats) -> list[np.ndarray]:
    """Row numbers of each fold: every class dealt out in turn, so no chance is involved."""
    place = np.empty(len(truth), int)
    for side in (0, 1):
        members = np.flatnonzero(truth == side)
        place[members] = np.arange(len(members)) % FOLDS
    return [np.flatnonzero(place == fold) for fold in range(FOLDS)]


def calibrate(logits: Floats, truth: Floats, weights: Floats, unit: float = 1.0) -> Line:
    """Platt's scaling: held-out logits to log odds at the rate this reader likes things.

    His smoothed targets keep few labels from claiming certainty. `unit` is the size of a usual
    difference of logits, where that is far from 1: the ridge would hold small ones for nothing.
    """
    ups, downs = truth.sum(), len(truth) - truth.sum()
    targets = np.where(truth > 0, (ups + 1.0) / (ups + 2.0), 1.0 / (downs + 2.0))
    # From their middle: all a thousand units from 0, they would leave slope and bias one problem.
    middle = float(logits.mean())
    rows = (logits[:, None] - middle) / unit
    line = solve(problem(rows, targets, weights), CALIBRATION_PENALTY)
    # Labels that contradict each other can turn the slope: flat is honest, upside down is not.
    slope = np.maximum(line.weights, 1e-3) / unit
    return Line(slope, line.bias - float(slope[0]) * middle)


def usual(logits: Floats) -> float:
    """How far logits lie from their mean; 1 when they are all one."""
    return float(logits.std()) or 1.0


def calibrated(line: Line, calibration: Line) -> Line:
    """The line whose logits are the calibrated ones."""
    slope = float(calibration.weights[0])
    return Line(line.weights * slope, line.bias * slope + calibration.bias)


def losses(logits: Floats, truth: Floats) -> Floats:
    """The log loss of each row."""
    return np.asarray(np.logaddexp(0.0, logits) - truth * logits)


def roc_auc(positive: Numbers, scores: Numbers) -> float:
    """The chance that a positive scores above a negative; ties count half."""
    positive = np.asarray(positive, bool)
    ups, downs = int(positive.sum()), int((~positive).sum())
    if not ups or not downs:
        return math.nan
    _, place, counts = np.unique(np.asarray(scores), return_inverse=True, return_counts=True)
    last = counts.cumsum()
    ranks = (last - (counts - 1) / 2.0)[place]
    return float((ranks[positive].sum() - ups * (ups + 1) / 2.0) / (ups * downs))


def average_precision(positive: Numbers, scores: Numbers) -> float:
    """Precision averaged over the recall it is reached at; equal scores are one step."""
    positive, scores = np.asarray(positive, bool), np.asarray(scores)
    if not positive.any():
        return math.nan
    order = np.argsort(-scores, kind="stable")
    hits = positive[order].cumsum()
    steps = np.append(np.flatnonzero(np.diff(scores[order])), len(order) - 1)
    precision = hits[steps] / (steps + 1)
    return float((precision * np.diff(hits[steps], prepend=0)).sum() / hits[-1])


def held_out_figures(logits: Floats, truth: Floats) -> tuple[tuple[str, float], ...]:
    """Figures of calibrated held-out logits, for the model's page."""
    right = ((sigmoid(logits) > 0.5) == (truth > 0)).mean()
    return (
        ("roc_auc", roc_auc(truth, logits)),
        ("log_loss", float(losses(logits, truth).mean())),
        ("accuracy", float(right)),
    )
