"""The duplicates stage on the same made-up news in SQLite and in PostgreSQL."""

from __future__ import annotations

import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from newsloom.duplicates.stage import DuplicateDetector
from newsloom.duplicates.values import Thresholds
from newsloom.store import Store, copying, open_store
from newsloom_lab.bench.dedup import WORKERS, fill, steps
from newsloom_lab.bench.news import END
from newsloom_lab.databases import fresh

_MADE = ("links", "clusters", "signatures")


@dataclass(frozen=True, slots=True)
class StoreSpeed:
    store: str
    seconds: float
    articles_per_second: float
    processor_seconds: float  # of the process that judges; the server and who signs not counted


@dataclass(frozen=True, slots=True)
class DedupStoresBench:
    articles: int
    same: bool  # what the stage left in both
    sqlite: StoreSpeed
    postgresql: StoreSpeed
    ratio: float  # PostgreSQL's seconds / SQLite's


def run(articles: int, thresholds: Thresholds, url: str) -> DedupStoresBench:
    """Fill a SQLite file, copy it into a new database of the server, run the stage over both."""
    with tempfile.TemporaryDirectory() as folder, fresh(url) as database:
        path = Path(folder) / "dedup.db"
        fill(path, articles)
        with (
            closing(open_store(path, now=lambda: END)) as file,
            closing(open_store(database, now=lambda: END)) as server,
        ):
            copying.copy(file.database, server.database)
            sqlite = _speed(file, thresholds, "sqlite")
            postgresql = _speed(server, thresholds, "postgresql")
            left = [copying.digests(one.database) for one in (file, server)]
    return DedupStoresBench(
        articles=articles,
        same=all(left[0][name] == left[1][name] for name in _MADE),
        sqlite=sqlite,
        postgresql=postgresql,
        ratio=postgresql.seconds / sqlite.seconds,
    )


def _speed(store: Store, thresholds: Thresholds, name: str) -> StoreSpeed:
    busy = time.process_time()
    found = list(steps(store, DuplicateDetector(thresholds, workers=WORKERS)))
    seconds = sum(took for _done, took, _memory in found)
    done = sum(one[0] for one in found)
    return StoreSpeed(name, seconds, done / seconds, time.process_time() - busy)
