"""Words and word pairs of an article, hashed into a fixed number of columns. Pure numpy.

Hashing keeps what is shipped small and free of any vocabulary: with 8,192 columns cross-validated
kappa was .870 by random folds and .841 by source, with 7,786 exact ones .866 and .846.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.learning.lbfgs import Floats

COLUMNS = 8_192

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[?!:|…\"]")


@dataclass(frozen=True, slots=True, eq=False)
class Sparse:
    """Rows of few columns each. No row is empty: see `hashed`."""

    starts: NDArray[np.intp]  # where each row begins
    columns: NDArray[np.intp]
    values: Floats

    def __len__(self) -> int:
        return len(self.starts)

    def times(self, weights: Floats) -> Floats:
        """Rows times a (COLUMNS, k) matrix."""
        products = self.values[:, None] * weights[self.columns]
        return np.asarray(np.add.reduceat(products, self.starts, axis=0))

    def transposed_times(self, rows: Floats) -> Floats:
        """The transpose times an (n, k) matrix."""
        counts = np.diff(np.append(self.starts, len(self.columns)))
        spread = np.repeat(rows, counts, axis=0) * self.values[:, None]
        columns = (np.bincount(self.columns, one, minlength=COLUMNS) for one in spread.T)
        return np.stack(list(columns), axis=1)

    def take(self, rows: NDArray[np.intp]) -> Sparse:
        """Those rows, in that order."""
        ends = np.append(self.starts, len(self.columns))
        pieces = [np.arange(ends[row], ends[row + 1]) for row in rows]
        places = np.concatenate(pieces)
        starts = np.append(0, np.cumsum([len(piece) for piece in pieces]))[:-1]
        return Sparse(starts, self.columns[places], self.values[places])


def hashed(titles: Sequence[str], texts: Sequence[str]) -> Sparse:
    """Signed logarithmic counts. At least one article, please."""
    rows = [_row(title, text) for title, text in zip(titles, texts, strict=True)]
    lengths = [len(row) for row in rows]
    return Sparse(
        np.append(0, np.cumsum(lengths))[:-1],
        np.array([column for row in rows for column in row], np.intp),
        np.array([value for row in rows for value in row.values()], np.float64),
    )


def rarity(counts: Sparse) -> Floats:
    """How much a column counts: the logarithm of how few articles have it."""
    holders = np.bincount(counts.columns, minlength=COLUMNS)
    return np.asarray(1.0 + np.log((1.0 + len(counts)) / (1.0 + holders)))


def weighted(counts: Sparse, rarities: Floats) -> Sparse:
    """Counts times rarity, every row of unit length."""
    values = counts.values * rarities[counts.columns]
    lengths = np.sqrt(np.add.reduceat(values * values, counts.starts))
    each = np.repeat(lengths, np.diff(np.append(counts.starts, len(values))))
    return Sparse(counts.starts, counts.columns, values / np.maximum(each, 1e-9))


def _row(title: str, text: str) -> dict[int, float]:
    row: dict[int, float] = {}
    for gram, count in Counter([*_grams(title), *_grams(text)]).items():
        code = zlib.crc32(gram.encode())
        # The sign bit lets colliding grams cancel instead of adding up.
        sign = 1.0 if code >> 31 else -1.0
        column = code % COLUMNS
        row[column] = row.get(column, 0.0) + sign * (1.0 + math.log(count))
    return row


def _grams(text: str) -> Iterator[str]:
    """Words and pairs, numbers all alike, ends marked: even nothing has the pair of its ends."""
    words = ["#" if token.isdigit() else token.lower() for token in _TOKEN.findall(text)]
    yield from words
    marked = ["^", *words, "$"]
    for first, second in pairwise(marked):
        yield f"{first} {second}"
