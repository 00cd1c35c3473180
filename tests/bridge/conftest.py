"""A real store, a clock that a test sets, and the other program in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bridge.program import Program
from bridge.ranking import HALF_LIVES, SENSITIVITY, rank
from migrated import migrated
from newsloom.bridges.plan import Mapped
from newsloom.bridges.service.sync import Synchroniser
from newsloom.store import Store, open_store

ALL = Mapped()


@dataclass
class World:
    """Both sides; ranking is by what titles are worth alone."""

    path: Path
    store: Store
    program: Program
    clock: datetime

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
            sensitivity_model=lambda: SENSITIVITY,
            now=self.now,
        )

    def rank(self) -> None:
        rank(self.store, self.clock)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    path = migrated(tmp_path / "newsloom.db")
    clock = datetime(2026, 11, 2, 12, tzinfo=UTC)
    world = World(path, open_store(path, now=lambda: world.clock), Program(), clock)
    yield world
    world.store.close()
