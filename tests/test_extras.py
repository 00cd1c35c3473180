"""What is not installed: extras that say so, and what requirements/without.txt leaves out."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from newsloom.kernel.errors import ModelError, UserError
from newsloom.kernel.extras import EXTRAS, require

ROOT = Path(__file__).parents[1]
MODULES = {"huggingface-hub": "huggingface_hub", "markdown-it-py": "markdown_it"}

# Python's own way to say that a module is not there: None in its place.
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({absent!r}))
sys.argv[0] = "newsloom"
from newsloom.cli import main
main()
"""


def newsloom(
    *line: str, absent: Iterable[str], folder: Path, stdout: int = subprocess.PIPE, **more: str
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(folder), "NEWSLOOM_STORE_PATH": str(folder / "n.db")}
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(absent=tuple(absent)), *line],
        stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, timeout=100,
        env={**environment, "COLUMNS": "100", **more},
    )  # fmt: skip


def left_out() -> list[str]:
    lines = (ROOT / "requirements/without.txt").read_text().splitlines()
    names = [line.partition(" ")[0] for line in lines if line and not line.startswith("#")]
    return [MODULES.get(name, name) for name in names]


def test_each_extra_is_one_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"])


def test_what_is_there_is_not_asked_for() -> None:
    require("postgres", "This")


def test_what_is_missing_is_named_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)  # as in WITHOUT
    line = re.escape(f"{sys.executable} -m pip install 'newsloom[postgres]'")
    with pytest.raises(UserError, match=f"^This needs psycopg, not installed here: {line}$"):
        require("postgres", "This")
    with pytest.raises(ModelError, match="psycopg"):
        require("postgres", "This", ModelError)


@pytest.mark.parametrize("command", ["check", "sync", "restore-titles"])
def test_the_bridge_to_tiny_tiny_rss_names_its_extra(command: str, tmp_path: Path) -> None:
    """Not in `make run`: only those who have Tiny Tiny RSS need a driver of PostgreSQL."""
    database = "postgresql://newsloom@127.0.0.1:1/ttrss"
    done = newsloom(
        "ttrss", command, absent=["psycopg"], folder=tmp_path, NEWSLOOM_TTRSS_DATABASE=database
    )
    assert done.returncode == 2, done.stderr
    assert "The bridge to Tiny Tiny RSS needs psycopg, not installed here: " in done.stderr
    assert "pip install 'newsloom[postgres]'" in done.stderr


def test_nothing_needs_what_the_locks_leave_out(tmp_path: Path) -> None:
    """Articles read, ranked by the encoder and its tokenizer, and shown as a table."""
    lines = tmp_path / "liked.jsonl"
    lines.write_text('{"id": "1", "title": "Ferry", "label": "like", "text": "Runs twice."}\n')
    for line in (["import", str(lines)], ["run"], ["doctor"], ["no-such-command"], ["--help"]):
        done = newsloom(*line, absent=left_out(), folder=tmp_path)
        assert "Traceback" not in done.stderr, (line, done.stderr)
        assert "ModuleNotFoundError" not in done.stderr, (line, done.stderr)
    ours, theirs = pty.openpty()
    done = newsloom("list", "--all", absent=left_out(), folder=tmp_path, stdout=theirs)
    os.close(theirs)
    assert done.returncode == 0, done.stderr
    assert b"Ferry" in os.read(ours, 65_536)
    os.close(ours)
