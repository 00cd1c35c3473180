"""A reader's trained head: what it scores with, and its form as bytes. Trains nothing.

The bytes are JSON, plain numbers and no pickle; damage of any kind is a ModelError. So is another
version: a head of before is trained again from the labels, which takes a second.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import ModelError
from newsloom.kernel.ids import FeedId
from newsloom.ranking.learning import features
from newsloom.ranking.learning.features import Curves
from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.learning.logistic import Line, sigmoid
from newsloom.ranking.learning.payload import taken_apart, undamaged
from newsloom.ranking.learning.prior import points
from newsloom.ranking.learning.terms import Vocabulary, vocabulary
from newsloom.ranking.ports import Vectors
from newsloom.ranking.values.models import ArticleText, Reason

VERSION = "head@3"

# Articles made into rows at once: bounds the memory of scoring tens of thousands.
BATCH = 2_000

SHOWN = 3  # words named in an explanation; the others are one line


@dataclass(frozen=True, slots=True, eq=False)
class TrainedHead:
    """Implements ports.PersonalModel with one reader's weights; its logits are log odds of a like.

    log odds = bias + weights . vector + along . bends . along + words + feed + category + source
    """

    line: Line = field(repr=False)
    curves: Curves = field(repr=False)
    bends: Floats = field(repr=False)  # symmetric, one row and column for each direction
    vocabulary: Vocabulary = field(repr=False)
    words: Floats = field(repr=False)  # log odds of a text of that word alone
    feeds: Mapping[FeedId, float]  # log odds to add
    categories: Mapping[str, float]
    sources: Mapping[str, float]
    penalty: float
    positives: int
    negatives: int
    metrics: tuple[tuple[str, float], ...]  # on folds held out
    trained: datetime
    vector_model: str = ""  # whose vectors it understands; empty when not said
    model_id: str = ""
    personal: bool = True

    def score(
        self, articles: Sequence[ArticleText], vectors: Vectors, categories: Sequence[str]
    ) -> NDArray[np.float64]:
        """100 * the calibrated chance of a like."""
        logits = np.empty(len(articles))
        for start in range(0, len(articles), BATCH):
            part = slice(start, start + BATCH)
            words = self.vocabulary.rows(features.word_counts(articles[part]))
            logits[part] = self._by_text(vectors[part]) + words.times(self.words)
        added = [self._by_place(one, name) for one, name in zip(articles, categories, strict=True)]
        return 100.0 * sigmoid(logits + np.array(added, np.float64))

    def parts(self, article: ArticleText, vector: Vectors, category: str) -> tuple[Reason, ...]:
        """What moved the score away from 50, in points, largest first."""
        text = float(self._by_text(vector.reshape(1, -1))[0]) - self.line.bias
        told, rest = self._telling(article)
        feed = self.feeds.get(article.feed_id, 0.0)
        group = self.categories.get(category, 0.0)
        source = self.sources.get(article.source, 0.0)
        return points(
            (
                ("prior", "your overall share of likes", self.line.bias),
                ("text", "its text, by your likes and dislikes", text),
                *(("term", word, odds) for word, odds in told),
                ("words", "its other words", rest),
                ("feed", "your likes and dislikes in this feed", feed),
                ("category", f"your likes and dislikes in {category}", group),
                ("source", f"your likes and dislikes of {article.source}", source),
            )
        )

    def to_payload(self) -> bytes:
        """The bytes to keep. Their SHA-256 is what `from_payload` asks for."""
        return _pack(self)

    def _by_text(self, vectors: Vectors) -> Floats:
        if np.shape(vectors)[1] != len(self.line.weights):
            raise ModelError(
                f"{self.model_id} was trained on vectors of {len(self.line.weights)} numbers, "
                f"not {np.shape(vectors)[1]}."
            )
        rows = features.unit(vectors)
        return self.line.logits(rows) + features.bent(self.curves.along(rows), self.bends)

    def _by_place(self, article: ArticleText, category: str) -> float:
        return (
            self.feeds.get(article.feed_id, 0.0)
            + self.categories.get(category, 0.0)
            + self.sources.get(article.source, 0.0)
        )

    def _telling(self, article: ArticleText) -> tuple[list[tuple[str, float]], float]:
        """The words that pull hardest with the log odds they bring, and what the others do."""
        row = self.vocabulary.rows(features.word_counts([article]))
        odds = (row.values * self.words[row.columns]).tolist()
        names = [self.vocabulary.terms[place] for place in row.columns]
        ranked = sorted(zip(names, odds, strict=True), key=lambda pair: (-abs(pair[1]), pair[0]))
        return ranked[:SHOWN], sum(one for _, one in ranked[SHOWN:])


def named(head: TrainedHead) -> TrainedHead:
    """The head with its id, which changes whenever any score could."""
    digest = hashlib.sha256(_pack(head)).hexdigest()
    return replace(head, model_id=f"{VERSION}/{digest[:12]}")


def from_payload(payload: bytes, sha256: str) -> TrainedHead:
    """A head from its bytes. Raises ModelError when they are not the ones kept."""
    return taken_apart(undamaged(payload, sha256), _unpack)


def _pack(head: TrainedHead) -> bytes:
    fields = {
        "version": VERSION,
        "vector_model": head.vector_model,
        "weights": head.line.weights.tolist(),
        "bias": head.line.bias,
        "directions": head.curves.directions.tolist(),
        "middle": head.curves.middle.tolist(),
        "bends": head.bends.tolist(),
        "texts": head.vocabulary.texts,
        "terms": head.vocabulary.terms,
        "holders": head.vocabulary.holders,
        "words": head.words.tolist(),
        "feeds": sorted(head.feeds.items()),
        "categories": sorted(head.categories.items()),
        "sources": sorted(head.sources.items()),
        "penalty": head.penalty,
        "positives": head.positives,
        "negatives": head.negatives,
        "metrics": [list(pair) for pair in head.metrics],
        "trained": head.trained.isoformat(),
    }
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()


def _unpack(fields: Mapping[str, Any]) -> TrainedHead:
    if fields["version"] != VERSION:
        raise ValueError(f"version {fields['version']!r}")
    head = TrainedHead(
        line=Line(_numbers(fields["weights"], 1), float(fields["bias"])),
        curves=Curves(_numbers(fields["directions"], 2), _numbers(fields["middle"], 1)),
        bends=_numbers(fields["bends"], 2),
        vocabulary=_vocabulary(fields),
        words=_numbers(fields["words"], 1),
        feeds={FeedId(int(feed)): _number(odds) for feed, odds in fields["feeds"]},
        categories=_by_name(fields["categories"]),
        sources=_by_name(fields["sources"]),
        penalty=float(fields["penalty"]),
        positives=int(fields["positives"]),
        negatives=int(fields["negatives"]),
        metrics=tuple((str(name), float(value)) for name, value in fields["metrics"]),
        trained=datetime.fromisoformat(fields["trained"]),
        vector_model=str(fields["vector_model"]),
    )
    directions, dimensions = head.curves.directions.shape
    fit = (
        len(head.line.weights) == dimensions
        and head.curves.middle.shape == (directions,)
        and head.bends.shape == (directions, directions)
        and len(head.words) == len(head.vocabulary.terms) <= features.MOST_WORDS
    )
    if not fit or not math.isfinite(head.line.bias):
        raise ValueError("numbers that do not fit each other")
    return named(head)


def _vocabulary(fields: Mapping[str, Any]) -> Vocabulary:
    terms, texts = [str(term) for term in fields["terms"]], int(fields["texts"])
    holders = [int(count) for count in fields["holders"]]
    if len(set(terms)) != len(terms) or not all(0 < count <= texts for count in holders):
        raise ValueError("a word twice, or in more texts than there are")
    return vocabulary(zip(terms, holders, strict=True), texts)


def _by_name(pairs: Any) -> dict[str, float]:
    return {str(name): _number(odds) for name, odds in pairs}


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("a weight that is no finite number")
    return number


def _numbers(values: Any, dimensions: int) -> Floats:
    numbers = np.array(values, np.float64)
    if numbers.ndim != dimensions or not np.isfinite(numbers).all():
        raise ValueError("weights that are no finite numbers")
    return numbers
