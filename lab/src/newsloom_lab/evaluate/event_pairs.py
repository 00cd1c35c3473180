"""Newsloom's probability that two articles report one event, on labelled pairs, by how much of
the articles is seen. Beside the cosine of the encoder alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.ranking.measure.metrics import calibration_error, roc_auc
from newsloom.ranking.ports import Embedder
from newsloom.stories.prepared import Background, Prepared, prepare, rows_of
from newsloom.stories.same_event import SameEvent
from newsloom.stories.values.pages import REPORT_LEAD
from newsloom_lab.evaluate import streams

# Characters of text that are seen. Pairs are judged by REPORT_LEAD of a whole text.
LENGTHS: Mapping[str, int] = {"titles only": 0, "title and lead": 200, "full": REPORT_LEAD}
RECALL = 0.95
BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Pairs whose probability was alike."""

    pairs: int
    probability: float  # their mean
    same: float  # the share that is of one event


@dataclass(frozen=True, slots=True)
class PairMeasures:
    """How well probabilities tell pairs of one event."""

    roc_auc: float
    precision_at_recall_95: float
    brier: float
    calibration_error: float  # mean difference of probability and share in bins, by pairs
    # The same for the probability of pairs where one was searched for, which coverage uses.
    found_calibration_error: float
    reliability: tuple[Bin, ...]
    encoder_roc_auc: float
    encoder_precision_at_recall_95: float
    sum_roc_auc: float  # the sum of both cosines, of the encoder and of TF-IDF: nothing fitted


def by_length(
    embedder: Embedder,
    articles: Sequence[LabelledArticle],
    pairs: NDArray[np.int64],
    same: NDArray[np.bool_],
) -> Mapping[str, PairMeasures]:
    """A row for each length."""
    return {
        name: _measured(embedder, [_cut(one, most) for one in articles], pairs, same)
        for name, most in LENGTHS.items()
    }


def _cut(article: LabelledArticle, most: int) -> LabelledArticle:
    return replace(article, text=article.body[:most], summary="")


def _measured(
    embedder: Embedder,
    articles: Sequence[LabelledArticle],
    pairs: NDArray[np.int64],
    same: NDArray[np.bool_],
) -> PairMeasures:
    vectors = streams.vectors(embedder, articles)
    prepared = _prepared(articles, vectors)
    judge = SameEvent()
    places = pairs.tolist()
    found = np.array([judge.probability(prepared[a], prepared[b]) for a, b in places])
    searched = np.array([judge.probability_of_found(prepared[a], prepared[b]) for a, b in places])
    cosine = np.einsum("ij,ij->i", vectors[pairs[:, 0]], vectors[pairs[:, 1]])
    lexical = np.array(
        [
            rows.compare(prepared[a], slots).lexical[0]
            for a, b in places
            for rows, slots in [rows_of([prepared[b]])]
        ]
    )
    return PairMeasures(
        roc_auc=roc_auc(same, found),
        precision_at_recall_95=precision_at(same, found, RECALL),
        brier=float(np.mean((found - same) ** 2)),
        calibration_error=calibration_error(same, found),
        found_calibration_error=calibration_error(same, searched),
        reliability=reliability(same, found),
        encoder_roc_auc=roc_auc(same, cosine),
        encoder_precision_at_recall_95=precision_at(same, cosine, RECALL),
        sum_roc_auc=roc_auc(same, cosine + lexical),
    )


def _prepared(articles: Sequence[LabelledArticle], vectors: NDArray[np.float32]) -> list[Prepared]:
    background = Background(streams.background(articles))
    rows = zip(streams.pieces(articles, REPORT_LEAD), vectors, strict=True)
    return [prepare(piece, vector, background) for piece, vector in rows]


def precision_at(same: NDArray[np.bool_], scores: NDArray[np.floating], recall: float) -> float:
    """The best precision of a threshold that finds at least this share of the true pairs."""
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(same[order])
    # Only between different scores is there a threshold.
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(order) - 1)
    enough = ends[right[ends] >= recall * right[-1]]
    return float((right[enough] / (enough + 1)).max())


def reliability(same: NDArray[np.bool_], probabilities: NDArray[np.floating]) -> tuple[Bin, ...]:
    """Bins of equal width from 0 to 1; empty ones are left out."""
    places = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    return tuple(
        Bin(int(chosen.sum()), float(probabilities[chosen].mean()), float(same[chosen].mean()))
        for chosen in (places == one for one in range(BINS))
        if chosen.any()
    )
