"""What the store can say of itself, for `doctor`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from sqlalchemy import Connection, func, select

from newsloom.store import tables
from newsloom.store.engine import Database
from newsloom.store.migrations import current

_COUNTED = ("users", "feeds", "subscriptions", "articles", "revisions", "texts", "embeddings")


class Facts:
    """Facts about the database itself."""

    database: Database
    _now: Callable[[], datetime]

    def facts(self) -> Mapping[str, str]:
        """Library, version, journal mode, file, sizes, counts."""
        with self.database.read() as connection:
            return {
                **self.about(),
                "schema": current(connection, self.database.place) or "none",
                "integrity": ", ".join(self.database.check(connection, quick=True)) or "ok",
                **_counts(connection, self._now()),
            }

    def check(self) -> tuple[str, ...]:
        """What is damaged in the file; nothing when it is sound. Reads all of it."""
        with self.database.read() as connection:
            return self.database.check(connection)

    def about(self) -> Mapping[str, str]:
        """What the database is and where; asks it nothing."""
        return self.database.about()


def _counts(connection: Connection, now: datetime) -> Mapping[str, str]:
    counted = {
        name: connection.scalar(select(func.count()).select_from(tables.metadata.tables[name]))
        for name in _COUNTED
    }
    feeds = tables.feeds.c
    counted["feeds due"] = connection.scalar(
        select(func.count()).select_from(tables.feeds).where(feeds.next_poll_at <= now)
    )
    counted["feeds failing"] = connection.scalar(
        select(func.count()).select_from(tables.feeds).where(feeds.failures > 0)
    )
    counted["feeds given up"] = connection.scalar(
        select(func.count()).select_from(tables.feeds).where(feeds.dead)
    )
    return {name: str(count) for name, count in counted.items()}
