"""Rows that one process works on: held for a while, free again when it is over or its process is
gone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, update

from newsloom.kernel.db import owners
from newsloom.kernel.db.aggregate import Transactions


def claim_first(
    database: Transactions,
    table: Table,
    due: Select[Any],
    now: datetime,
    until: datetime,
    **changed: object,
) -> Row[Any] | None:
    """The first row of `due` that nobody holds, held by this process until then.

    Looks before it takes the writers' turn: mostly nothing is due. `changed`: other columns that
    change with the claim; the row is as it was before.
    """
    with database.read() as connection:
        if connection.execute(due.limit(1)).one_or_none() is None:
            return None
    with database.write() as connection:
        for row in connection.execute(due):
            if _free(row, now):
                _hold(connection, table, row.id, until, changed)
                return row
    return None


def _free(row: Row[Any], now: datetime) -> bool:
    over = row.held_until is None or row.held_until <= now
    return over or not row.held_by or not owners.alive(row.held_by)


def _hold(
    connection: Connection,
    table: Table,
    number: int,
    until: datetime,
    changed: Mapping[str, object],
) -> None:
    held = {**changed, "held_by": owners.this_process(), "held_until": until}
    connection.execute(update(table).where(table.c.id == number).values(held))
