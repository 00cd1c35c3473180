"""SQLite's forms; full text is in fulltext.py."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, Table

from newsloom.kernel.db.dialects import FullText
from newsloom.kernel.db.dialects import fts5 as fulltext

NAMES = {"greatest": "MAX"}
FORMS = {
    "numbers_in": "(SELECT value FROM json_each({}))",
    "names_in": "(SELECT value FROM json_each({}))",
    "numbers_by_name": "(SELECT key, value FROM json_each({}))",
    "distinct_list": "GROUP_CONCAT(DISTINCT {})",
    "inlined": "{}",
    "apart": "",
    "claiming": "",  # whoever claims has the file alone
}
FULL_TEXT: FullText = fulltext
WRITES_OUT = False


def allocate_ids(connection: Connection, table: str, count: int) -> int:  # noqa: ARG001
    """Whoever writes has the file alone, so what stands above the last is free."""
    last = connection.exec_driver_sql(f"SELECT MAX(id) FROM {table}").scalar_one()  # noqa: S608
    return (last or 0) + 1


def lock_names(connection: Connection, names: Collection[str]) -> Collection[str]:  # noqa: ARG001
    """Whoever claims has the file alone."""
    return names


def numbered(connection: Connection, table: Table) -> None:
    """A new row has the number after the last."""


def announce(connection: Connection, words: str) -> None:
    """Who wants to know watches the file's counter of commits."""
