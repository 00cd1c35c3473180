"""Which SQLite library a process uses and which journal is safe with it. Opens nothing.

The reasons, and the tests that back them, are in docs/work/decisions/storage.md.
"""

from __future__ import annotations

import importlib
import sqlite3
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

from newsloom.kernel.errors import StoreError

Journal = Literal["wal", "truncate"]

# The first release that cannot corrupt a file when two connections write and reset the
# write-ahead log at once (sqlite.org/wal.html#walresetbug), and the one that was withdrawn.
WAL_SAFE_FROM = (3, 51, 3)
WITHDRAWN = (3, 52, 0)


@dataclass(frozen=True, slots=True)
class Driver:
    """A SQLite library with its Python module."""

    name: str
    module: ModuleType

    @property
    def version(self) -> tuple[int, ...]:
        return tuple(self.module.sqlite_version_info)

    @property
    def version_text(self) -> str:
        return ".".join(str(part) for part in self.version)

    @property
    def journal(self) -> Journal:
        return safest_journal(self.version)


def safest_journal(version: tuple[int, ...]) -> Journal:
    """The write-ahead log where it is sound; else the rollback journal, which never had the bug."""
    return "wal" if version >= WAL_SAFE_FROM and version != WITHDRAWN else "truncate"


def choose(name: str | None = None) -> Driver:
    """The driver of that name, or the best there is: the package's own SQLite, else Python's."""
    if name == "sqlite3":
        return Driver("sqlite3", sqlite3)
    try:
        return Driver("pysqlite3", importlib.import_module("pysqlite3.dbapi2"))
    except ImportError as error:
        if name is not None:
            raise StoreError(f"There is no database driver {name} here.") from error
        return Driver("sqlite3", sqlite3)
