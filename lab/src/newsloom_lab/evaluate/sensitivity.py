"""How well ratings of time sensitivity agree with people's, on rated articles. Reads no file.

With `fit` the file's own ratings train heads on the other folds; without it the head given is
judged as it is, and the report says how many of the articles it was trained on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import UserError
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.learning import ordinal, sensitivity
from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.learning.sensitivity import SensitivityHead
from newsloom.ranking.measure import metrics
from newsloom.ranking.measure.articles import LabelledArticle, as_text
from newsloom.ranking.ports import Embedder, Vectors
from newsloom.ranking.values.models import ArticleText

FITS = ("cv", "source")
LEVELS = tuple(range(1, ordinal.LEVELS + 1))

Rows = NDArray[np.intp]
Measure = Callable[..., float]


@dataclass(frozen=True, slots=True)
class SensitivityReport:
    """Agreement with the ratings; every interval is the middle 95% of resampled articles."""

    model_id: str
    fit: str  # "": the head as it is; "cv": folds by rating; "source": folds by source
    articles: int
    trained_on: int  # of these, by the head as it is
    quadratic_weighted_kappa: float
    quadratic_weighted_kappa_interval: tuple[float, float]
    rank_probability_score: float
    rank_probability_score_interval: tuple[float, float]
    exact: float
    within_one: float
    recall: tuple[float, ...]  # of 1 to 5; nan where there is none
    precision: tuple[float, ...]
    confusion: tuple[tuple[int, ...], ...]  # rows are the ratings given
    rated_twice: int = 0
    two_raters_kappa: float = math.nan  # of those, and the most there is to reach


def run(
    articles: Sequence[LabelledArticle],
    head: SensitivityHead,
    embedder: Embedder,
    fit: str = "",
) -> SensitivityReport:
    """Judge on the articles that have a rating. Raises UserError when that cannot be done."""
    rated = [one for one in articles if one.rating is not None]
    ratings = np.array([one.rating for one in rated], np.intp)
    if not len(rated):
        raise UserError('No article has a "rating".')
    texts = [as_text(one) for one in rated]
    vectors = embedder.embed([embedding_text(one.title, one.text) for one in texts])
    if not fit:
        chances = head.chances(texts, vectors)
        known = int(head.trained_on([one.title for one in rated]).sum())
        return _beside_raters(report(head.model_id, "", ratings, chances, known), rated)
    sources = [one.source for one in rated]
    parts = folds(fit, ratings, sources)
    chances = cross_validated(texts, vectors, ratings, sources, parts, head.multilingual)
    return _beside_raters(report(head.version, fit, ratings, chances, 0), rated)


def folds(fit: str, ratings: Rows, sources: Sequence[str]) -> list[Rows]:
    """Held-out rows: every rating dealt out in turn, or whole sources."""
    if fit not in FITS:
        raise UserError(f"--fit is one of {', '.join(FITS)}, not {fit!r:.40}.")
    if fit == "source":
        if len(set(sources)) < ordinal.FOLDS:
            raise UserError(f"Folds by source need {ordinal.FOLDS} sources or more.")
        parts = ordinal.group_folds(ratings, sources)
    else:
        # Shuffled once, the same way every time: files often come sorted by source or day.
        order = np.random.default_rng(0).permutation(len(ratings))
        ranked = order[np.argsort(ratings[order], kind="stable")]
        parts = [np.sort(ranked[start :: ordinal.FOLDS]) for start in range(ordinal.FOLDS)]
    if any(not len(part) for part in parts):
        raise UserError(f"Folds need {ordinal.FOLDS} rated articles or more.")
    return parts


def cross_validated(
    texts: Sequence[ArticleText],
    vectors: Vectors,
    ratings: Rows,
    sources: Sequence[str],
    parts: Sequence[Rows],
    multilingual: bool = False,
) -> Floats:
    """The chances of each rating, every article judged by a head that never saw its fold."""
    chances = np.empty((len(ratings), ordinal.LEVELS))
    for held in parts:
        kept = np.setdiff1d(np.arange(len(ratings)), held)
        head = sensitivity.train(
            [texts[row] for row in kept],
            vectors[kept],
            ratings[kept].tolist(),
            [sources[row] for row in kept],
            multilingual=multilingual,
        )
        chances[held] = head.chances([texts[row] for row in held], vectors[held])
    return chances


def report(
    model_id: str, fit: str, ratings: Rows, chances: Floats, known: int
) -> SensitivityReport:
    """The figures of chances against ratings."""
    said = ordinal.decide(chances)
    table = ordinal.confusion(ratings, said)
    with np.errstate(invalid="ignore"):
        recall = np.diag(table) / table.sum(1)
        precision = np.diag(table) / table.sum(0)
    kappa, score = ordinal.quadratic_weighted_kappa, ordinal.rank_probability_score
    return SensitivityReport(
        model_id=model_id,
        fit=fit,
        articles=len(ratings),
        trained_on=known,
        quadratic_weighted_kappa=kappa(ratings, said),
        quadratic_weighted_kappa_interval=metrics.interval(kappa, ratings, said),
        rank_probability_score=score(ratings, chances),
        rank_probability_score_interval=metrics.interval(score, ratings, chances),
        exact=float((ratings == said).mean()),
        within_one=float((np.abs(ratings - said) <= 1).mean()),
        recall=tuple(recall.tolist()),
        precision=tuple(precision.tolist()),
        confusion=tuple(tuple(row) for row in table.tolist()),
    )


def _beside_raters(found: SensitivityReport, rated: Sequence[LabelledArticle]) -> SensitivityReport:
    """The report, with how far two raters agree where articles were rated twice."""
    pairs = [(one.rating, one.second_rating) for one in rated if one.second_rating is not None]
    if not pairs:
        return found
    first, second = np.array(pairs, np.intp).T
    kappa = ordinal.quadratic_weighted_kappa(first, second)
    return replace(found, rated_twice=len(pairs), two_raters_kappa=kappa)
