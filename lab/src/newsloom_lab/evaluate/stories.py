"""Stories beside the ones that a file gives its articles: as the product
places them, and beside peers on the same vectors. Articles without a story take part unjudged."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.ranking.measure.metrics import interval
from newsloom.ranking.ports import Embedder
from newsloom.stories.same_event import judge_of
from newsloom_lab.evaluate import streams
from newsloom_lab.evaluate.clusterings import agreement, mutual_information


@dataclass(frozen=True, slots=True)
class StoryMeasures:
    """How one way does. Precision: of what is together, the share that belongs together."""

    b_cubed_precision: float
    b_cubed_recall: float
    b_cubed_f1: float
    b_cubed_interval: tuple[float, float]  # of its F1, over resamples of gold stories
    pairwise_precision: float
    pairwise_recall: float
    pairwise_f1: float
    adjusted_rand: float
    normalised_mutual_information: float
    contamination: float  # share of articles in a story whose majority has another label
    fragmentation: float  # share of articles whose gold story lies in more than one story
    stories: int
    articles: int  # judged
    articles_per_second: float  # of all, without encoding


@dataclass(frozen=True, slots=True)
class StoriesReport(StoryMeasures):
    """As the product places them, and the peers."""

    gold_stories: int
    unjudged: int  # articles without a label
    dated: float  # share of articles with a date
    encoder: str
    peers: Mapping[str, StoryMeasures]


def run(articles: Sequence[LabelledArticle], embedder: Embedder) -> StoriesReport:
    """`articles` in the order of the stream."""
    pieces = streams.pieces(articles)
    rows = streams.vectors(embedder, articles)
    began = time.perf_counter()
    judge = judge_of(embedder.model_id)
    batches = streams.batches(pieces, rows, streams.background(articles), judge)
    preparing = time.perf_counter() - began
    first = _judged(articles, lambda: streams.linked(batches, judge), preparing)
    from newsloom_lab.evaluate import story_peers

    peers = {
        name: _judged(articles, lambda way=way: way(batches, rows), preparing)  # type: ignore[misc]
        for name, way in story_peers.PEERS.items()
    }
    judged = [one.story for one in articles if one.story]
    return StoriesReport(
        **{name: getattr(first, name) for name in StoryMeasures.__dataclass_fields__},
        gold_stories=len(set(judged)),
        unjudged=len(articles) - len(judged),
        dated=sum(one.published is not None for one in articles) / len(articles),
        encoder=embedder.model_id,
        peers=peers,
    )


def _judged(
    articles: Sequence[LabelledArticle],
    way: Callable[[], Sequence[Hashable] | NDArray[np.int64]],
    preparing: float,
) -> StoryMeasures:
    began = time.perf_counter()
    found = list(way())
    seconds = preparing + time.perf_counter() - began
    told = [(one.story, story) for one, story in zip(articles, found, strict=True) if one.story]
    return measures(
        [gold for gold, _ in told], [story for _, story in told], len(articles) / seconds
    )


def measures(
    gold: Sequence[str], found: Sequence[Hashable], articles_per_second: float = 0.0
) -> StoryMeasures:
    """One grouping beside the gold one."""
    agreed = agreement(gold, found)
    return StoryMeasures(
        b_cubed_precision=agreed.b_cubed_precision,
        b_cubed_recall=agreed.b_cubed_recall,
        b_cubed_f1=agreed.b_cubed_f1,
        b_cubed_interval=_interval(gold, found),
        pairwise_precision=agreed.pairwise_precision,
        pairwise_recall=agreed.pairwise_recall,
        pairwise_f1=agreed.pairwise_f1,
        adjusted_rand=agreed.adjusted_rand,
        normalised_mutual_information=mutual_information(gold, found),
        contamination=contamination(gold, found),
        fragmentation=fragmentation(gold, found),
        stories=len(set(found)),
        articles=len(gold),
        articles_per_second=articles_per_second,
    )


def _interval(gold: Sequence[str], found: Sequence[Hashable]) -> tuple[float, float]:
    told, true = Counter(found), Counter(gold)
    precision, recall = Counter[str](), Counter[str]()
    for (label, story), articles in Counter(zip(gold, found, strict=True)).items():
        precision[label] += articles**2 / told[story]  # type: ignore[assignment]
        recall[label] += articles**2 / true[label]  # type: ignore[assignment]

    def f1(p: NDArray[np.float64], r: NDArray[np.float64], sizes: NDArray[np.float64]) -> float:
        return float(2 * p.sum() * r.sum() / ((p.sum() + r.sum()) * sizes.sum()))

    columns = ([counts[label] for label in true] for counts in (precision, recall, true))
    return interval(f1, *map(np.array, columns))


def contamination(gold: Sequence[str], found: Sequence[Hashable]) -> float:
    """The share of articles that are in a story whose majority has another label."""
    cells = Counter(zip(found, gold, strict=True))
    largest: dict[Hashable, int] = {}
    for (story, _), articles in cells.items():
        largest[story] = max(largest.get(story, 0), articles)
    return 1.0 - sum(largest.values()) / len(gold)


def fragmentation(gold: Sequence[str], found: Sequence[Hashable]) -> float:
    """The share of gold stories, by size, that lie in more than one story."""
    places: dict[str, set[Hashable]] = {}
    for label, story in zip(gold, found, strict=True):
        places.setdefault(label, set()).add(story)
    return sum(len(places[label]) > 1 for label in gold) / len(gold)
