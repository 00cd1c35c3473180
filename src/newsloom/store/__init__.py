"""Everything that is kept, in one database. Decides nothing; each method is one transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from newsloom.store import migrations
from newsloom.store.drivers import Journal, choose
from newsloom.store.engine import PATIENCE, Database, SqliteDatabase
from newsloom.store.owners import owner_name
from newsloom.store.roles import Roles

__all__ = ["SqlStore", "open_store", "owner_name"]


class SqlStore(Roles):
    """Every role of ports.Store on one database."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self.database = database
        self._now = now
        self._handed = {}
        self._stretch = 0

    def close(self) -> None:
        self.database.close()


def open_store(
    place: Path | str,
    *,
    now: Callable[[], datetime],
    driver: str | None = None,
    journal: Journal | None = None,
    patience: timedelta = PATIENCE,
) -> SqlStore:
    """Open the database, make it if there is none, bring it to the present schema.

    `place` is the path of an SQLite file or the URL of a PostgreSQL database, which must be there.
    `driver` and `journal` are for tests of SQLite; left out, the safest there is on this machine is
    taken. Raises StoreError.
    """
    database = _database(place, driver, journal, patience)
    try:
        with database.read() as connection:
            ready = migrations.current(connection, database.place) == migrations.HEAD
        if not ready:
            with database.write() as connection:
                migrations.upgrade(connection, database.place)
    except BaseException:
        database.close()
        raise
    return SqlStore(database, now)


def _database(
    place: Path | str, driver: str | None, journal: Journal | None, patience: timedelta
) -> Database:
    if isinstance(place, str):
        from newsloom.store.postgres_engine import PostgresDatabase

        return PostgresDatabase(place, patience)
    chosen = choose(driver)
    return SqliteDatabase(place, chosen, journal or chosen.journal, patience)
