"""How well a head trained on one reader's labels finds what they like among the rest.

Reads no file. Every article is scored by a head that never saw it: in folds ("cv"), or the last
third of the labels by one trained on the first two ("time").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from newsloom.classify.head import train
from newsloom.errors import UserError
from newsloom.evaluate import metrics
from newsloom.evaluate.articles import LabelledArticle
from newsloom.evaluate.sensitivity import as_text
from newsloom.ports import Embedder, Vectors
from newsloom.text.embedding import embedding_text
from newsloom.types import ArticleId, FeedId, Label, NotYet

FITS = ("cv", "time")
FOLDS = 10
TRAINED_SHARE = 2 / 3

# Reading on is a like and passing over a dislike, as in the seed; both are weaker evidence than
# the explicit words, and a file that has both should say so by leaving the weak ones out.
POSITIVE = frozenset({"like", "read"})
NEGATIVE = frozenset({"dislike", "skip"})

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class RelevanceReport:
    """Ranking and calibration on articles held out; intervals are the middle 95% of resamples."""

    model: str
    vector_model: str
    fit: str
    positives: int
    negatives: int
    judged: int
    roc_auc: float
    roc_auc_interval: tuple[float, float]
    average_precision: float
    average_precision_interval: tuple[float, float]
    precision_at_50: float
    precision: float  # of what scores 50 or more
    recall: float
    f1: float
    log_loss: float
    calibration_error: float


def run(articles: Sequence[LabelledArticle], embedder: Embedder, fit: str) -> RelevanceReport:
    """Judge on the articles that have a label. Raises UserError when that cannot be done."""
    labelled = [one for one in articles if one.label in POSITIVE | NEGATIVE]
    labels = as_labels(labelled)
    vectors = embedder.embed([embedding_text(one.title, one.body) for one in labelled])
    held_parts = parts(fit, labelled)
    judged, scores = held_out_scores(labels, vectors, held_parts)
    positive = np.array([one.positive for one in labels])
    truth, chances = positive[judged], scores[judged] / 100.0
    liked = chances >= 0.5
    right = int((liked & truth).sum())
    precision, recall = right / max(1, int(liked.sum())), right / max(1, int(truth.sum()))
    return RelevanceReport(
        model="head@1",
        vector_model=embedder.model_id,
        fit=fit,
        positives=int(positive.sum()),
        negatives=int((~positive).sum()),
        judged=len(judged),
        roc_auc=metrics.roc_auc(truth, chances),
        roc_auc_interval=metrics.interval(metrics.roc_auc, truth, chances),
        average_precision=metrics.average_precision(truth, chances),
        average_precision_interval=metrics.interval(metrics.average_precision, truth, chances),
        precision_at_50=metrics.precision_at(truth, chances, 50),
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / max(precision + recall, 1e-12),
        log_loss=metrics.log_loss(truth, chances),
        calibration_error=metrics.calibration_error(truth, chances),
    )


def as_labels(articles: Sequence[LabelledArticle]) -> list[Label]:
    """Labelled articles as a reader's labels; each source counts as a feed."""
    feeds = {source: number for number, source in enumerate(sorted({a.source for a in articles}))}
    early = datetime(1970, 1, 1, tzinfo=UTC)
    return [
        Label(
            article=replace(as_text(one), id=ArticleId(number), feed_id=FeedId(feeds[one.source])),
            category="",
            positive=one.label in POSITIVE,
            at=one.labelled_at or one.published or early,
        )
        for number, one in enumerate(articles)
    ]


def held_out_scores(
    labels: Sequence[Label], vectors: Vectors, parts: Sequence[tuple[Rows, Rows]]
) -> tuple[Rows, NDArray[np.float64]]:
    """Which rows were judged, and their scores by a head trained on the other side."""
    scores = np.full(len(labels), np.nan)
    for kept, held in parts:
        known = [labels[row] for row in kept]
        head = train(known, vectors[kept], now=max(one.at for one in known))
        if isinstance(head, NotYet):
            raise UserError(
                f"Training needs {head.needed[0]} likes and {head.needed[1]} dislikes in each "
                f"part; there are {head.positives} and {head.negatives}."
            )
        unseen = [labels[row].article for row in held]
        scores[held] = head.score(unseen, vectors[held], [""] * len(held))
    return np.flatnonzero(~np.isnan(scores)), scores


def parts(fit: str, labelled: Sequence[LabelledArticle]) -> list[tuple[Rows, Rows]]:
    """(rows to train on, rows to judge)."""
    count = len(labelled)
    if not count:
        raise UserError('No article has a "label" of like, read, skip or dislike.')
    if fit == "cv":
        positive = np.array([one.label in POSITIVE for one in labelled])
        order = np.random.default_rng(0).permutation(count)
        ranked = order[np.argsort(positive[order], kind="stable")]
        held = [np.sort(ranked[start::FOLDS]) for start in range(FOLDS)]
        return [(np.setdiff1d(np.arange(count), part), part) for part in held if len(part)]
    if fit == "time":
        times = [one.labelled_at or one.published for one in labelled]
        if any(time is None for time in times):
            raise UserError('--fit time needs "labelled_at" or "published" on every label.')
        order = np.array(sorted(range(count), key=lambda row: (times[row], row)), np.intp)
        cut = int(count * TRAINED_SHARE)
        return [(np.sort(order[:cut]), np.sort(order[cut:]))]
    raise UserError(f"--fit is one of {', '.join(FITS)}, not {fit!r:.40}.")
