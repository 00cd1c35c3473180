"""The top of the list from the same rows in SQLite and in PostgreSQL, through the store alone."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from newsloom.kernel.ids import UserId
from newsloom.kernel.settings import RankingSettings
from newsloom.reading.values.reading import ListQuery, Rows
from newsloom.store import Store, open_store
from newsloom_lab.bench.rank import FILTERS, HALF_LIVES, NOW, RECENCY, fill, median
from newsloom_lab.bench.rank_rows import RowTimes, times

TIMES = 20  # each filter is asked


@dataclass(frozen=True, slots=True)
class StoreTimes:
    """Medians in milliseconds of one top-`limit` among `rows` unread articles of one reader."""

    store: str  # its kind and version
    merge_ms: float  # ids
    varied_ms: float  # ids, with variety of feeds as it is by default
    page_ms: float  # the whole page
    megabytes: float
    by_rows: tuple[RowTimes, ...]  # where articles share texts, events and stories


@dataclass(frozen=True, slots=True)
class FilterInBoth:
    """Medians in milliseconds of the ids of one top-`limit` through a filter, of processor time:
    this process's and, where it runs here, the server's; else as the clock goes."""

    name: str
    sqlite_ms: float
    server_ms: float
    same: bool  # both list the same
    found: int


@dataclass(frozen=True, slots=True)
class StoresBench:
    """Both."""

    rows: int
    limit: int
    same: bool  # both list the same
    filters: tuple[FilterInBoth, ...]
    times: tuple[StoreTimes, ...]


def run(rows: int, limit: int, url: str, most: int = 500) -> StoresBench:
    """Fill a SQLite file and an empty PostgreSQL database, which stays filled, with the same."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_store(Path(folder) / "rank.db", now=lambda: NOW)) as file,
        closing(open_store(url, now=lambda: NOW)) as server,
    ):
        user = fill(file, rows)
        fill(server, rows)
        _vacuum(url)
        lists = [one.lists.page_ids(user, _query(limit), NOW, HALF_LIVES) for one in (file, server)]
        clock = _server_clock(url)
        filters = [
            _filter(clock, file, server, user, name, _query(limit, **narrowed), min(TIMES, most))
            for name, narrowed, _where in FILTERS
        ]
        times = tuple(_measure(one, user, limit, most) for one in (file, server))
        filters += [
            _filter(
                clock,
                file,
                server,
                user,
                f"{name}, {rows}",
                _query(limit, rows=rows, **narrowed),
                min(TIMES, most),
            )
            for rows in (Rows.CLUSTER, Rows.STORY)
            for name, narrowed, _where in FILTERS
        ]
    return StoresBench(rows, limit, lists[0] == lists[1], tuple(filters), times)


def _vacuum(url: str) -> None:
    """As the server does by itself minutes after so much was written: until then it looks into
    the table for what its indexes have."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def _server_clock(url: str) -> Callable[[], float]:
    """Seconds of processor time of this process and of the sessions that a server has for it."""
    import psycopg

    with psycopg.connect(url) as connection:
        sessions = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND application_name = 'newsloom'"
        ).fetchall()
    spent = [Path(f"/proc/{pid}/schedstat") for (pid,) in sessions]
    if not spent or not all(one.exists() for one in spent):
        return time.perf_counter

    def clock() -> float:
        server = sum(int(one.read_text().split()[0]) for one in spent)
        return time.process_time() + server / 1e9

    return clock


def _filter(
    clock: Callable[[], float],
    file: Store,
    server: Store,
    user: UserId,
    name: str,
    query: ListQuery,
    rounds: int,
) -> FilterInBoth:
    def found(store: Store) -> tuple[int, ...]:
        return store.lists.page_ids(user, query, NOW, HALF_LIVES)

    return FilterInBoth(
        name=name,
        sqlite_ms=median(rounds, lambda: found(file), time.process_time),
        server_ms=median(rounds, lambda: found(server), clock),
        same=found(file) == found(server),
        found=len(found(file)),
    )


def _measure(store: Store, user: UserId, limit: int, most: int) -> StoreTimes:
    query = _query(limit)
    varied = replace(query, diversification=RankingSettings().diversification())
    about = store.about()
    name = next(one for one in ("sqlite", "postgresql") if one in about)
    return StoreTimes(
        store=f"{name} {about[name]}",
        merge_ms=median(most, lambda: store.lists.page_ids(user, query, NOW, HALF_LIVES)),
        varied_ms=median(most, lambda: store.lists.page_ids(user, varied, NOW, HALF_LIVES)),
        page_ms=median(min(50, most), lambda: store.lists.page(user, query, NOW, HALF_LIVES)),
        megabytes=store.database.size() / 1e6,
        by_rows=times(store, user, limit, most, time.perf_counter),
    )


def _query(limit: int, **narrowed: Any) -> ListQuery:
    return ListQuery(limit=limit, recency=RECENCY, **narrowed)
