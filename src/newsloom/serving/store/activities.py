"""What is under way for a reader in one of the processes that serve pages, for all of them.

What is kept is told by the process that does it; one that is gone does nothing.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, and_, insert, select, update

from newsloom.kernel.db import owners
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import UserId
from newsloom.serving.store.presence import here
from newsloom.serving.store.tables import activities, serves
from newsloom.serving.values import ActivityRow

_KEPT = activities.c
_LOOK: Select[Any] = select(*_KEPT, serves.c.seen_at).select_from(
    activities.outerjoin(serves, serves.c.owner == _KEPT.owner)
)


class Activities(Aggregate):
    """What processes do for readers."""

    def begin_activity(
        self, user: UserId, kind: str, state: str, now: datetime, owner: str = ""
    ) -> bool:
        """Whether this process may do it: no living one is at the same for this reader."""
        me = owner or owners.this_process()
        with self.database.write() as connection:
            row = connection.execute(_LOOK.where(_of(user, kind))).first()
            if row is not None and row.owner not in {"", me} and here(row, now):
                return False
            values = {"owner": me, "wanted": 1, "state": state, "at": now}
            if row is None:
                connection.execute(insert(activities).values(user_id=user, kind=kind, **values))
            else:
                connection.execute(update(activities).where(_of(user, kind)).values(**values))
            return True

    def tell_activity(
        self, user: UserId, kind: str, state: str, now: datetime, owner: str = ""
    ) -> bool:
        """How far it is; whether it is to go on."""
        me = owner or owners.this_process()
        with self.database.write() as connection:
            mine = and_(_of(user, kind), _KEPT.owner == me)
            connection.execute(update(activities).where(mine).values(state=state, at=now))
            return bool(connection.scalar(select(_KEPT.wanted).where(mine)))

    def end_activity(
        self, user: UserId, kind: str, state: str, now: datetime, owner: str = ""
    ) -> None:
        """It is over, and came to this."""
        me = owner or owners.this_process()
        self._change(
            update(activities)
            .where(_of(user, kind), _KEPT.owner == me)
            .values(owner="", state=state, at=now)
        )

    def stop_activity(self, user: UserId, kind: str) -> None:
        """Whoever is at it is to end it soon."""
        self._change(update(activities).where(_of(user, kind)).values(wanted=0))

    def activity(self, user: UserId, kind: str, now: datetime) -> ActivityRow | None:
        """What is under way, or came of it; of a process that is gone, nothing."""
        return self._one(_LOOK.where(_of(user, kind)), lambda row: _row(row, now))


def _of(user: UserId, kind: str) -> Any:
    return and_(_KEPT.user_id == user, _KEPT.kind == kind)


def _row(row: Row[Any], now: datetime) -> ActivityRow | None:
    """None: who was at it is gone, and nothing came of it that it could tell."""
    if row.owner and not here(row, now):
        return None
    mine = row.owner == owners.this_process()
    return ActivityRow(row.state, bool(row.owner), mine, row.at)
