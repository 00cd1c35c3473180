"""What is to be installed of an encoder, by its name; kernel/http/hub.py installs it."""

from __future__ import annotations

import re
from pathlib import Path

from newsloom.kernel import installed
from newsloom.kernel.errors import UserError
from newsloom.kernel.http.hub import COMMIT, Wanted
from newsloom.ranking.encoders.known import CONFIG, FORMS, OPTIONAL, Known, known

_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")

# Of the weights of a repository that is in no table, in megabytes.
MOST_WEIGHTS = 4_000


def wanted(folder: Path, name: str, revision: str, form: str) -> Wanted:
    """By the record of an earlier time, the table, or the revision given. Raises UserError.

    `name` is that of a row, or a repository as "owner/name".
    """
    row = known(name) or _of_repository(name)
    if form not in FORMS:
        raise UserError(f"--form must be one of {', '.join(FORMS)}, not {form!r:.20}.")
    if revision and not COMMIT.fullmatch(revision):
        raise UserError("--revision must be a commit hash of 40 characters, not a branch or tag.")
    record = installed.record_of(folder, row.name)
    if record is not None and record.form == form and revision in {"", record.revision}:
        return Wanted(
            row.name,
            record.repository,
            record.revision,
            form,
            row.megabytes,
            tuple(record.files),
            record.files,
        )
    every = (*CONFIG, *FORMS[form])
    if revision in {"", row.revision} and row.sha256:
        files = tuple(file for file in every if file in row.sha256)
        return Wanted(
            row.name, row.repository, row.revision, form, row.megabytes, files, row.sha256
        )
    if not revision:
        raise UserError(
            f"No hash of {row.name} is known here. Give the commit of {row.repository} to trust "
            f"with --revision."
        )
    return Wanted(row.name, row.repository, revision, form, row.megabytes, every, {}, OPTIONAL)


def _of_repository(name: str) -> Known:
    if not _REPOSITORY.fullmatch(name):
        raise UserError(
            f"There is no encoder {name!r:.60}. See `newsloom models list`, or use a repository "
            f"as owner/name."
        )
    return Known(installed.named(name.partition("/")[2]), name, "", MOST_WEIGHTS)
