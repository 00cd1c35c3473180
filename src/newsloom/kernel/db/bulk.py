"""Many rows, and statements run for each of many polls, at the speed of the driver. Knows no table.

SQLAlchemy compiles a statement, builds dictionaries and runs type processors for every execution:
two thirds of what recording a poll without news took. Here a statement is compiled once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Dialect, Table, TextClause, insert

# From so many rows on, COPY is worth its two round trips to the server.
MANY = 20


def insert_rows(
    connection: Connection, table: Table, columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows of values as the driver takes them: times in microseconds, JSON as text."""
    if len(rows) >= MANY and connection.dialect.name == "postgresql":
        copy_rows(connection, table.name, columns, rows)
    elif rows:
        statement, places = _statement(table, columns, connection.dialect)
        ordered = list(rows) if places is None else [places(row) for row in rows]
        connection.exec_driver_sql(statement, ordered)


def copy_rows(
    connection: Connection, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows by COPY, of PostgreSQL alone: the server runs no statement for each of them."""
    quote = connection.dialect.identifier_preparer.quote
    into = f"{quote(name)} ({', '.join(map(quote, columns))})"
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(f"COPY {into} FROM STDIN") as stream:
        for row in rows:
            stream.write_row(row)


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
    connection: Connection, query: TextClause, those: Sequence[int], **values: Any
) -> Sequence[Any]:
    """What a query finds that names numbers as `numbers_in(:those)`.

    Times and JSON come as the driver gives them. One statement for any number of numbers.
    """
    return rows(connection, query, those=json.dumps(those), **values) if those else ()


def rows(connection: Connection, query: TextClause, **values: Any) -> Sequence[Any]:
    """What a query finds, as the driver gives it."""
    words, places = _compiled(query, connection.dialect)
    return connection.exec_driver_sql(words, places(values)).fetchall()


@cache
def _compiled(
    statement: TextClause, dialect: Dialect
) -> tuple[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]]:
    """The statement for the driver, and what puts named values in the order it takes."""
    compiled = statement.compile(dialect=dialect)
    assert compiled.positiontup is not None, "the driver must take values by place"
    names = compiled.positiontup
    if len(names) < 2:
        return str(compiled), lambda row: tuple([row[name] for name in names])
    return str(compiled), itemgetter(*names)
