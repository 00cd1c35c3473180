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
# seen in development, and near it for what was not. See docs/work/quality.md.
EPS, LEAST = 0.6, 2
NOISE = -1

Ints = NDArray[np.int64]
Places = NDArray[np.int32]
Floats = NDArray[np.float32]
Truth = NDArray[np.bool_]

# Of a block of rows: products, cells of its table of sums (2 MB), and pairs looked at at once. What
# fits into the processor's cache is fastest: 500,000 products took half as long again.
WORK, CELLS, PAIRS = 100_000, 500_000, 5_000

# Rows whose entries are gone through at once.
PORTION = 5_000

# The share of rows whose common terms are light enough for the cut. At .9 and .999 the products of
# 100,000 made-up articles were a sixth and a third more.
LIGHT = 0.98

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


def _spread(starts: Ints, near: Places, core: Truth) -> Ints:
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


def _both_ways(pairs: Iterator[tuple[Places, Places]], count: int) -> tuple[Ints, Places]:
    """Where the list of each row begins, and the end; the lists of its neighbours, one by one."""
    none = np.empty(0, np.int32)
    found = [(none, none), *pairs]
    rows = np.concatenate([side for one in found for side in one])
    near = np.concatenate([side for one in found for side in reversed(one)])
    starts = np.zeros(count + 1, np.int64)
    starts[1:] = np.cumsum(np.bincount(rows, minlength=count))
    return starts, near[np.argsort(rows, kind="stable")]


def neighbours(matrix: Matrix, places: Ints, least: float) -> Iterator[tuple[Places, Places]]:
    """Pairs of some rows whose cosine is at least that, by their places among `places`.

    Rows that have no term in common are no pair.
    """
    index = _indexed(matrix, places, least)
    likely_least = least - _ROUNDING
    table = np.zeros(CELLS + len(places), np.float32)
    for begin, end in _blocks(index):
        block = index.entries(begin, end)
        cells = _added(index, block, begin, table)
        width = len(places) - begin
        # Rows after it have less of what is common than the heaviest of the block.
        floor = likely_least - float(index.common[begin:end].max()) ** 2
        likely = cells[table[cells] >= floor]
        lines, others = np.divmod(likely, width)
        bound = index.common[lines + begin] * index.common[others + begin]
        likely = np.unique(likely[table[likely] + bound >= likely_least])
        sums = table[likely]
        table[cells] = 0.0
        lines, others = likely // width, likely % width + begin
        cosines = sums + _in_common(index, block, lines, others)
        lines += begin
        near = _near(index, lines, others, cosines, least)
        yield index.order[lines[near]], index.order[others[near]]


@dataclass(frozen=True, slots=True)
class _Entries:
    """The entries of some rows: the place of the row among them, column and value."""

    own: Ints
    columns: Places
    values: Floats
    lists: Ints  # where in the list of the column the rows after it begin
    lengths: Ints  # and how many they are; 0 where the column is not asked for
    rest: Truth  # not asked for


@dataclass(frozen=True, slots=True)
class _Index:
    """Rows in the order of how heavy their common terms are, and the rows of each column.

    Rows are named by their rank in that order, and the heavy ones come first.
    """

    matrix: Matrix
    places: Ints  # of the rows, by rank, in the matrix
    order: Places  # the same among those that were asked for
    heavy: int  # how many
    cut: int  # the first common column
    common: Floats  # by rank: the length of the common terms; 0 where all terms are compared
    after: Places  # by entry of the matrix: where in the lists the rows after it begin
    ends: Ints  # of the list of each column
    ranks: Places  # column by column, ascending
    values: Floats

    def entries(self, begin: int, end: int) -> _Entries:
        """Those of the rows of some ranks."""
        own, at = _entries(self.matrix, self.places[begin:end])
        columns = self.matrix.columns[at]
        lists = self.after[at].astype(np.int64)
        asked = (columns < self.cut) | (own + begin < self.heavy)
        lengths = np.where(asked, self.ends[columns] - lists, 0)
        return _Entries(own, columns, self.matrix.values[at], lists, lengths, ~asked)


def _indexed(matrix: Matrix, places: Ints, least: float) -> _Index:
    cut = _cut(matrix, places, least)
    common = _lengths(matrix, places, cut)
    order = np.argsort(-common, kind="stable")
    common = common[order]
    heavy = int((common >= _light(least)).sum())
    common[:heavy] = 0.0
    after, ranks, values = _lists(matrix, places[order])
    ends = np.cumsum(np.bincount(matrix.columns, minlength=len(matrix.names)))
    return _Index(
        matrix, places[order], order.astype(np.int32), heavy, cut, common.astype(np.float32),
        after, ends, ranks, values,
    )  # fmt: skip


def _lists(matrix: Matrix, places: Ints) -> tuple[Places, Places, Floats]:
    """For each entry its place after, and the ranks and values, column by column.

    Rows that are not among `places` have rank -1: they stand before the others, so no row's list of
    those after it has them. In as little memory as it can be, for this is the peak of it all.
    """
    rank = np.full(len(matrix), -1, np.int32)
    rank[places] = np.arange(len(places))
    ranks = np.repeat(rank, np.diff(matrix.starts))
    keys = matrix.columns.astype(np.int64)
    keys *= len(matrix) + 1
    keys += ranks
    order = np.argsort(keys)
    del keys
    after = np.empty(len(order), np.int32)
    after[order] = np.arange(1, len(order) + 1, dtype=np.int32)
    return after, ranks[order], matrix.values[order]


