"""What the aggregates of the store are made from: one database, or one open transaction of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from newsloom.kernel.db import sql

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection, Executable

    from newsloom.kernel.db.engine import Database

T = TypeVar("T")


# Where an aggregate reads and writes.
Transactions: TypeAlias = "Database | OneTransaction"


class Aggregate:
    """Methods that each are one transaction, or a part of the unit of work they are called in."""

    def __init__(self, database: Transactions, now: Callable[[], datetime]) -> None:
        self.database = database
        self._now = now

    def _rows(self, query: Executable, as_: Callable[..., T], /, **values: Any) -> tuple[T, ...]:
        """As sql.rows, and so on with the others: in a transaction of its own."""
        with self.database.read() as connection:
            return sql.rows(connection, query, as_, **values)

    def _one(self, query: Executable, as_: Callable[..., T], /, **values: Any) -> T | None:
        with self.database.read() as connection:
            return sql.one(connection, query, as_, **values)

    def _column(self, query: Executable, as_: Callable[..., T], /, **values: Any) -> tuple[T, ...]:
        with self.database.read() as connection:
            return sql.column(connection, query, as_, **values)

    def _value(self, query: Executable, as_: Callable[..., T], /, **values: Any) -> T | None:
        with self.database.read() as connection:
            return sql.value(connection, query, as_, **values)

    def _change(self, statement: Executable, /, **values: Any) -> int:
        with self.database.write() as connection:
            return sql.change(connection, statement, **values)


class OneTransaction:
    """An open write transaction in the place of the database: what is called in it joins it."""

    def __init__(self, connection: Connection, database: Transactions) -> None:
        self._connection = connection
        self._database = database

    def cached(self, make: Callable[[Path | None], T]) -> T:
        return self._database.cached(make)

    def translate_errors(self) -> AbstractContextManager[None]:
        return self._database.translate_errors()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        yield self._connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        yield self._connection

    @contextmanager
    def claim(self) -> Iterator[Connection]:
        yield self._connection
