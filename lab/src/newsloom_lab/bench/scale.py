"""Workers of one thread each on PostgreSQL: 1, 2 and 4 of them, on one processor and on two.

Embedding is what is timed, as in work.py, from when every process has loaded its encoder until the
last has stored its results. Every process is held to the processors of the run; PostgreSQL is not,
and takes its share of them where the machine has no others. Then what a lease costs: to claim one
and to give it back, beside what its stage takes for as many articles.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

from newsloom.app import open_app, utc_now
from newsloom.engines.pipeline import STAGES, run_stages
from newsloom.kernel.errors import UserError
from newsloom.kernel.settings import Settings
from newsloom.store import copying, open_store
from newsloom.work.values import StageKey
from newsloom_lab.bench.dedup import fill
from newsloom_lab.databases import fresh

EMBED = tuple(stage for stage in STAGES if stage.name == "embed")
LONGEST = 3_600  # seconds that a run may take
WORKERS = (1, 2, 4)
PROCESSORS = (1, 2)
CLAIMS = 50  # leases taken and given back, to time one
SMALLEST = 128  # articles of the smallest batch there is: that of embedding


@dataclass(frozen=True, slots=True)
class Crew:
    """What so many workers on so many processors came to; medians of the rounds."""

    processors: int
    workers: int
    articles_per_second: float
    processor_seconds: float  # of the workers; less than their wall time, if others had some


@dataclass(frozen=True, slots=True)
class LeaseCost:
    """A lease for itself, in a transaction of its own: within a put it costs less."""

    lease_ms: float  # to claim a batch and give it back
    lease_us_per_article: float  # of the smallest batch there is
    stages_us_per_article: dict[str, float]
    cheapest: str
    share: float  # of the cheapest stage's time; the goal is 0.05


@dataclass(frozen=True, slots=True)
class ScaleBench:
    """The goal of `efficiency` (two workers on two processors / twice one on one) is 0.85."""

    articles: int
    rounds: int
    crews: tuple[Crew, ...]
    efficiency: float
    lease: LeaseCost


def run(url: str, articles: int, rounds: int = 3) -> ScaleBench:
    """Each size of crew on a fresh copy of the same articles, in turns."""
    there = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
    if len(there) < max(PROCESSORS):
        raise UserError(f"This needs Linux and {max(PROCESSORS)} processors.")
    sizes = [(few, workers) for few in PROCESSORS for workers in WORKERS]
    found: dict[tuple[int, int], list[tuple[float, float]]] = {one: [] for one in sizes}
    with tempfile.TemporaryDirectory() as folder:
        filled = Path(folder) / "filled.db"
        fill(filled, articles)
        for _ in range(rounds):
            for few, workers in sizes:
                with fresh(url) as database:
                    _copied(filled, database)
                    found[few, workers].append(_round(database, workers, there[:few]))
        with fresh(url) as database:
            _copied(filled, database)
            lease = _lease_cost(database)
    crews = tuple(
        Crew(
            few,
            workers,
            articles / statistics.median(seconds for seconds, _busy in each),
            statistics.median(busy for _seconds, busy in each),
        )
        for (few, workers), each in found.items()
    )
    by_size = {(one.processors, one.workers): one.articles_per_second for one in crews}
    return ScaleBench(articles, rounds, crews, by_size[2, 2] / (2 * by_size[1, 1]), lease)


def _copied(filled: Path, database: str) -> None:
    with (
        closing(open_store(filled, now=utc_now)) as source,
        closing(open_store(database, now=utc_now)) as target,
    ):
        copying.copy(source.database, target.database, lambda _table, _rows: None)


def _settings(database: str) -> Settings:
    settings = Settings()
    return replace(
        settings,
        store=replace(settings.store, url=database),
        models=replace(settings.models, threads=1),
    )


def _round(database: str, workers: int, processors: Sequence[int]) -> tuple[float, float]:
    """Seconds from when all are ready until the last is done, and processor seconds of all."""
    start = multiprocessing.get_context("spawn")
    barrier, running = start.Barrier(workers + 1), []
    for _ in range(workers):
        ours, theirs = start.Pipe(duplex=False)
        process = start.Process(
            target=_work, args=(database, tuple(processors), theirs, barrier), daemon=True
        )
        process.start()
        theirs.close()
        running.append((process, ours))
    barrier.wait(LONGEST)
    began = time.monotonic()
    try:
        done = [pipe.recv() for _process, pipe in running]
    except EOFError as error:
        raise UserError("A worker process ended before it was done.") from error
    for process, _pipe in running:
        process.join()
    return max(ended for ended, _busy in done) - began, sum(busy for _ended, busy in done)


def _work(database: str, processors: tuple[int, ...], told: Connection, barrier: Barrier) -> None:
    os.sched_setaffinity(0, processors)
    with closing(open_app(_settings(database))) as app:
        app.embedder.embed(["Loaded before anything is timed."])
        context = app.runner().context
        barrier.wait(LONGEST)
        busy = time.process_time()
        run_stages(context, clock=time.perf_counter, stages=EMBED)
        told.send((time.monotonic(), time.process_time() - busy))


def _lease_cost(database: str) -> LeaseCost:
    with closing(open_app(_settings(database))) as app:
        key, work = StageKey("embed", app.embedder.model_id), app.store.work
        began = time.perf_counter()
        for _ in range(CLAIMS):
            now = app.now()
            lease = work.claim_work(key, limit=SMALLEST, now=now, until=now + timedelta(minutes=2))
            assert lease is not None
            work.release_work([lease])
        seconds = (time.perf_counter() - began) / CLAIMS
        app.embedder.embed(["Loaded before anything is timed."])
        reports = app.runner().rank()
    stages = {one.stage: 1e6 * one.seconds / one.done for one in reports if one.done}
    cheapest = min(stages, key=stages.__getitem__)
    each = 1e6 * seconds / SMALLEST
    return LeaseCost(1e3 * seconds, each, stages, cheapest, each / stages[cheapest])
