"""Who works on what: leases of ranges of a stage, and articles that a stage sets aside.

A lease is taken, held by heartbeats, and ended in the transaction that keeps the results. Which
articles are pending is in pending.py. Decides no order of stages.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, TextClause, delete, insert, select, text, update

from newsloom.articles.store.tables import articles
from newsloom.kernel.db import leases, producers
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.leases import held
from newsloom.kernel.db.sql import CHUNK, Aggregate, rows_of
from newsloom.kernel.ids import ArticleId
from newsloom.work.store.pending import EVERYTHING, SOURCES, Window, exhausted, remember
from newsloom.work.store.tables import work_batches, work_failures
from newsloom.work.values import Batch, HeldBatch, Lease, Put, SetAside, StageKey, WorkKey

# A range whose worker died is tried again in so many parts, so that one article that kills its
# worker is found among 2,000 by its fifth death.
PARTS = 8

# An article that is alone in its range is set aside when so many workers died of ranges it was in.
DEATHS = 3

# How long an article is set aside: twice as long each time, a week at most.
FIRST_PAUSE = timedelta(minutes=10)
LONGEST_PAUSE = timedelta(days=7)

# Leases and failures of a stage that nobody runs any more, such as one of an earlier model's.
FORGOTTEN_BATCHES = timedelta(days=7)
FORGOTTEN_FAILURES = timedelta(days=30)

# Articles of one range at most, of which a batch is only the first.
_RANGE = 10_000

_BATCHES, _FAILURES = work_batches.c, work_failures.c
_OVERLAPS = text("""
    SELECT 1 FROM work_batches WHERE stage = :stage AND scope = :scope
    AND (low, low_id) <= (:high, :high_id) AND (high, high_id) >= (:low, :low_id) LIMIT 1
""")
_FAILED = text("""
    INSERT INTO work_failures
        (stage, scope, article_id, place, version, attempts, error, retry_at)
    VALUES (:stage, :scope, :article_id, :place, :version, :attempts, :error, :retry_at)
    ON CONFLICT (stage, scope, article_id) DO UPDATE SET place = excluded.place,
        version = excluded.version, attempts = excluded.attempts, error = excluded.error,
        retry_at = excluded.retry_at
""")


class WorkStore(Aggregate):
    """Work of the stages: what is pending, who holds which part of it, what was set aside."""

    def claim_work(
        self, key: StageKey, *, limit: int, now: datetime, until: datetime, owner: str = ""
    ) -> Lease | None:
        """A range of what is pending that nobody holds; None when there is none now.

        What a worker left behind that died, or that was silent past its time, goes first, in parts;
        then what was set aside and is due; then the first pending articles, `limit` at most.
        Without an owner the lease is this process's.
        """
        with self.database.read() as connection:
            if not _claimable(connection, key, now):
                return None
            found = _proposed(connection, key, limit, EVERYTHING)
            note = None if found else exhausted(connection, key)
            left = found or _rows(connection, key) or _failures(connection, key)
            if note is None and not left:
                return None
        holder = owner or leases.this_process()
        with self.database.write() as connection:
            if note is not None:
                remember(connection, key, note)
            # What no stage asks for any more.
            connection.execute(delete(work_batches).where(_BATCHES.until < now - FORGOTTEN_BATCHES))
            connection.execute(
                delete(work_failures).where(_FAILURES.retry_at < now - FORGOTTEN_FAILURES)
            )
            if not _claimable(connection, key, now):
                return None
            lease = _resumed(connection, key, now) or _retried(connection, key, now)
            if lease is None and (found is None or _overlaps(connection, found)):
                found = _proposed(connection, key, limit, EVERYTHING)
            lease = lease or found
            return None if lease is None else _taken(connection, lease, holder, until)

    def renew_work(self, leases: Collection[Lease], until: datetime) -> int:
        """Hold them longer; how many are still held."""
        tokens = [one.token for one in leases]
        return self._change(
            update(work_batches).where(_BATCHES.token.in_(tokens)).values(until=until)
        )

    def release_work(self, leases: Collection[Lease]) -> None:
        """Give them back: nothing was computed, and nobody is to blame."""
        tokens = [one.token for one in leases]
        self._change(delete(work_batches).where(_BATCHES.token.in_(tokens)))

    def fail_work(self, lease: Lease, error: str, now: datetime) -> None:
        """An error came of it: split it, or set aside the one article it is of."""
        with self.database.write() as connection:
            if not _ended(connection, lease):
                return
            places = _in_range(connection, lease.key, lease.low, lease.high)
            if len(places) == 1:
                _set_aside(connection, lease.key, places[0], lease.attempts + 1, error, now)
            else:
                _split(connection, lease.key, places, lease.attempts + 1, now)

    def work_elsewhere(self, now: datetime, stages: Collection[str] = ()) -> int:
        """How many batches other processes hold: of all stages, or of those named."""
        me = leases.this_process()
        query = select(_BATCHES.stage, _BATCHES.owner).where(
            _BATCHES.token != "", _BATCHES.until > now
        )
        with self.database.read() as connection:
            rows = connection.execute(query).all()
        named = tuple(f"{one} " for one in stages)  # before its maker
        holders = [row.owner for row in rows if not named or row.stage.startswith(named)]
        mine = {one for one in set(holders) if one.startswith(me) or not leases.alive(one)}
        return sum(one not in mine for one in holders)

    def held_work(self, now: datetime) -> tuple[HeldBatch, ...]:
        """The batches that living workers hold, this process's too, in the order taken."""
        query = select(work_batches).where(_BATCHES.token != "", _BATCHES.until > now)
        with self.database.read() as connection:
            rows = connection.execute(query.order_by(_BATCHES.id)).all()
        alive = {one: leases.alive(one) for one in {row.owner for row in rows}}
        return tuple(
            HeldBatch(row.stage, row.scope, row.size, row.owner, row.until)
            for row in rows
            if alive[row.owner]
        )

    def pending_work(self, key: StageKey, most: int, now: datetime) -> int:
        """How many articles of a stage nobody works on, those that dead workers left too and those
        set aside that are due; of the others `most` are counted."""
        with self.database.read() as connection:
            free: int = len(SOURCES[key.stage].pending(connection, key, EVERYTHING, most))
            left: int = sum(one.size for one in _rows(connection, key) if not _live(one, now))
            due: int = sum(one.retry_at <= now for one in _failures(connection, key))
            return free + left + due

    def set_aside(self) -> tuple[SetAside, ...]:
        """Articles that a stage leaves out for now, the latest first."""
        query = (
            select(work_failures, articles.c.title)
            .join(articles, articles.c.id == _FAILURES.article_id)
            .order_by(_FAILURES.retry_at.desc(), _FAILURES.article_id.desc())
        )
        return self._rows(
            query,
            SetAside,
        )


