"""Relevance learned from one reader's own likes and dislikes: a logistic head.

Its columns are the article's vector, products of the vector's main directions, its words, and its
feed, category and source where those have labels. Every label is used, the two classes weigh the
same, and the penalty is chosen and the score calibrated on folds that did not train it. See
docs/work/decisions/ranking.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.learning import features
from newsloom.ranking.learning.calibration import (
    FOLDS,
    balanced,
    calibrate,
    calibrated,
    folds,
    held_out_figures,
    losses,
    usual,
)
from newsloom.ranking.learning.features import MIX, Curves, Mix, Places
from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.learning.logistic import Line, problem, solve
from newsloom.ranking.learning.terms import Rows, Vocabulary
from newsloom.ranking.learning.trained import TrainedHead, from_payload, named
from newsloom.ranking.ports import Vectors
from newsloom.ranking.values.models import Label, NotYet, StoredModel

__all__ = ["HeadTrainer", "TrainedHead", "folds", "from_payload", "train"]

# Penalties tried, strongest first, on rows of unit length; one over scikit-learn's C. With 100
# labels the strongest is best, with 3,000 the third.
PENALTIES = (30.0, 10.0, 3.0, 1.0)

# The largest slope left, per row, while penalties are compared: a tenth as fine as the head itself
# halves the time of training, and no held-out ROC AUC moves by .0001.
COMPARING = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The columns of some labels and what made them."""

    curves: Curves
    places: Places
    vocabulary: Vocabulary
    dense: NDArray[np.float32]  # vector, products, places; half the bytes is half the time
    words: Rows


@dataclass(frozen=True, slots=True)
class HeadTrainer:
    """The `head` trainer: implements ports.Trainer for vectors of one encoder."""

    needed: tuple[int, int]  # likes, dislikes
    vector_model: str
    name: str = "head"

    def train(
        self, labels: Sequence[Label], vectors: Vectors, now: datetime
    ) -> TrainedHead | NotYet:
        """A head on all labels, or how many are there."""
        return train(labels, vectors, now=now, needed=self.needed, vector_model=self.vector_model)

    def load(self, stored: StoredModel) -> TrainedHead:
        """The head that was stored. Raises ModelError when its bytes are not the ones kept."""
        return from_payload(stored.payload, stored.sha256)


def train(
    labels: Sequence[Label],
    vectors: Vectors,
    *,
    now: datetime,
    needed: tuple[int, int] = (20, 20),
    vector_model: str = "",
    mix: Mix = MIX,
) -> TrainedHead | NotYet:
    """A head from all labels, `vectors` being their articles' embeddings in the same order."""
    truth = np.array([one.positive for one in labels], np.float64)
    positives, negatives = int(truth.sum()), int(len(truth) - truth.sum())
    # Folds need one of each class whatever the settings allow.
    needed = max(needed[0], FOLDS), max(needed[1], FOLDS)
    if positives < needed[0] or negatives < needed[1]:
        return NotYet(positives, negatives, needed)
    mix = features.mix_for(len(labels), mix)
    columns = design(labels, vectors, mix)
    weights = np.array([one.weight for one in labels], np.float64)
    penalty, held_out, calibration = _choose(columns, truth, weights, folds(truth))
    raw = solve(problem(columns.dense, truth, balanced(truth, weights), columns.words), penalty)
    return _head(
        columns,
        calibrated(raw, calibration),
        mix,
        penalty=penalty,
        positives=positives,
        negatives=negatives,
        metrics=held_out_figures(calibration.logits(held_out[:, None]), truth),
        trained=now,
        vector_model=vector_model,
    )


def design(labels: Sequence[Label], vectors: Vectors, mix: Mix) -> Design:
    """One row per label. What is learned of the articles here is learned without the labels."""
    articles = [one.article for one in labels]
    categories = [one.category for one in labels]
    rows = features.unit(vectors)
    curves = features.curves(rows)
    places = features.places(articles, categories)
    counts = features.word_counts(articles)
    vocabulary = features.vocabulary(counts if mix.words else [])
    words = vocabulary.rows(counts)
    dense = (
        rows,
        mix.curves * features.products(curves.along(rows)),
        mix.places * places.columns(articles, categories),
    )
    return Design(
        curves, places, vocabulary, np.hstack(dense).astype(np.float32), words.scaled(mix.words)
    )


def _choose(
    columns: Design, truth: Floats, weights: Floats, parts: Sequence[np.ndarray]
) -> tuple[float, Floats, Line]:
    """The penalty whose held-out logits lose least once calibrated; those logits; how.

    Before calibration the loss mostly says which penalty gives logits of the right size: chosen so,
    one real reader's ROC AUC was .851; so, .866.
    """
    logits = np.empty((len(PENALTIES), len(truth)))
    for held in parts:
        kept = np.setdiff1d(np.arange(len(truth)), held)
        unseen = columns.words.take(held)
        balance = balanced(truth[kept], weights[kept])
        given = problem(columns.dense[kept], truth[kept], balance, columns.words.take(kept))
        line: Line | None = None
        for number, penalty in enumerate(PENALTIES):
            line = solve(given, penalty, line, COMPARING)
            width = columns.dense.shape[1]
            logits[number, held] = (
                columns.dense[held] @ line.weights[:width]
                + unseen.times(line.weights[width:])
                + line.bias
            )
    lines = [calibrate(row, truth, weights, usual(row)) for row in logits]
    totals = [
        (weights * losses(line.logits(row[:, None]), truth)).sum()
        for line, row in zip(lines, logits, strict=True)
    ]
    best = int(np.argmin(totals))
    return PENALTIES[best], logits[best], lines[best]


def _head(columns: Design, line: Line, mix: Mix, **known: Any) -> TrainedHead:
    """The head whose logits are the line's: weights are stored times what their columns count."""
    size = len(columns.curves.directions)
    ends = np.cumsum([columns.curves.directions.shape[1], size * (size + 1) // 2])
    text, products, places, words = np.split(
        features.rounded(line.weights), [*ends, columns.dense.shape[1]]
    )
    feeds, categories, sources = np.split(
        mix.places * places, np.cumsum([len(columns.places.feeds), len(columns.places.categories)])
    )
    named_places = columns.places
    head = TrainedHead(
        line=Line(text, line.bias),
        curves=columns.curves,
        bends=mix.curves * features.bends(products, size),
        vocabulary=columns.vocabulary,
        words=mix.words * words,
        feeds=dict(zip(named_places.feeds, feeds.tolist(), strict=True)),
        categories=dict(zip(named_places.categories, categories.tolist(), strict=True)),
        sources=dict(zip(named_places.sources, sources.tolist(), strict=True)),
        **known,
    )
    return named(head)
