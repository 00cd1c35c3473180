"""Stage work shared out: two worker processes of one thread each, beside one such process.

The articles are made up and their texts read before; embedding is what is timed, from when every
process has loaded its encoder until the last has stored its results. What each encodes is counted.
"""

from __future__ import annotations

import multiprocessing
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

from newsloom.app import open_app
from newsloom.engines.pipeline import STAGES, run_stages
from newsloom.kernel.errors import UserError
from newsloom.kernel.settings import Settings
from newsloom.ranking.ports import Embedder, Vectors
from newsloom_lab.bench.dedup import fill

EMBED = tuple(stage for stage in STAGES if stage.name == "embed")
LONGEST = 3_600  # seconds that a run may take


@dataclass(frozen=True, slots=True)
class Shared:
    """What so many processes at once came to; medians of the rounds."""

    seconds: float
    articles_per_second: float
    processor_seconds: float  # of all processes: how much of the wall time was really theirs
    least_share: float  # of the articles that a process did, the smallest


@dataclass(frozen=True, slots=True)
class WorkBench:
    """One worker beside two. On two free cores `ratio` is what sharing the work brings."""

    articles: int
    rounds: int
    computed_twice: int  # in all rounds
    one: Shared
    two: Shared
    ratio: float  # articles a second of two processes / of one


@dataclass(frozen=True, slots=True)
class _Done:
    """What one process did."""

    encoded: int  # texts
    ended: float  # when, by the clock that all processes of a machine share
    processor_seconds: float


class Counted:
    """An encoder that counts what it is given."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model_id, self.dimensions = embedder.model_id, embedder.dimensions
        self.count = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.count += len(texts)
        return self._embedder.embed(texts)


def run(articles: int, rounds: int = 3) -> WorkBench:
    """Embed the same articles with one process and with two, in turns."""
    found: dict[int, list[tuple[float, list[_Done]]]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder:
        filled = Path(folder) / "filled.db"
        fill(filled, articles)
        for number in range(rounds):
            for workers in found:
                path = Path(shutil.copy(filled, Path(folder) / f"{number}-{workers}.db"))
                found[workers].append(_round(path, workers))
                path.unlink()
    every = [done for results in found.values() for _seconds, done in results]
    encoded = sum(one.encoded for done in every for one in done)
    one, two = (_shared(found[workers], articles) for workers in (1, 2))
    ratio = two.articles_per_second / one.articles_per_second
    return WorkBench(articles, rounds, encoded - len(every) * articles, one, two, ratio)


def _shared(results: Sequence[tuple[float, list[_Done]]], articles: int) -> Shared:
    seconds = statistics.median(took for took, _done in results)
    return Shared(
        seconds,
        articles / seconds,
        statistics.median(sum(one.processor_seconds for one in done) for _took, done in results),
        min(one.encoded for _took, done in results for one in done) / articles,
    )


def _round(path: Path, workers: int) -> tuple[float, list[_Done]]:
    """Seconds from when all are ready, and what each did."""
    start = multiprocessing.get_context("spawn")
    barrier, running = start.Barrier(workers + 1), []
    for _ in range(workers):
        ours, theirs = start.Pipe(duplex=False)
        process = start.Process(target=_work, args=(path, theirs, barrier), daemon=True)
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
    return max(one.ended for one in done) - began, done


def _work(path: Path, told: Connection, barrier: Barrier) -> None:
    settings = Settings()
    settings = replace(
        settings,
        store=replace(settings.store, path=path),
        models=replace(settings.models, threads=1),
    )
    with closing(open_app(settings)) as app:
        app.services.embedder.embed(["Loaded before anything is timed."])
        embedder = Counted(app.services.embedder)
        shop = replace(app.runner().context, embedder=embedder, encoders=None)
        barrier.wait(LONGEST)
        busy = time.process_time()
        run_stages(shop, clock=time.perf_counter, stages=EMBED)
        busy = time.process_time() - busy
        told.send(_Done(embedder.count, time.monotonic(), busy))
