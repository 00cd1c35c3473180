"""Folders of trained weights beside the database: written whole or not at all, checked, tidied.

A version is a folder named by the hash of what describes it. It is written under a name ending in
`.part`, flushed to disk and renamed, so a kill leaves the old versions and at most a part. Runs
nothing and knows no format but safetensors and JSON.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from newsloom.kernel.errors import ModelError
from newsloom.kernel.files import private_folder

DESCRIPTION = "description.json"
PART = ".part"

# Weights as numbers, and what tokenizers write. Nothing that any library would run.
KINDS = frozenset({".json", ".safetensors", ".txt", ".model", ".jinja"})

# A training just done may not be in the database yet, and one on a slow machine takes hours.
SPARED = timedelta(days=1)

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of a version as it was when trained."""

    sha256: str
    bytes: int


def begin(folder: Path) -> Path:
    """An empty folder to write a version into. Raises ModelError."""
    try:
        private_folder(folder)
        return Path(tempfile.mkdtemp(prefix="training-", suffix=PART, dir=folder))
    except OSError as error:
        raise _unwritten(folder, error) from error


def hashed(part: Path) -> dict[str, KeptFile]:
    """Every file of a version by name. Raises ModelError for a kind that is not kept."""
    files = sorted(part.iterdir())
    for file in files:
        if not file.is_file() or file.suffix not in KINDS:
            raise ModelError(f"{file.name} is not a file of trained weights.")
    return {file.name: KeptFile(_digest(file), file.stat().st_size) for file in files}


def finish(part: Path, name: str, description: bytes) -> None:
    """Put a written version in its place under `name`, safe against a kill at any moment."""
    target = part.parent / name
    try:
        (part / DESCRIPTION).write_bytes(description)
        for file in part.iterdir():
            _flush(file)
        _flush(part)
        if target.exists():  # the same bytes, trained again
            shutil.rmtree(part)
        else:
            part.rename(target)
        _flush(part.parent)
    except OSError as error:
        raise _unwritten(target, error) from error


def abandon(part: Path) -> None:
    """Remove what was begun and will not be finished."""
    shutil.rmtree(part, ignore_errors=True)


def check(version: Path, files: Mapping[str, KeptFile]) -> None:
    """Raises ModelError unless the folder holds exactly those files, byte for byte.

    Files that this process found whole, and that nobody has touched since, are not read again:
    a reader's model is asked for after every like, and ModernBERT's take a second to hash.
    """
    try:
        looks = {file.name: _look(file) for file in version.iterdir() if file.name != DESCRIPTION}
        if set(looks) != set(files):
            odd = sorted(set(looks) ^ set(files))
            raise ModelError(f"{version} has changed since training: see {odd[0]}. {_MEND}")
        found_whole = looks, dict(files)
        if _checked.get(version) == found_whole:
            return
        for name, kept in files.items():
            file = version / name
            if looks[name].size != kept.bytes or _digest(file) != kept.sha256:
                raise ModelError(f"{file} is damaged: its bytes do not match its hash. {_MEND}")
    except OSError as error:
        raise ModelError(
            f"Trained weights cannot be read: {error.strerror} ({version}). {_MEND}"
        ) from error
    _checked[version] = found_whole


def versions(folder: Path) -> tuple[Path, ...]:
    """The folders of all versions that were written whole."""
    found = sorted(folder.iterdir()) if folder.is_dir() else ()
    return tuple(one for one in found if one.is_dir() and one.suffix != PART)


def tidy(folder: Path, keep: Collection[str], now: datetime) -> tuple[str, ...]:
    """Remove versions not named in `keep`, and parts, that are older than a day; their names."""
    removed = []
    before = (now - SPARED).timestamp()
    for version in sorted(folder.iterdir()) if folder.is_dir() else ():
        if version.is_dir() and version.name not in keep and version.stat().st_mtime < before:
            shutil.rmtree(version, ignore_errors=True)
            removed.append(version.name)
    return tuple(removed)


@dataclass(frozen=True, slots=True)
class _Look:
    """What changes whenever a file is written to, without reading it."""

    size: int
    node: int
    written: int  # nanoseconds


# By the folder of a version: how its files looked when they were last found whole.
_checked: dict[Path, tuple[dict[str, _Look], dict[str, KeptFile]]] = {}

_MEND = "Train again (`newsloom train`), or go back (`newsloom train --undo`)."


def _look(file: Path) -> _Look:
    found = file.stat()
    return _Look(found.st_size, found.st_ino, found.st_mtime_ns)


def _digest(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while block := opened.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unwritten(path: Path, error: OSError) -> ModelError:
    return ModelError(f"Trained weights cannot be written to {path}: {error.strerror or error}.")
