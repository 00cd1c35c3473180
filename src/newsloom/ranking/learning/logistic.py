"""Logistic regression with an L2 penalty, fitted in numpy. Numbers only, no articles.

scikit-learn and scipy are 100 MB of dependency for one convex problem of a few thousand weights;
the tests hold this to scikit-learn's answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.learning.lbfgs import Floats, minimize
from newsloom.ranking.learning.terms import Rows

# The largest slope left, per row.
TOLERANCE = 1e-6

# Rows may come in single precision: half the bytes, and products with them half the time.
Columns = NDArray[Any]


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
    """Rows to separate, made ready once and solved for several penalties.

    A point is the weights of the dense columns, then of the sparse ones, then the bias.
    """

    rows: Columns
    sparse: Rows | None
    truth: Floats  # 0..1
    weights: Floats
    bend: Floats  # the most the loss can curve along each number of a point

    def logits(self, point: Floats) -> Floats:
        """Log odds per row."""
        dense = self.rows.shape[1]
        logits: Floats = self.rows @ point[:dense].astype(self.rows.dtype) + point[-1]
        return logits if self.sparse is None else logits + self.sparse.times(point[dense:-1])

    def loss(self, ridge: Floats, point: Floats) -> tuple[float, Floats]:
        """The penalised loss and its slope."""
        logits = self.logits(point)
        losses = self.weights * (np.logaddexp(0.0, logits) - self.truth * logits)
        slope = _across(self.rows, self.sparse, self.weights * (sigmoid(logits) - self.truth))
        value = losses.sum() + 0.5 * (ridge * point * point).sum()
        return float(value), slope + ridge * point


def sigmoid(logits: Floats) -> Floats:
    """1 / (1 + exp(-x)) without overflow."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logits)))


def probability(log_odds: float) -> float:
    """The sigmoid of one number."""
    return float(sigmoid(np.array(log_odds)))


def problem(rows: Columns, truth: Floats, weights: Floats, sparse: Rows | None = None) -> Problem:
    """`truth` is 0..1 per row and `weights` what each row counts; `sparse` are more columns."""
    squared = None if sparse is None else sparse.squared()
    bend = 0.25 * _across(rows**2, squared, weights)
    return Problem(rows, sparse, truth, weights, bend)


def solve(
    given: Problem, penalty: float, start: Line | None = None, tolerance: float = TOLERANCE
) -> Line:
    """The line of least weighted log loss plus penalty/2 * |weights|^2; its bias goes free.

    L-BFGS with a diagonal estimate of the curvature: 3,000 rows of 400 take 10 ms. Newton's method
    and Boehning's bound took longer, for each needs a Gram matrix and its inverse.
    """
    ridge = np.append(np.full(len(given.bend) - 1, penalty), 1e-6)
    begin = np.zeros(len(ridge)) if start is None else np.append(start.weights, start.bias)
    scale = 1.0 / (given.bend + ridge)
    line = minimize(
        partial(given.loss, ridge),
        begin,
        tolerance * len(given.rows),
        lambda slope: scale * slope,
    )
    return Line(line[:-1], float(line[-1]))


def _across(rows: Columns, sparse: Rows | None, numbers: Floats) -> Floats:
    """The transpose of all columns, and of one of ones, times a number per row."""
    dense = numbers.astype(rows.dtype) @ rows
    more = np.empty(0) if sparse is None else sparse.transposed_times(numbers)
    return np.concatenate([dense, more, [numbers.sum()]])
