"""Schedules, targets and outboxes in the database, for whatever is made and sent on schedule.

An edition (a digest, a brief) is made once for each time its schedule falls due, put into the
outbox once for each target of the schedule, and sent by one process at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import (
    Column,
    Connection,
    Index,
    Row,
    Select,
    Table,
    Text,
    delete,
    insert,
    select,
    update,
)

from newsloom.kernel.db import sql
from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.leases import FREE, claim_first, lease_columns
from newsloom.kernel.db.schema import count, metadata, ref, text_column
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.delivery.values import Sending, SendingState, Target, Way, Webhook
from newsloom.kernel.ids import ScheduleId, SendingId, UserId

Planned = TypeVar("Planned")
Claimed = TypeVar("Claimed")


def outbox_columns() -> tuple[Any, ...]:
    """The columns and the index of a table that is an outbox."""
    return (
        Column("state", Text, nullable=False),  # waiting, sent, failed
        Column("at", Moment, nullable=False),  # of the state; while waiting, of the next attempt
        count("attempts"),
        text_column("error"),
        *lease_columns(),
        Index(None, "state", "at"),
    )


def target_table(name: str, schedules: str) -> Table:
    """Where the editions of a schedule are sent. `token` is the secret that unsubscribes."""
    return Table(
        name,
        metadata,
        Column("id", Id, primary_key=True),
        ref("schedule_id", f"{schedules}.id", index=True),
        Column("way", Text, nullable=False),
        Column("target", Text, nullable=False),
        Column("token", Text, nullable=False, unique=True),
    )


def sending_table(name: str, edition: str, editions: str) -> Table:
    """The outbox of editions: a row for each edition and target."""
    return Table(
        name,
        metadata,
        Column("id", Id, primary_key=True),
        ref(edition, f"{editions}.id", index=True),
        Column("way", Text, nullable=False),
        Column("target", Text, nullable=False),
        Column("token", Text, nullable=False),
        *outbox_columns(),
    )


class OutboxStore(Aggregate, Generic[Claimed]):
    """Rows that are sent until the other side has taken them. Subclasses name the table."""

    outbox: ClassVar[Table]

    def claim_sending(self, now: datetime, until: datetime) -> Claimed | None:
        """Claim a due row that no other process holds, until `until`. None if there is none."""
        row = claim_first(self.database, self.outbox, self._due(now), now, until)
        return None if row is None else self._claimed(row)

    def sent(self, sending: int, now: datetime) -> None:
        """The other side has taken it."""
        self._settle(sending, "sent", now)

    def send_later(self, sending: int, at: datetime, error: str) -> None:
        """It failed, and is tried again then."""
        self._settle(sending, "waiting", at, error)

    def give_up(self, sending: int, now: datetime, error: str) -> None:
        """It failed for good."""
        self._settle(sending, "failed", now, error)

    def _claimed(self, row: Row[Any]) -> Claimed | None:
        """The sending in a claimed row; None if what it would send was deleted."""
        raise NotImplementedError

    def _due(self, now: datetime) -> Select[Any]:
        table = self.outbox
        due = select(table).where(table.c.state == "waiting", table.c.at <= now)
        return due.order_by(table.c.at, table.c.id)

    def _settle(self, sending: int, state: str, at: datetime, error: str = "") -> None:
        table = self.outbox
        attempts = table.c.attempts + int(bool(error))
        values = {"state": state, "at": at, "error": error, "attempts": attempts, **FREE}
        self._change(update(table).where(table.c.id == sending).values(values))


@dataclass(frozen=True, slots=True)
class DeliveryTables:
    """The tables of one kind of edition. `edition` is the column of `outbox` that names one."""

    schedules: Table
    targets: Table
    editions: Table
    outbox: Table
    edition: str


class DeliveryStore(OutboxStore[Sending], Generic[Planned]):
    """Schedules of one kind of edition, their targets, and the outbox."""

    tables: ClassVar[DeliveryTables]

    def schedules(self, user: UserId) -> tuple[Planned, ...]:
        """A reader's, by time of day."""
        table = self.tables.schedules
        query = select(table).where(table.c.user_id == user).order_by(table.c.at, table.c.id)
        with self.database.read() as connection:
            return tuple(self._whole(connection, row) for row in connection.execute(query).all())

    def add_schedule(self, schedule: Planned, tokens: Sequence[str]) -> ScheduleId:
        """Store a new schedule; its `id` is ignored. `tokens` has one for each target."""
        schedules, targets = self.tables.schedules, self.tables.targets
        columns = self._columns(schedule)
        to: Sequence[Target] = columns.pop("targets")
        with self.database.write() as connection:
            made = insert(schedules).values(columns).returning(schedules.c.id)
            number = connection.execute(made).scalar_one()
            for target, token in zip(to, tokens, strict=True):
                values = {"way": str(target.way), "target": target.to, "token": token}
                connection.execute(insert(targets).values(schedule_id=number, **values))
            return ScheduleId(number)

    def drop_schedule(self, user: UserId, schedule: ScheduleId) -> bool:
        """Whether it was there. Its editions stay; what is not sent yet is not sent."""
        schedules, editions, outbox = self.tables.schedules, self.tables.editions, self.outbox
        mine = (schedules.c.id == schedule) & (schedules.c.user_id == user)
        of_it = editions.c.schedule_id == schedule
        unsent = outbox.c[self.tables.edition].in_(select(editions.c.id).where(of_it))
        with self.database.write() as connection:
            if connection.scalar(select(schedules.c.id).where(mine)) is None:
                return False
            connection.execute(delete(outbox).where(unsent, outbox.c.state == "waiting"))
            connection.execute(update(editions).where(of_it).values(schedule_id=None))
            targets = self.tables.targets
            connection.execute(delete(targets).where(targets.c.schedule_id == schedule))
            connection.execute(delete(schedules).where(mine))
            return True

    def target(self, token: str) -> Target | None:
        """The target that a secret token unsubscribes; None: there is none, or no more."""
        return self._one(self._targets().where(self.tables.targets.c.token == token), Target)

    def unsubscribe(self, token: str) -> Target | None:
        """Remove the target of a token, with what waits for it; None: there is none."""
        targets, outbox = self.tables.targets, self.outbox
        with self.database.write() as connection:
            query = self._targets().where(targets.c.token == token)
            found = sql.one(connection, query, Target)
            if found is not None:
                waiting = (outbox.c.token == token) & (outbox.c.state == "waiting")
                connection.execute(delete(outbox).where(waiting))
                connection.execute(delete(targets).where(targets.c.token == token))
            return found

    def webhooks(self, user: UserId) -> tuple[Webhook, ...]:
        """A reader's, with their secrets."""
        schedules, targets = self.tables.schedules, self.tables.targets
        query = (
            select(targets.c.target.label("url"), targets.c.token)
            .join(schedules, schedules.c.id == targets.c.schedule_id)
            .where(schedules.c.user_id == user, targets.c.way == str(Way.WEBHOOK))
            .order_by(targets.c.id)
        )
        return self._rows(query, Webhook)

    def claim_schedule(self, now: datetime, until: datetime) -> Planned | None:
        """A due schedule that nobody holds; it is held until then."""
        table = self.tables.schedules
        due = select(table).where(table.c.next_at <= now).order_by(table.c.next_at, table.c.id)
        row = claim_first(self.database, table, due, now, until)
        if row is None:
            return None
        with self.database.read() as connection:
            return self._whole(connection, row)

    def postpone(self, schedule: ScheduleId, next_at: datetime) -> None:
        """Release a schedule without an edition; it falls due then."""
        table = self.tables.schedules
        values = {"next_at": next_at, **FREE}
        self._change(update(table).where(table.c.id == schedule).values(values))

    def sendings(self, edition: int) -> tuple[SendingState, ...]:
        """The state of each sending of an edition."""
        mine = self.outbox.c[self.tables.edition] == edition
        return self._rows(select(self.outbox).where(mine).order_by(self.outbox.c.id), _state)

    def unsent(self, user: UserId, since: datetime) -> tuple[SendingState, ...]:
        """A reader's sendings since then that failed for good or wait after a failure."""
        outbox, editions = self.outbox, self.tables.editions
        query = (
            select(outbox)
            .join(editions, editions.c.id == outbox.c[self.tables.edition])
            .where(
                editions.c.user_id == user,
                editions.c.made_at >= since,
                outbox.c.state != "sent",
                outbox.c.attempts > 0,
            )
            .order_by(outbox.c.id)
        )
        return self._rows(query, _state)

    def _claimed(self, row: Row[Any]) -> Sending:
        target, edition = Target(Way(row.way), row.target), getattr(row, self.tables.edition)
        return Sending(SendingId(row.id), edition, target, row.token, row.attempts)

    def _columns(self, schedule: Planned) -> dict[str, Any]:
        """The columns of a schedule, and its `targets`."""
        raise NotImplementedError

    def _schedule(self, row: Row[Any], targets: tuple[Target, ...]) -> Planned:
        raise NotImplementedError

    def _whole(self, connection: Connection, row: Row[Any]) -> Planned:
        table = self.tables.targets
        query = self._targets().where(table.c.schedule_id == row.id).order_by(table.c.id)
        return self._schedule(row, sql.rows(connection, query, Target))

    def _targets(self) -> Select[Any]:
        return select(self.tables.targets.c.way, self.tables.targets.c.target.label("to"))

    def _advance(
        self, connection: Connection, schedule: ScheduleId, was: datetime, next_at: datetime | None
    ) -> bool:
        """Let a schedule fall due again; False: it is gone, or another process was first."""
        table = self.tables.schedules
        mine = (table.c.id == schedule) & (table.c.next_at == was)
        values = {"next_at": next_at, **FREE}
        return bool(connection.execute(update(table).where(mine).values(values)).rowcount)

    def _enqueue(
        self, connection: Connection, schedule: ScheduleId, edition: int, at: datetime
    ) -> None:
        """Put an edition into the outbox, once for each target of its schedule."""
        table = self.tables.targets
        query = select(table).where(table.c.schedule_id == schedule).order_by(table.c.id)
        for row in connection.execute(query).all():
            values: Mapping[str, Any] = {
                self.tables.edition: edition,
                "way": row.way,
                "target": row.target,
                "token": row.token,
                "state": "waiting",
                "at": at,
            }
            connection.execute(insert(self.outbox).values(values))


def _state(row: Row[Any]) -> SendingState:
    target = Target(Way(row.way), row.target)
    return SendingState(target, row.state, row.attempts, row.at, row.error)
