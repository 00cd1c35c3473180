"""DBSCAN by cosine distance, without a matrix of distances. The labels are scikit-learn's.

Columns are in the order of rarity, and the terms after a row's prefix are together shorter than the
least cosine, so only prefixes are indexed (the bound of L2AP, Anastasiu and Karypis 2014): the
longest lists, those of common terms, are cut most. A pair is looked at when what it has in common
in the prefix and the length of the rest could be enough.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsloom.topics.tfidf import Matrix

# Seed 001 has 0.4, which leaves 87 to 97 articles of 100 alone; 0.6 was the best for news that was
# seen in development, and near it for what was not. See docs/topics.md.
EPS, LEAST = 0.6, 2
NOISE = -1

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Products and cells of one block, some 50 MB; pairs whose cosines are taken at once.
WORK, PAIRS = 2_000_000, 20_000

# Rounding of sums of single precision.
_ROUNDING = 1e-6


def dbscan(matrix: Matrix, eps: float = EPS, least: int = LEAST) -> Ints:
    """The cluster of each row, numbered from 0 in the order of their first rows; -1: noise.

    `eps` is the largest cosine distance of neighbours, `least` how many rows within it, itself
    among them, make a row the core of a cluster.
    """
    alike = _identical(matrix)
    firsts, weights = np.unique(alike, return_counts=True)
    near: list[list[int]] = [[] for _ in range(len(matrix))]
    for place, others in neighbours(matrix, firsts, 1.0 - eps):
        near[place] += others.tolist()
        for other in others.tolist():
            near[other].append(place)
    count = np.zeros(len(matrix), np.int64)
    count[firsts] = weights
    reach = {one: int(count[one] + count[near[one]].sum()) for one in firsts.tolist()}
    found = np.full(len(matrix), NOISE, np.int64)
    following = 0
    for start in firsts.tolist():
        if found[start] != NOISE or reach[start] < least or not _filled(matrix, start):
            continue
        found[start] = following
        queue = deque([start])
        while queue:
            for other in near[queue.popleft()]:
                if found[other] == NOISE:
                    found[other] = following
                    if reach[other] >= least:
                        queue.append(other)
        following += 1
    return found[alike]


@dataclass(frozen=True, slots=True)
class _Index:
    """The prefixes of some rows by column, and how long what is left of each row is."""

    starts: Ints  # of each column's list, and the end
    rows: Ints
    values: Floats
    rest: Floats  # by row; above 1 for rows that are not in it


def neighbours(matrix: Matrix, places: Ints, least: float) -> Iterator[tuple[int, Ints]]:
    """Each of some rows with those of them after it whose cosine is at least that."""
    index = _indexed(matrix, places, least)
    for block in _blocks(matrix, places, index):
        rows, others = _candidates(matrix, block, index, least)
        near = _cosines(matrix, block, rows, others) >= least - _ROUNDING
        rows, others = rows[near], others[near]
        cuts = np.flatnonzero(np.diff(rows)) + 1
        firsts = rows[np.concatenate(([0], cuts))] if len(rows) else rows
        for row, found in zip(firsts.tolist(), np.split(others, cuts), strict=False):
            yield int(block[row]), found


def _indexed(matrix: Matrix, places: Ints, least: float) -> _Index:
    rest = np.full(len(matrix), -np.inf, np.float64)
    rows, columns, values = [], [], []
    for place in places.tolist():
        own, weights = matrix.row(place)
        lengths = np.sqrt(np.cumsum(np.square(weights[::-1], dtype=np.float64)))[::-1]
        end = int((lengths >= least - _ROUNDING).sum())
        rest[place] = lengths[end] if end < len(lengths) else 0.0
        rows.append(np.full(end, place, np.int64))
        columns.append(own[:end])
        values.append(weights[:end])
    every = np.concatenate(columns) if columns else np.empty(0, np.int32)
    order = np.argsort(every, kind="stable")
    starts = np.zeros(len(matrix.names) + 1, np.int64)
    starts[1:] = np.cumsum(np.bincount(every, minlength=len(matrix.names)))
    return _Index(
        starts,
        np.concatenate(rows)[order] if rows else np.empty(0, np.int64),
        np.concatenate(values)[order].astype(np.float64) if values else np.empty(0),
        rest,
    )


def _blocks(matrix: Matrix, places: Ints, index: _Index) -> Iterator[Ints]:
    """Rows that are compared at once: as many as WORK products and cells allow."""
    lengths = np.diff(index.starts)
    work = 0
    block: list[int] = []
    for place in places.tolist():
        columns, _values = matrix.row(place)
        work += int(lengths[columns].sum()) + len(matrix)
        block.append(place)
        if work >= WORK:
            yield np.array(block, np.int64)
            work, block = 0, []
    if block:
        yield np.array(block, np.int64)


def _candidates(matrix: Matrix, block: Ints, index: _Index, least: float) -> tuple[Ints, Ints]:
    """Pairs of a place in the block and a row after it that may be near enough.

    What a pair has in common in the indexed part, and all that it could have in the rest.
    """
    own, columns, values = _entries(matrix, block)
    lengths = index.starts[columns + 1] - index.starts[columns]
    offsets = np.cumsum(lengths) - lengths
    at = np.arange(int(lengths.sum())) + np.repeat(index.starts[columns] - offsets, lengths)
    cells = np.repeat(own, lengths) * len(matrix) + index.rows[at]
    products = np.repeat(values, lengths) * index.values[at]
    sums = np.bincount(cells, products, minlength=len(block) * len(matrix))
    table = sums.reshape(len(block), len(matrix))
    rows, others = np.nonzero((table > 0) & (table + index.rest >= least - _ROUNDING))
    after = others > block[rows]
    return rows[after], others[after]


def _cosines(matrix: Matrix, block: Ints, rows: Ints, others: Ints) -> Floats:
    """The dot products of pairs, a bounded number at once."""
    own, columns, values = _entries(matrix, block)
    dense = np.zeros((len(block), len(matrix.names)), np.float32)
    dense[own, columns] = values
    found = np.empty(len(rows))
    for start in range(0, len(rows), PAIRS):
        part = slice(start, start + PAIRS)
        where, columns, values = _entries(matrix, others[part])
        products = dense[rows[part][where], columns] * values
        found[part] = np.bincount(where, products, minlength=len(rows[part]))
    return found


def _entries(matrix: Matrix, places: Ints) -> tuple[Ints, NDArray[np.int32], NDArray[np.float32]]:
    """The entries of some rows, each with the place of its row among them."""
    lengths = matrix.starts[places + 1] - matrix.starts[places]
    offsets = np.cumsum(lengths) - lengths
    at = np.arange(int(lengths.sum())) + np.repeat(matrix.starts[places] - offsets, lengths)
    return np.repeat(np.arange(len(places)), lengths), matrix.columns[at], matrix.values[at]


def _identical(matrix: Matrix) -> Ints:
    """The first row that is the same, for each: ten thousand copies are looked at once."""
    seen: dict[tuple[bytes, bytes], int] = {}
    found = np.empty(len(matrix), np.int64)
    for place in range(len(matrix)):
        columns, values = matrix.row(place)
        found[place] = seen.setdefault((columns.tobytes(), values.tobytes()), place)
    return found


def _filled(matrix: Matrix, place: int) -> bool:
    """Whether a row has any term; one without is near nothing."""
    return bool(matrix.starts[place + 1] > matrix.starts[place])