def batch_of(
    connection: Connection, lease: Lease, versions: Mapping[int, str], limit: int
) -> Batch:
    """What was read under a lease, and what could be leased after it."""
    source = SOURCES[lease.key.stage]
    window = (
        Window(WorkKey(lease.high.at, lease.high.article + 1), EVERYTHING.high)
        if source.ascending
        else Window(EVERYTHING.low, WorkKey(lease.low.at, lease.low.article - 1))
    )
    found = _proposed(connection, lease.key, limit, window)
    return Batch(lease, {ArticleId(one): text for one, text in versions.items()}, found)


def finish(connection: Connection, batch: Batch | None, until: datetime | None) -> Put | None:
    """End the lease of results that are about to be kept, and take the next until then.

    In the write transaction that keeps them. None: the lease was lost, and nothing may be kept.
    Without a batch, results are of what is there now, and nobody held anything.
    """
    if batch is None:
        return Put(0)
    lease, following = batch.lease, batch.following
    if not _ended(connection, lease):
        return None
    if lease.attempts:
        _forgive(connection, lease.key, lease.ids)
    if until is None or following is None or _overlaps(connection, following):
        return Put(0)
    return Put(0, _taken(connection, following, lease.owner, until))


def still_pending(
    connection: Connection, done: TextClause, lease: Lease, **values: int
) -> list[ArticleId]:
    """The articles of a lease but for those that were done between looking and leasing.

    `done` finds those of `:ids` that have `article_id` and what `:maker` made of it.
    """
    values["maker"] = producers.known(connection, lease.key.producer)
    gone = {row.article_id for row in rows_of(connection, done, lease.ids, **values)}
    return [one for one in lease.ids if one not in gone]


def unchanged(
    batch: Batch | None, ids: Sequence[ArticleId], present: Mapping[int, str]
) -> set[ArticleId]:
    """Those whose text is still the one that a result was computed from."""
    if batch is None:
        return set(ids)
    read = batch.versions
    return {one for one in ids if one in read and read[one] == present.get(one)}


def _rows(connection: Connection, key: StageKey) -> Sequence[Row[Any]]:
    query = select(work_batches).where(_BATCHES.stage == key.name, _BATCHES.scope == key.scope)
    return connection.execute(query.order_by(_BATCHES.id)).all()


def _live(row: Row[Any], now: datetime) -> bool:
    """Whether somebody works on it."""
    return bool(row.token) and held(row.owner, row.until, now)


def _claimable(connection: Connection, key: StageKey, now: datetime) -> bool:
    """A serial stage can only be claimed while nobody holds any of it."""
    if not SOURCES[key.stage].serial:
        return True
    return not any(_live(row, now) for row in _rows(connection, key))


def _proposed(connection: Connection, key: StageKey, limit: int, window: Window) -> Lease | None:
    """The first pending articles of a window as a lease that nobody holds yet."""
    places = SOURCES[key.stage].pending(connection, key, window, limit)
    if places:
        first = places[0]
        for row in _rows(connection, key):  # a range does not reach across another's
            low = WorkKey(row.low, row.low_id)
            places = [one for one in places if (one < low) == (first < low)]
    return _lease(key, places) if places else None


