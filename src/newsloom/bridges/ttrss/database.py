"""Connections to the database of Tiny Tiny RSS, and its errors told in our words. No query.

Two kinds: one that reads, patiently, and one that writes, which gives up rather than make Tiny Tiny
RSS wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import psycopg
from psycopg import Connection, errors
from psycopg.conninfo import conninfo_to_dict

from newsloom.kernel.errors import BridgeError, SettingsError

# Reading takes no lock that anybody waits for; this only ends a query on a database in trouble.
READ_PATIENCE = timedelta(seconds=60)

# While a write runs, its rows are locked: Tiny Tiny RSS must never wait longer than this for them.
WRITE_PATIENCE = timedelta(milliseconds=90)

# Ours waits for a lock on a whole table (rows that are locked are passed over) no longer.
LOCK_PATIENCE = timedelta(milliseconds=40)

# How long a server that does not answer is waited for.
CONNECT_SECONDS = 10
SILENCE_SECONDS = 30

Row = tuple[object, ...]


class Database:
    """One connection, made when first used and again after it was lost."""

    def __init__(self, address: str, patience: timedelta) -> None:
        self._address = _checked(address)
        self._patience = patience
        self._connection: Connection | None = None

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """The connection, in autocommit: each statement is a transaction of its own.

        What goes wrong is a BridgeError, but for what is worth trying again with less: see
        `in_the_way`.
        """
        try:
            connection = self._connection or self._connect()
            self._connection = connection
            yield connection
        except psycopg.Error as error:
            if in_the_way(error):
                raise
            self.close()
            raise BridgeError(describe(error)) from error

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _connect(self) -> Connection:
        connection = psycopg.connect(
            self._address,
            autocommit=True,
            prepare_threshold=None,  # a pooler may stand between
            connect_timeout=CONNECT_SECONDS,
            application_name="newsloom",
            client_encoding="UTF8",
            keepalives_idle=SILENCE_SECONDS // 3,
            keepalives_interval=SILENCE_SECONDS // 3,
            keepalives_count=2,
            tcp_user_timeout=SILENCE_SECONDS * 1000,
        )
        try:
            settings = {
                "statement_timeout": _milliseconds(self._patience),
                "lock_timeout": _milliseconds(LOCK_PATIENCE),
                "timezone": "UTC",
            }
            for name, value in settings.items():
                connection.execute("SELECT set_config(%s, %s, false)", (name, value))
        except BaseException:
            connection.close()
            raise
        return connection


def in_the_way(error: psycopg.Error) -> bool:
    """Whether it took too long or was locked: to be tried again later, or with fewer rows."""
    return isinstance(
        error, errors.QueryCanceled | errors.LockNotAvailable | errors.DeadlockDetected
    )


def describe(error: psycopg.Error) -> str:
    """What went wrong, for a person. Never the address: it may hold a password."""
    lines = str(error.diag.message_primary or error).strip().splitlines()
    first = lines[0] if lines else type(error).__name__
    if isinstance(error, errors.InsufficientPrivilege):
        return f"the role lacks a right ({first}); see `newsloom ttrss check`"
    if isinstance(error, errors.UndefinedTable | errors.UndefinedColumn):
        return f"its tables are not those of a known version of Tiny Tiny RSS ({first})"
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return "its database is read-only at the moment"
    if isinstance(error, psycopg.OperationalError):
        return f"its database does not respond ({first})"
    return f"its database reported an error ({first})"


def _checked(address: str) -> str:
    try:
        conninfo_to_dict(address)
    except psycopg.ProgrammingError as error:
        raise SettingsError(
            "ttrss.database must be a PostgreSQL address such as "
            "postgresql://newsloom:password@127.0.0.1/ttrss"
        ) from error
    return address


def _milliseconds(span: timedelta) -> str:
    return f"{span // timedelta(milliseconds=1)}ms"
