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

from newsloom.stories.leaves import Leaves
from newsloom.stories.prepared import Prepared
from newsloom.stories.rows import Rows, Slots

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
