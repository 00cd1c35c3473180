"""`make repeat`: it finds tests that fail at times, and leaves nothing running."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "repeat_rings.py"
ODD = """
well = []


def test_first():
    well.append(1)


def test_second():
    assert well
"""


@contextmanager
def repeating(tests: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The script over a folder of tests, with Python in the place of make."""
    if importlib.util.find_spec("pytest_randomly") is None:
        pytest.skip("needs pytest-randomly")
    (tests / "test_odd.py").write_text(ODD)
    (tests / "pytest.ini").write_text("[pytest]\naddopts = -p no:randomly -p no:cacheprovider\n")
    (tests / "make.py").write_text("import pytest, sys; sys.exit(pytest.main([]))")
    with subprocess.Popen(
        [sys.executable, str(SCRIPT), "core", "--order-seed", "1", *options],
        # Plugins of ours take most of the two seconds that each start would take.
        env=os.environ
        | {"MAKE": f"{sys.executable} make.py", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        cwd=tests,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


def test_a_test_that_needs_another_before_it_is_found_with_its_seeds(tmp_path: Path) -> None:
    with repeating(tmp_path, "--times", "8", "--load", "0") as process:
        said, _ = process.communicate(timeout=110)
    assert process.returncode == 1
    found = re.search(r"(\d) of 8  core  test_odd.py::test_second  seeds (.*)", said)
    assert found, said
    seeds = found[2].split(", ")
    assert len(seeds) == int(found[1]) < 8, "in another order it passes"
    with repeating(tmp_path, "--times", "1", "--load", "0", "--order-seed", seeds[0]) as process:
        again, _ = process.communicate(timeout=110)
    assert f"seed {seeds[0]}: 1 of 2 failed" in again


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")
def test_busy_loops_end_with_the_script_however_it_ends(tmp_path: Path) -> None:
    with repeating(tmp_path, "--times", "500", "--load", "1") as process:
        assert process.stdout is not None
        process.stdout.readline()  # a run is over
        loops = [one for one in children(process.pid) if "spawn_main" in command(one)]
        assert len(loops) == 1
        process.send_signal(signal.SIGKILL)
    while "spawn_main" in command(loops[0]):
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command(pid: int) -> str:
    """Empty when it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
