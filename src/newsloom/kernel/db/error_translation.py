"""What SQLite raises, told in Newsloom's words, once. Touches no database."""

from __future__ import annotations

import resource
import shutil
from pathlib import Path

from newsloom.kernel.errors import StoreBusy, StoreError, StoreFull

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
        return StoreBusy(f"The database {path} is held by another process; try again in a moment.")
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
