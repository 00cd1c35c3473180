"""Installs an encoder from a hub, when a person says so: each file fetched, checked, then all put
in place at once. Broken off anywhere, the next try goes on where this one was.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from newsloom.kernel.errors import ModelError, UserError
from newsloom.kernel.http.ports import Downloader
from newsloom.kernel.text.urls import is_http
from newsloom.ranking.encoders import installed
from newsloom.ranking.encoders.installed import Record, digest_of, part_of
from newsloom.ranking.encoders.known import CONFIG, FORMS, OPTIONAL, Known, known

_COMMIT = re.compile(r"[0-9a-f]{40}")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")

# Of one JSON file; a tokenizer of 250,000 words is 17 MB.
MOST_CONFIG = 1 << 20
MOST_TOKENIZER = 64 << 20
# Of the weights of a repository that is in no table.
MOST_WEIGHTS = 4_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be installed, and what is known of it beforehand."""

    name: str
    repository: str
    revision: str
    form: str
    megabytes: int
    sha256: dict[str, str]  # of some files, or none
    only: tuple[str, ...] = ()  # the files it has, where an earlier time found that out

    @property
    def files(self) -> tuple[str, ...]:
        return self.only or (*CONFIG, *FORMS[self.form])


def wanted(folder: Path, name: str, revision: str, form: str) -> Wanted:
    """By the record of an earlier time, the table, or the revision given. Raises UserError.

    `name` is that of a row, or a repository as "owner/name".
    """
    row = known(name) or _of_repository(name)
    if form not in FORMS:
        raise UserError(f"--form must be one of {', '.join(FORMS)}, not {form!r:.20}.")
    if revision and not _COMMIT.fullmatch(revision):
        raise UserError("--revision must be a commit hash of 40 characters, not a branch or tag.")
    record = installed.record_of(folder, row.name)
    if record is not None and record.form == form and revision in {"", record.revision}:
        files = tuple(record.files)
        return Wanted(
            row.name,
            record.repository,
            record.revision,
            form,
            row.megabytes,
            dict(record.files),
            files,
        )
    if revision in {"", row.revision} and row.sha256:
        files = tuple(file for file in (*CONFIG, *FORMS[form]) if file in row.sha256)
        return Wanted(
            row.name, row.repository, row.revision, form, row.megabytes, dict(row.sha256), files
        )
    if not revision:
        raise UserError(
            f"No hash of {row.name} is known here. Give the commit of {row.repository} to trust "
            f"with --revision."
        )
    return Wanted(row.name, row.repository, revision, form, row.megabytes, {})


async def get(
    downloader: Downloader,
    hub: str,
    folder: Path,
    what: Wanted,
    tell: Callable[[str], None],
) -> Record:
    """Fetch what is missing, check all, put it in place. Raises ModelError.

    What was fetched before and is whole is not asked for again.
    """
    if not is_http(hub):
        raise ModelError(f"models.hub is {hub!r:.80}, not an http address.")
    part = part_of(folder, what.name)
    digests: dict[str, str] = {}
    for file in what.files:
        digest = await _file(downloader, hub, part, what, file, tell)
        if digest:
            digests[file] = digest
    record = Record(what.repository, what.revision, what.form, digests)
    _tidied(part, digests)
    installed.keep_record(folder, what.name, record)
    installed.check(folder, what.name, part)
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
        found = digest_of(target)
        if found == expected or not expected:
            return found
        target.unlink()
    tell(f"{file} ...")
    url = f"{hub.rstrip('/')}/{what.repository}/resolve/{what.revision}/{file}"
    came = await downloader.download(url, target, most_bytes=_most(file, what))
    if came.status == 404 and file in OPTIONAL and not expected:
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


def _of_repository(name: str) -> Known:
    if not _REPOSITORY.fullmatch(name):
        raise UserError(
            f"There is no encoder {name!r:.60}. See `newsloom models list`, or use a repository "
            f"as owner/name."
        )
    return Known(installed.named(name.partition("/")[2]), name, "", MOST_WEIGHTS)


def _most(file: str, what: Wanted) -> int:
    if file in FORMS[what.form]:
        return what.megabytes * 1_000_000
    return MOST_TOKENIZER if file == "tokenizer.json" else MOST_CONFIG


def _tidied(part: Path, digests: dict[str, str]) -> None:
    """Remove what an earlier try of another form left."""
    for path in part.rglob("*"):
        if path.is_file() and path.relative_to(part).as_posix() not in digests:
            path.unlink()
