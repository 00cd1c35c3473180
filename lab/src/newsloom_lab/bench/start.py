"""What a command costs before and after what it does: processor time, and the modules it imports.

Each is a process of its own, as a person starts it, on one made-up store. The clock is a machine's;
the modules are the program's, and tests/cli/test_starting.py holds them.
"""

from __future__ import annotations

import os
import pty
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from newsloom.kernel.errors import UserError
from newsloom.store import open_store
from newsloom_lab.bench.rank import NOW, fill


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, and the processor seconds it should stay below on the machine of docs."""

    line: str
    goal: float | None = None
    terminal: bool = False  # whether it is shown tables, which Rich draws


PYTHON = "(python alone)"
COMMANDS = (
    Command(PYTHON),
    Command("--help", 0.15),
    Command("list", 0.45),
    Command("list", terminal=True),
    Command("feeds"),
    Command("search place"),
    Command("show 1"),
    Command("read 1"),
    Command("like 2"),
    Command("undo"),
    Command("settings"),
)

# Run in place of the program, it leaves the names of what was imported in a file.
_RECORDING = """
import atexit, sys
atexit.register(lambda names: open(names, "w").write("\\n".join(sys.modules)), sys.argv.pop(1))
from newsloom.cli import main
main()
"""


@dataclass(frozen=True, slots=True)
class Start:
    """One command."""

    command: str
    cpu_seconds: float  # median
    seconds: float  # by the clock on the wall, median
    modules: int
    own_modules: int  # of Newsloom
    goal: float | None


@dataclass(frozen=True, slots=True)
class StartBench:
    articles: int
    rounds: int
    starts: tuple[Start, ...]

    def table(self) -> list[tuple[str, ...]]:
        return [
            (
                one.command,
                f"{one.cpu_seconds:.3f}",
                f"{one.goal:.2f}" if one.goal else "",
                f"{one.seconds:.3f}",
                str(one.modules),
                str(one.own_modules),
            )
            for one in self.starts
        ]


COLUMNS = ("command", "CPU-s", "goal", "seconds", "modules", "ours")


def run(articles: int, rounds: int) -> StartBench:
    """Every command in turn, round by round, so that a busy minute strikes all of them alike."""
    with tempfile.TemporaryDirectory(prefix="newsloom-bench-") as folder:
        store = Path(folder) / "news.db"
        with closing(open_store(store, now=lambda: NOW)) as opened:
            fill(opened, articles)
        environment = {"NEWSLOOM_STORE_PATH": str(store)}
        taken: dict[Command, list[tuple[float, float]]] = {one: [] for one in COMMANDS}
        for _ in range(rounds):
            for one, times in taken.items():
                times.append(_times(one, environment))
        starts = tuple(_start(one, taken[one], environment) for one in COMMANDS)
    return StartBench(articles, rounds, starts)


def imported(
    line: Sequence[str], environment: Mapping[str, str], *, terminal: bool = False
) -> frozenset[str]:
    """The names of all modules that a command has imported when it ends. Raises UserError."""
    with tempfile.TemporaryDirectory(prefix="newsloom-bench-") as folder:
        names = Path(folder) / "names"
        _run([sys.executable, "-c", _RECORDING, str(names), *line], environment, terminal)
        return frozenset(names.read_text(encoding="utf-8").split())


def _start(
    one: Command, times: Sequence[tuple[float, float]], environment: Mapping[str, str]
) -> Start:
    names: frozenset[str] = frozenset()
    if one.line != PYTHON:
        names = imported(one.line.split(), environment, terminal=one.terminal)
    return Start(
        command=one.line + (" (on a terminal)" if one.terminal else ""),
        cpu_seconds=statistics.median(cpu for cpu, _wall in times),
        seconds=statistics.median(wall for _cpu, wall in times),
        modules=len(names),
        own_modules=sum(name.partition(".")[0] == "newsloom" for name in names),
        goal=one.goal,
    )


def _times(one: Command, environment: Mapping[str, str]) -> tuple[float, float]:
    """Processor seconds, and seconds by the clock."""
    line = ["-c", ""] if one.line == PYTHON else ["-m", "newsloom", *one.line.split()]
    return _run([sys.executable, *line], environment, one.terminal)


def _run(
    command: Sequence[str], environment: Mapping[str, str], terminal: bool
) -> tuple[float, float]:
    reading, writing = pty.openpty() if terminal else os.pipe()
    began = time.perf_counter()
    child = subprocess.Popen(  # noqa: S603 - ourselves
        command,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.STDOUT,
    )
    os.close(writing)
    said = _said(reading)
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise UserError(f"{' '.join(command[2:])} ended with {child.returncode}: {said[-500:]}")
    return used.ru_utime + used.ru_stime, seconds


def _said(reading: int) -> str:
    parts = []
    with os.fdopen(reading, "rb", buffering=0) as stream:
        while True:
            try:
                part = stream.read(65536)
            except OSError:  # a terminal whose program ended
                break
            if not part:
                break
            parts.append(part)
    return b"".join(parts).decode("utf-8", "replace")
