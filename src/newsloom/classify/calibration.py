"""What trainers share: class weights, folds without chance, held-out logits made chances.

Numbers only, no articles. A trainer judges itself on folds that did not train it; `calibrate` then
says what its logits are worth.
"""

from __future__ import annotations

import numpy as np

from newsloom.classify.descent import Floats
from newsloom.classify.logistic import Line, problem, sigmoid, solve

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


def roc_auc(scores: Floats, truth: Floats) -> float:
    """The chance that a like scores above a dislike; ties count half."""
    ups, downs = scores[truth > 0][:, None], scores[truth == 0]
    return float((ups > downs).mean() + (ups == downs).mean() / 2.0)


def average_precision(scores: Floats, truth: Floats) -> float:
    """The mean precision at each like, going down the scores; ties are taken together."""
    order = np.argsort(-scores, kind="stable")
    ranked, right = scores[order], np.cumsum(truth[order])
    last = np.flatnonzero(np.append(np.diff(ranked) != 0, True))  # of each group of equals
    gained = np.diff(np.append(0.0, right[last]))
    return float((gained * right[last] / (last + 1)).sum() / max(right[-1], 1.0))


def held_out_figures(logits: Floats, truth: Floats) -> tuple[tuple[str, float], ...]:
    """Figures of calibrated held-out logits, for the model's page."""
    right = ((sigmoid(logits) > 0.5) == (truth > 0)).mean()
    return (
        ("roc_auc", roc_auc(logits, truth)),
        ("log_loss", float(losses(logits, truth).mean())),
        ("accuracy", float(right)),
    )
