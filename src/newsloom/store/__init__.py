"""Everything that is kept, in one SQLite file. Decides nothing; each method is one transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from newsloom.store import migrations
from newsloom.store.drivers import Journal, choose
from newsloom.store.engine import PATIENCE, Database
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
    path: Path,
    *,
    now: Callable[[], datetime],
    driver: str | None = None,
    journal: Journal | None = None,
    patience: timedelta = PATIENCE,
) -> SqlStore:
    """Open the database, make it if there is none, bring it to the present schema.

    `driver` and `journal` are for tests; left out, the safest there is on this machine is taken.
    """
    chosen = choose(driver)
    database = Database(path, chosen, journal or chosen.journal, patience)
    try:
        with database.read() as connection:
            ready = migrations.current(connection, path) == migrations.HEAD
        if not ready:
            with database.write() as connection:
                migrations.upgrade(connection, path)
    except BaseException:
        database.close()
        raise
    return SqlStore(database, now)
