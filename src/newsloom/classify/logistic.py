"""Logistic regression with an L2 penalty, fitted in numpy. Numbers only, no articles.

scikit-learn and scipy are 100 MB of dependency for one convex problem of a few hundred weights;
the tests hold this to scikit-learn's answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from newsloom.classify.descent import Floats, least

# The largest slope left, per row.
TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A fitted decision function: log odds = rows @ weights + bias."""

    weights: Floats
    bias: float

    def logits(self, rows: Floats) -> Floats:
        """Log odds per row, the same whatever rows stand beside it."""
        # Not `@` on the batch: BLAS sums in an order that depends on the number of rows.
        return np.asarray(np.einsum("ij,j->i", rows, self.weights, optimize=False) + self.bias)


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Rows to separate, made ready once and solved for several penalties."""

    rows: Floats  # the last column is 1
    truth: Floats  # 0..1
    weights: Floats
    bend: Floats  # the most the loss can curve along each weight

    def loss(self, ridge: Floats, line: Floats) -> tuple[float, Floats]:
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
    return Problem(full, truth, weights, 0.25 * (weights @ full**2))


def solve(given: Problem, penalty: float, start: Line | None = None) -> Line:
    """The line of least weighted log loss plus penalty/2 * |weights|^2; its bias goes free.

    L-BFGS with a diagonal estimate of the curvature: 3,000 rows of 400 take 10 ms. Newton's method
    and Boehning's bound took longer, for each needs a Gram matrix and its inverse.
    """
    ridge = np.append(np.full(given.rows.shape[1] - 1, penalty), 1e-6)
    begin = np.zeros(len(ridge)) if start is None else np.append(start.weights, start.bias)
    scale = 1.0 / (given.bend + ridge)
    line = least(
        partial(given.loss, ridge),
        begin,
        TOLERANCE * len(given.rows),
        lambda slope: scale * slope,
    )
    return Line(line[:-1], float(line[-1]))
