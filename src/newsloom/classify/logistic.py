"""Logistic regression with an L2 penalty, fitted in numpy. Numbers only, no articles.

scikit-learn and scipy are 100 MB of dependency for one convex problem of a few hundred weights;
the tests hold this to scikit-learn's answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Steps until the largest slope is under TOLERANCE per row: 5 to 25 on unit-length rows. The cap
# only bounds the time of degenerate input.
MAX_STEPS = 200
TOLERANCE = 1e-6
MEMORY = 10  # past steps that shape the next one


@dataclass(frozen=True, slots=True)
class Line:
    """A fitted decision function: log odds = rows @ weights + bias."""

    weights: Floats
    bias: float

    def logits(self, rows: Floats) -> Floats:
        """Log odds per row, the same whatever rows stand beside it."""
        # Not `@` on the batch: BLAS sums in an order that depends on the number of rows.
        return np.asarray(np.einsum("ij,j->i", rows, self.weights, optimize=False) + self.bias)


@dataclass(frozen=True, slots=True)
class Problem:
    """Rows to separate, made ready once and solved for several penalties."""

    rows: Floats  # the last column is 1
    truth: Floats  # 0..1
    weights: Floats
    bend: Floats  # the most the loss can curve anywhere: a quarter of the weighted Gram matrix

    def loss(self, line: Floats, ridge: Floats) -> tuple[float, Floats]:
        """The penalised loss and its slope."""
        logits = self.rows @ line
        losses = self.weights * (np.logaddexp(0.0, logits) - self.truth * logits)
        slope = self.rows.T @ (self.weights * (sigmoid(logits) - self.truth)) + ridge * line
        return float(losses.sum() + 0.5 * (ridge * line * line).sum()), slope


def sigmoid(logits: Floats) -> Floats:
    """1 / (1 + exp(-x)) without overflow."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logits)))


def probability(log_odds: float) -> float:
    """The sigmoid of one number."""
    return float(sigmoid(np.array(log_odds)))


def problem(rows: Floats, truth: Floats, weights: Floats) -> Problem:
    """`truth` is 0..1 per row and `weights` what each row counts."""
    full = np.hstack([rows, np.ones((len(rows), 1))])
    return Problem(full, truth, weights, (full * (0.25 * weights)[:, None]).T @ full)


def solve(given: Problem, penalty: float, start: Line | None = None) -> Line:
    """The line of least weighted log loss plus penalty/2 * |weights|^2; its bias goes free.

    L-BFGS begun from Boehning's bound on the curvature, whose plain step can never overshoot; it
    takes a third of the time of Newton's method, where each step costs a Gram matrix of its own.
    """
    ridge = np.append(np.full(given.rows.shape[1] - 1, penalty), 1e-6)
    inverse: Floats = np.linalg.inv(given.bend + np.diag(ridge))
    line = np.zeros(len(ridge)) if start is None else np.append(start.weights, start.bias)
    loss, slope = given.loss(line, ridge)
    past: list[tuple[Floats, Floats]] = []
    for _ in range(MAX_STEPS):
        if np.abs(slope).max() <= TOLERANCE * len(given.rows):
            break
        step = _direction(slope, past, inverse)
        taken, reached, turned = _search(given, ridge, line, step, loss, float(slope @ step))
        if reached >= loss:
            break
        past = [*past, (taken, turned - slope)][-MEMORY:]
        line, loss, slope = line + taken, reached, turned
    return Line(line[:-1], float(line[-1]))


def _direction(slope: Floats, past: list[tuple[Floats, Floats]], inverse: Floats) -> Floats:
    """The two loops of L-BFGS: downhill, bent by what past steps taught."""
    result = -slope
    used = []
    for step, change in reversed(past):
        share = (step @ result) / (step @ change)
        used.append(share)
        result = result - share * change
    result = inverse @ result
    for (step, change), share in zip(past, reversed(used), strict=True):
        result = result + (share - (change @ result) / (step @ change)) * step
    return np.asarray(result)


def _search(
    given: Problem, ridge: Floats, line: Floats, step: Floats, loss: float, descent: float
) -> tuple[Floats, float, Floats]:
    """Halve the step until the loss falls by a share of what the slope promises."""
    for halvings in range(30):
        taken = step * 0.5**halvings
        reached, slope = given.loss(line + taken, ridge)
        if reached <= loss + 1e-4 * descent * 0.5**halvings:
            break
    return taken, reached, slope
