"""Which hits are looked at: by likeness, no more than have been worth it. Pure.

Seed 002 looked at 40 of each article's hits, and the first right one never stood beyond place 7.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# A hit whose page could not be fetched is shown from this similarity on: of the searched hits, 92%
# were right at .73 of seed 002's encoder.
SHOWN = 0.73

LEAST_PLACES, MOST_PLACES = 5, 40
# So many right hits must be known before fewer places are looked at.
LEAST_SAMPLES = 30
KEPT = 0.95
# Of every so many articles one is looked at to the last place: what is never looked at can never
# be found to be right.
EXPLORED = 10


def likeness(query: NDArray[np.float32], candidates: NDArray[np.float32]) -> NDArray[np.float32]:
    """How surely each row tells of what the query tells: the cosine of unit-length vectors.

    The one place where a probability of the same event can take the cosine's place; the
    thresholds are in its unit.
    """
    if not len(candidates):
        return np.zeros(0, np.float32)
    return np.asarray(candidates @ query, np.float32)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit by its number in the row given."""

    number: int
    similarity: float
    place: int | None  # from 1; None: left out


def ranked(
    similarities: Sequence[float], most: Sequence[int], threshold: float
) -> tuple[Ranked, ...]:
    """All hits, the most alike first. `most` says for each how far down its provider is looked at.

    Equal ones stay in the order they came in.
    """
    order = sorted(range(len(similarities)), key=lambda at: (-similarities[at], at))
    found = []
    for place, number in enumerate(order, start=1):
        similarity = float(similarities[number])
        kept = similarity >= threshold and place <= most[number]
        found.append(Ranked(number, similarity, place if kept else None))
    return tuple(found)


def fitted_places(right: Sequence[int]) -> int:
    """How far down hits are looked at: the fewest places that would have kept 95% of the right.

    `right` are the places at which right hits were found lately.
    """
    if len(right) < LEAST_SAMPLES:
        return MOST_PLACES
    needed = sorted(right)[math.ceil(KEPT * len(right)) - 1]
    return min(max(needed, LEAST_PLACES), MOST_PLACES)


def explores(article: int) -> bool:
    """Whether an article is looked at to the last place, whatever was learned."""
    return article % EXPLORED == 0
