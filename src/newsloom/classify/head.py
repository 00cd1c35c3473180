"""Relevance learned from one reader's own likes and dislikes: a logistic head on the embedding.

Features are the article's vector and a column for its feed and its category, where those have
labels. Every label is used, the two classes weigh the same, and the penalty is chosen and the
score calibrated on folds that did not train it. See docs/decisions/relevance-head.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from newsloom.classify.calibration import (
    FOLDS,
    balanced,
    calibrate,
    calibrated,
    folds,
    held_out_figures,
    losses,
)
from newsloom.classify.descent import Floats
from newsloom.classify.logistic import Line, problem, solve
from newsloom.classify.trained import TrainedHead, from_payload, named
from newsloom.ports import Vectors
from newsloom.types import FeedId, Label, NotYet

__all__ = ["TrainedHead", "folds", "from_payload", "train"]

# Penalties tried, strongest first, on rows of unit length; one over scikit-learn's C.
PENALTIES = (10.0, 3.0, 1.0, 0.3, 0.1)

# A feed or category gets a column from this many labels on, and its length beside the unit vector:
# it may tip an article over, not outvote what the article says.
MIN_MEMBERS = 3
COLUMN = 0.5


@dataclass(frozen=True, slots=True)
class Columns:
    """The feeds and categories that have a column each, in order, after the vector."""

    feeds: tuple[FeedId, ...]
    categories: tuple[str, ...]


def train(
    labels: Sequence[Label],
    vectors: Vectors,
    *,
    now: datetime,
    min_positive: int = 20,
    min_negative: int = 20,
    vector_model: str = "",
) -> TrainedHead | NotYet:
    """A head from all labels, `vectors` being their articles' embeddings in the same order."""
    truth = np.array([one.positive for one in labels], np.float64)
    positives, negatives = int(truth.sum()), int(len(truth) - truth.sum())
    # Folds need one of each class whatever the settings allow.
    needed = max(min_positive, FOLDS), max(min_negative, FOLDS)
    if positives < needed[0] or negatives < needed[1]:
        return NotYet(positives, negatives, needed)
    columns = _columns(labels)
    rows = design(labels, vectors, columns)
    weights = np.array([one.weight for one in labels], np.float64)
    penalty, held_out, calibration = _choose(rows, truth, weights, folds(truth))
    raw = solve(problem(rows, truth, balanced(truth, weights)), penalty)
    line = calibrated(raw, calibration)
    dimensions = vectors.shape[1]
    feed_end = dimensions + len(columns.feeds)
    by_feed, by_category = line.weights[dimensions:feed_end], line.weights[feed_end:]
    head = TrainedHead(
        line=Line(line.weights[:dimensions], line.bias),
        feeds=dict(zip(columns.feeds, (COLUMN * by_feed).tolist(), strict=True)),
        categories=dict(zip(columns.categories, (COLUMN * by_category).tolist(), strict=True)),
        penalty=penalty,
        positives=positives,
        negatives=negatives,
        metrics=held_out_figures(calibration.logits(held_out[:, None]), truth),
        trained=now,
        vector_model=vector_model,
    )
    return named(head)


def design(labels: Sequence[Label], vectors: Vectors, columns: Columns) -> Floats:
    """One row per label: its vector, then its feed and category as columns."""
    rows = np.nan_to_num(np.asarray(vectors, np.float64))
    feeds = np.array([[one.article.feed_id == feed for feed in columns.feeds] for one in labels])
    groups = np.array([[one.category == name for name in columns.categories] for one in labels])
    return np.hstack([rows, COLUMN * feeds, COLUMN * groups])


def _columns(labels: Sequence[Label]) -> Columns:
    feeds = Counter(one.article.feed_id for one in labels)
    groups = Counter(one.category for one in labels if one.category)
    return Columns(
        tuple(sorted(feed for feed, count in feeds.items() if MIN_MEMBERS <= count < len(labels))),
        tuple(sorted(name for name, count in groups.items() if MIN_MEMBERS <= count < len(labels))),
    )


def _choose(
    rows: Floats, truth: Floats, weights: Floats, parts: Sequence[np.ndarray]
) -> tuple[float, Floats, Line]:
    """The penalty whose held-out logits lose least once calibrated; those logits; how.

    Before calibration the loss mostly says which penalty gives logits of the right size: chosen so,
    one real reader's ROC AUC was .851; so, .866.
    """
    logits = np.empty((len(PENALTIES), len(truth)))
    for held in parts:
        kept = np.setdiff1d(np.arange(len(truth)), held)
        given = problem(rows[kept], truth[kept], balanced(truth[kept], weights[kept]))
        line: Line | None = None
        for number, penalty in enumerate(PENALTIES):
            line = solve(given, penalty, line)
            logits[number, held] = line.logits(rows[held])
    lines = [calibrate(row, truth, weights) for row in logits]
    totals = [
        (weights * losses(line.logits(row[:, None]), truth)).sum()
        for line, row in zip(lines, logits, strict=True)
    ]
    best = int(np.argmin(totals))
    return PENALTIES[best], logits[best], lines[best]