def _cut(matrix: Matrix, places: Ints, least: float) -> int:
    """The first common column: from there on nearly all rows are light."""
    needed = np.zeros(len(places), np.int64)
    light = (_light(least) - _ROUNDING) ** 2
    for begin, own, at in _portions(matrix, places):
        squares = np.square(matrix.values[at], dtype=np.float64)
        whole = np.cumsum(np.bincount(own, squares))
        left = whole[own] - np.cumsum(squares) + squares  # of the row, from this entry on
        rare = left >= light
        np.maximum.at(needed, own[rare] + begin, matrix.columns[at[rare]] + 1)
    return int(np.sort(needed)[int(LIGHT * (len(needed) - 1))]) if len(needed) else 0


def _lengths(matrix: Matrix, places: Ints, cut: int) -> NDArray[np.float64]:
    """Of the common terms of each row."""
    found = np.zeros(len(places))
    for begin, own, at in _portions(matrix, places):
        squares = np.square(matrix.values[at], dtype=np.float64)
        squares[matrix.columns[at] < cut] = 0.0
        sums = np.bincount(own, squares)
        found[begin : begin + len(sums)] = np.sqrt(sums)
    return found


def _light(least: float) -> float:
    """Two parts that are shorter do not make a pair near."""
    return float(np.sqrt(max(least - _ROUNDING, 0.0)))


def _blocks(index: _Index) -> Iterator[tuple[int, int]]:
    """Rows that are compared at once: as many as WORK products and CELLS allow."""
    rows, common = len(index.places), len(index.matrix.names) - index.cut
    begin = products = 0
    for start in range(0, rows, PORTION):
        end = min(start + PORTION, rows)
        entries = index.entries(start, end)
        work = np.bincount(entries.own, entries.lengths, minlength=end - start)
        for row, own in enumerate(work.astype(np.int64).tolist(), start):
            cells = (row + 1 - begin) * max(rows - begin, common)
            if row > begin and (products + own > WORK or cells > CELLS):
                yield begin, row
                begin, products = row, 0
            products += own
    if begin < rows:
        yield begin, rows


def _added(index: _Index, block: _Entries, begin: int, table: Floats) -> Ints:
    """Adds up what each row of a block has in common with those after it; the cells it was put in.

    The table has a line for each row of the block, and a cell in it for each row from there on.
    """
    width = len(index.places) - begin
    at = _ranges(block.lists, block.lengths)
    cells = np.repeat(block.own * width - begin, block.lengths)
    cells += index.ranks[at]
    products = np.repeat(block.values, block.lengths)
    products *= index.values[at]
    np.add.at(table, cells, products)
    return cells


def _in_common(index: _Index, block: _Entries, lines: Ints, others: Ints) -> Floats:
    """What pairs have in common beside the columns that were asked for."""
    found = np.zeros(len(lines), np.float32)
    if not len(lines):
        return found
    matrix, cut = index.matrix, index.cut
    dense = np.zeros((int(block.own[-1]) + 1, len(matrix.names) - cut), np.float32)
    dense[block.own[block.rest], block.columns[block.rest] - cut] = block.values[block.rest]
    for start in range(0, len(lines), PAIRS):
        some = slice(start, start + PAIRS)
        pair, at = _entries(matrix, index.places[others[some]])
        columns = matrix.columns[at]
        rest = columns >= cut
        pair, at = pair[rest], at[rest]
        products = dense[lines[some][pair], columns[rest] - cut] * matrix.values[at]
        found[some] = np.bincount(pair, products, minlength=len(found[some]))
    return found


def _near(index: _Index, ones: Ints, others: Ints, cosines: Floats, least: float) -> Truth:
    """Which pairs are near. Those on the edge are looked at again, in double precision, and then as
    scikit-learn does: a distance of single precision."""
    near = cosines >= least
    edge = np.flatnonzero(np.abs(cosines - least) <= _ROUNDING)
    for start in range(0, len(edge), PAIRS):
        some = edge[start : start + PAIRS]
        exact = _exact(index.matrix, index.places[ones[some]], index.places[others[some]])
        near[some] = (1.0 - exact).astype(np.float32) <= np.float32(1.0 - least)
    return near


def _exact(matrix: Matrix, ones: Ints, others: Ints) -> NDArray[np.float64]:
    """The cosines of pairs, in double precision."""
    (left, left_at), (right, right_at) = (_entries(matrix, places) for places in (ones, others))
    left = left * len(matrix.names) + matrix.columns[left_at]  # a number for each pair and column
    right = right * len(matrix.names) + matrix.columns[right_at]
    both, lefts, rights = np.intersect1d(left, right, assume_unique=True, return_indices=True)
    products = matrix.values[left_at[lefts]].astype(np.float64) * matrix.values[right_at[rights]]
    pair = both // len(matrix.names)
    return np.bincount(pair, products, minlength=len(ones)).astype(np.float64)


def _portions(matrix: Matrix, places: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """The entries of some rows, a portion of rows at once: the first of it, and `_entries`."""
    for begin in range(0, len(places), PORTION):
        yield begin, *_entries(matrix, places[begin : begin + PORTION])


def _entries(matrix: Matrix, places: Ints) -> tuple[Ints, Ints]:
    """The entries of some rows: of each the place of its row among them, and its own."""
    lengths = matrix.starts[places + 1] - matrix.starts[places]
    return np.repeat(np.arange(len(places)), lengths), _ranges(matrix.starts[places], lengths)


def _ranges(begins: Ints, lengths: Ints) -> Ints:
    """So many numbers from each beginning on, one range after another."""
    offsets = np.cumsum(lengths) - lengths
    found = np.repeat(begins - offsets, lengths)
    found += np.arange(len(found))
    return found


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
