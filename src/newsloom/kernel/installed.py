"""Models that were installed: a folder each, and beside it a record with the hash of every file.

The record outlives the folder: what came the first time is what must come again. Runs nothing and
asks nobody.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import ModelError

PART = ".part"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Interrupted(ModelError):
    """Nothing is wrong: this process ends, or another one is at it."""


@dataclass(frozen=True, slots=True)
class Record:
    """Where a model came from, and what its files are: path to SHA-256."""

    repository: str
    revision: str
    form: str
    files: Mapping[str, str]


def named(name: str) -> str:
    """The name, if it can be that of a folder. Raises ModelError."""
    if not _NAME.fullmatch(name) or name.endswith((PART, ".json")):
        raise ModelError(f"{name!r:.60} is not a valid name.")
    return name


def record_of(folder: Path, name: str) -> Record | None:
    """None where none was ever installed, or `name` is none. Raises ModelError when damaged."""
    if not _NAME.fullmatch(name):
        return None
    path = _record_path(folder, name)
    try:
        said: Any = json.loads(path.read_bytes())
        files = {str(file): str(digest) for file, digest in said["files"].items()}
        record = Record(str(said["repository"]), str(said["revision"]), str(said["form"]), files)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} cannot be read ({error}).") from error
    if not all(inside(file) and _SHA256.fullmatch(digest) for file, digest in files.items()):
        raise ModelError(f"{path} is damaged.")
    return record


def inside(file: str) -> bool:
    """Whether a path stays in its folder."""
    parts = Path(file).parts
    return bool(parts) and not Path(file).is_absolute() and ".." not in parts


def installed(folder: Path) -> tuple[str, ...]:
    """Names of what is there whole."""
    found = sorted(folder.glob("*.json")) if folder.is_dir() else ()
    return tuple(one.stem for one in found if is_there(folder, one.stem))


def is_there(folder: Path, name: str) -> bool:
    return _record_path(folder, name).is_file() and (folder / name).is_dir()


def check(folder: Path, name: str, place: Path | None = None, *, command: str = "models") -> None:
    """Raises ModelError unless every recorded file is there, byte for byte, and no other weights.

    `place` is where they are if not yet in their folder, `command` what installs such models.
    """
    mend = f"`newsloom {command} remove {name}` and `newsloom {command} get {name}` bring it back."
    record = record_of(folder, name)
    if record is None:
        raise ModelError(f"{name} is not installed. Run `newsloom {command} get {name}`.")
    home = place or folder / name
    for file, expected in record.files.items():
        try:
            found = digest_of(home / file)
        except OSError as error:
            raise ModelError(
                f"{home / file} cannot be read: {error.strerror or error}. {mend}"
            ) from error
        if found != expected:
            raise ModelError(
                f"{home / file} is not the file that was installed: its SHA-256 is "
                f"{found[:12]}..., not {expected[:12]}.... {mend}"
            )
    odd = sorted(
        path.relative_to(home).as_posix()
        for path in home.rglob("*")
        if path.is_file() and path.relative_to(home).as_posix() not in record.files
    )
    if odd:
        raise ModelError(f"{home} holds {odd[0]}, which does not belong there. {mend}")


def keep_record(folder: Path, name: str, record: Record) -> None:
    """Written whole or not at all. Raises ModelError."""
    path = _record_path(folder, name)
    part = path.with_name(path.name + PART)
    try:
        with part.open("w", encoding="utf-8") as file:
            json.dump(asdict(record), file, indent=2, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise ModelError(f"{path} cannot be written: {error.strerror or error}.") from error


def put_in_place(folder: Path, name: str) -> None:
    """The folder of what was fetched becomes the model's. Raises ModelError."""
    target, old = folder / name, folder / f"{name}.old{PART}"
    try:
        if target.exists():
            shutil.rmtree(old, ignore_errors=True)
            target.rename(old)
        part_of(folder, name).rename(target)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise ModelError(f"{target} cannot be written: {error.strerror or error}.") from error


def remove(folder: Path, name: str) -> bool:
    """Its files; the record stays. Whether there were any. Raises ModelError."""
    there = False
    for path in (folder / named(name), part_of(folder, name)):
        if path.is_dir():
            there = True
            try:
                shutil.rmtree(path)
            except OSError as error:
                raise ModelError(f"{path} cannot be removed: {error.strerror or error}.") from error
    return there


@contextmanager
def alone(folder: Path, name: str) -> Iterator[None]:
    """Raises Interrupted where another process installs it now."""
    with (folder / f"{named(name)}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Interrupted(f"Another process installs {name} now.") from error
        yield


def part_of(folder: Path, name: str) -> Path:
    """Where its files lie while they are fetched."""
    return folder / f"{named(name)}{PART}"


def digest_of(path: Path) -> str:
    """SHA-256 in hex. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _record_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"
