"""The whole store in one file, and back, while other processes go on reading and writing.

The file is a tar archive: `newsloom.json`, what it holds; `news.db`, the database as of one moment;
and a folder of files for each version of trained weights. It is read as a stream, so it may come
through a pipe. What is restored may come from anywhere: every name in it is checked.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO

from newsloom.kernel import files
from newsloom.kernel.db.engine import Database, SqliteDatabase
from newsloom.kernel.errors import UserError
from newsloom.kernel.files import STANDARD, shown
from newsloom.kernel.installed import digest_of
from newsloom.ranking.encoders import weights
from newsloom.store import Store, copying, open_store

FORMAT = 1
CONTENTS, DATABASE, WEIGHTS = "newsloom.json", "news.db", "models"

_BLOCK = 1 << 20
_LARGEST_CONTENTS = 100_000
_NAME = re.compile(r"[0-9A-Za-z_][0-9A-Za-z._@-]{0,200}")


@dataclass(frozen=True, slots=True)
class Contents:
    """What a backup holds, as its first member says."""

    format: int
    version: str  # of the Newsloom that wrote it
    at: str  # ISO 8601
    articles: int
    feeds: int
    sha256: str  # of the database


def save(store: Store, weights_folder: Path, out: Path, version: str, at: datetime) -> Contents:
    """Write a backup; the file appears whole or not at all. `-` is standard output.

    Raises UserError when it cannot be written, StoreError when the database cannot be read.
    """
    with _folder_beside(_beside(store, weights_folder)) as folder:
        copy = folder / DATABASE
        copying.save(store.database, copy, partial(_database_like, store, lambda: at))
        with closing(_opened_like(store, copy, lambda: at)) as copied:
            articles, feeds = copied.database.sizes("articles", "feeds")
        stamp = at.isoformat(timespec="seconds")
        contents = Contents(FORMAT, version, stamp, articles, feeds, digest_of(copy))
        compressed = out.suffix in {".gz", ".tgz"}
        with (
            _written(out) as stream,
            tarfile.open(fileobj=stream, mode="w|gz" if compressed else "w|") as archive,
        ):
            described = json.dumps(asdict(contents), indent=1).encode()
            archive.addfile(_member(CONTENTS, len(described)), io.BytesIO(described))
            _add(archive, copy, DATABASE)
            for version_folder in weights.versions(weights_folder):
                for file in sorted(version_folder.iterdir()):
                    _add(archive, file, f"{WEIGHTS}/{version_folder.name}/{file.name}")
    return contents


def restore(
    store: Store,
    weights_folder: Path,
    source: Path,
    now: Callable[[], datetime],
    agree: Callable[[Contents], None] = lambda _contents: None,
) -> Contents:
    """Put what a backup holds in the place of all that is in the store, in one transaction.

    Whoever has the store open sees the old one until that, then the new one. `agree` is called
    with what the backup says it holds, before anything is touched, and may raise.
    Raises UserError for what is no whole backup, StoreError for a newer one than this Newsloom
    knows; the store is then as it was.
    """
    with _folder_beside(_beside(store, weights_folder)) as folder:
        try:
            with _opened(source) as archive:
                contents = _unpacked(archive, folder, agree)
        except (tarfile.TarError, EOFError, OSError) as error:
            raise UserError(f"{shown(source)} is not a complete backup: {error}.") from error
        except _NotABackup as error:
            raise UserError(f"{shown(source)} is not a complete backup: {error}.") from error
        copy = folder / DATABASE
        if not copy.exists() or digest_of(copy) != contents.sha256:
            raise UserError(f"{shown(source)} is not a complete backup: its database is damaged.")
        with (
            closing(_opened_like(store, copy, now)) as brought,  # to the present schema
            closing(_opened_like(store, folder / "empty.db", now)) as empty,
        ):
            odd = copying.schema_difference(brought.database, empty.database)
        if odd:
            raise UserError(f"{shown(source)} is not a Newsloom backup: {odd}.")
        _put_weights(folder / WEIGHTS, weights_folder)
        copying.put(store.database, copy, partial(_database_like, store, now))
    return contents


def _opened_like(store: Store, path: Path, now: Callable[[], datetime]) -> Store:
    """A database by the SQLite and the journal of a store: the journal is written in the file."""
    database = store.database
    if not isinstance(database, SqliteDatabase):
        return open_store(path, now=now)
    return open_store(path, now=now, driver=database.driver.name, journal=database.journal)


def _database_like(store: Store, now: Callable[[], datetime], path: Path) -> Database:
    return _opened_like(store, path, now).database


def _beside(store: Store, weights_folder: Path) -> Path:
    """What a backup is made beside: the database's own disk has room for a second one."""
    database = store.database
    return database.path if isinstance(database, SqliteDatabase) else weights_folder


