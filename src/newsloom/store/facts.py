"""What the store can say of itself, for `doctor`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, func, select

from newsloom.feeds.store.tables import feeds as feeds_table
from newsloom.kernel.db.engine import Database
from newsloom.ranking.store.nearest import state
from newsloom.store.migrations import current
from newsloom.store.tables import metadata

_COUNTED = ("users", "feeds", "subscriptions", "articles", "revisions", "texts", "embeddings")


def facts(database: Database, now: datetime) -> Mapping[str, str]:
    """What and where it is, its schema, whether it is sound, and counts."""
    with database.read() as connection:
        return {
            **database.about(),
            "schema": current(connection, database.location) or "none",
            "integrity": ", ".join(database.check(connection, quick=True)) or "ok",
            **_counts(connection, now),
            "neighbours": state.describe(database),
        }


def _counts(connection: Connection, now: datetime) -> Mapping[str, str]:
    counted = {
        name: connection.scalar(select(func.count()).select_from(metadata.tables[name]))
        for name in _COUNTED
    }
    feeds = feeds_table.c
    counted["feeds due"] = connection.scalar(
        select(func.count()).select_from(feeds_table).where(feeds.next_poll_at <= now)
    )
    counted["feeds failing"] = connection.scalar(
        select(func.count()).select_from(feeds_table).where(feeds.failures > 0)
    )
    counted["feeds given up"] = connection.scalar(
        select(func.count()).select_from(feeds_table).where(feeds.dead)
    )
    return {name: str(count) for name, count in counted.items()}
