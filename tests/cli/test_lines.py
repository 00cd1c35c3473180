"""Command lines: what help shows, what a misspelt name suggests, which values are taken."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from inspect import getdoc, isfunction
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from newsloom.cli.commands import COMMANDS, SECTIONS
from newsloom.cli.group import Commands, target

Newsloom = Callable[..., str]


def test_help_names_every_command_under_its_section(newsloom: Newsloom) -> None:
    lines = newsloom("--help").splitlines()
    for title, rows in SECTIONS:
        section = lines[lines.index(f"{title}:") + 1 :]
        names = [line.split()[0] for line in section[: len(rows) * 2] if re.match(r"  \S", line)]
        assert names[: len(rows)] == [row.name for row in rows]


def first_line(name: str) -> str:
    """Of what a command says about itself: more than the list of commands does, if it has more."""
    found = target(COMMANDS[name])
    words = getdoc(found) if isfunction(found) else None
    return (words or COMMANDS[name].help).split("\n\n")[0]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_a_help_page(newsloom: Newsloom, name: str) -> None:
    page = newsloom(name, "--help" if COMMANDS[name].lenient else "-h")
    assert page.startswith("Usage: ")
    assert " ".join(first_line(name).split()) in " ".join(page.split())
    assert "\x1b" not in page, "plain where it goes into a pipe"
    assert max(map(len, page.splitlines())) <= 100


def test_a_group_names_its_commands_whole(newsloom: Newsloom) -> None:
    page = " ".join(newsloom("bench", "--help").split())
    assert "Made-up news through the duplicates stage, beside datasketch and rensa." in page
    assert newsloom("bench", status=2).startswith("Usage: "), "alone it shows the same"


def test_a_misspelt_command_suggests_the_nearest(newsloom: Newsloom) -> None:
    said = newsloom("serch", "words", status=2)
    assert "No such command 'serch'" in said
    assert "Did you mean 'search'" in said


@pytest.mark.parametrize(
    ("words", "found", "not_found"),
    [
        ("newsloom li", {"list", "like"}, {"feeds"}),
        ("newsloom ", set(COMMANDS), set()),
        ("newsloom list --s", {"--since", "--starred", "--sensitivity"}, {"--all"}),
        ("newsloom bench st", {"start"}, {"run"}),
        ("newsloom --c", {"--config"}, {"list"}),
    ],
)
def test_a_shell_completes_them(words: str, found: set[str], not_found: set[str]) -> None:
    code = "import sys; sys.argv[0] = 'newsloom'; from newsloom.cli import main; main()"
    values = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | values | {"_NEWSLOOM_COMPLETE": "complete_bash"},
        capture_output=True,
        text=True,
        check=False,
    )
    named = set(done.stdout.split())
    assert found <= named
    assert not named & not_found


WRONG = {
    "letters for a number": (("list", "--limit", "x"), "'x' is not a whole number"),
    "a fraction for a whole number": (("list", "--limit", "1.5"), "'1.5' is not a whole number"),
    "less than allowed": (("list", "--limit", "0"), "0 is less than 1"),
    "more than allowed": (("list", "--sensitivity", "6"), "6 is more than 5"),
    "letters for a fraction": (("list", "--min-score", "much"), "'much' is not a number"),
    "no number at all": (("list", "--min-score", "nan"), "nan is less than 0"),
    "letters among numbers": (("read", "1", "two"), "'two' is not a whole number"),
    "letters in a repeated option": (("run", "--feed", "1", "--feed", "b"), "'b' is not a whole"),
    "nothing where something must be": (("show",), "Missing argument"),
}


@pytest.mark.parametrize(("line", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_value_is_said(newsloom: Newsloom, line: tuple[str, ...], words: str) -> None:
    said = newsloom(*line, status=2)
    assert words in said
    assert "Usage: " in said


def test_values_arrive_as_the_types_that_functions_take() -> None:
    """Those checked without Pydantic, and one that is left to it."""
    given: list[tuple[object, ...]] = []
    app = Commands()

    @app.command("take")
    def take(
        number: int,
        texts: list[str],
        share: Annotated[float, typer.Option(min=0, max=1)] = 0.5,
        path: Annotated[Path | None, typer.Option()] = None,
        several: Annotated[list[int] | None, typer.Option()] = None,
        on: Annotated[bool, typer.Option("--on")] = False,
        pair: Annotated[tuple[int, str], typer.Option()] = (0, ""),
    ) -> None:
        given.append((number, texts, share, path, several, on, pair))

    run = CliRunner().invoke
    done = run(app, ["-7", "a", "b", "--share", "1", "--path", "x/y", "--several", "3", "--on"])
    assert done.exit_code == 2, "a dash begins an option"
    line = ["7", "a", "b", "--share", "1", "--path", "x/y", "--several", "3", "--several", "4"]
    for arguments in ([*line, "--on", "--pair", "5", "z"], ["7", "a"]):
        done = run(app, arguments)
        assert done.exit_code == 0, done.output
    assert given == [
        (7, ["a", "b"], 1.0, Path("x/y"), [3, 4], True, (5, "z")),
        (7, ["a"], 0.5, None, None, False, (0, "")),
    ]
    assert isinstance(given[0][2], float)
