"""What a newcomer types first: other readers' words, and tables on a narrow terminal."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from newsloom.api.document import operations
from newsloom.cli import app, common
from newsloom.cli.commands import COMMANDS
from newsloom.cli.group import OTHER_WORDS


def test_help_says_how_to_begin() -> None:
    said = CliRunner().invoke(app, ["--help"]).output

    assert "To start, run `newsloom serve`" in said


@pytest.mark.parametrize(("word", "known"), [("subscribe", "add"), ("open", "show")])
def test_a_word_of_other_readers_names_the_command(word: str, known: str) -> None:
    done = CliRunner().invoke(app, [word, "x"])

    assert done.exit_code == 2
    assert f"You may mean `newsloom {known}`." in done.output


def test_other_words_lead_to_commands_and_hide_none() -> None:
    lines = [one.partition(" ") for one in OTHER_WORDS.values()]
    assert {name for name, _, _ in lines} <= set(COMMANDS)
    paths = [one.path for one in operations()]
    assert [part for _, _, part in lines if not any(part in path for path in paths)] == []
    assert not set(OTHER_WORDS) & set(COMMANDS)


ROWS = [["5358", "29", "evergreen", "The Northern Ledger of Everything", "A ferry is late again"]]
COLUMNS = ("id", "score", "expires", "source", "title")


@pytest.mark.parametrize("width", [50, 60, 80, 120])
def test_a_narrow_terminal_keeps_the_titles(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(width))

    common.show_table(COLUMNS, ROWS, stretch="title", right="id score")

    said = re.sub("\x1b\\[[0-9;]*m", "", capsys.readouterr().out)
    for word in ("ferry", "late", "again", "Northern", "Ledger", "evergreen", "5358"):
        assert word in said
    assert max(map(len, said.splitlines())) <= width


@pytest.mark.parametrize("name", ["list", "remove", "import", "train", "run"])
def test_help_names_values_in_words(name: str) -> None:
    said = CliRunner().invoke(app, [name, "--help"]).output

    for jargon in ("<list[", "<int", "<float", "<str>", " range>"):
        assert jargon not in said


def test_an_empty_table_has_no_header(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)

    common.show_table(COLUMNS, [], stretch="title")

    assert capsys.readouterr().out == "None.\n"
