"""Whether a reader wants related coverage searched for: nobody does who has not said so."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import insert, select, update

from newsloom.coverage.store.tables import coverage_readers
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import UserId

_READERS = coverage_readers.c


class Switches(Aggregate):
    """The readers' switches."""

    def coverage_wanted(self, user: UserId) -> datetime | None:
        """Since when a reader wants it; None: they do not."""
        query = select(_READERS.at).where(_READERS.user_id == user, _READERS.wanted.is_(True))
        return self._value(query, datetime)

    def coverage_readers(self) -> tuple[UserId, ...]:
        """Who wants it."""
        query = select(_READERS.user_id).where(_READERS.wanted.is_(True)).order_by(_READERS.user_id)
        return self._column(query, UserId)

    def switch_coverage(self, user: UserId, *, on: bool, now: datetime) -> bool:
        """Whether anything changed."""
        with self.database.write() as connection:
            mine = _READERS.user_id == user
            known = connection.execute(select(_READERS.wanted).where(mine)).one_or_none()
            if known is None:
                connection.execute(insert(coverage_readers).values(user_id=user, wanted=on, at=now))
                return on
            if known.wanted is on:
                return False
            connection.execute(update(coverage_readers).where(mine).values(wanted=on, at=now))
            return True
