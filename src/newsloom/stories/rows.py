"""Prepared articles as columns of numbers, so that one is compared with many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.stories.prepared import COLUMN_BITS, MOST_TERMS, Floats, Prepared

Slots = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Compared:
    """One article beside many: an entry for each of the many."""

    dense: Floats  # cosine of the vectors
    lexical: Floats  # cosine of the weighted terms
    gap: Floats  # days apart; 0 where either is undated
    leads: NDArray[np.bool_]  # whether both have more than a title
    issues: NDArray[np.bool_]  # whether they are different issues of one publisher's series


class Rows:
    """Prepared articles by slot. A slot that was freed is used again."""

    def __init__(self, dimensions: int, room: int = 64) -> None:
        self._vectors = np.zeros((room, dimensions), np.float32)
        self._columns = np.zeros((room, MOST_TERMS), np.int32)
        self._weights = np.zeros((room, MOST_TERMS), np.float32)
        self._days = np.full(room, np.nan)
        self._leads = np.zeros(room, np.bool_)
        self._series = np.zeros(room, np.int64)
        self._issues = np.zeros(room, np.int64)
        # Who is in a slot, and in which story; of free slots they mean nothing.
        self.articles = np.zeros(room, np.int64)
        self.stories = np.zeros(room, np.int64)
        self._free = list(range(room - 1, -1, -1))
        # One article's weights by bucket, zeroed after each use: looking terms up here takes a
        # tenth of the time that intersecting sorted columns does.
        self._scratch = np.zeros(1 << COLUMN_BITS, np.float32)

    @property
    def dimensions(self) -> int:
        """Of the vectors."""
        return int(self._vectors.shape[1])

    @property
    def vectors(self) -> Floats:
        """By slot; rows of free slots mean nothing."""
        return self._vectors

    def add(self, article: Prepared) -> int:
        """The slot. Raises ValueError for a vector of other dimensions."""
        if len(article.vector) != self.dimensions:
            raise ValueError(
                f"A vector has {len(article.vector)} dimensions, the others {self.dimensions}."
            )
        if not self._free:
            self._grow()
        slot, terms = self._free.pop(), len(article.columns)
        self._vectors[slot] = article.vector
        self._columns[slot, :terms] = article.columns
        self._weights[slot, :terms] = article.weights
        self._weights[slot, terms:] = 0.0
        self._days[slot] = article.day
        self._leads[slot] = article.has_lead
        self._series[slot], self._issues[slot] = article.series, article.issue
        self.articles[slot] = article.piece.id
        return slot

    def free(self, slot: int) -> None:
        """Give a slot back."""
        self._free.append(slot)

    def compare(self, article: Prepared, slots: Slots) -> Compared:
        """One article beside those of some slots."""
        self._scratch[article.columns] = article.weights
        # take() copies rows twice as fast as an index does.
        held = self._scratch.take(self._columns.take(slots, 0))
        self._scratch[article.columns] = 0.0
        gap = np.abs(self._days[slots] - article.day)
        gap[np.isnan(gap)] = 0.0
        return Compared(
            dense=self._vectors.take(slots, 0) @ article.vector,
            lexical=np.einsum("ij,ij->i", held, self._weights.take(slots, 0)),
            gap=gap.astype(np.float32),
            leads=self._leads[slots] & article.has_lead,
            issues=self._other_issues(article, slots),
        )

    def _other_issues(self, article: Prepared, slots: Slots) -> NDArray[np.bool_]:
        if not article.series:
            return np.zeros(len(slots), np.bool_)
        mine: NDArray[np.bool_] = self._series[slots] == article.series
        other: NDArray[np.bool_] = self._issues[slots] != article.issue
        return mine & other

    def _grow(self) -> None:
        room = len(self._days)
        self._vectors = _doubled(self._vectors)
        self._columns = _doubled(self._columns)
        self._weights = _doubled(self._weights)
        self._days = _doubled(self._days)
        self._leads = _doubled(self._leads)
        self._series = _doubled(self._series)
        self._issues = _doubled(self._issues)
        self.articles = _doubled(self.articles)
        self.stories = _doubled(self.stories)
        self._free = list(range(2 * room - 1, room - 1, -1))


def rows_of(articles: Sequence[Prepared]) -> tuple[Rows, Slots]:
    """New rows of some articles, at least one, and the slot of each."""
    rows = Rows(len(articles[0].vector), max(len(articles), 1))
    return rows, np.array([rows.add(one) for one in articles], np.int64)


def _doubled(table: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([table, np.zeros_like(table)])
