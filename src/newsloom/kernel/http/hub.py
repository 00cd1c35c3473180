"""Installs a model from a hub, when a person says so: each file fetched, checked, then all put in
place at once. Broken off anywhere, the next try goes on where this one was.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from newsloom.kernel import installed
from newsloom.kernel.errors import ModelError, NewsloomError
from newsloom.kernel.files import private_folder
from newsloom.kernel.http.ports import Downloader
from newsloom.kernel.installed import Record
from newsloom.kernel.text.urls import is_http

# Of one file that is no weights, in bytes: the tokenizer of 250,000 words has 17 MB.
MOST_CONFIG = 64 << 20
COMMIT = re.compile(r"[0-9a-f]{40}")
_WEIGHTS = (".onnx", ".safetensors")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be installed, and what is known of it beforehand."""

    name: str
    repository: str
    revision: str
    form: str
    megabytes: int  # of the largest file
    files: tuple[str, ...]
    sha256: Mapping[str, str]  # of some files, or none
    optional: frozenset[str] = frozenset()  # files that a repository may lack
    folder: str = ""  # of the repository, where the files are; it ends with a slash
    command: str = "models"  # that installs such models


def nothing(_part: Path) -> None:
    """No further examination."""


async def get(
    downloader: Downloader,
    hub: str,
    folder: Path,
    what: Wanted,
    tell: Callable[[str], None],
    examine: Callable[[Path], None] = nothing,
) -> Record:
    """Fetch what is missing, check all, put it in place. Raises ModelError.

    What was fetched before and is whole is not asked for again. `examine` is given the folder with
    all files before they are used, and raises for what cannot be.
    """
    if not is_http(hub):
        raise ModelError(f"models.hub is {hub!r:.80}, not an http address.")
    try:
        private_folder(folder)
        with installed.alone(folder, what.name):
            return await _got(downloader, hub, folder, what, tell, examine)
    except OSError as error:
        raise ModelError(
            f"{what.name} cannot be written to {folder}: {error.strerror or error}."
        ) from error


async def _got(
    downloader: Downloader,
    hub: str,
    folder: Path,
    what: Wanted,
    tell: Callable[[str], None],
    examine: Callable[[Path], None],
) -> Record:
    part = installed.part_of(folder, what.name)
    digests: dict[str, str] = {}
    for file in what.files:
        digest = await _file(downloader, hub, part, what, file, tell)
        if digest:
            digests[file] = digest
    record = Record(what.repository, what.revision, what.form, digests)
    # What an earlier try of another form left.
    for path in part.rglob("*"):
        if path.is_file() and path.relative_to(part).as_posix() not in digests:
            path.unlink()
    try:
        examine(part)
    except NewsloomError:
        shutil.rmtree(part, ignore_errors=True)
        raise
    installed.keep_record(folder, what.name, record)
    installed.check(folder, what.name, part, command=what.command)
    installed.put_in_place(folder, what.name)
    return record


async def _file(
    downloader: Downloader,
    hub: str,
    part: Path,
    what: Wanted,
    file: str,
    tell: Callable[[str], None],
) -> str:
    """Its SHA-256, once it is there and right; empty: the repository has none."""
    target, expected = part / file, what.sha256.get(file, "")
    if target.is_file():
        found = installed.digest_of(target)
        if found == expected or not expected:
            return found
        target.unlink()
    tell(f"{file} ...")
    url = f"{hub.rstrip('/')}/{what.repository}/resolve/{what.revision}/{what.folder}{file}"
    most = what.megabytes * 1_000_000 if file.endswith(_WEIGHTS) else MOST_CONFIG
    came = await downloader.download(url, target, most_bytes=most)
    if came.status == 404 and file in what.optional and not expected:
        return ""
    if came.problem:
        raise ModelError(
            f"{what.name}: {file} was not downloaded: {came.problem}. {came.advice}".strip()
        )
    if expected and came.sha256 != expected:
        target.unlink(missing_ok=True)
        raise ModelError(
            f"{what.name}: {file} does not match: its SHA-256 is {came.sha256[:12]}..., "
            f"not {expected[:12]}.... Nothing was installed."
        )
    return came.sha256
