"""What the aggregates of the store are made from: one database, or one open transaction of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from newsloom.store.nearest.cache import VectorCache


class Transactions(Protocol):
    """Where an aggregate reads and writes."""

    @property
    def vectors(self) -> VectorCache:
        """What a process keeps at hand of the vectors, where the database cannot search them."""

    def read(self) -> AbstractContextManager[Connection]:
        """What is read in the block is of one moment."""

    def write(self) -> AbstractContextManager[Connection]:
        """The block alone writes; it commits on a clean exit, else nothing stays."""

    def claim(self) -> AbstractContextManager[Connection]:
        """As `write`, but others that claim may be in such a block too.

        Change only rows that were chosen with `claiming(...)` and names that `lock_names` gave.
        """

    def translate_errors(self) -> AbstractContextManager[None]:
        """Translate every database error of a block; errors of Newsloom's own pass through."""


class Aggregate:
    """Methods that each are one transaction, or a part of the unit of work they are called in."""

    def __init__(self, database: Transactions, now: Callable[[], datetime]) -> None:
        self.database = database
        self._now = now


class OneTransaction:
    """An open write transaction in the place of the database: what is called in it joins it."""

    def __init__(self, connection: Connection, database: Transactions) -> None:
        self._connection = connection
        self._database = database

    @property
    def vectors(self) -> VectorCache:
        return self._database.vectors

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
