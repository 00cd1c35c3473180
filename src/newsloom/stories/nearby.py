"""Which of many articles may report what another one reports, without looking at all of them.

Two ways beside each other: those that share its heaviest terms, and those in the leaves of vectors
nearest to its own.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from heapq import nlargest

import numpy as np
from numpy.typing import NDArray

from newsloom.stories.prepared import Prepared
from newsloom.stories.rows import Rows

# Terms by which an article is found, those by which it asks, and articles read of each: a term of
# more is no rare one, and the newest are the likeliest.
HELD_TERMS, ASKED_TERMS, POSTINGS = 24, 12, 32
# What is handed on of the postings, and of the leaves.
BY_TERMS, BY_VECTOR = 48, 48
# Vectors of a leaf before it is parted, and leaves that are read.
LEAF, READ = 128, 4


class Leaves:
    """Vectors in leaves of near ones. A leaf that is full parts in two."""

    def __init__(self, dimensions: int) -> None:
        self._leaves: list[list[int]] = [[]]
        self._sums = np.zeros((16, dimensions), np.float32)
        self._centres = np.zeros((16, dimensions), np.float32)
        self._leaf_of: dict[int, int] = {}

    def add(self, slot: int, rows: Rows) -> None:
        """One more, into the leaf whose centre is nearest."""
        vector = rows.vectors[slot]
        leaf = int(np.argmax(self._centres[: len(self._leaves)] @ vector))
        self._leaves[leaf].append(slot)
        self._leaf_of[slot] = leaf
        self._centre(leaf, self._sums[leaf] + vector)
        if len(self._leaves[leaf]) > LEAF:
            self._part(leaf, rows)

    def discard(self, slot: int, rows: Rows) -> None:
        """One less."""
        leaf = self._leaf_of.pop(slot)
        self._leaves[leaf].remove(slot)
        left = self._sums[leaf] - rows.vectors[slot]
        self._centre(leaf, left if self._leaves[leaf] else np.zeros_like(left))

    def near(self, vector: NDArray[np.float32], rows: Rows, most: int) -> list[int]:
        """Slots of the nearest vectors in the nearest leaves."""
        order = _highest(self._centres[: len(self._leaves)] @ vector, READ)
        slots = np.array([slot for leaf in order for slot in self._leaves[leaf]], np.int64)
        if not len(slots):
            return []
        chosen = _highest(rows.vectors[slots] @ vector, most)
        return [int(slots[place]) for place in chosen]

    def _centre(self, leaf: int, total: NDArray[np.float32]) -> None:
        self._sums[leaf] = total
        self._centres[leaf] = total / (float(np.linalg.norm(total)) or 1.0)

    def _part(self, leaf: int, rows: Rows) -> None:
        slots = np.array(self._leaves[leaf], np.int64)
        other = _parted(rows.vectors[slots])
        if other.all() or not other.any():  # all alike: halves, lest it is tried at every one
            other = np.arange(len(slots)) % 2 == 1
        if len(self._leaves) == len(self._centres):
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)])
            self._centres = np.concatenate([self._centres, np.zeros_like(self._centres)])
        new = len(self._leaves)
        self._leaves[leaf] = slots[~other].tolist()
        self._leaves.append(slots[other].tolist())
        for place in (leaf, new):
            self._centre(place, rows.vectors[self._leaves[place]].sum(axis=0))
        self._leaf_of.update(dict.fromkeys(self._leaves[new], new))


class Nearby:
    """Articles by slot, found by their terms and by their vectors.

    What is added is taken in when somebody asks, in the order of the articles' ids, so that the
    order in which stories are restored changes nothing.
    """

    def __init__(self, dimensions: int) -> None:
        self._leaves = Leaves(dimensions)
        self._postings: dict[int, list[tuple[int, int]]] = {}  # term -> (article id, slot), sorted
        self._waiting: dict[int, Prepared] = {}

    def add(self, slot: int, article: Prepared) -> None:
        """An article that can be found from now on."""
        self._waiting[slot] = article

    def discard(self, slot: int, article: Prepared, rows: Rows) -> None:
        """An article that cannot be found any more."""
        if self._waiting.pop(slot, None) is not None:
            return
        self._leaves.discard(slot, rows)
        entry = (int(article.piece.id), slot)
        for term in article.columns[:HELD_TERMS].tolist():
            held = self._postings.get(term, [])
            place = bisect_left(held, entry)
            if place < len(held) and held[place] == entry:
                del held[place]
            if not held:
                self._postings.pop(term, None)

    def near(self, article: Prepared, rows: Rows) -> list[int]:
        """Slots of what may report the same, without those that surely do not; in no order."""
        self._take_in(rows)
        found = dict.fromkeys(self._leaves.near(article.vector, rows, BY_VECTOR))
        found.update(dict.fromkeys(self._by_terms(article)))
        return list(found)

    def _take_in(self, rows: Rows) -> None:
        if not self._waiting:
            return
        waiting = sorted(self._waiting.items(), key=lambda one: (one[1].piece.id, one[0]))
        self._waiting = {}
        for slot, article in waiting:
            self._leaves.add(slot, rows)
            entry = (int(article.piece.id), slot)
            for term in dict.fromkeys(article.columns[:HELD_TERMS].tolist()):
                insort(self._postings.setdefault(term, []), entry)

    def _by_terms(self, article: Prepared) -> list[int]:
        shared: dict[int, float] = {}
        asked = min(ASKED_TERMS, len(article.columns))
        for term, weight in zip(
            article.columns[:asked].tolist(), article.weights[:asked].tolist(), strict=True
        ):
            for _, slot in self._postings.get(term, ())[-POSTINGS:]:
                shared[slot] = shared.get(slot, 0.0) + weight * weight
        return nlargest(BY_TERMS, shared, key=shared.__getitem__)


def _highest(values: NDArray[np.float32], most: int) -> NDArray[np.int64]:
    """The places of the highest values."""
    if len(values) <= most:
        return np.arange(len(values))
    return np.argpartition(-values, most - 1)[:most]


def _parted(vectors: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which belong to the second of two groups: two means, from two vectors far apart."""
    first = vectors[int(np.argmin(vectors @ vectors.sum(axis=0)))]
    second = vectors[int(np.argmin(vectors @ first))]
    other = np.zeros(len(vectors), np.bool_)
    for _ in range(5):
        other = vectors @ second > vectors @ first
        if other.all() or not other.any():
            break
        first, second = (_direction(vectors[~other]), _direction(vectors[other]))
    return other


def _direction(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    total: NDArray[np.float32] = vectors.sum(axis=0)
    return total / np.float32(np.linalg.norm(total) or 1.0)
