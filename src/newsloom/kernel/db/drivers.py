"""Which SQLite library a process uses, which journal is safe with it, and what it raises, told in
Newsloom's words. Opens no database.

The reasons, and the tests that back them, are in docs/work/decisions/storage.md.
"""

from __future__ import annotations

import importlib
import resource
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Literal

from newsloom.kernel.errors import StoreBusy, StoreError, StoreFull

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


# Primary result codes of SQLite (sqlite.org/rescode.html); the low byte of an extended one.
BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB = 5, 6, 8, 10, 11, 13, 14, 26

# Extended codes a quota or a limit on the size of files comes as: a write, and the growing of the
# index of the write-ahead log. Not every driver tells more than IOERR; see _no_room.
REFUSED_WRITES = {778, 4874}

# With less free space than this a failed write is put down to the lack of it.
LEAST_ROOM = 1_000_000

_WORDS = {
    READONLY: "The database {path} is read-only; check who owns it and whether its disk is.",
    IOERR: "The disk failed under the database {path}: {error}.",
    CORRUPT: "The database {path} is damaged ({error}). Move it away and restore a copy of it.",
    CANTOPEN: "The database {path} cannot be opened: {error}.",
    NOTADB: "{path} is not a Newsloom database.",
}
_OTHER = "The database {path} could not do that: {error}."


def translate(error: BaseException, path: Path) -> StoreError:
    """The error of ours that a driver's error means."""
    extended = getattr(error, "sqlite_errorcode", 0) or 0
    code = extended & 0xFF
    if code in {BUSY, LOCKED}:
        return StoreBusy(f"Another process has locked the database {path}. Try again in a moment.")
    if code == FULL or extended in REFUSED_WRITES or (extended == IOERR and _no_room(path)):
        return StoreFull(
            f"The disk refused to hold more of the database {path}: it is full, or a quota or "
            "size limit is reached. What was to be stored last is left out; what was stored before "
            "stays."
        )
    words = _WORDS.get(code, _OTHER)
    return StoreError(words.format(path=path, error=str(error).rstrip(".")))


def _no_room(path: Path) -> bool:
    """Whether the disk, or this process's limit on the size of files, leaves nothing to write."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    beside = [path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-journal")]
    try:
        largest = max((one.stat().st_size for one in beside if one.exists()), default=0)
        free = shutil.disk_usage(path.parent).free
    except OSError:
        return False
    if limit != resource.RLIM_INFINITY:
        free = min(free, limit - largest)
    return free < LEAST_ROOM
