"""Newsloom where newsloom-lab is not installed, run as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

import newsloom

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is installed, without the lab: links to all but its files."""
    folder = tmp_path_factory.mktemp("packages")
    for one in Path(sysconfig.get_path("purelib")).iterdir():
        if "newsloom_lab" not in one.name and one.suffix != ".pth":
            (folder / one.name).symlink_to(one)
    return folder


@pytest.fixture
def run(packages: Path, tmp_path: Path) -> Run:
    source = Path(newsloom.__file__).parents[1]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "OPENBLAS_NUM_THREADS": "1",
        "NEWSLOOM_STORE_PATH": str(tmp_path / "news.db"),
        "PYTHONPATH": os.pathsep.join(map(str, (source, packages))),
    }

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        # -S: no .pth file is read, so that nothing comes from where it is developed.
        line = [sys.executable, "-S", "-m", "newsloom", *arguments]
        return subprocess.run(
            line, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return run


def listed(help_page: str) -> set[str]:
    return {line.split()[0] for line in help_page.splitlines() if line.startswith("  ")}


def test_help_lists_what_can_be_run(run: Run) -> None:
    assert {"bench", "politeness", "eval", "doctor"} & listed(run("--help").stdout) == {
        "eval",
        "doctor",
    }


@pytest.mark.parametrize("line", ["bench", "bench run feeds", "bench --help", "politeness"])
def test_a_command_of_the_lab_says_how_to_install_it(run: Run, line: str) -> None:
    done = run(*line.split())
    name = line.split()[0]
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"newsloom: `newsloom {name}` comes with newsloom-lab, which is not installed. "
        "Run `make lab` in the source folder.\n"
    )


def test_the_other_kinds_of_eval_say_so_too(run: Run) -> None:
    done = run("eval", "dedup", "--articles", "gold.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No such command 'dedup'." in done.stderr
    assert "newsloom-lab, which is not installed. Run `make lab`" in done.stderr
    assert {"relevance", "dedup"} & listed(run("eval", "--help").stdout) == {"relevance"}


def test_a_readers_own_labels_are_measured(run: Run, tmp_path: Path) -> None:
    assert run("eval", "relevance").stderr == ("newsloom: There are no likes or dislikes yet.\n")
    kinds = (("plum", "dislike"), ("pear", "like"))
    lines = [
        json.dumps({"id": str(number), "title": f"A {fruit}, number {number}", "label": label})
        for number in range(60)
        for fruit, label in [kinds[number % 2]]
    ]
    (tmp_path / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert run("import", "labels.jsonl").returncode == 0
    assert run("run").returncode == 0
    done = run("eval", "relevance")
    assert done.returncode == 0, done.stderr
    assert "30 likes" in done.stdout
