"""Statements that name many rows, asked in parts. Knows no table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect, Row, TextClause, bindparam

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
        asked = ids[start : start + CHUNK]
        words, names = _for_driver(query, connection.dialect, len(asked))
        if names is None:
            result = connection.execute(query, {**values, "ids": list(asked)})
        else:
            bound: list[Any] = []
            for name in names:
                bound += asked if name == _IDS else (values[name],)
            result = connection.exec_driver_sql(words, tuple(bound))
        # All at once: going through a result asks the driver for one row after the other.
        found += result.all()
    return found


_IDS = "ids"
_EXPANDED = f"__[POSTCOMPILE_{_IDS}]"


@lru_cache(maxsize=2_048)
def _for_driver(
    query: TextClause, dialect: Dialect, count: int
) -> tuple[str, tuple[str, ...] | None]:
    """A query with an IN of so many ids as the driver takes it, and the names of its values in
    order. SQLAlchemy writes the ids out anew for each execution, which took as long as all else.

    No names: other values have to be written out too, and it must be left to SQLAlchemy.
    """
    words, names = _compiled(query, dialect)
    if names is None:
        return "", None
    mark = "?" if dialect.paramstyle == "qmark" else "%s"
    return words.replace(_EXPANDED, ", ".join([mark] * count)), names


@lru_cache(maxsize=1_024)
def _compiled(query: TextClause, dialect: Dialect) -> tuple[str, tuple[str, ...] | None]:
    compiled = query.compile(dialect=dialect)
    words, names = str(compiled), compiled.positiontup
    others = "__[POSTCOMPILE_" in words.replace(_EXPANDED, "")
    by_place = names is not None and dialect.paramstyle in {"qmark", "format"}
    return (words, tuple(names)) if names and by_place and not others else ("", None)