class _NotABackup(Exception):
    pass


def _unpacked(
    archive: tarfile.TarFile, folder: Path, agree: Callable[[Contents], None]
) -> Contents:
    """Write the members of a backup into a folder of ours; what it says it holds."""
    contents: Contents | None = None
    for member in archive:
        taken = archive.extractfile(member) if member.isreg() else None
        if taken is None:
            raise _NotABackup(f"{member.name!r:.80} is not a file")
        if contents is None:
            contents = _described(member, taken)
            agree(contents)
            continue
        path = folder.joinpath(*_parts(member.name))
        files.private_folder(path.parent)
        with open(path, "xb", opener=files.private) as written:
            shutil.copyfileobj(taken, written, _BLOCK)
    if contents is None:
        raise _NotABackup("it is empty")
    return contents


def _described(member: tarfile.TarInfo, taken: IO[bytes]) -> Contents:
    if member.name != CONTENTS or member.size > _LARGEST_CONTENTS:
        raise _NotABackup(f"it does not start with {CONTENTS}")
    try:
        found = json.loads(taken.read())
        contents = Contents(**{one.name: found[one.name] for one in fields(Contents)})
    except (ValueError, KeyError, TypeError) as error:
        raise _NotABackup(f"{CONTENTS} is unreadable") from error
    if contents.format != FORMAT:
        raise _NotABackup(f"its format is {contents.format!r:.20}; this version reads {FORMAT}")
    return contents


def _parts(name: str) -> tuple[str, ...]:
    """Where a member goes: only names that `save` writes."""
    parts = tuple(name.split("/"))
    if parts == (DATABASE,):
        return parts
    plain = len(parts) == 3 and all(_NAME.fullmatch(part) for part in parts[1:])
    if plain and parts[0] == WEIGHTS and Path(parts[2]).suffix in weights.KINDS:
        return parts
    raise _NotABackup(f"it contains an unknown file {name!r:.80}")


def _put_weights(taken: Path, weights_folder: Path) -> None:
    """Versions are named by what is in them: one that is there already is left alone."""
    for version in weights.versions(taken):
        part = weights.begin(weights_folder)
        for file in version.iterdir():
            shutil.move(file, part / file.name)
        description = (part / weights.DESCRIPTION).read_bytes()
        weights.finish(part, version.name, description)


@contextmanager
def _folder_beside(database: Path) -> Iterator[Path]:
    """A folder on the disk of the database, for as long as it is needed."""
    try:
        files.private_folder(database.parent)
        made = tempfile.TemporaryDirectory(prefix=f".{database.name}.", dir=database.parent)
    except OSError as error:
        raise UserError(f"{database.parent} cannot be written: {error.strerror}.") from error
    with made as folder:
        yield Path(folder)


@contextmanager
def _written(out: Path) -> Iterator[IO[bytes]]:
    if out == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    part = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        with open(part, "xb", opener=files.private) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(out)
    except OSError as error:
        raise UserError(f"{out} cannot be written: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _opened(source: Path) -> Iterator[tarfile.TarFile]:
    if source == STANDARD:
        with tarfile.open(fileobj=sys.stdin.buffer, mode="r|*") as archive:
            yield archive
        return
    with source.open("rb") as stream, tarfile.open(fileobj=stream, mode="r|*") as archive:
        yield archive


def _add(archive: tarfile.TarFile, path: Path, name: str) -> None:
    with path.open("rb") as file:
        archive.addfile(_member(name, path.stat().st_size), file)


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member
