"""`store.jobs`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Row,
    Table,
    Text,
    insert,
    select,
    update,
)

from newsloom.engines.jobs.values import OPEN_JOBS, HistoryJob, JobId, JobState, JobStep
from newsloom.kernel.db import leases
from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.leases import held
from newsloom.kernel.db.schema import metadata, text_column
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import UserId


def _many(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False, server_default="0")


history_jobs = Table(
    "history_jobs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("kind", Text, nullable=False),
    # The kind while it is open, else NULL: one of each kind at a time.
    Column("open_kind", Text, unique=True),
    Column("state", Text, nullable=False),
    Column("user_id", Id, ForeignKey("users.id"), index=True),  # whose; NULL: everybody's
    Column("wish", Json(), nullable=False),
    Column("position", Json(), nullable=False),
    _many("total"),
    _many("done"),
    _many("refused"),
    Column("pace", Float),
    Column("share", Float),
    text_column("words"),
    Column("started_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("moved_at", Moment),
    # What the rate is reckoned from: begun anew every half minute.
    Column("window_at", Moment),
    _many("window_done"),
    Column("rate", Float, nullable=False, server_default="0"),
    text_column("token"),
    text_column("owner"),
    Column("until", Moment),
)


_JOBS = history_jobs.c

# How long the rate is reckoned over: long enough to be steady, short enough to follow a throttle.
WINDOW = timedelta(seconds=30)

# Without a step for so long, the time since is no part of the rate: nobody worked.
IDLE = timedelta(minutes=2)

LONGEST_WORDS = 500


class JobStore(Aggregate):
    """Whole-history jobs."""

    def start_job(
        self,
        kind: str,
        now: datetime,
        *,
        user: UserId | None = None,
        wish: Mapping[str, Any] | None = None,
        pace: float | None = None,
        share: float | None = None,
    ) -> JobId | None:
        """A running job; None when one of its kind is open."""
        with self.database.write() as connection:
            if connection.scalar(select(_JOBS.id).where(_JOBS.open_kind == kind)) is not None:
                return None
            made = insert(history_jobs).values(
                kind=kind,
                open_kind=kind,
                state=str(JobState.RUNNING),
                user_id=user,
                wish=dict(wish or {}),
                position={},
                pace=pace,
                share=share,
                started_at=now,
            )
            return JobId(connection.execute(made.returning(_JOBS.id)).scalar_one())

    def job(self, number: JobId) -> HistoryJob | None:
        return self._one(select(history_jobs).where(_JOBS.id == number), HistoryJob)

    def open_job(self, kind: str) -> HistoryJob | None:
        """The one of that kind that is running or paused."""
        return self._one(select(history_jobs).where(_JOBS.open_kind == kind), HistoryJob)

    def open_jobs(self) -> tuple[HistoryJob, ...]:
        """Those that are running or paused, the oldest first."""
        query = select(history_jobs).where(_JOBS.open_kind.is_not(None)).order_by(_JOBS.id)
        return self._rows(query, HistoryJob)

    def jobs(self, limit: int) -> tuple[HistoryJob, ...]:
        """The last ones, the newest first."""
        query = select(history_jobs).order_by(_JOBS.id.desc()).limit(limit)
        return self._rows(query, HistoryJob)

    def set_job_state(self, number: JobId, to: JobState, now: datetime, words: str = "") -> bool:
        """Bring an open job into another state; False where it is not open, or stands so.

        Whoever worked on it has lost it. What it did stays.
        """
        over = to not in OPEN_JOBS
        changes: dict[str, Any] = {"open_kind": None, "ended_at": now} if over else {}
        changed = self._change(
            update(history_jobs)
            .where(_JOBS.id == number, _JOBS.open_kind.is_not(None), _JOBS.state != str(to))
            .values(
                state=str(to),
                words=words[:LONGEST_WORDS],
                rate=0.0,
                window_at=None,
                token="",
                owner="",
                until=None,
                **changes,
            )
        )
        return changed == 1

    def throttle_job(self, number: JobId, *, pace: float | None, share: float | None) -> bool:
        """How fast an open job may go from now on; None: as set."""
        changed = self._change(
            update(history_jobs)
            .where(_JOBS.id == number, _JOBS.open_kind.is_not(None))
            .values(pace=pace, share=share)
        )
        return changed == 1

    def count_job(self, number: JobId, total: int) -> None:
        """How many units it has in all."""
        self._change(update(history_jobs).where(_JOBS.id == number).values(total=total))

    def tell_job(self, number: JobId, words: str) -> None:
        """What stops it for now; nothing: it goes on."""
        self._change(
            update(history_jobs)
            .where(_JOBS.id == number, _JOBS.open_kind.is_not(None))
            .values(words=words[:LONGEST_WORDS])
        )

    def claim_job(self, number: JobId, *, now: datetime, until: datetime) -> str | None:
        """A token for a running job that nobody holds; None where somebody does."""
        with self.database.read() as connection:
            if not _free(connection, number, now):
                return None
        with self.database.write() as connection:
            if not _free(connection, number, now):
                return None
            token = secrets.token_hex(8)
            connection.execute(
                update(history_jobs)
                .where(_JOBS.id == number)
                .values(token=token, owner=leases.this_process(), until=until)
            )
            return token

    def renew_job(self, token: str, until: datetime) -> bool:
        """Hold it longer; whether it is still held."""
        with self.database.write() as connection:
            held = (_JOBS.token == token) & (_JOBS.token != "")
            done = connection.execute(update(history_jobs).where(held).values(until=until))
            return done.rowcount == 1

    def release_job(self, token: str) -> None:
        """Give it back."""
        self._change(
            update(history_jobs)
            .where(_JOBS.token == token, _JOBS.token != "")
            .values(token="", owner="", until=None)
        )

    def advance_job(self, number: JobId, step: JobStep, now: datetime) -> bool:
        """Add a step. With a token, False where it is lost or the job does not run any more: then
        nothing of the step may be kept."""
        with self.database.write() as connection:
            query = select(history_jobs).where(_JOBS.id == number)
            row = connection.execute(query).one_or_none()
            if row is None:
                return False
            if step.token and (row.token != step.token or row.state != str(JobState.RUNNING)):
                return False
            done = row.done + step.done
            changes: dict[str, Any] = {} if step.position is None else {"position": step.position}
            connection.execute(
                update(history_jobs)
                .where(_JOBS.id == number)
                .values(
                    done=done,
                    refused=row.refused + step.refused,
                    moved_at=now,
                    **_rate(row, done, now),
                    **changes,
                )
            )
            return True


def _free(connection: Connection, number: JobId, now: datetime) -> bool:
    query = select(_JOBS.state, _JOBS.token, _JOBS.owner, _JOBS.until).where(_JOBS.id == number)
    row = connection.execute(query).one_or_none()
    if row is None or row.state != str(JobState.RUNNING):
        return False
    return not (row.token and held(row.owner, row.until, now))


def _rate(row: Row[Any], done: int, now: datetime) -> dict[str, Any]:
    """The rate after a step, and what the next is reckoned from."""
    anew = {"window_at": now, "window_done": done}
    if row.window_at is None or row.moved_at is None or now - row.moved_at > IDLE:
        return anew
    seconds = (now - row.window_at).total_seconds()
    if seconds <= 0:
        return {}
    rate = {"rate": (done - row.window_done) / seconds}
    if now - row.window_at >= WINDOW:
        return rate | anew
    # The last whole window's stands until the next is half full: a young one says little.
    return rate if row.rate == 0 or now - row.window_at >= WINDOW / 2 else {}
