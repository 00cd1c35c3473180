"""What is too old is removed: a few rows a transaction, so that nobody waits long to write.

A side task, so in one process at a time. Each pass goes on where the last one stopped; a kill
loses at most what one transaction had begun.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.settings import KeepSettings
from newsloom.reading.store.undoing import REST
from newsloom.retention.store.store import AGED, AgedTable
from newsloom.retention.values import Aging, PrunedRows, Removal
from newsloom.store import Store

# Late articles, feeds that were left and can be followed again, and duplicates are looked for over
# a month: nothing younger is pruned, whatever the settings say.
LEAST = timedelta(days=31)

# After a sweep came to what is too young it rests for a day; after so long it begins anew.
REST_DAYS, ANEW_DAYS = timedelta(days=1), timedelta(days=30)

# How long a transaction may keep other writers waiting, and so many articles are removed in it at
# first, at least and at most: of fewer the statements themselves take most of the time.
HELD_SECONDS = 0.04
FIRST, LEAST_ROWS, MOST_ROWS = 50, 20, 500

# How long a pass goes on with it: the stages wait.
PASS_SECONDS = 10.0

# What settings prune, in this order: what goes whole need not be cut first.
SWEEPS = (
    (Removal.ARTICLES, "articles_days"),
    (Removal.TEXTS, "texts_days"),
    (Removal.VECTORS, "vectors_days"),
    (Removal.KEYS, "keys_days"),
)


@dataclass(frozen=True, slots=True)
class Ages:
    """Before which moment something is too old."""

    removal: Removal
    before: datetime
    unread_before: datetime


def due_sweeps(keep: KeepSettings, now: datetime, window: timedelta) -> tuple[Ages, ...]:
    """What the settings say of articles; `window` is that of duplicates."""
    unread = _before(keep.unread_days, now, LEAST)
    found = []
    for removal, setting in SWEEPS:
        least = max(LEAST, window + timedelta(days=1)) if removal is Removal.KEYS else LEAST
        before = _before(getattr(keep, setting), now, least)
        if removal is Removal.ARTICLES:
            before = max(filter(None, (before, unread)), default=None)
        if before is not None:
            found.append(Ages(removal, before, unread or datetime.min.replace(tzinfo=now.tzinfo)))
    return tuple(found)


def due_tables(keep: KeepSettings, now: datetime) -> tuple[tuple[AgedTable, datetime], ...]:
    """Tables whose rows go by their own age, and before when."""
    ages = ((one, _before(getattr(keep, one.setting), now, LEAST)) for one in AGED)
    return tuple((one, before) for one, before in ages if before is not None)


def _before(days: int, now: datetime, least: timedelta) -> datetime | None:
    return now - max(timedelta(days=days), least) if days else None


@dataclass(slots=True)
class Batches:
    """How many rows are removed at once: as many as are gone in time."""

    clock: Callable[[], float]
    size: int = FIRST
    longest: float = 0.0  # seconds that a transaction took

    def each(self, rows: Sequence[Any], remove: Callable[[Sequence[Any]], int]) -> Iterator[int]:
        """Remove all of the rows, some at a time; how many went each time."""
        start = 0
        while start < len(rows):
            part = rows[start : start + self.size]
            begun = self.clock()
            yield remove(part)
            took = self.clock() - begun
            start += len(part)
            self.longest = max(self.longest, took)
            if took > HELD_SECONDS:
                self.size = max(LEAST_ROWS, self.size // 2)
            elif took < HELD_SECONDS / 4 and len(part) == self.size:
                self.size = min(MOST_ROWS, self.size * 2)
            time.sleep(REST)


@dataclass(frozen=True, slots=True)
class Pruning:
    """Removes what is too old by the settings."""

    store: Store
    keep: KeepSettings
    window: timedelta  # of duplicates
    now: Callable[[], datetime]
    clock: Callable[[], float] = time.monotonic
    seconds: float = PASS_SECONDS

    async def run(self, _fetcher: Fetcher) -> int:
        """A side task: how many rows went."""
        return await asyncio.to_thread(self.prune_some)

    def prune_some(self) -> int:
        """What there is time for in one pass."""
        end = self.clock() + self.seconds
        return sum(one.rows for one in self._steps(lambda: self.clock() >= end, REST_DAYS))

    def prune_all(self, heard: Callable[[PrunedRows], None]) -> tuple[PrunedRows, ...]:
        """All of it, now, also what rests; `heard` is told after each transaction."""
        found: dict[str, int] = {}
        for one in self._steps(lambda: False, timedelta(0)):
            found[one.what] = found.get(one.what, 0) + one.rows
            heard(one)
        return tuple(PrunedRows(what, rows) for what, rows in found.items() if rows)

    def would_prune(self) -> tuple[PrunedRows, ...]:
        """What would go, and how many bytes that would free. Writes nothing."""
        now, found = self.now(), []
        for ages in due_sweeps(self.keep, now, self.window):
            article_id, rows, freed, ended = ArticleId(0), 0, 0, False
            while not ended:
                aging = self._aging(ages, article_id)
                article_id, ended = aging.upto, aging.ended
                rows += len(aging.ids)
                freed += self.store.retention.freed(ages.removal, aging.ids)
            found.append(PrunedRows(str(ages.removal), rows, freed))
        for table, before in due_tables(self.keep, now):
            found.append(
                PrunedRows(table.name, self.store.retention.count_aged(table.name, before))
            )
        return tuple(found)

    def _aging(self, ages: Ages, article_id: ArticleId) -> Aging:
        return self.store.retention.aging(ages.removal, article_id, ages.before, ages.unread_before)

    def _steps(self, enough: Callable[[], bool], rest: timedelta) -> Iterator[PrunedRows]:
        now, batches = self.now(), Batches(self.clock)
        for ages in due_sweeps(self.keep, now, self.window):
            for rows in self._sweep(ages, now, rest, batches, enough):
                yield PrunedRows(str(ages.removal), rows)
                if enough():
                    return
        for table, before in due_tables(self.keep, now):
            for rows in self._old_rows(table, before, batches):
                yield PrunedRows(table.name, rows)
                if enough():
                    return

    def _sweep(
        self,
        ages: Ages,
        now: datetime,
        rest: timedelta,
        batches: Batches,
        enough: Callable[[], bool],
    ) -> Iterator[int]:
        """One sweep, from where it is."""
        retention = self.store.retention
        sweep_place = retention.sweep_place(ages.removal, now, rest=rest, anew=ANEW_DAYS)
        if sweep_place is None:
            return
        last, begins, ended = sweep_place.last, sweep_place.begins, False
        while not ended:
            aging = self._aging(ages, last)
            yield from batches.each(
                aging.ids,
                lambda part: retention.remove_aged(
                    ages.removal, part, ages.before, ages.unread_before, now
                ),
            )
            last, ended = aging.upto, aging.ended
            retention.swept(ages.removal, last, now, begins=begins, ended=ended)
            begins = False
            if enough():
                return
            yield 0

    def _old_rows(self, table: AgedTable, before: datetime, batches: Batches) -> Iterator[int]:
        retention = self.store.retention
        while keys := retention.aged_keys(table.name, before, MOST_ROWS):
            gone = 0
            for rows in batches.each(
                keys, lambda part: retention.remove_rows(table.name, before, part)
            ):
                gone += rows
                yield rows
            if not gone:  # somebody holds on to them since
                return
