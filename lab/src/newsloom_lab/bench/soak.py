"""A day of many feeds with a clock that jumps from due time to due time: does anything leak, and is
each feed asked when it was to be? Real scheduler, store and parsing; made-up publishers.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from sqlalchemy import text

from newsloom.app import App, open_app, polling
from newsloom.feeds.values.polling import PollCounts
from newsloom.kernel.db.engine import Database
from newsloom.kernel.errors import UserError
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.settings import Settings
from newsloom.store import Store
from newsloom_lab.bench import publishers
from newsloom_lab.bench.watched import held_mb

BEGINS = datetime(2026, 11, 21, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)

# The clock never jumps less, so that feeds due at nearly one moment go through one transaction, as
# they do in life. A hundredth of the usual floor is 36 s.
STEP = timedelta(seconds=20)

# Until every feed has been asked twice and every cache has been filled.
WARM_UP_SHARE = 0.25

_POLLS = text("""
    SELECT p.feed_id, p.at, p.next_poll_at, f.host FROM polls p JOIN feeds f ON f.id = p.feed_id
    ORDER BY p.feed_id, p.id
""")
_PAUSED = text("SELECT host FROM pauses")


@dataclass(frozen=True, slots=True)
class SoakBench:
    """What a simulated day came to. Memory is of this process and those that parse for it."""

    feeds: int
    hours: float  # of simulated time
    seconds: float  # of real time
    requests: int
    answers: dict[str, int]  # by status or kind of failure
    changed: int
    articles: int  # stored
    revised: int
    polls_per_second: float
    start_mb: float  # after the warm-up
    end_mb: float
    slope_mb_per_hour: float  # of simulated time, after the warm-up
    slope_mb_per_real_minute: float
    descriptors_start: int  # before the first poll
    descriptors_end: int
    punctual_share: float  # of polls within 1% of the wait that the schedule named
    latest_seconds: float
    held_back: int  # polls not among those: their host had asked for time, or failed


@dataclass(slots=True)
class Clock:
    """A clock that is set by hand."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now


@dataclass(slots=True)
class Publishers:
    """A Fetcher: every feed answers at once, by its habit."""

    clock: Clock
    asked: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)

    async def get(self, request: Request) -> Reply:
        self.asked[request.url] += 1
        reply = publishers.answer(request, self.clock.now, self.asked[request.url])
        self.answers[reply.failure.value if reply.failure else str(reply.status)] += 1
        return reply


@dataclass(frozen=True, slots=True)
class _Look:
    """What the process held at one moment."""

    hours: float
    minutes: float  # real ones
    mb: float


def run(
    feeds: int, hours: float, *, workers: int | None = None, step: timedelta = STEP
) -> SoakBench:
    """A simulated time of so many feeds into a fresh store, read by so many processes."""
    if not Path("/proc/self/smaps_rollup").exists():
        raise UserError("What a process holds is read from /proc, which this system has not.")
    clock = Clock(BEGINS)
    fetcher = Publishers(clock)
    with tempfile.TemporaryDirectory() as place:
        settings = Settings()
        app = open_app(
            replace(
                settings,
                store=replace(settings.store, path=Path(place) / "soak.db"),
                reading=settings.reading
                if workers is None
                else replace(settings.reading, workers=workers),
            ),
            now=clock,
        )
        try:
            wanted = [(publishers.address(number), "", "") for number in range(feeds)]
            app.store.reading.subscribe_all(app.user, wanted, clock.now)
            descriptors = _descriptors()
            began = time.perf_counter()
            day = _Day(app, fetcher, clock, step, began)
            counts = asyncio.run(day.run(hours))
            seconds = time.perf_counter() - began
            app.services.workers.close()
            ends = _descriptors()
            late, held_back = late_polls(app, day.paused)
        finally:
            app.close()
    warm = [one for one in day.looks if one.hours >= WARM_UP_SHARE * hours]
    return SoakBench(
        feeds=feeds,
        hours=hours,
        seconds=seconds,
        requests=sum(fetcher.asked.values()),
        answers=dict(fetcher.answers.most_common()),
        changed=counts.changed,
        articles=counts.new + counts.duplicates,
        revised=counts.revised,
        polls_per_second=counts.feeds / seconds,
        start_mb=warm[0].mb,
        end_mb=warm[-1].mb,
        slope_mb_per_hour=_slope([one.hours for one in warm], [one.mb for one in warm]),
        slope_mb_per_real_minute=_slope([one.minutes for one in warm], [one.mb for one in warm]),
        descriptors_start=descriptors,
        descriptors_end=ends,
        punctual_share=sum(one.punctual for one in late) / max(len(late), 1),
        latest_seconds=max((one.seconds for one in late), default=0.0),
        held_back=held_back,
    )


@dataclass(slots=True)
class _Day:
    """The clock driven from due time to due time, with looks at what the process holds."""

    app: App
    fetcher: Publishers
    clock: Clock
    step: timedelta
    began: float
    looks: list[_Look] = field(default_factory=list)
    paused: set[str] = field(default_factory=set)

    async def run(self, hours: float) -> PollCounts:
        counts, ends = PollCounts(), BEGINS + timedelta(hours=hours)
        poller = polling.poller(self.app, self.fetcher, lambda _counts: None)
        self._look()
        while (due := self.app.store.feeds.next_due()) is not None:
            self.clock.now = max(due, self.clock.now + self.step)
            if self.clock.now >= ends:
                break
            counts += replace(await poller.due(), problems=())
            if (self.clock.now - BEGINS) / HOUR >= self.looks[-1].hours + 0.25:
                self._look()
        self.clock.now = ends
        self._look()
        return counts

    def _look(self) -> None:
        minutes = (time.perf_counter() - self.began) / 60
        self.looks.append(_Look((self.clock.now - BEGINS) / HOUR, minutes, held_mb(os.getpid())))
        with _database(self.app).read() as connection:
            self.paused.update(connection.scalars(_PAUSED))


def _database(app: App) -> Database:
    assert isinstance(app.store, Store)
    return app.store.database


@dataclass(frozen=True, slots=True)
class _Late:
    seconds: float
    punctual: bool


def late_polls(app: App, paused: set[str]) -> tuple[list[_Late], int]:
    """Of each poll that followed another, how long after its time it was; how many were held."""
    with _database(app).read() as connection:
        rows = connection.execute(_POLLS).all()
    found, held = [], 0
    for before, after in pairwise(rows):
        if before.feed_id == after.feed_id and before.next_poll_at is not None:
            late = (after.at - before.next_poll_at) / 1_000_000
            wait = (before.next_poll_at - before.at) / 1_000_000
            held += before.host in paused
            if before.host not in paused:
                found.append(_Late(late, abs(late) <= wait / 100))
    return found, held


def _descriptors() -> int:
    """Without those of objects that nobody holds any more."""
    gc.collect()
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def _slope(places: Sequence[float], values: Sequence[float]) -> float:
    """Of the straight line with the least squares."""
    middle, mean = sum(places) / len(places), sum(values) / len(values)
    spread = sum((one - middle) ** 2 for one in places)
    both = sum(
        (place - middle) * (value - mean) for place, value in zip(places, values, strict=True)
    )
    return both / spread if spread else 0.0
