"""Term weights: how often a term is in an article, times how rare it is in what was ingested."""

from __future__ import annotations

import lzma
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from newsloom.articles.terms import terms

Terms = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Idf:
    """In how many of so many articles each term was."""

    articles: int
    counts: Mapping[str, int]

    def weight(self, term: str) -> float:
        """Natural logarithm of the inverse share, plus 1; a term never seen is the rarest."""
        return math.log((1 + self.articles) / (1 + self.counts.get(term, 0))) + 1.0

    def merged(self, articles: int, counts: Mapping[str, int], share: float = 1.0) -> Idf:
        """With what was ingested since; `share` is how much of what was known is kept."""
        found = {term: round(count * share) for term, count in self.counts.items()}
        for term, count in counts.items():
            found[term] = found.get(term, 0) + count
        kept = {term: count for term, count in found.items() if count > 0}
        return Idf(round(self.articles * share) + articles, kept)

    def weighted(self, found: Mapping[str, int]) -> Terms:
        """TF-IDF: (1 + log count) times the weight of the term."""
        return {
            term: (1.0 + math.log(count)) * self.weight(term)
            for term, count in found.items()
            if count > 0
        }


EMPTY = Idf(0, {})


@cache
def shipped() -> Idf:
    """Made of 19,167 articles, nearly all English; lab/scripts/make_idf.py makes it."""
    packed = (resources.files("newsloom.topics") / "data" / "idf.tsv.xz").read_bytes()
    first, *lines = lzma.decompress(packed).decode().splitlines()
    return Idf(int(first), {term: int(n) for term, n in (line.split("\t") for line in lines)})


# Of an article in a group only so many terms speak, the heaviest. With all of them pairs were found
# no better, in ten times the time (adjusted Rand .42 and .42 on allsides_fulltext, .46 and .49 on
# roundups_dated, at their best distances).
SPEAKING = 40
BLOCK = 16  # rows that are multiplied at once


def heaviest(row: Terms, most: int = SPEAKING) -> Terms:
    """The heaviest terms of a row."""
    ranked = sorted(row.items(), key=lambda one: (-one[1], one[0]))
    return dict(ranked[:most])


def weighted_terms(idf: Callable[[], Idf] = shipped) -> Callable[[str, str, str], Terms]:
    """A function of a title, a text and a language: terms by weight."""

    def weigh(title: str, text: str, language: str) -> Terms:
        return idf().weighted(terms(title, text, language))

    return weigh


@dataclass(frozen=True, slots=True)
class Matrix:
    """Sparse rows of length 1, one for each article. Columns are `names`."""

    starts: NDArray[np.int64]  # where each row begins, and the end
    columns: NDArray[np.int32]  # ascending within a row
    values: NDArray[np.float32]
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row(self, place: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The columns and values of one row."""
        part = slice(self.starts[place], self.starts[place + 1])
        return self.columns[part], self.values[part]

    def sum_of(self, places: Sequence[int]) -> NDArray[np.float32]:
        """The dense sum of some rows."""
        found = np.zeros(len(self.names), np.float32)
        for place in places:
            columns, values = self.row(place)
            found[columns] += values
        return found

    def against(self, dense: NDArray[np.float32], places: NDArray[np.int64]) -> NDArray[np.float32]:
        """The dot products of some rows with one dense vector."""
        if not len(places):
            return np.empty(0, np.float32)
        begin, lengths = self.starts[places], self.starts[places + 1] - self.starts[places]
        offsets = np.cumsum(lengths) - lengths
        index = np.arange(int(lengths.sum())) + np.repeat(begin - offsets, lengths)
        products = dense[self.columns[index]] * self.values[index]
        sums = np.zeros(len(places), np.float64)
        filled = lengths > 0
        if filled.any():
            sums[filled] = np.add.reduceat(products, offsets[filled])
        return sums.astype(np.float32)

    def means(self, groups: NDArray[np.int64], sizes: NDArray[np.float64]) -> Matrix:
        """The mean row of each group; the groups are numbered from 0."""
        of = np.repeat(groups, np.diff(self.starts)) * len(self.names) + self.columns
        cells, places = np.unique(of, return_inverse=True)
        rows, columns = np.divmod(cells, max(len(self.names), 1))
        values = np.bincount(places, self.values, minlength=len(cells)) / sizes[rows]
        starts = np.searchsorted(rows, np.arange(len(sizes) + 1))
        return Matrix(starts, columns.astype(np.int32), values.astype(np.float32), self.names)

    def gram(self) -> NDArray[np.float64]:
        """The dot products of all rows with each other."""
        found = np.zeros((len(self), len(self)))
        lengths = np.diff(self.starts)
        for begin in range(0, len(self), BLOCK):
            end = min(begin + BLOCK, len(self))
            block, rest = slice(*self.starts[[begin, end]]), slice(self.starts[begin], None)
            dense = np.zeros((len(self.names), end - begin), np.float32)
            dense[self.columns[block], np.repeat(np.arange(end - begin), lengths[begin:end])] = (
                self.values[block]
            )
            filled = begin + np.flatnonzero(lengths[begin:])
            if len(filled):
                products = dense[self.columns[rest]] * self.values[rest, None]
                offsets = self.starts[filled] - self.starts[begin]
                found[filled, begin:end] = np.add.reduceat(products, offsets)
        return np.tril(found) + np.tril(found, -1).T


def matrix(rows: Iterable[Terms]) -> Matrix:
    """The heaviest terms of each row, of length 1; columns are in the order of their rarity."""
    kept = [heaviest(row) for row in rows]
    counts: dict[str, int] = {}
    for row in kept:
        for term in row:
            counts[term] = counts.get(term, 0) + 1
    names = sorted(counts, key=lambda term: (counts[term], term))
    columns_of = {term: place for place, term in enumerate(names)}
    starts = np.zeros(len(kept) + 1, np.int64)
    starts[1:] = np.cumsum([len(row) for row in kept])
    columns = np.empty(starts[-1], np.int32)
    values = np.empty(starts[-1], np.float32)
    for place, row in enumerate(kept):
        part = slice(starts[place], starts[place + 1])
        own = np.fromiter((columns_of[term] for term in row), np.int32, len(row))
        weights = np.fromiter(row.values(), np.float64, len(row))
        order = np.argsort(own)
        length = float(np.sqrt(weights @ weights)) or 1.0
        columns[part], values[part] = own[order], (weights / length)[order]
    return Matrix(starts, columns, values, names)
