"""A simulated day of many feeds, polled by several processes on one database, one of which is
killed and another started each simulated hour: is a feed asked too early, or late, is an article
stored twice? The clock is one for all, and jumps as that of soak.py.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from sqlalchemy import TextClause, text

from newsloom.app import App, open_app, polling
from newsloom.kernel.errors import StoreBusy, UserError
from newsloom.kernel.settings import Settings
from newsloom_lab.bench import publishers
from newsloom_lab.bench.soak import BEGINS, HOUR, STEP, Clock, Publishers, late_polls
from newsloom_lab.databases import fresh

LONGEST = 3600.0  # seconds that one round of polls may take
KILLED_WITHIN = 0.2  # seconds after a round began

_START = multiprocessing.get_context("spawn")
_COUNTS = text("""
    SELECT (SELECT COUNT(*) FROM polls) AS polls, (SELECT COUNT(*) FROM articles) AS articles,
        (SELECT COUNT(*) FROM (SELECT DISTINCT feed_id, url FROM articles) AS one) AS addresses,
        (SELECT COUNT(*) FROM feeds WHERE polled_at IS NULL) AS never
""")
_WRITTEN = text("SELECT pg_current_wal_lsn() - '0/0'")
_PAUSED = text("SELECT host FROM pauses")


@dataclass(frozen=True, slots=True)
class WorkersSoak:
    """What a simulated day of several processes came to."""

    feeds: int
    hours: float  # of simulated time
    processes: int
    kills: int
    seconds: float  # of real time
    cpu_seconds: float  # of processes that poll, without those that were killed
    polls: int
    polls_per_second: float
    articles: int
    doubles: int  # articles of a feed that are stored twice
    never_polled: int  # feeds
    earliest_seconds: float  # of a poll, before its time
    latest_seconds: float  # after it
    punctual_share: float  # of polls within 1% of the wait that the schedule named
    megabytes: float  # of the database
    written_megabytes: float | None  # to the log of PostgreSQL


@dataclass(slots=True, eq=False)
class _Poller:
    """A process that polls all due feeds each time the parent sends it the simulated time."""

    url: str
    pipe: Connection = field(init=False)
    process: BaseProcess = field(init=False)

    def __post_init__(self) -> None:
        self.pipe, theirs = _START.Pipe()
        self.process = _START.Process(target=_poll, args=(self.url, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def answer(self) -> float:
        """Its CPU seconds so far, when its round is over."""
        if not self.pipe.poll(LONGEST):
            raise UserError(f"A process polled for more than {LONGEST:g} s.")
        busy: float = self.pipe.recv()
        return busy


def run(
    url: str,
    feeds: int,
    hours: float,
    processes: int,
    *,
    step: timedelta = STEP,
    progress: Callable[[str], None] = lambda _line: None,
) -> WorkersSoak:
    """A simulated time of so many feeds in a new database, polled by so many processes. `url` is
    that of a PostgreSQL server, or "" for a file of SQLite. `progress` gets a line after the
    first round and after each simulated hour."""
    chance, clock = random.Random(35), Clock(BEGINS)
    with (
        tempfile.TemporaryDirectory() as folder,
        fresh(url) if url else nullcontext(f"{folder}/soak.db") as database,
        closing(_opened(database, clock)) as app,
    ):
        wanted = [(publishers.address(number), "", "") for number in range(feeds)]
        app.store.reading.subscribe_all(app.user, wanted, BEGINS)
        app.store.database.settle()
        written = _value(app, _WRITTEN) if url else 0
        paused: set[str] = set()
        crew = [_Poller(database) for _ in range(processes)]
        kills, rounds, gone, began = 0, 0, 0.0, time.perf_counter()
        busy = dict.fromkeys(crew, 0.0)
        while (due := app.store.feeds.next_due()) is not None:
            clock.now = max(due, clock.now + step)
            if clock.now >= BEGINS + timedelta(hours=hours):
                break
            was = kills
            for one in crew:
                one.pipe.send(clock.now)
            if clock.now - BEGINS > (kills + 1) * HOUR:
                lost = crew.pop(chance.randrange(processes))
                time.sleep(chance.random() * KILLED_WITHIN)
                lost.process.kill()
                lost.process.join()
                gone, kills = gone + busy.pop(lost), kills + 1
                busy |= {one: one.answer() for one in crew}
                crew.append(_Poller(database))
            else:
                busy |= {one: one.answer() for one in crew}
            rounds += 1
            with app.store.database.read() as connection:
                paused.update(connection.scalars(_PAUSED))
                if rounds == 1 or was != kills:
                    counts = connection.execute(_COUNTS).one()
                    progress(
                        f"{clock.now:%a %H:%M} after {time.perf_counter() - began:.0f} s: "
                        f"{rounds} rounds, {counts.polls} polls, {counts.articles} articles"
                    )
        seconds = time.perf_counter() - began
        for one in crew:
            one.process.kill()
        with app.store.database.read() as connection:
            counts = connection.execute(_COUNTS).one()
        late, _held = late_polls(app, paused)
        size = app.store.database.size()
        written = _value(app, _WRITTEN) - written if url else None
    return WorkersSoak(
        feeds=feeds,
        hours=hours,
        processes=processes,
        kills=kills,
        seconds=seconds,
        cpu_seconds=gone + sum(busy.values()),
        polls=counts.polls,
        polls_per_second=counts.polls / seconds,
        articles=counts.articles,
        doubles=counts.articles - counts.addresses,
        never_polled=counts.never,
        earliest_seconds=max((-one.seconds for one in late), default=0.0),
        latest_seconds=max((one.seconds for one in late), default=0.0),
        punctual_share=sum(one.punctual for one in late) / max(len(late), 1),
        megabytes=size / 1e6,
        written_megabytes=None if written is None else float(written) / 1e6,
    )


def _opened(database: str, clock: Clock) -> App:
    settings = Settings()
    return open_app(
        replace(
            settings,
            store=replace(settings.store, url=database)
            if "://" in database
            else replace(settings.store, path=Path(database)),
            reading=replace(settings.reading, workers=0),
        ),
        now=clock,
    )


def _value(app: App, query: TextClause) -> Any:
    with app.store.database.read() as connection:
        return connection.scalar(query)


def _poll(database: str, told: Connection) -> None:
    clock = Clock(BEGINS)
    with closing(_opened(database, clock)) as app:
        asyncio.run(_rounds(app, clock, told))


async def _rounds(app: App, clock: Clock, told: Connection) -> None:
    """Poll all due feeds for each simulated time received from the parent."""
    async with app.services.hosts.use():
        poller = polling.poller(app, Publishers(clock), lambda _counts: None)
        while True:
            now: datetime = await asyncio.to_thread(told.recv)
            clock.now = now
            with suppress(StoreBusy):  # who was killed holds it for a moment
                await poller.due()
            told.send(time.process_time())
