"""A linear support vector machine on sparse rows: squared hinge, L2 penalty. Numbers only.

liblinear's problem, bias penalised like any weight; the tests hold it to scikit-learn's LinearSVC.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from newsloom.ranking.learning.lbfgs import Floats, minimize
from newsloom.ranking.learning.logistic import Line
from newsloom.ranking.learning.terms import Rows

# The largest slope left. The penalty alone curves by 1, so no weight is further off than that.
TOLERANCE = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    rows: Rows
    signs: Floats  # -1 or 1
    costs: Floats

    def loss(self, point: Floats) -> tuple[float, Floats]:
        """|w|^2 / 2 plus the squared shortfalls from a margin of 1, and the slope."""
        margins = self.signs * (self.rows.times(point[:-1]) + point[-1])
        short = np.maximum(0.0, 1.0 - margins)
        pull = -2.0 * self.costs * self.signs * short
        slope = point + np.append(self.rows.transposed_times(pull), pull.sum())
        value = 0.5 * np.einsum("i,i->", point, point) + (self.costs * short * short).sum()
        return float(value), slope


def solve(rows: Rows, truth: Floats, costs: Floats) -> Line:
    """The line that keeps rows of `truth` 1 from those of 0. `costs` are C times each row's weight.

    L-BFGS: liblinear's coordinate descent visits one row at a time, which numpy cannot do fast.
    """
    given = _Problem(rows, 2.0 * truth - 1.0, costs)
    spread = replace(rows, values=rows.values**2).transposed_times(costs)
    scale = 1.0 / (1.0 + 2.0 * np.append(spread, costs.sum()))
    start = np.zeros(rows.width + 1)
    found = minimize(given.loss, start, TOLERANCE, partial(np.multiply, scale))
    return Line(found[:-1], float(found[-1]))
