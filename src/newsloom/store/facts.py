"""What the store can say of itself, for `doctor`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, func, select, text

from newsloom.store import tables
from newsloom.store.engine import Database
from newsloom.store.migrations import current

_COUNTED = ("users", "feeds", "subscriptions", "articles", "revisions", "texts", "embeddings")


def facts(database: Database, now: datetime) -> Mapping[str, str]:
    """Library, version, journal mode, file, sizes, counts."""
    with database.read() as connection:
        return {
            **about(database),
            "schema": current(connection, database.path) or "none",
            "integrity": _integrity(connection),
            **_counts(connection, now),
        }


def check(database: Database) -> tuple[str, ...]:
    """What is damaged in the file; nothing when it is sound. Reads all of it."""
    with database.read() as connection:
        found = list(connection.scalars(text("PRAGMA integrity_check(20)")))
        found += [
            f"a row of {row[0]} refers to a row of {row[2]} that is not there"
            for row in connection.execute(text("PRAGMA foreign_key_check"))
        ]
    return tuple(problem for problem in found if problem != "ok")


def about(database: Database) -> Mapping[str, str]:
    """Library, version, journal mode, file and its size; asks the database nothing."""
    path = database.path
    beside = [path.with_name(path.name + end) for end in ("", "-wal", "-journal")]
    size = sum(one.stat().st_size for one in beside if one.exists())
    return {
        "file": str(path),
        "size": f"{size / 1e6:.1f} MB",
        "driver": database.driver.name,
        "sqlite": database.driver.version_text,
        "journal": database.journal,
    }


def _integrity(connection: Connection) -> str:
    """A quick look that leaves the indexes out; `check` reads everything."""
    return str(connection.scalar(text("PRAGMA quick_check(1)")))


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
