"""Stores to test: SQLite, its second library and journal where they matter, and PostgreSQL."""

from __future__ import annotations

import atexit
import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import delete

import postgres
from newsloom.kernel.db.drivers import Journal, choose
from newsloom.kernel.errors import StoreError
from newsloom.kernel.ids import FeedId, UserId
from newsloom.store import Store, open_store
from newsloom.store.tables import metadata
from quick import quick_folder

from .builders import NOW

PATIENCE = timedelta(seconds=10)
Clock = Callable[[], datetime]


def clock() -> datetime:
    return NOW


# Opens the store of another process's arguments, for programs that tests run.
PROCESS = """
import pathlib, sys
from newsloom.store import open_store, owner_name
def opened(now):
    place, driver = sys.argv[1:3]
    path = place if "://" in place else pathlib.Path(place)
    return open_store(path, now=now, driver=driver or None)
"""


@dataclass(frozen=True)
class Backend:
    driver: str
    journal: Journal

    def __str__(self) -> str:
        return f"{self.driver}-{self.journal}"

    def open(self, path: Path, patience: timedelta = PATIENCE, now: Clock = clock) -> Store:
        return open_store(
            path, now=now, driver=self.driver, journal=self.journal, patience=patience
        )

    def words(self, path: Path) -> tuple[str, ...]:
        """What PROCESS reads of another process's arguments."""
        return str(path), self.driver

    def copied(self, path: Path, to: Path) -> Path:
        """A closed database once more."""
        return Path(shutil.copy(path, to))


@dataclass(frozen=True)
class Postgres:
    """PostgreSQL. A path stands for a database of the test server, made when it is first opened."""

    server: str = ""  # where it runs, for this and other processes

    def __str__(self) -> str:
        return "postgres"

    def open(self, path: Path, patience: timedelta = PATIENCE, now: Clock = clock) -> Store:
        return open_store(self.address(path), now=now, patience=patience)

    def words(self, path: Path) -> tuple[str, ...]:
        return self.address(path), ""

    def copied(self, path: Path, to: Path) -> Path:
        self.address(to, template=self.name(path))
        return to

    @staticmethod
    def name(path: Path) -> str:
        return "t" + hashlib.blake2b(str(path).encode(), digest_size=8).hexdigest()

    def address(self, path: Path, *, template: str = "empty") -> str:
        """The URL of the database that a path stands for; made from another if it is not there."""
        name = self.name(path)
        with psycopg.connect(f"{self.server}/postgres", autocommit=True) as connection:
            text = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.execute(text, [name]).fetchone() is None:
                connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return f"{self.server}/{name}"


_servers = ExitStack()
atexit.register(_servers.close)


@cache
def started(source: str = "") -> Postgres:
    """One server for this worker's tests, with a migrated database "empty" in it."""
    programs = postgres.programs(source)
    if programs is None:
        pytest.skip(f"there is no {source} PostgreSQL on this machine")
    cluster = _servers.enter_context(postgres.running(programs))
    cluster.make("empty")
    open_store(cluster.address("empty"), now=clock).close()
    return Postgres(cluster.address("").rstrip("/"))


SQLITE, SECOND_SQLITE = Backend("pysqlite3", "wal"), Backend("sqlite3", "truncate")
POSTGRES = pytest.param(Postgres(), marks=pytest.mark.postgres)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The second SQLite is for drivers, the engine, journals, locks, migrations and copies."""
    if "backend" in metafunc.fixturenames:
        second = metafunc.definition.get_closest_marker("each_sqlite")
        backends = (SQLITE, *((SECOND_SQLITE,) if second else ()), POSTGRES)
        metafunc.parametrize("backend", backends, indirect=True, ids=str, scope="session")


@pytest.fixture(scope="session")
def backend(request: pytest.FixtureRequest) -> Backend | Postgres:
    found = request.param
    if isinstance(found, Postgres):
        return started()
    try:
        choose(found.driver)
    except StoreError:
        pytest.skip(f"there is no {found.driver} for this machine")
    return found


@pytest.fixture
def sqlite(backend: Backend | Postgres) -> Backend:
    """The backend, for tests of what is SQLite's alone: its file, its journal, its locks."""
    if isinstance(backend, Postgres):
        pytest.skip("of SQLite alone")
    return backend


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as made:
        yield made


@pytest.fixture(scope="session")
def empty(backend: Backend | Postgres, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database without a row, to copy: migrating takes longer than most tests."""
    path = tmp_path_factory.mktemp("empty") / "empty.db"
    backend.open(path).close()
    return path


@pytest.fixture
def path(backend: Backend | Postgres, empty: Path, folder: Path) -> Path:
    path = folder / "newsloom.db"
    return path if isinstance(backend, Postgres) else Path(shutil.copy(empty, path))


@pytest.fixture(scope="session")
def lasting_path(backend: Backend | Postgres) -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / f"{backend}.db"


@pytest.fixture(scope="session")
def lasting(backend: Backend | Postgres, lasting_path: Path) -> Iterator[Store]:
    """One open store for most tests: a new one compiles every statement again."""
    with closing(backend.open(lasting_path)) as opened:
        yield opened


# At one go, it takes two milliseconds. Truncating takes a hundred times as long: it makes new files
# for every table and index.
KEPT = ("vector_log", "work_notes", "work_done", "unread_counts", "article_counts")
WIPE = ";".join(
    (
        "SET LOCAL session_replication_role = replica",  # no foreign key is looked at
        *(f"DELETE FROM {name}" for name in ("texts_search", *metadata.tables)),
        *(f"DELETE FROM {name}" for name in KEPT),
        # There where the server has pgvector.
        "DO $$ BEGIN IF to_regclass('neighbours') IS NOT NULL THEN DELETE FROM neighbours;"
        " END IF; END $$",
        "SELECT setval(seqrelid, 1, false) FROM pg_sequence"
        " WHERE pg_sequence_last_value(seqrelid) IS NOT NULL",
    )
)


@pytest.fixture
def store(lasting: Store) -> Store:
    """A store without a row."""
    with lasting.database.write() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(WIPE)
        else:
            connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            for table in reversed(metadata.sorted_tables):
                connection.execute(delete(table))
    return Store(lasting.database, lambda: NOW)


@pytest.fixture
def reader(store: Store) -> UserId:
    return store.users.user("reader", NOW)


@pytest.fixture
def subscribe(store: Store, reader: UserId) -> Callable[..., FeedId]:
    """Subscribe the reader to a feed by name."""

    def to(name: str, category: str = "", user: UserId = reader) -> FeedId:
        return store.reading.subscribe(user, f"https://{name}.test/feed", NOW, category=category)[0]

    return to


@pytest.fixture
def feed(subscribe: Callable[..., FeedId]) -> FeedId:
    return subscribe("first", "News")
