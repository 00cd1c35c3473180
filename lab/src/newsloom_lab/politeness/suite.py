"""Runs cases against a reader: each on a publisher, a clock and a reader of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import UserError
from newsloom_lab.politeness.case import (
    MOST_EVIDENCE,
    Broken,
    Case,
    NotApplicable,
    Outcome,
    ReaderFailed,
    Stage,
    Verdict,
)
from newsloom_lab.politeness.clock import CaseClock
from newsloom_lab.politeness.publisher import AUTHORITY, publishing
from newsloom_lab.politeness.readers.driver import CAPABILITIES, Driver, Surroundings

MakeReader = Callable[[Surroundings], Driver]


@dataclass(frozen=True, slots=True)
class Result:
    """What one case came to for one reader."""

    number: str
    title: str
    reader: str
    version: str
    verdict: Verdict
    seconds: float


def chosen(cases: Sequence[Case], numbers: Sequence[str]) -> tuple[Case, ...]:
    """Those of the numbers, in the suite's order; all for none. Raises UserError."""
    wanted = {one.strip().upper() for one in numbers if one.strip()}
    unknown = wanted - {one.number for one in cases}
    if unknown:
        raise UserError(f"There is no case {', '.join(sorted(unknown))}.")
    return tuple(one for one in cases if not wanted or one.number in wanted)


def run(cases: Sequence[Case], make: MakeReader) -> Iterator[Result]:
    """Case by case."""
    for case in cases:
        began = time.monotonic()
        reader, version, verdict = judged(case, make)
        yield Result(case.number, case.title, reader, version, verdict, time.monotonic() - began)


def judged(case: Case, make: MakeReader) -> tuple[str, str, Verdict]:
    """One case against a new reader: its name and version, and the verdict."""
    with tempfile.TemporaryDirectory(prefix="politeness-", ignore_cleanup_errors=True) as folder:
        clock = CaseClock(speed=case.speed if case.flows else 0.0)
        with publishing(clock, case.hosts) as publisher:
            around = Surroundings(
                folder=Path(folder),
                clock=clock,
                publisher=publisher,
                proxy=f"http://{publisher.authority()}" if case.proxy else "",
                authority=AUTHORITY if case.tls else None,
                speed=case.speed,
                settings=case.settings,
            )
            reader = make(around)
            try:
                return reader.name, reader.version, _verdict(case, Stage(publisher, reader, clock))
            finally:
                reader.close()


def _verdict(case: Case, stage: Stage) -> Verdict:
    lacking = [name for name in sorted(case.needs) if name not in stage.reader.capabilities]
    if lacking:
        words = "; ".join(CAPABILITIES.get(name, f"it has no {name}") for name in lacking)
        return Verdict(Outcome.NOT_APPLICABLE, words)
    try:
        return Verdict(Outcome.PASSED, case.run(stage))
    except NotApplicable as error:
        return Verdict(Outcome.NOT_APPLICABLE, str(error))
    except ReaderFailed as error:
        return Verdict(Outcome.FAILED, f"the reader failed: {error}")
    except Broken as error:
        shown = error.evidence[-MOST_EVIDENCE:]
        return Verdict(Outcome.FAILED, str(error), tuple(one.line() for one in shown))


def result_of(data: Mapping[str, Any]) -> Result:
    """A result as `--json` prints it."""
    verdict = data["verdict"]
    return Result(
        data["number"],
        data["title"],
        data["reader"],
        data["version"],
        Verdict(Outcome(verdict["outcome"]), verdict["words"], tuple(verdict["evidence"])),
        data["seconds"],
    )