def _lease(key: StageKey, places: Sequence[WorkKey], attempts: int = 0) -> Lease:
    return Lease(
        key=key,
        low=min(places[0], places[-1]),
        high=max(places[0], places[-1]),
        ids=tuple(ArticleId(one.article) for one in places),
        token=secrets.token_hex(8),
        owner="",
        attempts=attempts,
    )


def _overlaps(connection: Connection, lease: Lease) -> bool:
    values = {"stage": lease.key.name, "scope": lease.key.scope, **_ends(lease)}
    return connection.scalar(_OVERLAPS, values) is not None


def _ends(lease: Lease) -> dict[str, int]:
    (low, low_id), (high, high_id) = lease.low, lease.high
    return {"low": low, "low_id": low_id, "high": high, "high_id": high_id}


def _taken(connection: Connection, lease: Lease, owner: str, until: datetime) -> Lease:
    lease = replace(lease, owner=owner)
    _insert(connection, lease, until)
    return lease


def _insert(connection: Connection, lease: Lease, until: datetime) -> None:
    connection.execute(
        insert(work_batches).values(
            stage=lease.key.name,
            scope=lease.key.scope,
            size=len(lease.ids),
            token=lease.token,
            owner=lease.owner,
            until=until,
            attempts=lease.attempts,
            **_ends(lease),
        )
    )


def _ended(connection: Connection, lease: Lease) -> bool:
    """End a lease; whether it was still held."""
    gone = connection.execute(delete(work_batches).where(_BATCHES.token == lease.token))
    return gone.rowcount == 1


def _resumed(connection: Connection, key: StageKey, now: datetime) -> Lease | None:
    """What a worker left behind, in parts; the row it left goes."""
    for row in _rows(connection, key):
        if _live(row, now):
            continue
        connection.execute(delete(work_batches).where(_BATCHES.id == row.id))
        low, high = WorkKey(row.low, row.low_id), WorkKey(row.high, row.high_id)
        if places := _in_range(connection, key, low, high):
            died = bool(row.token)
            attempts = row.attempts + died
            if not died:
                return _lease(key, places, attempts)
            if len(places) > 1:
                return _split(connection, key, places, attempts, now, taking=True)
            if attempts < DEATHS:
                return _lease(key, places, attempts)
            words = f"{attempts} workers ended without a result"
            _set_aside(connection, key, places[0], attempts, words, now)
    return None


def _in_range(
    connection: Connection, key: StageKey, low: WorkKey, high: WorkKey
) -> Sequence[WorkKey]:
    """The pending articles of a range that nobody holds."""
    trying = low.article if low == high else 0
    return SOURCES[key.stage].pending(connection, key, Window(low, high, trying), _RANGE)


def _split(
    connection: Connection,
    key: StageKey,
    places: Sequence[WorkKey],
    attempts: int,
    now: datetime,
    *,
    taking: bool = False,
) -> Lease | None:
    """Leave the parts of a range to be tried one after another; the first may be taken at once."""
    size = -(-len(places) // PARTS)
    parts = [
        _lease(key, places[start : start + size], attempts)
        for start in range(0, len(places), size or 1)
    ]
    for part in parts[taking:]:
        _insert(connection, replace(part, token=""), now)
    return parts[0] if taking else None


def _retried(connection: Connection, key: StageKey, now: datetime) -> Lease | None:
    """An article that was set aside and is due; those whose text has changed are pending again."""
    failures = _failures(connection, key)
    if not failures:
        return None
    present = SOURCES[key.stage].versions(connection, [row.article_id for row in failures])
    changed = [row for row in failures if present.get(row.article_id) != row.version]
    _forgive(connection, key, [row.article_id for row in changed])
    for row in sorted(set(failures) - set(changed), key=lambda row: row.retry_at):
        if row.retry_at > now:
            break
        place = WorkKey(row.place, row.article_id)
        if places := _in_range(connection, key, place, place):
            return _lease(key, places, row.attempts)
        if not _overlaps(connection, _lease(key, [place])):  # no longer pending
            _forgive(connection, key, [row.article_id])
    return None


def _failures(connection: Connection, key: StageKey) -> Sequence[Row[Any]]:
    query = select(work_failures).where(_FAILURES.stage == key.name, _FAILURES.scope == key.scope)
    return connection.execute(query).all()


def _set_aside(
    connection: Connection, key: StageKey, place: WorkKey, attempts: int, error: str, now: datetime
) -> None:
    version = SOURCES[key.stage].versions(connection, [place.article]).get(place.article, "")
    pause = min(FIRST_PAUSE * 2 ** min(attempts, 20), LONGEST_PAUSE)
    connection.execute(
        _FAILED,
        {
            "stage": key.name,
            "scope": key.scope,
            "article_id": place.article,
            "place": place.at,
            "version": version,
            "attempts": attempts,
            "error": error,
            "retry_at": micros(now + pause),
        },
    )


def _forgive(connection: Connection, key: StageKey, ids: Sequence[int]) -> None:
    for start in range(0, len(ids), CHUNK):
        connection.execute(
            delete(work_failures).where(
                _FAILURES.stage == key.name,
                _FAILURES.scope == key.scope,
                _FAILURES.article_id.in_(ids[start : start + CHUNK]),
            )
        )
