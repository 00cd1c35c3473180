"""Leases on rows: one process holds a row for a while; the row is free again once the time is over
or the process is gone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Row, Select, Table, Text, update

from newsloom.kernel.db import owners
from newsloom.kernel.db.aggregate import Transactions
from newsloom.kernel.db.columns import Moment

# What a statement sets so that nobody holds the row.
FREE = {"held_by": "", "held_until": None}


def lease_columns() -> tuple[Column[Any], ...]:
    """The columns of a table whose rows can be held."""
    return Column("held_by", Text, nullable=False, server_default=""), Column("held_until", Moment)


def claim_first(
    database: Transactions,
    table: Table,
    due: Select[Any],
    now: datetime,
    until: datetime,
    **changed: object,
) -> Row[Any] | None:
    """Hold the first free row of `due` until then; the row as it was before, or None.

    Reads before it takes the write lock, because mostly nothing is due. `changed`: other columns
    that change with the claim.
    """
    with database.read() as connection:
        if connection.execute(due.limit(1)).one_or_none() is None:
            return None
    with database.write() as connection:
        for row in connection.execute(due):
            if not row.held_by or not held(row.held_by, row.held_until, now):
                values = {**changed, "held_by": owners.this_process(), "held_until": until}
                connection.execute(update(table).where(table.c.id == row.id).values(values))
                return row
    return None


def held(owner: str, until: datetime | None, now: datetime) -> bool:
    """Whether a lease still holds: its time is not over, and its process may be alive."""
    return until is not None and until > now and owners.alive(owner)
