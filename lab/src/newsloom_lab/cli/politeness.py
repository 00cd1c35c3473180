"""`newsloom politeness`: the numbered suite against Newsloom, or any reader; side by side."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, show_json, show_table
from newsloom.kernel import files
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom_lab.politeness.case import Case
    from newsloom_lab.politeness.report import Side
    from newsloom_lab.politeness.suite import Result

COMPARED = ("newsloom", "newsboat", "lemon24")


def politeness(
    reader: Annotated[
        list[str] | None,
        typer.Option(
            help="newsloom, newsboat, lemon24, or a file that describes a reader; repeatable."
        ),
    ] = None,
    cases: Annotated[str, typer.Option(help="Numbers, such as P01,P05; else all.")] = "",
    report: Annotated[
        Path | None,
        typer.Option(help="Run several readers side by side, and write the results to this file."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out the cases that take long.")] = (
        False
    ),
    as_json: Json = False,
) -> None:
    from newsloom_lab.politeness.case import Outcome
    from newsloom_lab.politeness.cases import CASES
    from newsloom_lab.politeness.suite import chosen

    wanted = chosen(CASES, cases.split(","))
    if quick:
        wanted = tuple(one for one in wanted if not one.slow)
    if not wanted:
        raise UserError("No case is left to run.")
    names = reader or (COMPARED if report else COMPARED[:1])
    if report is None:
        sides = [_run(name, wanted) for name in names]
    else:
        sides = _run_apart(names, wanted)
        _write(report, wanted, sides)
    results = [one for side in sides for one in side.results]
    if report != files.STANDARD:
        _show(results, as_json)
    # Side by side, the others are there to be compared with: the first one is judged.
    judged = sides[0].results if report is not None else results
    if any(one.verdict.outcome is Outcome.FAILED for one in judged):
        raise typer.Exit(1)


def _run(name: str, cases: Sequence[Case]) -> Side:
    from newsloom.web.app import create_app
    from newsloom_lab.politeness import readers, suite

    make = readers.maker(name, create_app)
    results = []
    for one in suite.run(cases, make):
        note(f"{one.number} {one.reader}: {one.verdict.outcome} ({one.seconds:.1f} s)")
        results.append(one)
    return _side(name, results)


def _run_apart(names: Sequence[str], cases: Sequence[Case]) -> list[Side]:
    """Each reader in a process of its own, so that what it uses is its own; all at once, for most
    of the time is spent waiting."""
    from newsloom_lab.politeness import readers
    from newsloom_lab.politeness.suite import result_of

    for name in names:
        readers.maker(name)  # what is unknown is told before anything runs
    numbers = ",".join(one.number for one in cases)

    def ask(name: str) -> Side:
        words = (sys.executable, "-m", "newsloom", "politeness", "--json")
        command = [*words, "--reader", name, "--cases", numbers]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603
        if not done.stdout:
            raise UserError(f"The run of {name} ended with status {done.returncode}.")
        return _side(name, [result_of(one) for one in json.loads(done.stdout)["results"]])

    with ThreadPoolExecutor(max_workers=len(names)) as pool:
        return list(pool.map(ask, names))


def _side(name: str, results: Sequence[Result]) -> Side:
    from newsloom_lab.politeness import readers, report

    return report.side(results, None if name == "newsloom" else readers.described(name))


def _write(path: Path, cases: Sequence[Case], sides: Sequence[Side]) -> None:
    from newsloom.app import utc_now
    from newsloom_lab.politeness.report import MARKER, markdown

    text = markdown(cases, sides, utc_now())
    before = files.read_bytes(path).decode() if path.is_file() else ""
    head, found, _ = before.partition(MARKER)
    files.write(path, (f"{head}{MARKER}\n\n{text}" if found else text).encode())
    if path != files.STANDARD:
        note(f"Written to {path}.")


def _show(results: Sequence[Result], as_json: bool) -> None:
    from newsloom_lab.politeness.case import Outcome
    from newsloom_lab.politeness.report import rows

    if as_json:
        show_json({"results": results})
        return
    columns = ("case", "reader", "outcome", "what was seen")
    show_table(columns, rows(results), stretch=columns[-1])
    for one in results:
        if one.verdict.outcome is Outcome.FAILED and one.verdict.evidence:
            note(f"\n{one.number} {one.reader}: {one.verdict.words}")
            for line in one.verdict.evidence:
                note(f"    {line}")
