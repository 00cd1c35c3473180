"""`newsloom politeness`: the numbered suite against Newsloom, or any reader; side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Command, Json, note, show_json, show_table
from newsloom.errors import UserError

if TYPE_CHECKING:
    from newsloom.politeness.case import Case
    from newsloom.politeness.report import Side
    from newsloom.politeness.suite import Result

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
        typer.Option(help="Run several readers side by side, and write what came of it here."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out the cases that take long.")] = (
        False
    ),
    as_json: Json = False,
) -> None:
    from newsloom.politeness.case import Outcome
    from newsloom.politeness.cases import CASES
    from newsloom.politeness.suite import chosen

    wanted = chosen(CASES, cases.split(","))
    if quick:
        wanted = tuple(one for one in wanted if not one.slow)
    if not wanted:
        raise UserError("No case is left to run.")
    names = reader or (COMPARED if report else COMPARED[:1])
    sides = [_run(name, wanted, quiet=as_json) for name in names]
    if report is not None:
        _write(report, wanted, sides)
    results = [one for side in sides for one in side.results]
    _show(results, as_json)
    # Side by side, the others are there to be compared with: the first one is judged.
    judged = sides[0].results if report is not None else results
    if any(one.verdict.outcome is Outcome.FAILED for one in judged):
        raise typer.Exit(1)


def _run(name: str, cases: tuple[Case, ...], *, quiet: bool) -> Side:
    from newsloom.politeness import readers, report, suite
    from newsloom.web.app import create_app

    make = readers.maker(name, create_app)
    results = []
    for one in suite.run(cases, make):
        if not quiet:
            note(f"{one.number} {one.reader}: {one.verdict.outcome} ({one.seconds:.1f} s)")
        results.append(one)
    described = None if name == "newsloom" else readers.described(name)
    return report.side(results, described)


def _write(path: Path, cases: tuple[Case, ...], sides: list[Side]) -> None:
    from newsloom.app import utc_now
    from newsloom.politeness.report import MARKER, markdown

    text = markdown(cases, sides, utc_now())
    try:
        before = path.read_text("utf-8") if path.exists() else ""
        head, found, _ = before.partition(MARKER)
        path.write_text(f"{head}{MARKER}\n\n{text}" if found else text, "utf-8")
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from error
    note(f"Written to {path}.")


def _show(results: list[Result], as_json: bool) -> None:
    from newsloom.politeness.case import Outcome
    from newsloom.politeness.report import rows

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


COMMANDS = (
    Command("politeness", politeness, "Run the politeness suite against Newsloom or any reader."),
)
