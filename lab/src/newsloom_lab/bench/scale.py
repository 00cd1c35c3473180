"""Workers of one thread each on PostgreSQL: 1, 2 and 4 of them, on one processor and on two.

Embedding is what is timed, as in work.py, from when every process has loaded its encoder until the
last has stored its results. Every process is held to the processors of the run; PostgreSQL is not,
and takes its share of them where the machine has no others. Then what part of each stage's time
goes to leases.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from sqlalchemy import event

from newsloom.app import open_app, utc_now
from newsloom.engines.pipeline import STAGES, run_stages
from newsloom.kernel.errors import UserError
from newsloom.kernel.settings import Settings
from newsloom.store import Store, copying, open_store
from newsloom_lab.bench.dedup import fill
from newsloom_lab.databases import fresh

EMBED = tuple(stage for stage in STAGES if stage.name == "embed")
LONGEST = 3_600  # seconds that a run may take
WORKERS = (1, 2, 4)
PROCESSORS = (1, 2)


@dataclass(frozen=True, slots=True)
class Crew:
    """What so many workers on so many processors came to; medians of the rounds."""

    processors: int
    workers: int
    articles_per_second: float
    processor_seconds: float  # of the workers; less than their wall time, if others had some


@dataclass(frozen=True, slots=True)
class LeaseCost:
    """What leases cost one stage. The goal of the cheapest stage's `share` is 0.05."""

    stage: str
    us_per_article: float  # of the whole stage
    leases_us_per_article: float  # of it for leases, the search for pending articles with it
    share: float


@dataclass(frozen=True, slots=True)
class ScaleBench:
    """The goal of `efficiency` (two workers on two processors / twice one on one) is 0.85."""

    articles: int
    rounds: int
    crews: tuple[Crew, ...]
    efficiency: float
    leases: tuple[LeaseCost, ...]  # the cheapest stage first


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
            leases = _lease_costs(database)
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
    return ScaleBench(articles, rounds, crews, by_size[2, 2] / (2 * by_size[1, 1]), leases)


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
        app.services.embedder.embed(["Loaded before anything is timed."])
        context = app.runner().context
        barrier.wait(LONGEST)
        busy = time.process_time()
        run_stages(context, clock=time.perf_counter, stages=EMBED)
        told.send((time.monotonic(), time.process_time() - busy))


def _lease_costs(database: str) -> tuple[LeaseCost, ...]:
    """Of one worker. A stage's claims are committed once a pass, which is not among it."""
    costs = []
    with closing(open_app(_settings(database))) as app:
        app.services.embedder.embed(["Loaded before anything is timed."])
        context = app.runner().context
        for stage in STAGES:
            with _timed(app.store, "work_batches", "work_failures") as spent:
                reports = run_stages(context, clock=time.perf_counter, stages=(stage,))
            for one in reports:
                if one.done:
                    each, of_leases = (1e6 * it / one.done for it in (one.seconds, sum(spent)))
                    costs.append(LeaseCost(one.stage, each, of_leases, of_leases / each))
    return tuple(sorted(costs, key=lambda one: one.us_per_article))


@contextmanager
def _timed(store: Store, *tables: str) -> Iterator[list[float]]:
    """Seconds of each statement that names one of these tables, from building to executing it."""
    spent: list[float] = []

    def begin(connection: Any, *_given: object) -> None:
        connection.info["began"] = time.perf_counter()

    def see(connection: Any, _cursor: object, statement: str, *_given: object) -> None:
        connection.info["ours"] = any(one in statement for one in tables)

    def end(connection: Any, *_given: object) -> None:
        if connection.info["ours"]:
            spent.append(time.perf_counter() - connection.info["began"])

    engine = store.database._engine  # noqa: SLF001 - what else sees every statement
    listeners: dict[str, Callable[..., None]] = {
        "before_execute": begin,
        "before_cursor_execute": see,
        "after_execute": end,
    }
    for name, function in listeners.items():
        event.listen(engine, name, function)
    try:
        yield spent
    finally:
        for name, function in listeners.items():
            event.remove(engine, name, function)
