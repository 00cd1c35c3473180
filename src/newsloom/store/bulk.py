"""Many rows, and statements run for each of many polls, at the speed of the driver. Knows no table.

SQLAlchemy compiles a statement, builds dictionaries and runs type processors for every execution:
two thirds of what recording a poll without news took. Here a statement is compiled once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Dialect, Table, TextClause, insert, text


def insert_rows(
    connection: Connection, table: Table, columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows of values as the driver takes them: times in microseconds, JSON as text."""
    if rows:
        statement, places = _statement(table, columns, connection.dialect)
        ordered = list(rows) if places is None else [places(row) for row in rows]
        connection.exec_driver_sql(statement, ordered)


@cache
def _statement(
    table: Table, columns: tuple[str, ...], dialect: Dialect
) -> tuple[str, Callable[[tuple[Any, ...]], tuple[Any, ...]] | None]:
    """The statement, and what puts a row into the order it takes unless it is in that already."""
    compiled = insert(table).compile(dialect=dialect, column_keys=list(columns))
    assert compiled.positiontup is not None, "the driver must take values by place"
    places = [columns.index(name) for name in compiled.positiontup]
    in_order = places == list(range(len(columns)))
    return str(compiled), None if in_order else itemgetter(*places)


def run_for_each(
    connection: Connection, statement: TextClause, rows: Sequence[Mapping[str, Any]]
) -> None:
    """One statement for each row of its values, given as the driver takes them."""
    if rows:
        words, values = _compiled(statement, connection.dialect)
        connection.exec_driver_sql(words, [values(row) for row in rows])


def rows_of_those(
    connection: Connection, query: str, those: Sequence[int | str]
) -> Sequence[Sequence[Any]]:
    """What a query finds that names `those` in braces; times and JSON as the driver gives them."""
    if not those:
        return ()
    size = 1 << (len(those) - 1).bit_length()
    words, values = _compiled(_of_size(query, size), connection.dialect)
    filled = (*those, *[those[-1]] * (size - len(those)))
    named = {f"of{place}": one for place, one in enumerate(filled)}
    return connection.exec_driver_sql(words, values(named)).fetchall()


@cache
def _of_size(query: str, size: int) -> TextClause:
    """Sizes are powers of two, so that few statements are made and SQLite can keep them all."""
    places = ", ".join(f":of{place}" for place in range(size))
    return text(query.format(those=f"({places})"))


@cache
def _compiled(
    statement: TextClause, dialect: Dialect
) -> tuple[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]]:
    """The statement for the driver, and what puts named values in the order it takes."""
    compiled = statement.compile(dialect=dialect)
    assert compiled.positiontup is not None, "the driver must take values by place"
    names = compiled.positiontup
    if len(names) == 1:
        return str(compiled), lambda row: (row[names[0]],)
    return str(compiled), itemgetter(*names)
