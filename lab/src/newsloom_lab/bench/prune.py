"""Old articles removed by setting while another writes: how long that waits, what is freed.

Every article is read by all who have it, and nobody kept one: all go.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import text

from newsloom.duplicates.stage import DuplicateDetector
from newsloom.engines.pipeline.stages import TEXT_VERSION
from newsloom.kernel.db import producers
from newsloom.kernel.settings import KeepSettings
from newsloom.retention.service import Pruning
from newsloom.retention.values import PrunedRows
from newsloom.store import Store, open_store
from newsloom.work.service import Leases
from newsloom_lab.bench.growth_world import NOW, feeds_of, fill
from newsloom_lab.databases import fresh

# First what takes some of an article, then what takes the rest; newest first seen a year ago.
STEPS = (
    ("texts", KeepSettings(texts_days=31)),
    ("vectors", KeepSettings(vectors_days=31)),
    ("keys", KeepSettings(keys_days=31)),
    ("articles", KeepSettings(articles_days=31)),
)
LATER = timedelta(days=400)
MAKERS = ("vectors", "signatures", "ratings", "scores", "signals", "points")
BETWEEN = 0.005  # seconds between two writes of the other


@dataclass(frozen=True, slots=True)
class Step:
    """One sweep over all articles."""

    what: str
    articles: int
    told_mb: float  # what the dry run told that it would free
    seconds: float
    processor_seconds: float  # of this process
    longest_wait_ms: float  # for the other to write one row, and
    late_wait_ms: float  # how long of a hundred waits the longest is


@dataclass(frozen=True, slots=True)
class PruneBench:
    store: str
    articles: int
    usual_wait_ms: float  # of a hundred writes the longest, while nothing is pruned
    steps: tuple[Step, ...]
    bytes_an_article: float  # before, indexes and all
    bytes_left: float  # afterwards, once the database was cleaned up


def run(url: str, articles: int, heard: Callable[[str], None]) -> PruneBench:
    """In a new database of that server, or in a new file."""
    with _opened(url) as store:
        users, feeds = feeds_of(store)
        empty = _used(store, url)
        with store.database.write() as connection:
            known = {name: producers.numbered(connection, f"{name}@1") for name in MAKERS}
            known["text"] = producers.numbered(connection, TEXT_VERSION)
        fill(store, users, feeds, 1, articles, known, signed=False)
        heard("signing them, for the keys of their texts")
        leases = Leases(store, lambda: NOW, lambda: False)
        while DuplicateDetector(workers=0).step(store, TEXT_VERSION, lambda: NOW, leases):
            pass
        with store.database.write() as connection:
            connection.execute(text("UPDATE states SET read = TRUE WHERE read = FALSE"))
        full = _used(store, url)
        with writing(store) as waits:
            time.sleep(3)
        usual = _late(waits)
        steps = []
        for what, keep in STEPS:
            heard(f"removing {what}")
            steps.append(_step(store, what, keep))
        about = store.about()
        name = next(one for one in ("sqlite", "postgresql") if one in about)
        return PruneBench(
            f"{name} {about[name]}",
            articles,
            usual,
            tuple(steps),
            (full - empty) / articles,
            (_used(store, url) - empty) / articles,
        )


def _step(store: Store, what: str, keep: KeepSettings) -> Step:
    work = Pruning(store, keep, timedelta(days=30), lambda: NOW + LATER)
    (pruned_rows,) = work.would_prune()
    gone: list[PrunedRows] = []
    began, busy = time.perf_counter(), time.process_time()
    with writing(store) as waits:
        work.prune_all(gone.append)
    return Step(
        what,
        sum(one.rows for one in gone),
        pruned_rows.bytes / 1e6,
        time.perf_counter() - began,
        time.process_time() - busy,
        max(waits) * 1_000,
        _late(waits),
    )


def _late(waits: list[float]) -> float:
    return sorted(waits)[len(waits) * 99 // 100] * 1_000


@contextmanager
def writing(store: Store) -> Iterator[list[float]]:
    """Another thread that writes a row now and again; the seconds that each write took."""
    waits: list[float] = []
    ended = threading.Event()

    def write() -> None:
        number = 0
        while not ended.wait(BETWEEN):
            number += 1
            began = time.perf_counter()
            with store.database.write() as connection:
                connection.execute(_ROW, {"key": f"k{number % 100}", "at": number})
            waits.append(time.perf_counter() - began)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield waits
    finally:
        ended.set()
        thread.join()


_ROW = text("""
    INSERT INTO sign_in_failures (key, times, last_at) VALUES (:key, 1, :at)
    ON CONFLICT (key) DO UPDATE SET last_at = excluded.last_at
""")


@contextmanager
def _opened(url: str) -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder:
        if not url:
            store = open_store(Path(folder) / "prune.db", now=lambda: NOW)
            try:
                yield store
            finally:
                store.close()
            return
        with fresh(url) as place:
            store = open_store(place, now=lambda: NOW)
            try:
                yield store
            finally:
                store.close()


def _used(store: Store, url: str) -> int:
    """Bytes in use: what is free inside counts for nothing."""
    if url:
        engine = store.database._engine  # noqa: SLF001 - outside of any transaction
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM FULL")
        return store.database.size()
    with store.database.read() as connection:
        return int(connection.exec_driver_sql(_PAGES).scalar_one()) - store.retention.free_inside()


_PAGES = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
