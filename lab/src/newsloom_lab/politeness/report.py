"""What the suite came to, in a table and as a page of the documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from newsloom_lab.politeness.case import Case, Outcome
from newsloom_lab.politeness.readers.description import Description
from newsloom_lab.politeness.suite import Result

# What stands before it in a file is kept: an introduction.
MARKER = "<!-- what follows is written by newsloom politeness -->"

MARKS = {Outcome.PASSED: "passes", Outcome.FAILED: "**fails**", Outcome.NOT_APPLICABLE: "n/a"}


@dataclass(frozen=True, slots=True)
class Side:
    """One reader's results, and how it was set up."""

    name: str
    version: str
    notes: str
    results: tuple[Result, ...]

    def count(self, beginning: str, outcome: Outcome) -> int:
        return sum(
            one.number.startswith(beginning) and one.verdict.outcome is outcome
            for one in self.results
        )

    def tally(self, beginning: str) -> str:
        """`30 of 33, 2 not applicable`."""
        passed = self.count(beginning, Outcome.PASSED)
        judged = passed + self.count(beginning, Outcome.FAILED)
        lacking = self.count(beginning, Outcome.NOT_APPLICABLE)
        return f"{passed} of {judged}" + (f", {lacking} not applicable" if lacking else "")


def side(results: Sequence[Result], description: Description | None) -> Side:
    """The results of one reader."""
    notes = description.notes.strip() if description else ""
    first = results[0]
    return Side(first.reader, first.version, " ".join(notes.split()), tuple(results))


def rows(results: Sequence[Result]) -> list[tuple[str, str, str, str]]:
    """For a table: number, reader, outcome, words."""
    return [
        (one.number, one.reader, one.verdict.outcome.value, one.verdict.words) for one in results
    ]


def markdown(cases: Sequence[Case], sides: Sequence[Side], at: datetime) -> str:
    """The side-by-side report."""
    by_case = {
        one.number: {
            side.name: result
            for side in sides
            for result in side.results
            if result.number == one.number
        }
        for one in cases
    }
    parts = [
        f"Run on {at:%d %B %Y}, all readers on one machine.",
        "",
        *_summary(sides),
        "",
        *_table(cases, sides, by_case),
        "",
        *_reasons(cases, by_case),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _summary(sides: Sequence[Side]) -> list[str]:
    lines = ["| reader | version | politeness (P) | faults (F) |", "|---|---|---|---|"]
    lines += [
        f"| {one.name} | {_cell(one.version)} | {one.tally('P')} | {one.tally('F')} |"
        for one in sides
    ]
    notes = [f"- **{one.name}**: {one.notes}" for one in sides if one.notes]
    return [*lines, "", *notes]


def _table(
    cases: Sequence[Case], sides: Sequence[Side], by_case: Mapping[str, Mapping[str, Result]]
) -> list[str]:
    names = " | ".join(one.name for one in sides)
    lines = [f"| case | rule | {names} |", f"|---|---|{'---|' * len(sides)}"]
    for case in cases:
        found = by_case[case.number]
        marks = " | ".join(
            MARKS[found[one.name].verdict.outcome] if one.name in found else "" for one in sides
        )
        lines.append(f"| {case.number} | {_cell(case.title)} | {marks} |")
    return lines


def _reasons(cases: Sequence[Case], by_case: Mapping[str, Mapping[str, Result]]) -> list[str]:
    lines = ["## Case by case", ""]
    for case in cases:
        lines += [f"### {case.number} {case.title}", "", f"Source: {case.source}.", ""]
        for result in by_case[case.number].values():
            verdict = result.verdict
            lines.append(f"- {result.reader} {MARKS[verdict.outcome]}: {_cell(verdict.words)}.")
            lines += [f"    - `{_code(line)}`" for line in verdict.evidence[-3:]]
        lines.append("")
    return lines


def _cell(text: str) -> str:
    """Words from outside, where a table or a list has signs of its own."""
    flat = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "|<>*_[]`" else sign for sign in flat)


def _code(text: str) -> str:
    return " ".join(text.split()).replace("`", "'")
