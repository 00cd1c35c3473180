"""A whole pass over a folder of feeds into SQLite and into PostgreSQL, in turns."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from newsloom.app import open_app
from newsloom.engines.pipeline import STAGES
from newsloom.kernel.settings import Settings
from newsloom_lab.bench.loopback import serving
from newsloom_lab.bench.run import settled, shares_of
from newsloom_lab.databases import fresh


@dataclass(frozen=True, slots=True)
class StorePass:
    """Medians of the rounds, in seconds. What the server computes is in the wall time alone."""

    store: str
    stored: int
    seconds: float  # the whole first pass
    second_pass_seconds: float  # of the same documents, nothing of them new
    processor_seconds: float  # of Newsloom, in both passes
    shares: dict[str, float]  # of the first pass


@dataclass(frozen=True, slots=True)
class RunStoresBench:
    rounds: int
    sqlite: StorePass
    postgresql: StorePass
    ratio: float  # PostgreSQL's seconds / SQLite's
    second_pass_ratio: float


def run(folder: Path, url: str, *, embed: bool = True, rounds: int = 3) -> RunStoresBench:
    """Poll every file of the folder into a fresh store of each kind, twice."""
    found: dict[str, list[StorePass]] = {"sqlite": [], "postgresql": []}
    with serving(folder) as urls:
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as place, fresh(url) as database:
                found["sqlite"].append(_pass(urls, settled(Path(place)), embed, "sqlite"))
                there = settled(Path(place))
                there = replace(there, store=replace(there.store, url=database))
                found["postgresql"].append(_pass(urls, there, embed, "postgresql"))
    sqlite, postgresql = (_medians(each) for each in found.values())
    return RunStoresBench(
        rounds=rounds,
        sqlite=sqlite,
        postgresql=postgresql,
        ratio=postgresql.seconds / sqlite.seconds,
        second_pass_ratio=postgresql.second_pass_seconds / sqlite.second_pass_seconds,
    )


def _pass(urls: Sequence[str], settings: Settings, embed: bool, store: str) -> StorePass:
    app = open_app(settings)
    try:
        feeds = [app.store.reading.subscribe(app.user, url, app.now())[0] for url in urls]
        if embed:
            app.services.embedder.embed(["Loaded before anything is timed."])
        busy = time.process_time()
        first = asyncio.run(app.runner(STAGES if embed else STAGES[:1]).once())
        second = asyncio.run(app.runner(stages=()).once(feeds))
        busy = time.process_time() - busy
    finally:
        app.close()
    return StorePass(
        store=store,
        stored=first.polls.new + first.polls.duplicates,
        seconds=first.seconds,
        second_pass_seconds=second.seconds,
        processor_seconds=busy,
        shares=shares_of(first),
    )


def _medians(rounds: Sequence[StorePass]) -> StorePass:
    middle = statistics.median
    return replace(
        rounds[0],
        seconds=middle(one.seconds for one in rounds),
        second_pass_seconds=middle(one.second_pass_seconds for one in rounds),
        processor_seconds=middle(one.processor_seconds for one in rounds),
        shares={
            name: round(middle(one.shares.get(name, 0.0) for one in rounds), 3)
            for name in rounds[0].shares
        },
    )
