"""A trainer's first models beside plain logistic regression on vector and TF-IDF.

Each draw takes so many likes and as many dislikes from the oldest two thirds of a reader's labels
and judges the newest third. Both models see the same draws; the peer also knows how rare a word is
in all of the reader's articles. Seeds are fixed: the same file gives the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import UserError
from newsloom.ranking.learning import features, terms
from newsloom.ranking.learning.calibration import balanced
from newsloom.ranking.learning.confidence_intervals import Interval
from newsloom.ranking.learning.logistic import problem, solve
from newsloom.ranking.measure import metrics, relevance
from newsloom.ranking.measure.labelled import Labelled
from newsloom.ranking.measure.splits import Rows, by_time
from newsloom.ranking.ports import Trainer

Scores = NDArray[np.float64]

PENALTY = 1.0  # scikit-learn's default


@dataclass(frozen=True, slots=True)
class Point:
    """Mean ROC AUC over all draws of one size, with 95% intervals over draws."""

    labels: int  # of each kind
    draws: int
    ours: float
    ours_interval: Interval
    logistic_regression: float
    logistic_regression_interval: Interval
    difference: float
    difference_interval: Interval


@dataclass(frozen=True, slots=True)
class FirstLabelsReport:
    trainer: str
    readers: int
    points: tuple[Point, ...]


def run(
    readers: Sequence[Labelled], trainer: Trainer, sizes: Sequence[int], seeds: int
) -> FirstLabelsReport:
    """Raises UserError when no reader has labels for the smallest size."""
    peers = [_peer(one) for one in readers]
    parts = [by_time(one.known)[0] for one in readers]
    points = []
    for size in sorted(set(sizes)):
        found = []
        for reader, peer, part in zip(readers, peers, parts, strict=True):
            for seed in range(seeds):
                rows = _drawn(reader, part.kept, size, seed)
                truth = reader.known.positive[part.held]
                if rows is None or truth.all() or not truth.any():
                    break
                model = relevance.trained(reader, trainer, rows)
                scores = (relevance.scored(reader, model, part.held), peer(rows, part.held))
                found.append([metrics.roc_auc(truth, one) for one in scores])
        if found:
            points.append(_point(size, np.array(found)))
    if not points:
        raise UserError(f"No reader has {min(sizes)} likes and dislikes to train on.")
    return FirstLabelsReport(trainer.name, len(readers), tuple(points))


def _drawn(reader: Labelled, kept: Rows, size: int, seed: int) -> Rows | None:
    draw = np.random.default_rng(seed)
    kinds = [kept[reader.known.positive[kept] == kind] for kind in (True, False)]
    if min(map(len, kinds)) < size:
        return None
    return np.sort(np.concatenate([draw.permutation(one)[:size] for one in kinds]))


def _peer(reader: Labelled) -> Callable[[Rows, Rows], Scores]:
    """Logistic regression of one reader: rows to train on and rows to score give log odds."""
    counts = features.word_counts([one.article for one in reader.labels])
    words = terms.learned(counts).rows(counts)
    vectors = features.unit(reader.vectors)

    def scores(kept: Rows, held: Rows) -> Scores:
        truth = reader.known.positive[kept].astype(np.float64)
        weights = balanced(truth, np.ones(len(kept)))
        line = solve(problem(vectors[kept], truth, weights, words.take(kept)), PENALTY)
        width = vectors.shape[1]
        told = words.take(held).times(line.weights[width:])
        return np.asarray(vectors[held] @ line.weights[:width] + told)

    return scores


def _point(size: int, found: Scores) -> Point:
    columns = np.column_stack([found, found[:, 0] - found[:, 1]])
    draw = np.random.default_rng(0)
    picks = draw.integers(0, len(found), (metrics.RESAMPLES, len(found)))
    samples = columns[picks].mean(1)
    ours, peer, difference = columns.mean(0).tolist()
    ends = [metrics.middle(one) for one in samples.T]
    return Point(size, len(found), ours, ends[0], peer, ends[1], difference, ends[2])
