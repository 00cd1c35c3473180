"""Do two articles report the same event? How well an encoder's cosine ranks pairs, by that label.

Pairs are chosen without asking any encoder, so that every encoder is measured on the same ones.
"""

from __future__ import annotations

import math
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import UserError
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.measure.articles import LabelledArticle, article, read_lines
from newsloom.ranking.measure.metrics import average_precision, roc_auc
from newsloom.ranking.ports import Embedder
from newsloom_lab.evaluate.event_pairs import PairMeasures, by_length

# Different-story partners sought for each article: those that share the rarest words with it, and
# any at all. With random ones alone titles score .97 to .99 on three labelled sets and encoders
# hardly differ; with hard ones alone .82 to .90.
HARD_NEGATIVES = 5
RANDOM_NEGATIVES = 5

# A word in more than this share of the articles says nothing about an event and is not looked up.
COMMON_SHARE = 0.1

_WORD = re.compile(r"\w{2,}")


@dataclass(frozen=True, slots=True)
class PairSet:
    """Articles, and pairs of them by place. `pairs[k]` is one event exactly when `same[k]`."""

    articles: tuple[LabelledArticle, ...]
    pairs: NDArray[np.int64]  # (n, 2)
    same: NDArray[np.bool_]  # (n,)


@dataclass(frozen=True, slots=True)
class SameEventReport:
    """How well one encoder ranks same-event pairs above the others."""

    model_id: str
    articles: int
    pairs: int
    same: int
    roc_auc: float
    average_precision: float
    seconds: float  # of encoding
    articles_per_second: float
    newsloom: Mapping[str, PairMeasures]  # the product's probability, by how much is seen


def read_pairs(path: Path) -> PairSet:
    """Lines of {"a": article, "b": article, "same": true}. Raises UserError naming the line."""
    articles: list[LabelledArticle] = []
    same: list[bool] = []
    for place, line in read_lines(path):
        if not isinstance(line.get("a"), dict) or not isinstance(line.get("b"), dict):
            raise UserError(f'{place}: "a" and "b" must each be an article.')
        if not isinstance(line.get("same"), bool):
            raise UserError(f'{place}: "same" must be true or false.')
        articles += [article(line["a"], f'{place} "a"'), article(line["b"], f'{place} "b"')]
        same.append(line["same"])
    if not any(same) or all(same):
        raise UserError(f"{path} must hold pairs of one event and pairs of two.")
    places = np.arange(len(articles), dtype=np.int64).reshape(-1, 2)
    return PairSet(tuple(articles), places, np.array(same))


def pairs_from(articles: Sequence[LabelledArticle]) -> PairSet:
    """All same-story pairs, and hard and random pairs of two stories; the same ones every time.

    Articles without a story are left out: nobody said that they report nothing in common.
    """
    kept = tuple(one for one in articles if one.story)
    stories = [one.story for one in kept]
    members: dict[str, list[int]] = defaultdict(list)
    for place, story in enumerate(stories):
        members[story].append(place)
    together = [pair for places in members.values() for pair in combinations(places, 2)]
    apart = sorted(_hard(kept, stories) | _random(stories)) if len(members) > 1 else []
    if not together or not apart:
        raise UserError('There must be two stories or more, and one with two articles ("story").')
    pairs = np.array(together + apart, dtype=np.int64)
    return PairSet(kept, pairs, np.arange(len(pairs)) < len(together))


def run(
    embedder: Embedder,
    pairs: PairSet,
    prepare: Callable[[str, str], str] = embedding_text,
) -> SameEventReport:
    """Encode each article once, as the pipeline does, and rank the pairs by cosine.

    `prepare` makes the encoder's text of title and body.
    """
    texts = [prepare(one.title, one.body) for one in pairs.articles]
    embedder.embed(texts[:1])  # loading is not encoding
    began = time.perf_counter()
    vectors = embedder.embed(texts)
    seconds = time.perf_counter() - began
    left, right = vectors[pairs.pairs[:, 0]], vectors[pairs.pairs[:, 1]]
    cosine = np.einsum("ij,ij->i", left, right)
    return SameEventReport(
        model_id=embedder.model_id,
        articles=len(texts),
        pairs=len(pairs.pairs),
        same=int(pairs.same.sum()),
        roc_auc=roc_auc(pairs.same, cosine),
        average_precision=average_precision(pairs.same, cosine),
        seconds=seconds,
        articles_per_second=len(texts) / seconds,
        newsloom=by_length(embedder, pairs.articles, pairs.pairs, pairs.same),
    )


def _hard(articles: Sequence[LabelledArticle], stories: Sequence[str]) -> set[tuple[int, int]]:
    """For each article the different-story ones nearest by shared rare words (IDF cosine)."""
    words = [
        frozenset(_WORD.findall(embedding_text(one.title, one.body).lower())) for one in articles
    ]
    frequency = Counter(word for one in words for word in one)
    total = len(articles)
    idf = {word: math.log(total / count) for word, count in frequency.items()}
    norm = [math.sqrt(sum(idf[word] ** 2 for word in one)) or 1.0 for one in words]
    holders: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(words):
        for word in one:
            if 1 < frequency[word] <= max(2, COMMON_SHARE * total):
                holders[word].append(place)
    pairs = set()
    for place, one in enumerate(words):
        shared: dict[int, float] = defaultdict(float)
        for word in sorted(one):  # sets have no order of their own: sums must not differ by run
            for other in holders.get(word, ()):
                if stories[other] != stories[place]:
                    shared[other] += idf[word] ** 2
        nearest = sorted(shared, key=lambda other: (-shared[other] / norm[other], other))
        pairs |= {_ordered(place, other) for other in nearest[:HARD_NEGATIVES]}
    return pairs


def _random(stories: Sequence[str]) -> set[tuple[int, int]]:
    """For each article a few different-story ones, by a generator with a fixed seed."""
    drawn = np.random.default_rng(0).integers(len(stories), size=(len(stories), RANDOM_NEGATIVES))
    return {
        _ordered(place, int(other))
        for place, others in enumerate(drawn)
        for other in others
        if stories[int(other)] != stories[place]
    }


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
