"""Which processes serve pages now, and which of them leads: runs the scheduler for all.

Who was not seen for LOST is taken to be gone; a process of this machine that has ended at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, text, update

from newsloom.kernel.db import owners
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.dialects import announce
from newsloom.serving.store.tables import serves
from newsloom.serving.values import Presence, Serve

LOST = timedelta(seconds=30)

_SERVES = serves.c
_NUDGE = text("UPDATE serves SET nudges = nudges + 1 WHERE leads = 1")
# What hears of it looks at the rows: a message says that they changed, and no more.
CHANGED = "serves"


class ServePresence(Aggregate):
    """Processes that serve pages."""

    def beat(
        self, version: str, now: datetime, *, may_lead: bool = True, owner: str = ""
    ) -> Presence:
        """This process serves pages still; it leads if it may and no other does."""
        me = owner or owners.this_process()
        with self.database.write() as connection:
            rows = connection.execute(select(serves)).all()
            gone = [one.owner for one in rows if one.owner != me and not here(one, now)]
            if gone:
                connection.execute(delete(serves).where(_SERVES.owner.in_(gone)))
            others = [one for one in rows if one.owner != me and one.owner not in gone]
            leads = may_lead and not any(one.leads for one in others)
            before = next((one for one in rows if one.owner == me), None)
            _keep(connection, me, before, {"seen_at": now, "leads": leads, "version": version})
            if before is None or bool(before.leads) != leads:
                announce(connection, CHANGED)
            asked = before.nudges if before is not None and before.leads else 0
            return Presence(leads, len(others) + 1, asked)

    def leave(self, owner: str = "") -> None:
        """This process serves no more: another may lead at once."""
        with self.database.write() as connection:
            me = owner or owners.this_process()
            connection.execute(delete(serves).where(_SERVES.owner == me))
            announce(connection, CHANGED)

    def nudge_leader(self) -> None:
        """Ask whoever leads for a pass soon."""
        with self.database.write() as connection:
            connection.execute(_NUDGE)
            announce(connection, CHANGED)

    def followed(self, nudges: int, owner: str = "") -> None:
        """So many of the nudges are done by this process, which leads."""
        me = owner or owners.this_process()
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


def here(row: Row[Any], now: datetime) -> bool:
    """Whether the process of a row serves now."""
    return row.seen_at is not None and row.seen_at > now - LOST and owners.alive(row.owner)


def _keep(
    connection: Connection, owner: str, before: Row[Any] | None, values: dict[str, Any]
) -> None:
    values = {**values, "leads": int(values["leads"])}
    if before is None:
        connection.execute(insert(serves).values(owner=owner, **values))
    else:
        connection.execute(update(serves).where(_SERVES.owner == owner).values(**values))
