"""Spherical k-means of a stream: each article goes to the nearest centre, or opens one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from newsloom.topics.tfidf import Matrix

# Centres at most where nothing is known of earlier windows: the square root of half the articles
# (Mardia 1979), which is near what DBSCAN finds in a day of news.
FEWEST = 8

# Nearer than this to no centre, an article opens one while there is room.
NEAR = 0.25
# Terms that a centre keeps, the heaviest.
TERMS = 200


def estimated(articles: int) -> int:
    """How many topics so many articles have."""
    return max(FEWEST, round(math.sqrt(articles / 2)))


@dataclass
class Stream:
    """Centres that move as articles come. Never more than `k`."""

    k: int
    centres: list[dict[str, float]] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, row: Mapping[str, float]) -> int:
        """The topic of one article, whose terms are a vector of length 1; the centre moves."""
        dots = [_dot(row, centre) for centre in self.centres]
        best = max(range(len(dots)), key=lambda one: (dots[one], -one), default=-1)
        if best < 0 or (dots[best] < NEAR and len(self.centres) < self.k):
            self.centres.append(dict(row))
            self.counts.append(1)
            return len(self.centres) - 1
        self.counts[best] += 1
        self.centres[best] = _moved(self.centres[best], row, 1.0 / self.counts[best])
        return best


def online(matrix: Matrix, k: int) -> NDArray[np.int64]:
    """The topic of each row, taken one after the other; k of them at most (0: estimated)."""
    stream = Stream(k or estimated(len(matrix)))
    found = np.empty(len(matrix), np.int64)
    for place in range(len(matrix)):
        columns, values = matrix.row(place)
        names = (matrix.names[one] for one in columns.tolist())
        found[place] = stream.add(dict(zip(names, values.tolist(), strict=True)))
    return found


def _dot(row: Mapping[str, float], centre: Mapping[str, float]) -> float:
    return sum(value * centre.get(term, 0.0) for term, value in row.items())


def _moved(centre: Mapping[str, float], row: Mapping[str, float], step: float) -> dict[str, float]:
    found = {term: (1.0 - step) * value for term, value in centre.items()}
    for term, value in row.items():
        found[term] = found.get(term, 0.0) + step * value
    if len(found) > TERMS:
        kept = sorted(found.items(), key=lambda one: (-one[1], one[0]))[:TERMS]
        found = dict(kept)
    length = math.sqrt(sum(value * value for value in found.values())) or 1.0
    return {term: value / length for term, value in found.items()}
