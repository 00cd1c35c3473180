"""How articles are grouped: one row for each way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsloom.topics.dbscan import dbscan
from newsloom.topics.online import estimated, online
from newsloom.topics.tfidf import Matrix
from newsloom.topics.ward import ward


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A name, when to use it, and what gives each row a cluster (-1: none). `k` 0: as it finds."""

    name: str
    when: str
    cluster: Callable[[Matrix, int], NDArray[np.int64]]


ALGORITHMS = (
    Algorithm(
        "dbscan",
        "by default: any number of topics, and what is in none",
        lambda matrix, _k: dbscan(matrix),
    ),
    Algorithm(
        "ward",
        "for so many topics as one asks for",
        lambda matrix, k: ward(matrix, k or estimated(len(matrix))),
    ),
    Algorithm("online", "for a stream: each article as it comes", online),
)


def algorithm(name: str) -> Algorithm:
    """By its name. Raises KeyError."""
    return {one.name: one for one in ALGORITHMS}[name]
