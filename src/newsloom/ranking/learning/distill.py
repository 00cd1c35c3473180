"""A time-sensitivity head made of what a language model said, and whether it is any better. Pure.

It is held to the shipped head: what some hundred ratings say nothing of stays as it was. Judged by
folds of whole sources against the head in force, on articles that one was not trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.learning import ordinal, sensitivity
from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.learning.sensitivity import SensitivityHead
from newsloom.ranking.ports import Vectors
from newsloom.ranking.values.models import ArticleText

# Held to a head that had never seen the 1,000 given articles, 300 of them took its rank probability
# score on other sources from .074 to .068 and from .086 to .078 in two draws; 100 to .079 and .084.
# Ten of a class leave two to judge by in each fold.
NEEDED = 300
NEEDED_OF_EACH = 10

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Taught:
    """Articles a language model rated, with their vectors."""

    articles: tuple[ArticleText, ...]
    vectors: Vectors
    ratings: tuple[int, ...]

    @property
    def sources(self) -> list[str]:
        return [one.source for one in self.articles]

    def take(self, rows: Rows) -> Taught:
        return Taught(
            tuple(self.articles[row] for row in rows),
            self.vectors[rows],
            tuple(self.ratings[row] for row in rows),
        )


@dataclass(frozen=True, slots=True)
class Quality:
    """How near a head comes to the ratings."""

    rank_probability_score: float
    quadratic_weighted_kappa: float
    found_5: float  # nan where there is none


@dataclass(frozen=True, slots=True)
class Comparison:
    """The new head beside the one in force, on the same articles."""

    judged_on: int
    new: Quality
    old: Quality

    @property
    def not_worse(self) -> bool:
        return self.new.rank_probability_score <= self.old.rank_probability_score


def counts(ratings: Sequence[int]) -> tuple[int, ...]:
    """How many of 1 to 5."""
    return tuple(list(ratings).count(level) for level in range(1, ordinal.LEVELS + 1))


def enough(ratings: Sequence[int]) -> bool:
    """Whether there is enough to train and judge on."""
    return len(ratings) >= NEEDED and min(counts(ratings)) >= NEEDED_OF_EACH


def unseen(taught: Taught, in_force: SensitivityHead) -> Rows:
    """The rows that head was not trained on."""
    seen = in_force.trained_on([one.title for one in taught.articles])
    return np.flatnonzero(~seen)


def learned(taught: Taught, shipped: SensitivityHead) -> SensitivityHead:
    """The head of those ratings."""
    return sensitivity.train(
        taught.articles, taught.vectors, taught.ratings, taught.sources, shipped
    )


def compared(
    taught: Taught, rows: Rows, shipped: SensitivityHead, in_force: SensitivityHead
) -> Comparison:
    """On those rows; the new head's answers come from heads that saw nothing of their source."""
    ratings = np.array(taught.ratings, np.intp)
    new = np.empty((len(ratings), ordinal.LEVELS))
    for held in filter(len, ordinal.group_folds(ratings, taught.sources)):
        part, rest = taught.take(held), np.setdiff1d(np.arange(len(ratings)), held)
        new[held] = learned(taught.take(rest), shipped).chances(part.articles, part.vectors)
    judged = taught.take(rows)
    old = in_force.chances(judged.articles, judged.vectors)
    return Comparison(len(rows), _quality(new[rows], ratings[rows]), _quality(old, ratings[rows]))


def _quality(chances: Floats, ratings: Rows) -> Quality:
    said = ordinal.decide(chances)
    live = ratings == ordinal.LEVELS
    return Quality(
        ordinal.rank_probability_score(ratings, chances),
        ordinal.quadratic_weighted_kappa(ratings, said),
        float((said[live] == ordinal.LEVELS).mean()) if live.any() else float("nan"),
    )
