"""Stores to test: every SQLite library and journal the project may run on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete

from newsloom.errors import StoreError
from newsloom.store import Store, open_store
from newsloom.store.drivers import Journal, choose
from newsloom.store.tables import metadata
from newsloom.types import FeedId, UserId
from quick import quick_folder

from .builders import NOW


@dataclass(frozen=True)
class Backend:
    driver: str
    journal: Journal

    def __str__(self) -> str:
        return f"{self.driver}-{self.journal}"

    def open(self, path: Path, patience: timedelta = timedelta(seconds=10)) -> Store:
        return open_store(
            path, now=lambda: NOW, driver=self.driver, journal=self.journal, patience=patience
        )


BACKENDS = (Backend("pysqlite3", "wal"), Backend("sqlite3", "truncate"))


@pytest.fixture(scope="session", params=BACKENDS, ids=str)
def backend(request: pytest.FixtureRequest) -> Backend:
    try:
        choose(request.param.driver)
    except StoreError:
        pytest.skip(f"there is no {request.param.driver} for this machine")
    return request.param


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as made:
        yield made


@pytest.fixture(scope="session")
def empty(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database without a row, to copy: migrating takes longer than most tests."""
    path = tmp_path_factory.mktemp("empty") / "empty.db"
    backend.open(path).close()
    return path


@pytest.fixture
def path(empty: Path, folder: Path) -> Path:
    return Path(shutil.copy(empty, folder / "newsloom.db"))


@pytest.fixture(scope="session")
def lasting(backend: Backend) -> Iterator[Store]:
    """One open store for most tests: a new one compiles every statement again."""
    with quick_folder() as folder, closing(backend.open(folder / "newsloom.db")) as opened:
        yield opened


@pytest.fixture
def store(lasting: Store) -> Store:
    """A store without a row, and without a memory of what it handed out: numbers of articles begin
    again at one."""
    with lasting.database.write() as connection:
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
