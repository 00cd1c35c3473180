"""A reader's trained head: what it scores with, and its form as bytes. Trains nothing.

The bytes are JSON, plain numbers and no pickle; damage of any kind is a ModelError.
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

from newsloom.classify.descent import Floats
from newsloom.classify.logistic import Line, sigmoid
from newsloom.classify.prior import points
from newsloom.errors import ModelError
from newsloom.ports import Vectors
from newsloom.types import ArticleText, FeedId, Reason

VERSION = "head@1"


@dataclass(frozen=True, slots=True, eq=False)
class TrainedHead:
    """Implements ports.RelevanceModel with one reader's weights."""

    line: Line = field(repr=False)  # calibrated: its logits are log odds of a like
    feeds: Mapping[FeedId, float]  # log odds to add
    categories: Mapping[str, float]
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
        extra = [
            self.feeds.get(one.feed_id, 0.0) + self.categories.get(name, 0.0)
            for one, name in zip(articles, categories, strict=True)
        ]
        return 100.0 * sigmoid(self._logits(vectors) + np.array(extra, np.float64))

    def parts(self, article: ArticleText, vector: Vectors, category: str) -> tuple[Reason, ...]:
        """What moved the score away from 50, in points, largest first."""
        text = float(self._logits(vector.reshape(1, -1))[0]) - self.line.bias
        feed = self.feeds.get(article.feed_id, 0.0)
        group = self.categories.get(category, 0.0)
        return points(
            (
                ("prior", "how often you like anything", self.line.bias),
                ("text", "what it says, by your likes and dislikes", text),
                ("feed", "likes and dislikes of this feed", feed),
                ("category", f"likes and dislikes in {category}", group),
            )
        )

    def to_payload(self) -> bytes:
        """The bytes to keep. Their SHA-256 is what `from_payload` asks for."""
        return _pack(self)

    def _logits(self, vectors: Vectors) -> Floats:
        rows = np.asarray(vectors, np.float64)
        if rows.shape[1] != len(self.line.weights):
            raise ModelError(
                f"{self.model_id} was trained on vectors of {len(self.line.weights)} numbers, "
                f"not {rows.shape[1]}."
            )
        return self.line.logits(np.nan_to_num(rows))


def named(head: TrainedHead) -> TrainedHead:
    """The head with its id, which changes whenever any score could."""
    digest = hashlib.sha256(_pack(head)).hexdigest()
    return replace(head, model_id=f"{VERSION}/{digest[:12]}")


def from_payload(payload: bytes, sha256: str) -> TrainedHead:
    """A head from its bytes. Raises ModelError when they are not the ones kept."""
    if hashlib.sha256(payload).hexdigest() != sha256:
        raise ModelError("The stored relevance model is damaged: its bytes do not match its hash.")
    try:
        head = _unpack(json.loads(payload))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise ModelError(f"The stored relevance model cannot be read: {error!r}.") from error
    return head


def _pack(head: TrainedHead) -> bytes:
    fields = {
        "version": VERSION,
        "vector_model": head.vector_model,
        "weights": head.line.weights.tolist(),
        "bias": head.line.bias,
        "feeds": sorted(head.feeds.items()),
        "categories": sorted(head.categories.items()),
        "penalty": head.penalty,
        "positives": head.positives,
        "negatives": head.negatives,
        "metrics": [list(pair) for pair in head.metrics],
        "trained": head.trained.isoformat(),
    }
    return json.dumps(fields, separators=(",", ":")).encode()


def _unpack(fields: Mapping[str, Any]) -> TrainedHead:
    if fields["version"] != VERSION:
        raise ValueError(f"version {fields['version']!r}")
    head = TrainedHead(
        line=Line(np.array(fields["weights"], np.float64), float(fields["bias"])),
        feeds={FeedId(int(feed)): float(odds) for feed, odds in fields["feeds"]},
        categories={str(name): float(odds) for name, odds in fields["categories"]},
        penalty=float(fields["penalty"]),
        positives=int(fields["positives"]),
        negatives=int(fields["negatives"]),
        metrics=tuple((str(name), float(value)) for name, value in fields["metrics"]),
        trained=datetime.fromisoformat(fields["trained"]),
        vector_model=str(fields["vector_model"]),
    )
    numbers = [head.line.bias, *head.line.weights, *head.feeds.values(), *head.categories.values()]
    if head.line.weights.ndim != 1 or not all(map(math.isfinite, numbers)):
        raise ValueError("weights that are no finite numbers")
    return named(head)
