"""DBSCAN by cosine distance, without a matrix of distances. The labels are scikit-learn's.

A row is compared only with rows that have a term in common with it, through the list of rows of
each term. Blocks of rows fit the processor's cache. Cutting off the common terms by an upper bound
of the cosine (All-Pairs, Bayardo, Ma and Srikant 2007) was no faster up to 10,000 articles, took
half the time for 100,000, and needed 160 lines more: see docs/work/decisions/stories.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
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
Doubles = NDArray[np.float64]
Truth = NDArray[np.bool_]

# Of a block: products of two weights, cells of its table of sums (1.6 MB), and rows at least.
# 500,000 and more cells took up to half as long again. Then pairs that are looked at again at once.
PRODUCTS, CELLS, FEWEST, PAIRS = 400_000, 200_000, 8, 5_000

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
    count = len(places)
    own, at = _entries(matrix, places)
    columns, values = matrix.columns[at], matrix.values[at]
    by_column = np.argsort(columns, kind="stable")
    rows, weights = own[by_column], values[by_column]
    # For each entry: where the rows after its own begin in the list of its column, and how many.
    after = np.empty(len(at), np.int64)
    after[by_column] = np.arange(1, len(at) + 1)
    lengths = np.cumsum(np.bincount(columns, minlength=len(matrix.names)))[columns] - after
    starts = np.searchsorted(own, np.arange(count + 1))
    work = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))[starts]
    begin = 0
    while begin < count:
        end = int(np.searchsorted(work, work[begin] + PRODUCTS, "right")) - 1
        end = min(max(end, begin + 1), begin + max(CELLS // count, FEWEST), count)
        block = slice(starts[begin], starts[end])
        others = _ranges(after[block], lengths[block])
        cells = np.repeat((own[block] - begin) * count, lengths[block]) + rows[others]
        products = np.repeat(values[block], lengths[block]) * weights[others]
        cosines = np.bincount(cells, products, minlength=(end - begin) * count).astype(
            float, copy=False
        )
        likely = np.flatnonzero(cosines >= least - _ROUNDING)
        ones, others = likely // count + begin, likely % count
        near = _near(matrix, places[ones], places[others], cosines[likely], least)
        yield ones[near].astype(np.int32), others[near].astype(np.int32)
        begin = end


def _near(matrix: Matrix, ones: Ints, others: Ints, cosines: Doubles, least: float) -> Truth:
    """Which pairs are near. Those on the edge are looked at again, as scikit-learn does: a distance
    of single precision, of a cosine of double."""
    near = cosines >= least
    edge = np.flatnonzero(np.abs(cosines - least) <= _ROUNDING)
    for start in range(0, len(edge), PAIRS):
        some = edge[start : start + PAIRS]
        exact = _exact(matrix, ones[some], others[some])
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
