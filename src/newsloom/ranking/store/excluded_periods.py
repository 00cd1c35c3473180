"""Stretches of time a reader took out of what their model learns from. Deletes no event."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, insert, text, update

from newsloom.kernel.db import sql
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import UserId
from newsloom.ranking.store.tables import forgettings
from newsloom.ranking.values.models import Forgetting
from newsloom.reading.store.marks import change_taste
from newsloom.reading.store.tables import TEACHING

_STRETCHES = text(f"""
    SELECT f.id, f.since, f.until, f.at, f.lifted_at, (
        SELECT COUNT(*) FROM events e
        WHERE e.user_id = f.user_id AND {TEACHING} AND e.kind NOT IN ('unrate', 'unstar')
        AND e.at >= f.since AND e.at < f.until
    ) AS events
    FROM forgettings f WHERE f.user_id = :user ORDER BY f.id
""")  # noqa: S608


class ExcludedPeriods(Aggregate):
    """Forgetting and remembering again."""

    def forget(self, user: UserId, since: datetime, until: datetime, at: datetime) -> Forgetting:
        """Events from `since` to before `until` teach nothing any more."""
        with self.database.write() as connection:
            connection.execute(
                insert(forgettings).values(user_id=user, since=since, until=until, at=at)
            )
            change_taste(connection, user)
            return _stretches(connection, user)[-1]

    def forgettings(self, user: UserId) -> tuple[Forgetting, ...]:
        """Every stretch ever forgotten, those lifted again too."""
        with self.database.read() as connection:
            return _stretches(connection, user)

    def lift_forgetting(self, user: UserId, number: int, at: datetime) -> bool:
        """Let a stretch teach again; False when none of that number is in force."""
        mine = (
            (forgettings.c.user_id == user)
            & (forgettings.c.id == number)
            & forgettings.c.lifted_at.is_(None)
        )
        with self.database.write() as connection:
            lifted = connection.execute(update(forgettings).where(mine).values(lifted_at=at))
            if lifted.rowcount:
                change_taste(connection, user)
            return lifted.rowcount == 1


def _stretches(connection: Connection, user: UserId) -> tuple[Forgetting, ...]:
    return sql.rows(connection, _STRETCHES, Forgetting, user=user)
