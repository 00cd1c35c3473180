"""A real store, a clock that a test sets, and the other program in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from bridge.program import Program
from newsloom.bridge import Mapped, Synchroniser
from newsloom.pipeline.stages import TEXT_VERSION
from newsloom.settings import RankingSettings
from newsloom.store import SqlStore, open_store
from newsloom.text.html import to_text
from newsloom.types import PlainText, Rating, Score

HALF_LIVES = RankingSettings().half_lives()
ALL = Mapped()


@dataclass
class World:
    """Both sides. `likes` says how much a title is worth; ranking is by that alone."""

    path: Path
    store: SqlStore
    program: Program
    clock: datetime
    likes: Callable[[str], float]

    def now(self) -> datetime:
        return self.clock

    def later(self, **span: float) -> None:
        self.clock += timedelta(**span)

    def synchroniser(self, mapped: Mapped = ALL) -> Synchroniser:
        return Synchroniser(
            store=self.store,
            remote=self.program,
            mapped=mapped,
            rank=self.rank,
            half_lives=lambda _user: HALF_LIVES,
            sensitivity_model="m",
            now=self.now,
        )

    def rank(self) -> None:
        """The stages, with a model that needs no weights."""
        store = self.store
        while raw := store.pending_texts(TEXT_VERSION, 100):
            store.put_texts(
                TEXT_VERSION, [PlainText(one.id, one.title, to_text(one.html, 999)) for one in raw]
            )
        while articles := store.pending_vectors("v", 100):
            rows = np.zeros((len(articles), 2), np.float32)
            rows[:, 0] = 1
            store.put_vectors("v", [one.id for one in articles], rows)
        while (found := store.pending_ratings("m", "v", 100))[0]:
            ids = [one.id for one in found[0]]
            store.put_ratings("m", ids, [Rating(3, 0.9, "a day")] * len(ids), self.clock)
        for user, _name in store.users():
            while (
                found := store.pending_scores(
                    user, scored_by="s", sensitivity_model="m", vector_model="v", limit=100
                )
            )[0]:
                scores = [Score(one.id, self.likes(one.title), 3) for one in found[0]]
                store.put_scores(user, "s", scores, HALF_LIVES)


def worth(title: str) -> float:
    """The number at the end of a title, else 50."""
    last = title.split()[-1]
    return float(last) if last.isdigit() else 50.0


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    path = tmp_path / "newsloom.db"
    clock = datetime(2026, 11, 2, 12, tzinfo=UTC)
    world = World(path, open_store(path, now=lambda: world.clock), Program(), clock, worth)
    yield world
    world.store.close()
