"""When readers want which digest, and where it is sent."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from newsloom.digests.store.holding import claim_first
from newsloom.digests.store.tables import digest_schedules, digest_sendings, digest_targets, digests
from newsloom.digests.store.targets import add_targets, leave, target_at, targets_in
from newsloom.digests.values import DigestKind, Schedule
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.delivery.values import Target
from newsloom.kernel.ids import ScheduleId, UserId

_SCHEDULES, _TARGETS = digest_schedules.c, digest_targets.c


class Schedules(Aggregate):
    """Schedules of digests."""

    def schedules(self, user: UserId) -> tuple[Schedule, ...]:
        """A reader's, by time of day."""
        query = (
            select(digest_schedules)
            .where(_SCHEDULES.user_id == user)
            .order_by(_SCHEDULES.at, _SCHEDULES.id)
        )
        with self.database.read() as connection:
            return _whole(connection, connection.execute(query).all())

    def add_schedule(self, schedule: Schedule, tokens: Collection[str]) -> ScheduleId:
        """Keep a new one; its `id` is not looked at. `tokens` has one for each target."""
        with self.database.write() as connection:
            number = connection.execute(
                insert(digest_schedules)
                .values(
                    user_id=schedule.user,
                    kind=str(schedule.kind),
                    at=schedule.at,
                    weekday=schedule.weekday,
                    zone=schedule.zone,
                    next_at=schedule.next_at,
                    begun_at=schedule.begun,
                )
                .returning(_SCHEDULES.id)
            ).scalar_one()
            add_targets(connection, digest_targets, number, schedule.targets, tokens)
            return ScheduleId(number)

    def drop_schedule(self, user: UserId, schedule: ScheduleId) -> bool:
        """Whether it was there. Its digests stay; what is not sent yet is not sent."""
        mine = (_SCHEDULES.id == schedule) & (_SCHEDULES.user_id == user)
        with self.database.write() as connection:
            if connection.scalar(select(_SCHEDULES.id).where(mine)) is None:
                return False
            of_it = select(digests.c.id).where(digests.c.schedule_id == schedule)
            connection.execute(
                delete(digest_sendings).where(
                    digest_sendings.c.digest_id.in_(of_it), digest_sendings.c.state == "waiting"
                )
            )
            connection.execute(
                update(digests).where(digests.c.schedule_id == schedule).values(schedule_id=None)
            )
            connection.execute(delete(digest_targets).where(_TARGETS.schedule_id == schedule))
            connection.execute(delete(digest_schedules).where(mine))
            return True

    def leave_digest(self, token: str) -> Target | None:
        """End the sendings of a secret address, and what is not sent yet; None: there is none."""
        return leave(self.database, digest_targets, digest_sendings, token)

    def digest_target(self, token: str) -> Target | None:
        """Where a secret address has digests sent; None: it does not, or no more."""
        with self.database.read() as connection:
            return target_at(connection, digest_targets, token)

    def claim_schedule(self, now: datetime, until: datetime) -> Schedule | None:
        """One that is due and that nobody makes a digest of; it is held until then."""
        due = (
            select(digest_schedules)
            .where(_SCHEDULES.next_at <= now)
            .order_by(_SCHEDULES.next_at, _SCHEDULES.id)
        )
        row = claim_first(self.database, digest_schedules, due, now, until)
        if row is None:
            return None
        with self.database.read() as connection:
            return _whole(connection, [row])[0]

    def put_off_schedule(self, schedule: ScheduleId, next_at: datetime) -> None:
        """Nothing was made of it; it falls due then."""
        self._change(
            update(digest_schedules)
            .where(_SCHEDULES.id == schedule)
            .values(next_at=next_at, held_by="", held_until=None)
        )

    def next_digest(self) -> datetime | None:
        """When the first schedule falls due; None: there is none."""
        query = select(_SCHEDULES.next_at).order_by(_SCHEDULES.next_at).limit(1)
        return self._value(query, datetime)


def _whole(connection: Connection, rows: Collection[Row[Any]]) -> tuple[Schedule, ...]:
    return tuple(
        Schedule(
            id=ScheduleId(row.id),
            user=UserId(row.user_id),
            kind=DigestKind(row.kind),
            at=row.at,
            weekday=row.weekday,
            zone=row.zone,
            targets=targets_in(connection, digest_targets, row.id),
            next_at=row.next_at,
            begun=row.begun_at,
        )
        for row in rows
    )
