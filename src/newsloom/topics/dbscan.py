"""DBSCAN by cosine distance, without a matrix of distances. The labels are scikit-learn's.

Columns are in the order of rarity, and are cut once, into rare ones and common ones. Two rows have
no more in common among the common terms than the product of the lengths of those parts, so sums
over the short lists of rare terms tell the few pairs that may be near (the bounds of All-Pairs,
Bayardo, Ma and Srikant 2007, and of L2AP, Anastasiu and Karypis 2014). The common terms of those
pairs alone are looked at. The cut is where the product stays below the least cosine for nearly all
rows; the rest, the heavy rows, are compared by all their terms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from newsloom.topics.tfidf import Matrix

# Seed 001 has 0.4, which leaves 87 to 97 articles of 100 alone; 0.6 was the best for news that was
# seen in development, and near it for what was not. See docs/topics.md.
EPS, LEAST = 0.6, 2
NOISE = -1

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

# Of a block of rows: products, cells of its table of sums (4 MB), and pairs looked at at once. What
# fits into the processor's cache is fastest: 500,000 products took half as long again.
WORK, CELLS, PAIRS = 100_000, 1_000_000, 20_000

# The share of rows whose common terms are light enough for the cut.
LIGHT = 0.99

# Rounding of sums of single precision.
_ROUNDING = 1e-6


def dbscan(matrix: Matrix, eps: float = EPS, least: int = LEAST) -> Ints:
    """The cluster of each row, numbered from 0 in the order of their first rows; -1: noise.

    `eps` is the largest cosine distance of neighbours, below 1; `least` how many rows within it,
    itself among them, make a row the core of a cluster.
    """
    alike = _identical(matrix)
    firsts, places, count = np.unique(alike, return_inverse=True, return_counts=True)
    starts, near = _both_ways(neighbours(matrix, firsts, 1.0 - eps), len(firsts))
    reach = count + _sums(count[near], starts)
    filled = matrix.starts[firsts + 1] > matrix.starts[firsts]  # without terms: near nothing
    return _spread(starts, near, (reach >= least) & filled)[places]


def _spread(starts: Ints, near: Ints, core: NDArray[np.bool_]) -> Ints:
    """The cluster of each row: what can be reached from core to core, and the edge of it."""
    found = [NOISE] * len(core)
    following = 0
    cores = core.tolist()
    for start in np.flatnonzero(core).tolist():
        if found[start] != NOISE:
            continue
        found[start] = following
        queue = deque([start])
        while queue:
            row = queue.popleft()
            for other in near[starts[row] : starts[row + 1]].tolist():
                if found[other] == NOISE:
                    found[other] = following
                    if cores[other]:
                        queue.append(other)
        following += 1
    return np.array(found, np.int64)


def _both_ways(pairs: Iterator[tuple[Ints, Ints]], count: int) -> tuple[Ints, Ints]:
    """Where the list of each row begins, and the end; the lists of its neighbours, one by one."""
    found = [*pairs, (np.empty(0, np.int64), np.empty(0, np.int64))]
    ones, others = (np.concatenate(side) for side in zip(*found, strict=True))
    rows, near = np.concatenate((ones, others)), np.concatenate((others, ones))
    starts = np.zeros(count + 1, np.int64)
    starts[1:] = np.cumsum(np.bincount(rows, minlength=count))
    return starts, near[np.argsort(rows, kind="stable")]


def neighbours(matrix: Matrix, places: Ints, least: float) -> Iterator[tuple[Ints, Ints]]:
    """Pairs of some rows whose cosine is at least that, by their places among `places`.

    Rows that have no term in common are no pair.
    """
    index = _indexed(matrix, places, least)
    least -= _ROUNDING
    width = len(places)
    table = np.zeros(CELLS + width, np.float32)
    for begin, end in _blocks(index):
        cells = _added(index, begin, end, table)
        # Rows after it have less of what is common than the heaviest of the block.
        floor = least - float(index.common[begin:end].max()) ** 2
        likely = cells[table[cells] >= floor]
        rows, others = np.divmod(likely, width)
        bound = index.common[rows + begin] * index.common[others]
        likely = np.unique(likely[table[likely] + bound >= least])
        sums = table[likely]
        table[cells] = 0.0
        rows, others = likely // width + begin, likely % width
        near = sums + _in_common(index, begin, end, rows, others) >= least
        yield index.order[rows[near]], index.order[others[near]]


@dataclass(frozen=True, slots=True)
class _Index:
    """Rows in the order of how heavy their common terms are, and the rows of each column."""

    order: Ints  # the place of each row among those that were asked for
    common: Floats  # by row: the length of the part that is not in `asked`; 0 for heavy rows
    starts: Ints  # of each row in `asked`, and the end
    asked: Ints  # by entry whose column a row is compared by: where the rows after it begin
    ends: Ints  # and end
    weights: Floats
    rows: NDArray[np.int32]  # column by column, ascending
    values: Floats
    rest_starts: Ints  # of each row in `rest`, and the end
    rest: Ints  # common columns of rows that are not heavy, counted from the cut
    rest_values: Floats
    rest_width: int


def _indexed(matrix: Matrix, places: Ints, least: float) -> _Index:
    own, columns, values = _entries(matrix, places)
    cut = _cut(own, columns, values, len(places), least)
    squares = np.where(columns >= cut, np.square(values, dtype=np.float64), 0.0)
    common = np.sqrt(np.bincount(own, squares, minlength=len(places)))
    order = np.argsort(-common, kind="stable")
    own, columns, values = _entries(matrix, places[order])
    common = common[order]
    heavy = common >= _light(least)
    common[heavy] = 0.0

    by_column = np.argsort(columns, kind="stable")
    after = np.empty(len(own), np.int64)
    after[by_column] = np.arange(1, len(own) + 1)
    column_ends = np.cumsum(np.bincount(columns, minlength=len(matrix.names)))
    asked = (columns < cut) | heavy[own]
    return _Index(
        order,
        common.astype(np.float32),
        _starts(own[asked], len(places)),
        after[asked],
        column_ends[columns[asked]],
        values[asked],
        own[by_column].astype(np.int32),
        values[by_column],
        _starts(own[~asked], len(places)),
        columns[~asked].astype(np.int64) - cut,
        values[~asked],
        len(matrix.names) - cut,
    )


def _cut(own: Ints, columns: NDArray[np.int32], values: Floats, rows: int, least: float) -> int:
    """The first common column: from there on nearly all rows are light."""
    if not len(own):
        return 0
    squares = np.square(values, dtype=np.float64)
    before = np.cumsum(squares) - squares
    whole = np.bincount(own, squares, minlength=rows)
    left = np.cumsum(whole)[own] - before  # of the row, from this entry on
    needed = np.zeros(rows, np.int64)
    rare = left >= (_light(least) - _ROUNDING) ** 2
    np.maximum.at(needed, own[rare], columns[rare] + 1)
    return int(np.sort(needed)[int(LIGHT * (rows - 1))])


def _light(least: float) -> float:
    """Two parts that are shorter do not make a pair near."""
    return float(np.sqrt(max(least - _ROUNDING, 0.0)))


def _blocks(index: _Index) -> Iterator[tuple[int, int]]:
    """Rows that are compared at once: as many as WORK products and CELLS allow."""
    work = _sums(index.ends - index.asked, index.starts).tolist()
    most = max(CELLS // max(len(work), index.rest_width, 1), 1)
    begin = products = 0
    for row, own in enumerate(work):
        if row > begin and (products + own > WORK or row - begin >= most):
            yield begin, row
            begin, products = row, 0
        products += own
    if begin < len(work):
        yield begin, len(work)


def _added(index: _Index, begin: int, end: int, table: Floats) -> Ints:
    """Adds up what each row of a block has in common with those after it; the cells it was put in.

    The table has a line for each row of the block, and a cell in it for each row.
    """
    part = slice(index.starts[begin], index.starts[end])
    lengths = index.ends[part] - index.asked[part]
    lines = np.repeat(np.arange(end - begin), np.diff(index.starts[begin : end + 1]))
    at = _ranges(index.asked[part], lengths)
    cells = np.repeat(lines * len(index.order), lengths)
    cells += index.rows[at]
    products = np.repeat(index.weights[part], lengths)
    products *= index.values[at]
    np.add.at(table, cells, products)
    return cells


def _in_common(index: _Index, begin: int, end: int, rows: Ints, others: Ints) -> Floats:
    """What pairs have in common beside the columns that were asked for."""
    part = slice(index.rest_starts[begin], index.rest_starts[end])
    dense = np.zeros((end - begin, index.rest_width), np.float32)
    counts = np.diff(index.rest_starts)
    dense[np.repeat(np.arange(end - begin), counts[begin:end]), index.rest[part]] = (
        index.rest_values[part]
    )
    found = np.zeros(len(rows), np.float32)
    for start in range(0, len(rows), PAIRS):
        some = slice(start, start + PAIRS)
        lengths = counts[others[some]]
        at = _ranges(index.rest_starts[others[some]], lengths)
        pair = np.repeat(np.arange(len(lengths)), lengths)
        products = dense[rows[some][pair] - begin, index.rest[at]] * index.rest_values[at]
        found[some] = np.bincount(pair, products, minlength=len(lengths))
    return found


def _entries(matrix: Matrix, places: Ints) -> tuple[Ints, NDArray[np.int32], Floats]:
    """The entries of some rows, each with the place of its row among them."""
    lengths = matrix.starts[places + 1] - matrix.starts[places]
    at = _ranges(matrix.starts[places], lengths)
    return np.repeat(np.arange(len(places)), lengths), matrix.columns[at], matrix.values[at]


def _ranges(begins: Ints, lengths: Ints) -> Ints:
    """So many numbers from each beginning on, one range after another."""
    offsets = np.cumsum(lengths) - lengths
    found = np.repeat(begins - offsets, lengths)
    found += np.arange(len(found))
    return found


def _starts(own: Ints, rows: int) -> Ints:
    """Where each row begins among entries in the order of rows, and the end."""
    return np.searchsorted(own, np.arange(rows + 1)).astype(np.int64)


def _sums(numbers: Ints, starts: Ints) -> Ints:
    """The sum of each part."""
    whole = np.concatenate((np.zeros(1, np.int64), np.cumsum(numbers)))
    return np.diff(whole[starts])


def _identical(matrix: Matrix) -> Ints:
    """The first row that is the same, for each: ten thousand copies are looked at once."""
    seen: dict[bytes, int] = {}
    found = np.empty(len(matrix), np.int64)
    for place in range(len(matrix)):
        columns, values = matrix.row(place)
        digest = blake2b(columns.tobytes() + values.tobytes(), digest_size=16).digest()
        found[place] = seen.setdefault(digest, place)
    return found
