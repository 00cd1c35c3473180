"""Statements that name many rows, asked in parts. Knows no table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, TextClause, bindparam

from newsloom.store.dialects import portable

# Below the least that any SQLite or PostgreSQL takes as parameters of one statement.
CHUNK = 500


def many(query: str) -> TextClause:
    """A query with an IN :ids, for rows_of."""
    return portable(query).bindparams(bindparam("ids", expanding=True))


def rows_of(
    connection: Connection, query: TextClause, ids: Sequence[int], **values: Any
) -> list[Row[Any]]:
    """What a query with an IN of ids finds, asked in parts."""
    found: list[Row[Any]] = []
    for start in range(0, len(ids), CHUNK):
        values["ids"] = list(ids[start : start + CHUNK])
        # All at once: going through a result asks the driver for one row after the other.
        found += connection.execute(query, values).all()
    return found
