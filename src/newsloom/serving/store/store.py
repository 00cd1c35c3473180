"""`store.serving`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, delete, insert, select, text, update

from newsloom.kernel.db import leases
from newsloom.kernel.db.dialects import announce
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import UserId
from newsloom.serving.store.tables import activities, serves
from newsloom.serving.values import ActivityRow, Presence, Serve

# Which processes serve pages now, and which of them leads: runs the scheduler for all.
#
# Who was not seen for LOST is taken to be gone; a process of this machine that has ended at once.

LOST = timedelta(seconds=30)

_SERVES = serves.c
_NUDGE = text("UPDATE serves SET nudges = nudges + 1 WHERE leads = 1")
# What hears of it looks at the rows: a message says that they changed, and no more.
CHANGED = "serves"


def here(row: Row[Any], now: datetime) -> bool:
    """Whether the process of a row serves now."""
    return row.seen_at is not None and row.seen_at > now - LOST and leases.alive(row.owner)


def _save(
    connection: Connection, owner: str, before: Row[Any] | None, values: dict[str, Any]
) -> None:
    values = {**values, "leads": int(values["leads"])}
    if before is None:
        connection.execute(insert(serves).values(owner=owner, **values))
    else:
        connection.execute(update(serves).where(_SERVES.owner == owner).values(**values))


# What is under way for a reader in one of the processes that serve pages, for all of them.
#
# What is kept is told by the process that does it; one that is gone does nothing.

_KEPT = activities.c
_LOOK: Select[Any] = select(*_KEPT, serves.c.seen_at).select_from(
    activities.outerjoin(serves, serves.c.owner == _KEPT.owner)
)


def _of(user: UserId, kind: str) -> Any:
    return and_(_KEPT.user_id == user, _KEPT.kind == kind)


def _row(row: Row[Any], now: datetime) -> ActivityRow | None:
    """None: who was at it is gone, and nothing came of it that it could tell."""
    if row.owner and not here(row, now):
        return None
    mine = row.owner == leases.this_process()
    return ActivityRow(row.state, bool(row.owner), mine, row.at)


class ServingStore(Aggregate):
    """What several `serve`s share beside what they show."""

    def beat(
        self, version: str, now: datetime, *, may_lead: bool = True, owner: str = ""
    ) -> Presence:
        """This process serves pages still; it leads if it may and no other does."""
        me = owner or leases.this_process()
        with self.database.write() as connection:
            rows = connection.execute(select(serves)).all()
            gone = [one.owner for one in rows if one.owner != me and not here(one, now)]
            if gone:
                connection.execute(delete(serves).where(_SERVES.owner.in_(gone)))
            others = [one for one in rows if one.owner != me and one.owner not in gone]
            leads = may_lead and not any(one.leads for one in others)
            before = next((one for one in rows if one.owner == me), None)
            _save(connection, me, before, {"seen_at": now, "leads": leads, "version": version})
            if before is None or bool(before.leads) != leads:
                announce(connection, CHANGED)
            asked = before.nudges if before is not None and before.leads else 0
            return Presence(leads, len(others) + 1, asked)

    def leave(self, owner: str = "") -> None:
        """This process serves no more: another may lead at once."""
        with self.database.write() as connection:
            me = owner or leases.this_process()
            connection.execute(delete(serves).where(_SERVES.owner == me))
            announce(connection, CHANGED)

    def nudge_leader(self) -> None:
        """Ask whoever leads for a pass soon."""
        with self.database.write() as connection:
            connection.execute(_NUDGE)
            announce(connection, CHANGED)

    def followed(self, nudges: int, owner: str = "") -> None:
        """So many of the nudges are done by this process, which leads."""
        me = owner or leases.this_process()
        with self.database.write() as connection:
            connection.execute(update(serves).where(_SERVES.owner == me).values(followed=nudges))
            announce(connection, CHANGED)

    def serves(self, now: datetime) -> Sequence[Serve]:
        """All that serve now, who leads first."""
        with self.database.read() as connection:
            rows = connection.execute(
                select(serves).order_by(_SERVES.leads.desc(), _SERVES.owner)
            ).all()
        return [
            Serve(one.owner, bool(one.leads), one.version, one.seen_at, one.nudges, one.followed)
            for one in rows
            if here(one, now)
        ]

    def begin_activity(self, user: UserId, kind: str, state: str, now: datetime) -> bool:
        """Whether this process may do it: no living one is at the same for this reader."""
        me = leases.this_process()
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

    def tell_activity(self, user: UserId, kind: str, state: str, now: datetime) -> bool:
        """How far it is; whether it is to go on."""
        with self.database.write() as connection:
            mine = and_(_of(user, kind), _KEPT.owner == leases.this_process())
            connection.execute(update(activities).where(mine).values(state=state, at=now))
            return bool(connection.scalar(select(_KEPT.wanted).where(mine)))

    def end_activity(self, user: UserId, kind: str, state: str, now: datetime) -> None:
        """It is over, and came to this."""
        self._change(
            update(activities)
            .where(_of(user, kind), _KEPT.owner == leases.this_process())
            .values(owner="", state=state, at=now)
        )

    def stop_activity(self, user: UserId, kind: str) -> None:
        """Whoever is at it is to end it soon."""
        self._change(update(activities).where(_of(user, kind)).values(wanted=0))

    def activity(self, user: UserId, kind: str, now: datetime) -> ActivityRow | None:
        """What is under way, or came of it; of a process that is gone, nothing."""
        return self._one(_LOOK.where(_of(user, kind)), lambda row: _row(row, now))
