"""Which of many articles may report what another one reports, without looking at all of them.

Two ways beside each other: those that share its heaviest terms, and those in the leaves of vectors
nearest to its own. What is asked of many articles at once costs hardly more with many active
stories than with few.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from newsloom.stories.prepared import Prepared, Rows, Slots

# Terms by which an article is found, those by which it asks, and articles read of each: a term of
# more is no rare one, and the newest are the likeliest.
HELD_TERMS, ASKED_TERMS, POSTINGS = 24, 12, 32
# What is handed on of the postings, and of the leaves.
BY_TERMS, BY_VECTOR = 48, 48
# A posting is one number, an article's id and its slot: a list of them is one run in memory.
SLOT_BITS = 24


@dataclass(slots=True)
class _Expected:
    """What was looked up for articles before they ask, and those of them that came since."""

    places: dict[int, int]  # article -> row
    found: list[tuple[Slots, NDArray[np.float32]]]  # nearest of those that were there before
    cosines: NDArray[np.float32]  # of each with each
    came: list[int] = field(default_factory=list)  # rows
    slots: list[int] = field(default_factory=list)


class Nearby:
    """Articles by slot, found by their terms and by their vectors.

    What is added is taken into the leaves when somebody asks, in the order of the articles' ids, so
    that the order in which stories are restored changes nothing.
    """

    def __init__(self, dimensions: int) -> None:
        self._leaves = Leaves(dimensions)
        self._postings: dict[int, array[int]] = {}  # term -> id and slot, ascending
        self._waiting: dict[int, int] = {}  # slot -> article
        self._expected: _Expected | None = None

    def add(self, slot: int, article: Prepared) -> None:
        """An article that can be found from now on."""
        own = int(article.piece.id)
        self._waiting[slot] = own
        entry = own << SLOT_BITS | slot
        for term in _held(article):
            held = self._postings.get(term)
            if held is None:
                self._postings[term] = array("q", (entry,))
            elif held[-1] < entry:
                held.append(entry)
            else:
                insort(held, entry)
        expected = self._expected
        if expected is not None:
            if own in expected.places:
                expected.came.append(expected.places[own])
                expected.slots.append(slot)
            else:
                self._expected = None

    def discard(self, slot: int, article: Prepared, rows: Rows) -> None:
        """An article that cannot be found any more."""
        self._expected = None
        entry = int(article.piece.id) << SLOT_BITS | slot
        for term in _held(article):
            held = self._postings[term]
            del held[bisect_left(held, entry)]
            if not held:
                del self._postings[term]
        if self._waiting.pop(slot, None) is None:
            self._leaves.discard(slot, rows)

    def expect(self, articles: Sequence[Prepared], rows: Rows) -> None:
        """These will ask one after the other, and be added in between: what is there already is
        looked up for all of them together. Anything else that is added or discarded undoes it."""
        self._take_in(rows)
        vectors = np.stack([one.vector for one in articles])
        self._expected = _Expected(
            places={int(one.piece.id): place for place, one in enumerate(articles)},
            found=self._leaves.near(vectors, BY_VECTOR),
            cosines=vectors @ vectors.T,
        )

    def near(self, article: Prepared, rows: Rows) -> Slots:
        """Slots of what may report the same, without those that surely do not; ascending."""
        return np.union1d(self._by_vector(article, rows), self._by_terms(article))

    def _by_vector(self, article: Prepared, rows: Rows) -> Slots:
        expected = self._expected
        place = None if expected is None else expected.places.get(int(article.piece.id))
        if expected is None or place is None:
            self._take_in(rows)
            return self._leaves.near(article.vector[None, :], BY_VECTOR)[0][0]
        slots, cosines = expected.found[place]
        if not expected.came:
            return slots
        slots = np.concatenate([slots, np.array(expected.slots, np.int64)])
        cosines = np.concatenate([cosines, expected.cosines[place, expected.came]])
        if len(slots) <= BY_VECTOR:
            return slots
        return slots[np.argpartition(-cosines, BY_VECTOR - 1)[:BY_VECTOR]]

    def _take_in(self, rows: Rows) -> None:
        if not self._waiting:
            return
        self._expected = None
        waiting = sorted((own, slot) for slot, own in self._waiting.items())
        self._waiting = {}
        self._leaves.add([slot for _own, slot in waiting], rows)

    def _by_terms(self, article: Prepared) -> Slots:
        entries: array[int] = array("q")
        many = []
        for term in article.columns[:ASKED_TERMS].tolist():
            held = self._postings.get(term, _NONE)[-POSTINGS:]
            entries += held
            many.append(len(held))
        if not entries:
            return np.empty(0, np.int64)
        slots: Slots = np.frombuffer(entries, np.int64) & ((1 << SLOT_BITS) - 1)
        found, places = np.unique(slots, return_inverse=True)
        if len(found) <= BY_TERMS:
            return found.astype(np.int64, copy=False)
        shared = np.bincount(places, np.repeat(article.weights[: len(many)] ** 2, many))
        return found[np.argpartition(-shared, BY_TERMS - 1)[:BY_TERMS]]


_NONE: array[int] = array("q")


def _held(article: Prepared) -> tuple[int, ...]:
    return tuple(dict.fromkeys(article.columns[:HELD_TERMS].tolist()))


# Vectors in leaves of near ones, so that what is nearest is found without reading them all. A
# leaf that is full parts in two. Leaves hold their vectors rounded to eight bits: reading a leaf
# is one run through memory, a quarter as long as with single precision. Cosines are off by some
# .005, which matters for no more than what is looked at more closely.

Floats = NDArray[np.float32]

# Vectors of a leaf before it is parted, and leaves that are read.
LEAF, READ = 128, 4
# Vectors whose leaves are looked up with one product of matrices.
TOGETHER = 256
_STEPS = 127.0  # of eight bits


class Leaves:
    """Slots of vectors, by where the vectors point."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._codes: list[NDArray[np.int8]] = []
        self._scales: list[Floats] = []
        self._slots: list[Slots] = []
        self._sizes: list[int] = []
        self._sums = np.zeros((16, dimensions), np.float32)
        self._centres = np.zeros((16, dimensions), np.float32)
        self._leaf_of: dict[int, int] = {}
        self._new_leaf()

    def add(self, slots: Sequence[int], rows: Rows) -> None:
        """Some more, each into the leaf whose centre is nearest."""
        for start in range(0, len(slots), TOGETHER):
            some = slots[start : start + TOGETHER]
            vectors = rows.vectors[np.asarray(some, np.int64)]
            leaves = np.argmax(vectors @ self._centres[: len(self._sizes)].T, axis=1).tolist()
            parted: set[int] = set()
            for slot, vector, near in zip(some, vectors, leaves, strict=True):
                leaf = near
                if leaf in parted:  # it is not what it was
                    leaf = int(np.argmax(self._centres[: len(self._sizes)] @ vector))
                self._put(leaf, slot, vector)
                if self._sizes[leaf] > LEAF:
                    parted |= {leaf, len(self._sizes)}
                    self._part(leaf, rows)

    def discard(self, slot: int, rows: Rows) -> None:
        """One less."""
        leaf = self._leaf_of.pop(slot)
        size = self._sizes[leaf] = self._sizes[leaf] - 1
        place = int(np.flatnonzero(self._slots[leaf][: size + 1] == slot)[0])
        for column in (self._codes, self._scales, self._slots):
            held = column[leaf]
            held[place] = held[size]
        left = self._sums[leaf] - rows.vectors[slot]
        self._centre(leaf, left if size else np.zeros_like(left))

    def near(self, vectors: Floats, most: int) -> list[tuple[Slots, Floats]]:
        """For each row of `vectors`: slots of the nearest vectors in the nearest leaves, and their
        cosines; in no order."""
        found = []
        for start in range(0, len(vectors), TOGETHER):
            some = vectors[start : start + TOGETHER]
            order = _highest(some @ self._centres[: len(self._sizes)].T, READ)
            for vector, leaves in zip(some, order.tolist(), strict=True):
                found.append(self._nearest(vector, leaves, most))
        return found

    def _nearest(self, vector: Floats, leaves: list[int], most: int) -> tuple[Slots, Floats]:
        sizes = self._sizes
        codes = np.concatenate([self._codes[one][: sizes[one]] for one in leaves])
        scales = np.concatenate([self._scales[one][: sizes[one]] for one in leaves])
        slots = np.concatenate([self._slots[one][: sizes[one]] for one in leaves])
        cosines: Floats = (codes.astype(np.float32) @ vector) * scales
        if len(slots) > most:
            chosen = np.argpartition(-cosines, most - 1)[:most]
            slots, cosines = slots[chosen], cosines[chosen]
        return slots, cosines

    def _new_leaf(self) -> int:
        self._codes.append(np.empty((LEAF + 1, self._dimensions), np.int8))
        self._scales.append(np.empty(LEAF + 1, np.float32))
        self._slots.append(np.empty(LEAF + 1, np.int64))
        self._sizes.append(0)
        if len(self._sizes) > len(self._centres):
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)])
            self._centres = np.concatenate([self._centres, np.zeros_like(self._centres)])
        return len(self._sizes) - 1

    def _put(self, leaf: int, slot: int, vector: Floats) -> None:
        place = self._sizes[leaf]
        highest = float(np.abs(vector).max())
        self._codes[leaf][place] = np.rint(vector * (_STEPS / highest))
        self._scales[leaf][place] = highest / _STEPS
        self._slots[leaf][place] = slot
        self._sizes[leaf] = place + 1
        self._leaf_of[slot] = leaf
        self._centre(leaf, self._sums[leaf] + vector)

    def _centre(self, leaf: int, total: Floats) -> None:
        self._sums[leaf] = total
        self._centres[leaf] = total / (float(np.linalg.norm(total)) or 1.0)

    def _part(self, leaf: int, rows: Rows) -> None:
        size, new = self._sizes[leaf], self._new_leaf()
        slots = self._slots[leaf][:size].copy()
        vectors = rows.vectors[slots]
        other = _parted(vectors)
        if other.all() or not other.any():  # all alike: halves, lest it is tried at every one
            other = np.arange(size) % 2 == 1
        codes, scales = self._codes[leaf][:size].copy(), self._scales[leaf][:size].copy()
        for place, mine in ((leaf, ~other), (new, other)):
            many = self._sizes[place] = int(mine.sum())
            self._codes[place][:many] = codes[mine]
            self._scales[place][:many] = scales[mine]
            self._slots[place][:many] = slots[mine]
            self._centre(place, vectors[mine].sum(axis=0))
        self._leaf_of.update(dict.fromkeys(slots[other].tolist(), new))


def _highest(values: Floats, most: int) -> NDArray[np.int64]:
    """The places of the highest values of each row, few of many; `values` are spent. Looking for
    the highest again and again takes a tenth of the time of parting thousands of values."""
    found = np.empty((len(values), min(most, values.shape[1])), np.int64)
    rows = np.arange(len(values))
    for place in range(found.shape[1]):
        found[:, place] = np.argmax(values, axis=1)
        values[rows, found[:, place]] = -np.inf
    return found


def _parted(vectors: Floats) -> NDArray[np.bool_]:
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


def _direction(vectors: Floats) -> Floats:
    total: Floats = vectors.sum(axis=0)
    return total / np.float32(np.linalg.norm(total) or 1.0)
