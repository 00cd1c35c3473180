"""The two distributions: of one version, and the lab asks for that version of Newsloom."""

from __future__ import annotations

import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import newsloom
from newsloom.cli.commands import COMMANDS

LAB = Path(__file__).parents[1]


def project() -> dict:
    return tomllib.loads((LAB / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_both_have_one_version() -> None:
    assert project()["version"] == newsloom.__version__
    assert f"newsloom=={newsloom.__version__}" in project()["dependencies"]


def test_each_entry_point_has_a_row_in_the_table_of_commands() -> None:
    named = {one.name for one in entry_points(group="newsloom.commands")}
    assert named == {row.name for row in COMMANDS.values() if row.lab}
