"""When readers want which briefs, and where they are sent."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from newsloom.briefs.store.tables import brief_schedules, brief_sendings, brief_targets, briefs
from newsloom.briefs.values.briefs import BriefSchedule, BriefScheduleId, BriefWish
from newsloom.digests.store.holding import claim_first
from newsloom.digests.store.targets import add_targets, leave, target_at, targets_in
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.delivery.values import Target
from newsloom.kernel.ids import UserId

_SCHEDULES = brief_schedules.c


class BriefSchedules(Aggregate):
    """Schedules of briefs."""

    def brief_schedules(self, user: UserId) -> tuple[BriefSchedule, ...]:
        """A reader's, by time of day."""
        query = (
            select(brief_schedules)
            .where(_SCHEDULES.user_id == user)
            .order_by(_SCHEDULES.at, _SCHEDULES.id)
        )
        with self.database.read() as connection:
            return tuple(_whole(connection, row) for row in connection.execute(query).all())

    def add_brief_schedule(
        self, schedule: BriefSchedule, tokens: Collection[str]
    ) -> BriefScheduleId:
        """Keep a new one; its `id` is not looked at. `tokens` has one for each target."""
        with self.database.write() as connection:
            number = connection.execute(
                insert(brief_schedules)
                .values(
                    user_id=schedule.user,
                    at=schedule.at,
                    weekdays=list(schedule.weekdays),
                    zone=schedule.zone,
                    wish=asdict(schedule.wish),
                    next_at=schedule.next_at,
                    begun_at=schedule.begun,
                )
                .returning(_SCHEDULES.id)
            ).scalar_one()
            add_targets(connection, brief_targets, number, schedule.targets, tokens)
            return BriefScheduleId(number)

    def drop_brief_schedule(self, user: UserId, schedule: BriefScheduleId) -> bool:
        """Whether it was there. Its briefs stay; what is not sent yet is not sent."""
        mine = (_SCHEDULES.id == schedule) & (_SCHEDULES.user_id == user)
        of_it = select(briefs.c.id).where(briefs.c.schedule_id == schedule)
        waiting = brief_sendings.c.state == "waiting"
        with self.database.write() as connection:
            if connection.scalar(select(_SCHEDULES.id).where(mine)) is None:
                return False
            connection.execute(
                delete(brief_sendings).where(brief_sendings.c.brief_id.in_(of_it), waiting)
            )
            connection.execute(
                update(briefs).where(briefs.c.schedule_id == schedule).values(schedule_id=None)
            )
            connection.execute(delete(brief_targets).where(brief_targets.c.schedule_id == schedule))
            connection.execute(delete(brief_schedules).where(mine))
            return True

    def leave_brief(self, token: str) -> Target | None:
        """End the sendings of a secret address, and what is not sent yet; None: there is none."""
        return leave(self.database, brief_targets, brief_sendings, token)

    def brief_target(self, token: str) -> Target | None:
        """Where a secret address has briefs sent; None: it does not, or no more."""
        with self.database.read() as connection:
            return target_at(connection, brief_targets, token)

    def claim_brief_schedule(self, now: datetime, until: datetime) -> BriefSchedule | None:
        """One that is due and that nobody makes a brief of; it is held until then."""
        due = (
            select(brief_schedules)
            .where(_SCHEDULES.next_at <= now)
            .order_by(_SCHEDULES.next_at, _SCHEDULES.id)
        )
        row = claim_first(self.database, brief_schedules, due, now, until)
        if row is None:
            return None
        with self.database.read() as connection:
            return _whole(connection, row)

    def put_off_brief_schedule(self, schedule: BriefScheduleId, next_at: datetime) -> None:
        """Nothing was made of it; it falls due then."""
        self._change(
            update(brief_schedules)
            .where(_SCHEDULES.id == schedule)
            .values(next_at=next_at, held_by="", held_until=None)
        )

    def next_brief(self) -> datetime | None:
        """When the first schedule falls due; None: there is none."""
        query = select(_SCHEDULES.next_at).order_by(_SCHEDULES.next_at).limit(1)
        return self._value(query, datetime)


def _whole(connection: Connection, row: Row[Any]) -> BriefSchedule:
    wish = row.wish
    return BriefSchedule(
        id=BriefScheduleId(row.id),
        user=UserId(row.user_id),
        at=row.at,
        weekdays=tuple(row.weekdays),
        zone=row.zone,
        wish=BriefWish(tuple(wish["languages"]), wish["minutes"], wish["voices"]),
        targets=targets_in(connection, brief_targets, row.id),
        next_at=row.next_at,
        begun=row.begun_at,
    )
