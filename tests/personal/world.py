"""A reader with likes and dislikes in a real store, and trainers that do what a test needs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from newsloom.classify.head_trainer import HeadTrainer
from newsloom.errors import ModelError
from newsloom.personal import Personal, Trainers
from newsloom.store import SqlStore, open_store
from newsloom.types import ArticleId, EventKind, UserId
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


class Reversed(HeadTrainer):
    """A trainer gone wrong: it learns the opposite."""

    def train(self, labels, vectors, now):
        wrong = [replace(one, positive=not one.positive) for one in labels]
        return HeadTrainer.train(self, wrong, vectors, now)


class Faulty(HeadTrainer):
    """A trainer whose device is gone."""

    def train(self, labels, vectors, now):
        raise ModelError("the device ran out of memory")

    def load(self, stored):
        raise ModelError("its weight file is missing")


def trainers(chosen=None, *, quick=True, **others) -> Trainers:
    head = HeadTrainer(NEEDED, VECTORS)
    by_name = {"head": head, **others}
    return Trainers(by_name, chosen or "head", quick)


@dataclass
class World:
    """One reader over one store. `now` moves on by a minute with every label."""

    path: Path
    store: SqlStore = field(init=False)
    user: UserId = field(init=False)
    ids: list[ArticleId] = field(init=False)
    now: datetime = NOW
    marked: int = 0

    def __post_init__(self) -> None:
        self.store = open_store(self.path, now=lambda: self.now)
        self.user = self.store.user("reader", NOW)
        self.ids = []

    def publish(self, count: int, seed: int = 0) -> None:
        """Articles with vectors; a reader of one linear taste would like half of them."""
        feed, _new = self.store.subscribe(self.user, "https://first.test/feed", NOW)
        names = [f"{seed} {number}" for number in range(count)]
        ids = add(self.store, feed, *names)
        while read_texts(self.store):
            pass
        draw = np.random.default_rng(seed)
        rows = draw.standard_normal((count, DIMENSIONS)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        self.store.put_vectors(VECTORS, ids, rows)
        self.ids += ids

    def tasteful(self, one: ArticleId) -> bool:
        (row,) = self.store.vectors(VECTORS, [one]).values()
        return bool(row[0] + row[1] > 0)

    def label(self, count: int, *, wrong: bool = False, only: bool | None = None) -> None:
        """Mark the next articles by the taste, or against it; `only` likes or only dislikes."""
        known = self.store.vectors(VECTORS, self.ids)
        for one in self.ids[self.marked : self.marked + count]:
            likes = bool(known[one][0] + known[one][1] > 0) ^ wrong
            self.now += MINUTE
            if only is None or likes is only:
                kind = EventKind.LIKE if likes else EventKind.DISLIKE
                self.store.mark(self.user, [one], kind, self.now, "test")
        self.marked += count

    def personal(self, using: Trainers | None = None, encoder: str = VECTORS) -> Personal:
        """As a process of its own would see it."""
        return Personal(self.store, Encoder(encoder), using or trainers(), NEEDED, lambda: self.now)

    def in_force(self) -> str | None:
        found = self.store.active_model(self.user, "relevance")
        return None if found is None else found.model_id
