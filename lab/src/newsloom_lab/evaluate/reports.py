"""Pairs that likely report one event, in memory: what the same-event stage finds with a store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from newsloom.duplicates.values import Evidence, Unsigned
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.ports import Embedder, Vectors
from newsloom.stories.prepared import Background, prepare
from newsloom.stories.same_event import event_evidence, judge_of
from newsloom.stories.stages.same_event import LEAST_COSINE, NEIGHBOURS, SPAN
from newsloom.stories.values.pages import REPORT_LEAD, Piece
from newsloom.topics.tfidf import shipped

Pair = tuple[int, int]  # places in the sequence of articles, the lesser first
Reports = Callable[[Sequence[Unsigned], float], Mapping[Pair, Evidence]]

_BLOCK = 1_000


def nothing(_articles: Sequence[Unsigned], _least: float) -> Mapping[Pair, Evidence]:
    """Looks for none."""
    return {}


def reports(embedder: Embedder) -> Reports:
    """What finds them by the vectors of that encoder; the second argument is the least
    probability."""

    def found(articles: Sequence[Unsigned], least: float) -> Mapping[Pair, Evidence]:
        if not articles:
            return {}
        vectors = embedder.embed([embedding_text(one.title, one.text) for one in articles])
        background, judge = Background(shipped()), judge_of(embedder.model_id)
        ready = [
            prepare(
                Piece(
                    one.id,
                    one.title,
                    one.text[:REPORT_LEAD],
                    one.dated,
                    one.source,
                    one.language,
                ),
                vector,
                background,
                centred=judge.centred,
            )
            for one, vector in zip(articles, vectors, strict=True)
        ]
        pairs: dict[Pair, Evidence] = {}
        for place, near in enumerate(_neighbours(articles, vectors)):
            others = [ready[one] for one in near]
            for at, why in event_evidence(judge, ready[place], others, least).items():
                pairs[min(place, near[at]), max(place, near[at])] = why
        return pairs

    return found


def _neighbours(articles: Sequence[Unsigned], vectors: Vectors) -> list[list[int]]:
    """The nearest of each within the span, as the store finds them."""
    days = np.array([one.dated.timestamp() for one in articles])
    span = SPAN.total_seconds()
    found = []
    for start in range(0, len(articles), _BLOCK):
        block = vectors[start : start + _BLOCK] @ vectors.T
        block[np.abs(days[start : start + _BLOCK, None] - days[None, :]) > span] = -1.0
        for row, cosines in enumerate(block):
            cosines[start + row] = -1.0
            nearest = np.argsort(-cosines, kind="stable")[:NEIGHBOURS]
            found.append([int(one) for one in nearest if cosines[one] >= LEAST_COSINE])
    return found
