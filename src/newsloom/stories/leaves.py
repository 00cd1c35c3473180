"""Vectors in leaves of near ones, so that what is nearest is found without reading them all.

A leaf that is full parts in two. Leaves hold their vectors rounded to eight bits: reading a leaf is
one run through memory, a quarter as long as with single precision. Cosines are off by some .005,
which matters for no more than what is looked at more closely.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from newsloom.stories.rows import Rows, Slots

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
