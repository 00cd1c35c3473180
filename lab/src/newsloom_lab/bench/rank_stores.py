"""The top of the list from the same rows in SQLite and in PostgreSQL, through the store alone."""

from __future__ import annotations

import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from newsloom.settings import RankingSettings
from newsloom.store import Store, copying, open_store
from newsloom.types import ListQuery, UserId
from newsloom_lab.bench.rank import HALF_LIVES, NOW, fill, median
from newsloom_lab.bench.rank_rows import RowTimes, times


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
class StoresBench:
    """Both, and what moved the rows from one to the other."""

    rows: int
    limit: int
    copy_seconds: float  # compared row for row in the end
    same: bool  # both list the same
    times: tuple[StoreTimes, ...]


def run(rows: int, limit: int, url: str) -> StoresBench:
    """Fill a SQLite file, copy it into an empty PostgreSQL database, which stays filled."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_store(Path(folder) / "rank.db", now=lambda: NOW)) as file,
        closing(open_store(url, now=lambda: NOW)) as server,
    ):
        user = fill(file, rows)
        began = time.perf_counter()
        copying.copy(file.database, server.database)
        seconds = time.perf_counter() - began
        lists = [one.lists.page_ids(user, _query(limit), NOW, HALF_LIVES) for one in (file, server)]
        times = tuple(_measure(one, user, limit) for one in (file, server))
    return StoresBench(rows, limit, seconds, lists[0] == lists[1], times)


def _measure(store: Store, user: UserId, limit: int) -> StoreTimes:
    query = _query(limit)
    varied = replace(query, variety=RankingSettings().variety())
    about = store.about()
    name = next(one for one in ("sqlite", "postgresql") if one in about)
    return StoreTimes(
        store=f"{name} {about[name]}",
        merge_ms=median(500, lambda: store.lists.page_ids(user, query, NOW, HALF_LIVES)),
        varied_ms=median(500, lambda: store.lists.page_ids(user, varied, NOW, HALF_LIVES)),
        page_ms=median(50, lambda: store.lists.page(user, query, NOW, HALF_LIVES)),
        megabytes=store.database.size() / 1e6,
        by_rows=times(store, user, limit, time.perf_counter),
    )


def _query(limit: int) -> ListQuery:
    return ListQuery(limit=limit)
