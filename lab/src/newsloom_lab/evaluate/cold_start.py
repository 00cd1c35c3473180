"""The order of "For you" before a reader has a model, beside newest first and importance alone.

A reader has given a few labels; what follows comes in lists, each seen when its last article comes.
The figure is the average precision of the first 50. Importance knows sources, texts, stories named
in the file, and the topics of the labels; time sensitivity is the middle class for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from newsloom.importance.score import (
    FADE,
    Blend,
    SignalFacts,
    depth,
    importance,
    lasting_points,
    shape,
)
from newsloom.importance.sources import authority
from newsloom.importance.sources.table import row_of
from newsloom.importance.stages.importance import nearness_of, speaks_for_itself
from newsloom.kernel.errors import UserError
from newsloom.ranking.learning import features, prior, terms
from newsloom.ranking.learning.confidence_intervals import Interval
from newsloom.ranking.measure import metrics
from newsloom.ranking.measure.labelled import Labelled
from newsloom.ranking.measure.splits import Rows, in_time
from newsloom.ranking.scoring import UNSCORED_HALF_LIFE, decayed
from newsloom.ranking.scoring.interests import Interests, profile
from newsloom.ranking.training.interest_profile import TermsOf, evidence_of
from newsloom.ranking.values.models import ArticleText, Label

FIRST = 50
LIST = 100  # articles of a list
SEEN_SHARE = 0.25  # of a reader's labels, the oldest: those given are the newest of them

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Order:
    """Mean over lists, with 95% intervals over lists; `ahead` is "For you" less this order."""

    average_precision: float
    interval: Interval
    ahead: float
    ahead_interval: Interval


@dataclass(frozen=True, slots=True)
class Point:
    labels: int
    lists: int
    chance: float  # the share that is liked
    orders: Mapping[str, Order]


@dataclass(frozen=True, slots=True)
class ColdStartReport:
    readers: int
    share: float  # of importance in "For you"
    points: tuple[Point, ...]


def run(
    readers: Sequence[Labelled], sizes: Sequence[int], share: float, vector_model: str
) -> ColdStartReport:
    """Raises UserError when no reader has labels for a list."""
    points = []
    for size in sorted(set(sizes)):
        found: list[dict[str, float]] = []
        for reader in readers:
            found += _lists(reader, size, share, vector_model)
        if found:
            points.append(_point(size, found))
    if not points:
        raise UserError(f"No reader has labels for a list of {LIST}.")
    return ColdStartReport(len(readers), share, tuple(points))


def first_precision(liked: NDArray[np.bool_], scores: Scores) -> float:
    """Average precision of the first 50: of what could be found in them."""
    shown = liked[np.argsort(-scores, kind="stable")][:FIRST]
    precision = np.cumsum(shown) / np.arange(1, len(shown) + 1)
    return float((precision * shown).sum() / min(FIRST, liked.sum()))


def _lists(reader: Labelled, size: int, share: float, vector_model: str) -> list[dict[str, float]]:
    order = in_time(reader.known)
    cut = max(round(len(order) * SEEN_SHARE), size)
    given, vectors = reader.only(order[cut - size : cut])
    counts = features.word_counts([one.article for one in reader.labels])
    weigh = _terms(terms.learned(counts))
    model = prior.build(
        (), np.empty((0, vectors.shape[1]), np.float32), given, vector_model, vectors
    )
    found = []
    for start in range(cut, len(order) - LIST + 1, LIST):
        rows = order[start : start + LIST]
        rows = rows[~np.isin(reader.known.sides[rows], reader.known.sides[order[:cut]])]
        liked = reader.known.positive[rows]
        if liked.any() and not liked.all():
            scores = _scores(reader, rows, given, model, weigh, share)
            each = {name: first_precision(liked, one) for name, one in scores.items()}
            found.append({**each, "chance": float(liked.mean())})
    return found


def _terms(known: terms.Vocabulary) -> TermsOf:
    def weighed(title: str, text: str, _language: str) -> Mapping[str, float]:
        words = terms.tokens(f"{title}\n{text}")
        row = known.rows([{word: words.count(word) for word in words}])
        return {known.terms[at]: value for at, value in zip(row.columns, row.values, strict=True)}

    return weighed


def _scores(
    reader: Labelled,
    rows: Rows,
    given: Sequence[Label],
    model: prior.PriorModel,
    weigh: TermsOf,
    share: float,
) -> dict[str, Scores]:
    labels, vectors = reader.only(rows)
    now = max(one.at for one in labels)
    interests = profile((), [evidence_of(one, weigh) for one in given], now)
    relevance = model.score(
        [one.article for one in labels], vectors, [one.category for one in labels]
    )
    facts = [_facts(one.article, interests, weigh) for one in labels]
    points = [lasting_points(one) for one in facts]
    ages = [now - one.at for one in labels]
    blend = Blend(share)
    every = list(zip(relevance, points, ages, strict=True))
    return {
        "for you": np.array(
            [decayed(blend.of(one, more), age, UNSCORED_HALF_LIFE) for one, more, age in every]
        ),
        "newest first": np.array([-age / timedelta(seconds=1) for age in ages]),
        "importance alone": np.array([importance(more, age, FADE) for _, more, age in every]),
        "without importance": np.array(
            [decayed(one, age, UNSCORED_HALF_LIFE) for one, _, age in every]
        ),
    }


def _facts(article: ArticleText, interests: Interests, weigh: TermsOf) -> SignalFacts:
    row = row_of(article.source)
    counted = shape("", article.text, article.source)
    return SignalFacts(
        authority=authority(article.source).score,
        nearness=nearness_of(article, interests, weigh),
        depth=depth(counted, row.kind if row else None),
        vouched=speaks_for_itself(article),
    )


def _point(size: int, found: Sequence[Mapping[str, float]]) -> Point:
    draw = np.random.default_rng(0)
    picks = draw.integers(0, len(found), (metrics.RESAMPLES, len(found)))
    columns = {name: np.array([one[name] for one in found]) for name in found[0]}
    ours = columns["for you"]
    orders = {
        name: Order(
            float(own.mean()),
            metrics.middle(own[picks].mean(1)),
            float((ours - own).mean()),
            metrics.middle((ours - own)[picks].mean(1)),
        )
        for name, own in columns.items()
        if name != "chance"
    }
    return Point(size, len(found), float(columns["chance"].mean()), orders)
