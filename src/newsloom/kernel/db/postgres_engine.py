"""A PostgreSQL database: connections, transactions, errors told in our words. Knows no table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache, partial
from types import ModuleType
from typing import Any

from sqlalchemy import URL, Connection, create_engine, event, exc, make_url
from sqlalchemy.pool import QueuePool

from newsloom.kernel.db.engine import LIMITS, Database, Limits, translate_errors
from newsloom.kernel.db.listening import Listener
from newsloom.kernel.errors import StoreAway, StoreBusy, StoreError, StoreFull
from newsloom.kernel.extras import require

# The oldest that the tests are run on.
LEAST_VERSION = 15

# What every writer locks, so that one writes at a time, as in SQLite: `newsloom` in ASCII. Those
# that claim share it: they keep writers out, and one another from nothing but locked rows.
WRITERS = int.from_bytes(b"newsloom")
_ALONE = f"SELECT pg_advisory_xact_lock({WRITERS})"
_SHARED = f"SELECT pg_advisory_xact_lock_shared({WRITERS})"

CONNECTING = 10  # seconds
# A server that is gone without a word, its machine switched off, is noticed after so long: by the
# probes of an idle connection, in seconds, and of what was sent and not acknowledged. The latter
# also ends a connection to a server that is too busy to read the rest of a large batch meanwhile.
ALIVE = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 120_000,
}

# A clock of this machine that differs by less from the server's is right: the server's answer takes
# a moment to come.
CLOCK_ERROR = timedelta(seconds=1)

# Kept open of those that the settings allow.
KEPT = 5

# Codes of PostgreSQL (appendix A of its manual) by their beginnings, the longest first.
_BUSY = ("55P03", "57014", "40001", "40P01", "53300")
_FULL = ("53100", "53200")
_GONE = ("08", "57P")
_DENIED = ("28", "42501")


_VISIBLE = "SELECT CAST(pg_current_snapshot() AS text)"


class PostgresDatabase(Database):
    """One PostgreSQL database."""

    def __init__(self, url: str, patience: timedelta, limits: Limits = LIMITS) -> None:
        parsed = parse_url(url)
        self._url = parsed.set(drivername="postgresql")
        self._limits = limits
        self._driver = _driver()
        self.location = shown(parsed)
        self.translate_errors = partial(
            translate_errors, self.location, self._driver.Error, self._translated
        )
        self._patience = patience
        self.version = ""
        self._ahead = timedelta(0)  # the server's clock of this machine's
        self._engine = create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            module=self._driver,
            paramstyle="format",
            poolclass=QueuePool,
            pool_size=min(KEPT, limits.connections),
            max_overflow=max(limits.connections - KEPT, 0),
            pool_timeout=patience.total_seconds(),
            # A server may have been restarted since.
            pool_pre_ping=True,
            pool_reset_on_return="rollback",
            isolation_level="REPEATABLE READ",
            connect_args={
                "connect_timeout": CONNECTING,
                "application_name": "newsloom",
                **ALIVE,
            },
        )
        self._writer = self._engine.execution_options(
            isolation_level="READ COMMITTED", locks=_ALONE
        )
        self._claimer = self._writer.execution_options(locks=_SHARED)
        event.listen(self._engine, "connect", self._configure)
        event.listen(self._engine, "begin", self._begin)
        try:
            with self.translate_errors():
                self._prepare()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def claim(self) -> Iterator[Connection]:
        with self.translate_errors(), self._claimer.begin() as connection:
            yield connection

    def now(self) -> datetime:
        """By the server's clock, as last compared when a connection was made: leases of processes
        on other machines neither end early nor late when the clock of one is wrong."""
        return super().now() + self._ahead

    def about(self) -> Mapping[str, str]:
        driver = f"psycopg {self._driver.__version__}"
        return {"database": self.location, "driver": driver, "postgresql": self.version}

    def change_token(self, user: int) -> tuple[Hashable, Hashable]:  # noqa: ARG002
        """What is visible now: the same texts as long as no transaction that wrote has ended,
        whoever's.

        Numbers of transactions are the server's, so writes to its other databases, and its upkeep
        (autovacuum), give another value too: pages are then made anew without need, and are right.
        Beside a busy database pages are seldom kept. What PostgreSQL counts by database
        (pg_stat_database) comes late, after up to a second, and would leave pages stale.
        """
        with self.read() as connection:
            visible = str(connection.exec_driver_sql(_VISIBLE).scalar_one())
        return visible, visible

    def listener(self, heard: Callable[[str], None]) -> Listener:
        url = self._url.render_as_string(hide_password=False)

        def connect() -> Any:
            return self._driver.connect(
                url,
                autocommit=True,
                connect_timeout=CONNECTING,
                application_name="newsloom listens",
                **ALIVE,
            )

        return Listener(connect, heard)

    def size(self) -> int:
        with self.read() as connection:
            text = "SELECT pg_database_size(current_database())"
            return int(connection.exec_driver_sql(text).scalar_one())

    def settle(self) -> None:
        """Plans follow what is known of the tables, which the server would learn minutes later."""
        with self.write() as connection:
            connection.exec_driver_sql("ANALYZE")

    def check(self, connection: Connection, *, quick: bool = False) -> tuple[str, ...]:  # noqa: ARG002
        """Whether every index is valid; PostgreSQL's own checksums and constraints do the rest."""
        found = connection.exec_driver_sql(
            "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid"
        ).scalars()
        return tuple(f"the index {name} is not valid" for name in found)

    def _prepare(self) -> None:
        with self._engine.connect() as connection:
            version = connection.exec_driver_sql("SHOW server_version").scalar_one()
            encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        self.version = str(version).partition(" ")[0]
        if int(self.version.partition(".")[0]) < LEAST_VERSION:
            raise StoreError(
                f"{self.location} is PostgreSQL {self.version}, and Newsloom needs {LEAST_VERSION} "
                "or newer."
            )
        if encoding != "UTF8":
            raise StoreError(
                f"The database {self.location} has the encoding {encoding}; Newsloom needs "
                "UTF8: CREATE DATABASE newsloom ENCODING 'UTF8' TEMPLATE template0."
            )

    def _configure(self, connection: Any, _record: Any) -> None:
        from psycopg.types.json import set_json_loads

        # Statements in words get JSON as text from either database; columns.Json reads it.
        set_json_loads(_as_text, connection)
        connection.adapters.register_dumper(str, _text_dumper())
        connection.autocommit = True
        connection.execute("SET timezone TO 'UTC'")
        connection.execute(f"SET lock_timeout TO {_milliseconds(self._patience)}")
        connection.execute(f"SET statement_timeout TO {_milliseconds(self._limits.statement)}")
        # To compile a statement took a second and a half, to start others to help with it 10 ms: no
        # page is that long.
        connection.execute("SET jit TO off")
        connection.execute("SET max_parallel_workers_per_gather TO 0")
        (server,) = connection.execute("SELECT clock_timestamp()").fetchone()
        ahead = server - super().now()
        self._ahead = ahead if abs(ahead) > CLOCK_ERROR else timedelta(0)
        connection.autocommit = False

    def _begin(self, connection: Connection) -> None:
        if lock := connection.get_execution_options().get("locks"):
            connection.exec_driver_sql(lock)

    def _translated(self, error: BaseException) -> StoreError:
        """The error of ours that a driver's error means."""
        code = getattr(error, "sqlstate", None) or ""
        words = _first_line(error)
        if code.startswith(_BUSY):
            return StoreBusy(
                f"Another process has locked the database {self.location}. Try again in a moment."
            )
        if code.startswith(_FULL):
            return StoreFull(
                f"The server refused to store more in the database {self.location}: {words}. The "
                "last of it is not stored; what was stored before stays."
            )
        if code == "3D000":
            return StoreError(f"There is no database {self.location}: make it with `createdb`.")
        if code.startswith(_DENIED):
            return StoreError(f"The database {self.location} does not allow that: {words}.")
        unreached = not code and isinstance(error, self._driver.OperationalError)
        if unreached or code.startswith(_GONE):
            return StoreAway(f"The database {self.location} cannot be reached: {words}.")
        return StoreError(f"The database {self.location} could not do that: {words}.")


def parse_url(url: str) -> URL:
    """The parts of an address. Raises StoreError, without the password that may be in it."""
    try:
        parsed = make_url(url)
    except (exc.ArgumentError, ValueError) as error:
        raise StoreError(
            "store.url is no address: write postgresql://user:password@host/name."
        ) from error
    if parsed.drivername not in {"postgresql", "postgres"}:
        raise StoreError(f"store.url names {parsed.drivername}; only postgresql:// is known.")
    return parsed


def shown(url: URL) -> str:
    """An address without what is secret in it."""
    told = {name: value for name, value in url.query.items() if name in {"host", "port"}}
    return url.set(query=told).render_as_string(hide_password=True)


def _driver() -> ModuleType:
    require("postgres", "A PostgreSQL database", StoreError)
    import psycopg

    return psycopg


@cache
def _text_dumper() -> Any:
    """Sends texts without NUL, which PostgreSQL holds in none and which means nothing in any."""
    from psycopg.types.string import StrDumperUnknown

    class Dumper(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "") if "\0" in obj else obj)

    return Dumper


def _as_text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _milliseconds(span: timedelta) -> int:
    return max(1, round(span.total_seconds() * 1000))


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].removeprefix("connection failed: ").rstrip(".") if lines else "no reason given"
