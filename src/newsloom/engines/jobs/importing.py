"""The job `import`: a file of articles taken in, line after line, however long it is.

Where reading goes on is kept in the transaction that stores what was read: a kill loses nothing and
stores nothing twice. A line that cannot be read is counted, and the first ones are named.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from newsloom.bridges.service.labelled import take_in_lines
from newsloom.engines.jobs.context import JobContext, Kind, Lost, Waits, Working
from newsloom.engines.jobs.values import HistoryJob, JobStep
from newsloom.kernel.errors import NewsloomError, UserError
from newsloom.ranking.values.models import LabelledCopy

log = logging.getLogger(__name__)

# Of one transaction, which others wait for: some 0.2 s.
LINES, BYTES = 200, 4_000_000
# A longer line is no article.
LONGEST_LINE = 16_000_000
# Lines named that cannot be read.
NAMED = 10
# What tells a file: its size and the hash of its beginning.
BEGINNING = 1_000_000
_BOM = b"\xef\xbb\xbf"
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Chunk:
    """The next lines of a file."""

    lines: tuple[tuple[int, bytes | None], ...]  # with their numbers; None: too long
    offset: int  # where the next begins
    number: int  # of the last line read


def wish_of(path: Path) -> dict[str, Any]:
    """What a job needs to know of a file. Raises UserError."""
    path = path.absolute()
    try:
        with path.open("rb") as file:
            beginning = file.read(BEGINNING)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    if not path.is_file():
        raise UserError(f"{path} is not a regular file.")
    return {"file": str(path), "size": size, "beginning": hashlib.sha256(beginning).hexdigest()}


def chunk(file: BinaryIO, offset: int, number: int) -> Chunk:
    """What is read in one step from there on."""
    file.seek(offset)
    lines: list[tuple[int, bytes | None]] = []
    size = 0
    while len(lines) < LINES and size < BYTES:
        line = file.readline(LONGEST_LINE + 1)
        if not line:
            break
        number += 1
        whole = len(line) <= LONGEST_LINE
        while not whole and line and not line.endswith(b"\n"):
            line = file.readline(_BLOCK)
        size += len(line)
        lines.append((number, line.removeprefix(_BOM) if whole else None))
    return Chunk(tuple(lines), file.tell(), number)


def _total(_context: JobContext, job: HistoryJob) -> int:
    """Lines of the file, empty ones too; counted once."""
    if job.total:
        return job.total
    with _opened(job) as file:
        blocks = iter(lambda: file.read(_BLOCK), b"")
        total, last = 0, b"\n"
        for block in blocks:
            total += block.count(b"\n")
            last = block[-1:]
        return total + (last != b"\n")


def _step(context: JobContext, working: Working) -> int:
    job = working.job
    position = job.position
    number = int(position.get("line", 0))
    with _opened(job) as file:
        read = chunk(file, int(position.get("offset", 0)), number)
    if not read.lines:
        return 0
    copies, problems = _copies(context, read.lines, Path(str(job.wish["file"])).name)
    _take_in(context, working, read, copies, problems)
    return len(read.lines)


def _copies(
    context: JobContext, lines: Iterable[tuple[int, bytes | None]], name: str
) -> tuple[list[tuple[int, LabelledCopy]], list[str]]:
    """What can be read, with its line; and what cannot, in words."""
    copies, problems, now = [], [], context.now()
    for number, line in lines:
        place = f"{name} line {number}"
        if line is None:
            problems.append(f"{place} is longer than {LONGEST_LINE:,} bytes.")
            continue
        try:
            if line.strip():
                copies.append((number, context.line(line, place, now)))
        except UserError as error:
            problems.append(str(error)[:300])
    return copies, problems


def _take_in(
    context: JobContext,
    working: Working,
    read: Chunk,
    copies: Sequence[tuple[int, LabelledCopy]],
    problems: Sequence[str],
) -> None:
    """All of a chunk in one transaction. What the store refuses is found one by one, and named."""
    try:
        _save(context, working, read, copies, problems)
        return
    except NewsloomError:
        raise
    except Exception as error:
        log.warning("a part of the import is tried line by line", exc_info=error)
    good, more = [], []
    for one in copies:  # tried alone, and taken back
        try:
            _tried(context, working, [one])
            good.append(one)
        except NewsloomError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the other lines are sound
            more.append(f"line {one[0]} cannot be stored: {type(error).__name__}")
    _save(context, working, read, good, [*problems, *more])


class _TakenBackError(Exception):
    """Ends a transaction that was only tried."""


def _tried(
    context: JobContext, working: Working, copies: Sequence[tuple[int, LabelledCopy]]
) -> None:
    user = working.job.user
    assert user is not None
    try:
        with context.store.write() as tx:
            take_in_lines(tx, user, [copy for _number, copy in copies], context.now())
            raise _TakenBackError
    except _TakenBackError:
        return


def _save(
    context: JobContext,
    working: Working,
    read: Chunk,
    copies: Sequence[tuple[int, LabelledCopy]],
    problems: Sequence[str],
) -> None:
    job, now = working.job, context.now()
    assert job.user is not None
    with context.store.write() as tx:
        taken = take_in_lines(tx, job.user, [copy for _number, copy in copies], now)
        position = job.position
        named = [*position.get("problems", []), *problems][:NAMED]
        step = JobStep(
            done=len(read.lines) - len(problems),
            refused=len(problems),
            position={
                "offset": read.offset,
                "line": read.number,
                "articles": int(position.get("articles", 0)) + taken.articles,
                "labels": int(position.get("labels", 0)) + taken.labels,
                "problems": named,
            },
            token=working.token,
        )
        if not tx.jobs.advance_job(job.id, step, now):
            raise Lost


def _opened(job: HistoryJob) -> BinaryIO:
    """The file, if it is the one of the job. Raises Waits, UserError."""
    path = Path(str(job.wish["file"]))
    try:
        file = path.open("rb")
    except OSError as error:
        raise Waits(f"{path} cannot be read: {error.strerror}.") from error
    if os.fstat(file.fileno()).st_size != job.wish["size"]:
        file.close()
        raise UserError(
            f"{path} has changed since the job started. Cancel the job and start a new one."
        )
    return file


def _end(_context: JobContext, job: HistoryJob) -> str:
    if int(job.position.get("offset", 0)) < int(job.wish["size"]):
        return ""
    data = job.position
    refused = f" {job.refused} lines were skipped as unreadable." if job.refused else ""
    return f"{data.get('articles', 0)} articles and {data.get('labels', 0)} labels added.{refused}"


IMPORT = Kind(
    "import",
    "importing articles",
    "lines",
    serial=True,
    total=_total,
    step=_step,
    end=_end,
)
