"""What the head sees of an article: its vector, curves along it, its words, where it came from.

Pure numbers; knows no labels. A line through the vectors alone says "the more of this the better".
A reader who likes two unlike things needs more, which products of the vectors' main directions
give: of what was tried (kernels on landmarks, a second layer) they brought most and are kept in
fewest bytes. docs/work/quality.md has the ablation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from newsloom.kernel.ids import FeedId
from newsloom.ranking.encoder_text import LEAD
from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.learning.terms import Vocabulary, counted, learned
from newsloom.ranking.ports import Vectors
from newsloom.ranking.values.models import ArticleText

Key = TypeVar("Key", bound=Hashable)

# Main directions whose products are columns: on the simulated readers with 1,000 labels 24 gave
# .617 of average precision, 32 .618, 64 .620 at four times the columns, none .610.
DIRECTIONS = 32

# Words with a weight each, those of most labels first: 5,000 did as well as all 20,000.
MOST_WORDS = 5_000

# A feed, category or source gets a column from this many labels on.
MIN_MEMBERS = 3


@dataclass(frozen=True, slots=True)
class Mix:
    """How much each group of columns counts beside the unit vector; 0 leaves it out."""

    curves: float = 2.0  # with SETTLED labels or more
    words: float = 1.0
    # A feed may tip an article over, not outvote what it says.
    places: float = 0.5


MIX = Mix()

# Directions found in fewer labels are mostly chance: their products count less, by the root.
SETTLED = 200


def mix_for(labels: int, mix: Mix = MIX) -> Mix:
    """The mix for so many labels."""
    return replace(mix, curves=mix.curves * min(1.0, labels / SETTLED) ** 0.5)


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """The main directions of some vectors, and their middle along each."""

    directions: Floats  # (k, dimensions), rows of unit length
    middle: Floats  # (k,)

    def along(self, rows: Floats) -> Floats:
        """Where each row lies along each direction, the same whatever rows stand beside it."""
        return np.asarray(
            np.einsum("ij,kj->ik", rows, self.directions, optimize=False) - self.middle
        )


@dataclass(frozen=True, slots=True)
class Places:
    """The feeds, categories and sources that have a column each."""

    feeds: tuple[FeedId, ...]
    categories: tuple[str, ...]
    sources: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.feeds) + len(self.categories) + len(self.sources)

    def columns(self, articles: Sequence[ArticleText], categories: Sequence[str]) -> Floats:
        """One where an article is of that place."""
        feeds = [[one.feed_id == feed for feed in self.feeds] for one in articles]
        groups = [[one == name for name in self.categories] for one in categories]
        sources = [[one.source == name for name in self.sources] for one in articles]
        return np.hstack([np.array(one, np.float64) for one in (feeds, groups, sources)])


def unit(vectors: Vectors) -> Floats:
    """Vectors as rows to compute with, whatever numbers they hold."""
    return np.clip(np.nan_to_num(np.asarray(vectors, np.float64)), -1.0, 1.0)


def curves(rows: Floats) -> Curves:
    """The directions along which these rows differ most."""
    middle = rows.mean(axis=0)
    away = rows - middle
    _, axes = np.linalg.eigh(away.T @ away)
    directions = rounded(axes.T[::-1][:DIRECTIONS])
    return Curves(directions, rounded(directions @ middle))


def products(along: Floats) -> Floats:
    """The products of every two columns, each once, so that their lengths are those of the square
    of the scalar product."""
    first, second = np.triu_indices(along.shape[1])
    scale = np.where(first == second, 1.0, np.sqrt(2.0))
    return np.asarray(along[:, first] * along[:, second] * scale)


def bends(weights: Floats, size: int) -> Floats:
    """The symmetric matrix M for which along @ M @ along is products(along) @ weights."""
    first, second = np.triu_indices(size)
    matrix = np.zeros((size, size))
    matrix[first, second] = weights * np.where(first == second, 1.0, np.sqrt(0.5))
    matrix[second, first] = matrix[first, second]
    return matrix


def bent(along: Floats, matrix: Floats) -> Floats:
    """along @ matrix @ along for each row, the same whatever rows stand beside it."""
    half = np.einsum("ij,jk->ik", along, matrix, optimize=False)
    return np.asarray(np.einsum("ij,ij->i", half, along, optimize=False))


def places(articles: Sequence[ArticleText], categories: Sequence[str]) -> Places:
    """Those with labels enough, and not all of the labels."""
    return Places(
        _common(one.feed_id for one in articles),
        _common(categories),
        _common(one.source for one in articles),
    )


def word_counts(articles: Sequence[ArticleText]) -> list[Counter[str]]:
    """The words of each title and lead: as much of the text as the encoder reads."""
    return [counted(one, LEAD) for one in articles]


def vocabulary(counts: Sequence[Counter[str]]) -> Vocabulary:
    """The words that get a weight each."""
    return learned(counts, MOST_WORDS)


def rounded(numbers: Floats) -> Floats:
    """As they are kept: six digits are half of the bytes, and no score moves by .001 points."""
    flat = [float(f"{one:.6g}") for one in numbers.ravel().tolist()]
    return np.array(flat, np.float64).reshape(numbers.shape)


def _common(keys: Iterable[Key]) -> tuple[Key, ...]:
    found = Counter(keys)
    total = found.total()
    kept = (key for key, count in found.items() if key != "" and MIN_MEMBERS <= count < total)
    return tuple(sorted(kept, key=str))
