"""Ward's agglomerative clustering, down to so many topics as one asks for or to a distance.

By nearest-neighbour chains over a table of distances, which Lance and Williams' formula keeps up
(Murtagh 1983): time and memory grow with the square of the rows. Beyond LARGEST rows, those that
are nearest to each other are made one first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from newsloom.topics.dbscan import dbscan
from newsloom.topics.tfidf import Matrix

LARGEST = 3_000  # rows of the table: 36 MB
# Clusters are joined up to this distance, where no number of topics is given. Of two single rows it
# is 1 - their cosine. `newsloom eval topics`: docs/work/quality.md.
WITHIN = 0.8
# The same where articles on one event are joined beforehand: what is left must be nearer.
WITHIN_JOINED = 0.6

# What is made one first where there are too many rows: closer and closer ones, then neighbours in
# the order of the rows.
_FIRST = (0.2, 0.3, 0.4, 0.5)


def ward(matrix: Matrix, k: int = 0, joined: Sequence[int] = ()) -> NDArray[np.int64]:
    """The cluster of each row, by their first rows: k of them or as many as there are rows; with
    k = 0, those that are near enough. `joined` names a group for each row: rows of one group are
    in one cluster from the start, each row of a group < 0 by itself."""
    groups = _reduced(matrix, joined)
    given = any(one >= 0 for one in joined)
    most = np.inf if k else WITHIN_JOINED if given else WITHIN
    merges = _merged(*_table(matrix, groups), fewest=max(k, 1), most=most)
    names = np.array([merges[group] for group in groups.tolist()], np.int64)
    _firsts, found = np.unique(names, return_inverse=True)
    order = {name: place for place, name in enumerate(dict.fromkeys(found.tolist()))}
    return np.array([order[one] for one in found.tolist()], np.int64)


def _reduced(matrix: Matrix, joined: Sequence[int]) -> NDArray[np.int64]:
    """A group for each row, LARGEST of them at most, numbered from 0."""
    own = np.arange(len(matrix))
    given = np.array(joined, np.int64) if len(joined) else own
    groups = np.where(given >= 0, given, given.max(initial=0) + 1 + own)
    for eps in _FIRST:
        if len(np.unique(groups)) <= LARGEST:
            break
        found = dbscan(matrix, eps)
        groups = np.where(found >= 0, found, len(matrix) + own)
    _names, groups = np.unique(groups, return_inverse=True)
    most = int(groups.max(initial=-1)) + 1
    return groups if most <= LARGEST else groups * LARGEST // most


def _table(
    matrix: Matrix, groups: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ward's distances between groups, and their sizes."""
    count = int(groups.max(initial=-1)) + 1
    sizes = np.bincount(groups, minlength=count).astype(np.float64)
    dots = matrix.means(groups, sizes).gram()
    squares = np.diag(dots).copy()
    table = np.maximum(squares[:, None] + squares[None, :] - 2.0 * dots, 0.0)
    table *= 1.0 / (1.0 / sizes[:, None] + 1.0 / sizes[None, :])
    np.fill_diagonal(table, np.inf)
    return table, sizes


def _merged(
    table: NDArray[np.float64], sizes: NDArray[np.float64], fewest: int = 1, most: float = np.inf
) -> list[int]:
    """For each group the one that it ended in, when so few are left or none are so near."""
    joined = _joined(table, sizes)
    joined.sort(key=lambda one: one[0])  # chains find them out of order
    above = list(range(len(sizes)))

    def name(one: int) -> int:
        while above[one] != one:
            above[one] = above[above[one]]
            one = above[one]
        return one

    for distance, one, other in joined[: max(len(sizes) - fewest, 0)]:
        if distance > most:
            break
        first, last = sorted((name(one), name(other)))
        above[last] = first
    return [name(one) for one in range(len(sizes))]


def _joined(table: NDArray[np.float64], sizes: NDArray[np.float64]) -> list[tuple[float, int, int]]:
    """Every merge down to one group: its distance, and a member of each side."""
    sizes = sizes.copy()
    live = np.ones(len(sizes), bool)
    found: list[tuple[float, int, int]] = []
    chain: list[int] = []
    while live.sum() > 1:
        if not chain:
            chain.append(int(np.flatnonzero(live)[0]))
        top = chain[-1]
        other = int(np.argmin(table[top]))
        if len(chain) > 1 and table[top, chain[-2]] <= table[top, other]:
            other = chain[-2]
            del chain[-2:]
            distance = float(table[top, other])
            found.append((distance, top, other))
            _unite(table, sizes, live, other, top, distance)
        else:
            chain.append(other)
    return found


def _unite(
    table: NDArray[np.float64],
    sizes: NDArray[np.float64],
    live: NDArray[np.bool_],
    kept: int,
    gone: int,
    distance: float,
) -> None:
    """Lance and Williams' formula for Ward's distance."""
    a, b = sizes[kept], sizes[gone]
    row = ((a + sizes) * table[kept] + (b + sizes) * table[gone] - sizes * distance) / (
        a + b + sizes
    )
    live[gone] = False
    row[~live], row[kept] = np.inf, np.inf
    table[kept], table[:, kept] = row, row
    table[gone], table[:, gone] = np.inf, np.inf
    sizes[kept] = a + b
