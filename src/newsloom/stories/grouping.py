"""Groups of articles by their distances: agglomerative, between average linkage and Ward's method.

The cost of joining two groups is a weighted mean of both methods' costs. Average linkage counts how
far their articles are from each other; Ward's method besides prefers groups of one tightness.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# The share of Ward's method. Chosen on judged pairs of feeds and labelled sets of 0, .3, .6 and 1
# (docs/work/decisions/stories.md).
WARD_SHARE = 0.15


def grouped(distances: NDArray[np.float64], most: float, single: NDArray[np.float64]) -> list[int]:
    """For each row the first row of its group. `distances`: symmetric, read as half the squares of
    Euclidean ones; groups are joined, the cheapest first, while the cost is at most `most`. Two
    single rows cost as much more as `single` has for them."""
    count = len(distances)
    sums = distances.copy()  # of the distances between two groups; of those within one, twice
    np.fill_diagonal(sums, 0.0)
    sizes = np.ones(count)
    names = np.arange(count)
    costs = distances + single  # of two single rows both methods' cost is their distance
    np.fill_diagonal(costs, np.inf)
    if count < 2:
        return [*range(count)]
    every = np.arange(count)
    nearest = costs.argmin(1)
    while True:
        least = costs[every, nearest]
        one = int(least.argmin())
        if not least[one] <= most:
            return [int(name) for name in names]
        kept, gone = sorted((one, int(nearest[one])))
        sums[kept] += sums[gone]
        sums[:, kept] += sums[:, gone]
        sizes[kept] += sizes[gone]
        names[names == gone] = kept
        costs[gone], costs[:, gone] = np.inf, np.inf
        joining = np.where(np.isinf(costs[kept]), np.inf, _costs(sums, sizes, kept))
        costs[kept], costs[:, kept] = joining, joining
        nearest[joining < least] = kept
        stale = np.flatnonzero((nearest == kept) | (nearest == gone))
        nearest[stale] = costs[stale].argmin(1)
        nearest[kept] = joining.argmin()


def _costs(sums: NDArray[np.float64], sizes: NDArray[np.float64], one: int) -> NDArray[np.float64]:
    """Of joining one group with each."""
    between = sums[one] / (sizes[one] * sizes)
    within = np.diag(sums) / sizes**2
    ward = sizes[one] * sizes / (sizes[one] + sizes) * (2.0 * between - within - within[one])
    found: NDArray[np.float64] = (1.0 - WARD_SHARE) * between + WARD_SHARE * ward
    return found
