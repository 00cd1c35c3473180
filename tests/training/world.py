"""A reader with likes and dislikes in a real store, and trainers that do what a test needs."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from migrated import migrated
from newsloom.kernel.errors import ModelError
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.ranking.learning.calibration import folds
from newsloom.ranking.learning.logistic import problem, sigmoid, solve
from newsloom.ranking.measure.metrics import roc_auc
from newsloom.ranking.training import Trainers, TrainingService
from newsloom.ranking.values.models import NotYet
from newsloom.reading.values.reading import EventKind
from newsloom.store import Store, open_store
from store.builders import DIMENSIONS, NOW, VECTORS, add, read_texts

NEEDED = (20, 20)
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Encoder:
    """As many numbers a text as the store's builders take."""

    model_id: str = VECTORS
    dimensions: int = DIMENSIONS

    def embed(self, texts):
        rows = np.zeros((len(texts), DIMENSIONS), np.float32)
        rows[:, 0] = 1.0
        return rows


@dataclass(frozen=True)
class LineModel:
    """A line through the vectors, as JSON: the least that ports.PersonalModel asks for."""

    weights: tuple[float, ...]
    bias: float
    positives: int
    negatives: int
    trained: datetime
    metrics: tuple[tuple[str, float], ...]
    vector_model: str
    personal: bool = True

    @property
    def model_id(self) -> str:
        return f"line@1/{hashlib.sha256(self.to_payload()).hexdigest()[:12]}"

    def score(self, articles, vectors, categories):
        logits = np.einsum("ij,j->i", vectors.astype(float), np.array(self.weights))
        return 100.0 * sigmoid(logits + self.bias)

    def parts(self, article, vector, category):
        return ()

    def to_payload(self) -> bytes:
        return json.dumps(asdict(self) | {"trained": self.trained.isoformat()}).encode()


@dataclass(frozen=True)
class LineTrainer:
    """Real enough to be judged, and done in milliseconds."""

    name: str = "line"
    needed: tuple[int, int] = NEEDED
    vector_model: str = VECTORS

    def train(self, labels, vectors, now):
        truth = np.array([one.positive for one in labels], float)
        ups, downs = int(truth.sum()), int(len(truth) - truth.sum())
        if ups < self.needed[0] or downs < self.needed[1]:
            return NotYet(ups, downs, self.needed)
        rows = vectors.astype(float)
        held_out = np.empty(len(truth))
        for held in folds(truth):
            kept = np.setdiff1d(np.arange(len(truth)), held)
            line = solve(problem(rows[kept], truth[kept], np.ones(len(kept))), 1.0)
            held_out[held] = line.logits(rows[held])
        line = solve(problem(rows, truth, np.ones(len(truth))), 1.0)
        figures = (("roc_auc", roc_auc(truth > 0, held_out)),)
        weights = tuple(line.weights.tolist())
        return LineModel(weights, line.bias, ups, downs, now, figures, self.vector_model)

    def load(self, stored):
        if hashlib.sha256(stored.payload).hexdigest() != stored.sha256:
            raise ModelError("it is damaged: its bytes do not match its hash.")
        try:
            fields = json.loads(stored.payload)
            fields["trained"] = datetime.fromisoformat(fields["trained"])
            metrics = tuple((name, value) for name, value in fields.pop("metrics"))
            return LineModel(**{**fields, "weights": tuple(fields["weights"]), "metrics": metrics})
        except (ValueError, TypeError, KeyError) as error:
            raise ModelError(f"it cannot be read: {error!r}.") from error


class Reversed(LineTrainer):
    """A trainer gone wrong: it learns the opposite."""

    def train(self, labels, vectors, now):
        wrong = [replace(one, positive=not one.positive) for one in labels]
        return LineTrainer.train(self, wrong, vectors, now)


class Faulty(LineTrainer):
    """A trainer whose device is gone."""

    def train(self, labels, vectors, now):
        raise ModelError("the device ran out of memory")

    def load(self, stored):
        raise ModelError("its weight file is missing")


def trainers(chosen="line", *, quick=True, **others) -> Trainers:
    return Trainers({"line": LineTrainer(), **others}, chosen, quick)


@dataclass
class World:
    """One reader over one store. `now` moves on by a minute with every label."""

    path: Path
    store: Store = field(init=False)
    user: UserId = field(init=False)
    ids: list[ArticleId] = field(init=False)
    now: datetime = NOW
    marked: int = 0

    def __post_init__(self) -> None:
        self.store = open_store(migrated(self.path), now=lambda: self.now)
        self.user = self.store.users.user("reader", NOW)
        self.ids = []

    def publish(self, count: int, seed: int = 0, feeds: int = 1) -> None:
        """Articles with vectors; a reader of one linear taste would like half of them."""
        ids = []
        for place in range(feeds):
            url = f"https://feed-{place}.test/feed"
            feed, _new = self.store.reading.subscribe(self.user, url, NOW)
            names = [f"{seed} {number}" for number in range(place, count, feeds)]
            ids += add(self.store, feed, *names)
        while read_texts(self.store):
            pass
        draw = np.random.default_rng(seed)
        rows = draw.standard_normal((count, DIMENSIONS)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        self.store.articles.put_vectors(VECTORS, ids, rows)
        self.ids += ids

    def tasteful(self, one: ArticleId) -> bool:
        (row,) = self.store.articles.vectors(VECTORS, [one]).values()
        return bool(row[0] + row[1] > 0)

    def label(self, count: int, *, wrong: bool = False, only: bool | None = None) -> None:
        """Mark the next articles by the taste, or against it; `only` likes or only dislikes."""
        known = self.store.articles.vectors(VECTORS, self.ids)
        for one in self.ids[self.marked : self.marked + count]:
            likes = bool(known[one][0] + known[one][1] > 0) ^ wrong
            self.now += MINUTE
            if only is None or likes is only:
                kind = EventKind.LIKE if likes else EventKind.DISLIKE
                self.store.reading.mark(self.user, [one], kind, self.now, "test")
        self.marked += count

    def training(self, using: Trainers | None = None, encoder: str = VECTORS) -> TrainingService:
        """As a process of its own would see it."""
        return TrainingService(
            self.store, Encoder(encoder), using or trainers(), NEEDED, lambda: self.now
        )

    def in_force(self) -> str | None:
        found = self.store.models.active_model(self.user, "relevance")
        return None if found is None else found.model_id
