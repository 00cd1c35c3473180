"""Run rings of the tests many times, in random order and beside busy loops: what fails how often.

    make repeat RINGS="core crash" TIMES=20 LOAD=3
    make repeat RINGS=core ONLY="tests/fetch tests/workers" TIMES=5
    make repeat RINGS=core SEED=4711 TIMES=1    repeats the order of one run

Each run is `make RING` with pytest-randomly, whose seed it prints. See docs/work/testing.md.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

# What the Makefile calls each ring. Fuzzing has seeds of its own, and no tests.
TARGETS = {
    "core": "test",
    "browser": "browser",
    "crash": "crash",
    "torch": "torch",
    "ray": "ray",
    "ttrss": "ttrss",
    "politeness": "politeness",
}

THE_RUN = "(the run itself)"  # what failed when no test is known to
CONSOLE_LINES = 40  # of a run without a report


@dataclass(frozen=True)
class Run:
    """What one run of a ring came to."""

    tests: int
    failed: tuple[str, ...]
    seconds: float


def spin(parent: int) -> None:
    """Keep a processor busy until the parent ends, however it ends."""
    while os.getppid() == parent:
        for _ in range(1_000_000):
            pass


@contextmanager
def load(loops: int) -> Iterator[None]:
    """So many busy loops, ended with the block."""
    start = multiprocessing.get_context("spawn").Process
    running = [start(target=spin, args=(os.getpid(),), daemon=True) for _ in range(loops)]
    try:
        for one in running:
            one.start()
        yield
    finally:
        for one in running:
            if one.pid is not None:
                one.kill()
                one.join()


def run(ring: str, seed: int, only: Sequence[str]) -> Run:
    """One run of a ring, its order by the seed."""
    with tempfile.TemporaryDirectory(prefix="newsloom-repeat-") as folder:
        report, console = Path(folder, "report.xml"), Path(folder, "console.txt")
        options = ["-p", "randomly", f"--randomly-seed={seed}", *only]
        options += [f"--junitxml={report}", "-o", "junit_family=xunit1"]
        environment = os.environ | {"PYTEST_ADDOPTS": shlex.join(options)}
        command = [*shlex.split(os.environ.get("MAKE", "make")), TARGETS[ring]]
        began = time.monotonic()
        with console.open("wb") as written:
            ended = _ended(command, environment, written.fileno())
        seconds = time.monotonic() - began
        if report.exists():
            tests, failed = outcomes(report)
        else:
            tests, failed = 0, ()
            print(*console.read_text(errors="replace").splitlines()[-CONSOLE_LINES:], sep="\n")
        if ended and not failed:
            failed = (THE_RUN,)
    return Run(tests, failed, seconds)


def _ended(command: Sequence[str], environment: dict[str, str], output: int) -> int:
    """The exit status of a command, which ends with us and takes along what it started."""
    with subprocess.Popen(
        command, env=environment, stdout=output, stderr=output, start_new_session=True
    ) as process:
        try:
            return process.wait()
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise


def outcomes(report: Path) -> tuple[int, tuple[str, ...]]:
    """How many tests a report has, and the names of those that failed."""
    cases = list(ElementTree.parse(report).iter("testcase"))
    failed = {
        f"{case.get('file', '?')}::{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    }
    return len(cases), tuple(sorted(failed))


def repeat(rings: Sequence[str], times: int, seed: int, only: Sequence[str]) -> bool:
    """Run and report; whether nothing failed."""
    failures: dict[tuple[str, str], list[int]] = defaultdict(list)
    runs: Counter[str] = Counter()
    try:
        for number in range(times):
            for ring in rings:
                one = run(ring, seed + number, only)
                runs[ring] += 1
                print(
                    f"{ring} {number + 1} of {times}, seed {seed + number}:"
                    f" {len(one.failed)} of {one.tests} failed in {one.seconds:.0f} s",
                    flush=True,
                )
                for name in one.failed:
                    failures[ring, name].append(seed + number)
                    print(f"    {name}", flush=True)
    finally:
        told(failures, runs)
    return not failures


def told(failures: dict[tuple[str, str], list[int]], runs: Counter[str]) -> None:
    print(f"\nRuns: {', '.join(f'{count} of {ring}' for ring, count in runs.items()) or 'none'}.")
    for (ring, name), seeds in sorted(failures.items(), key=lambda one: -len(one[1])):
        print(f"  {len(seeds)} of {runs[ring]}  {ring}  {name}  seeds {', '.join(map(str, seeds))}")
    if not failures:
        print("No test failed.")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "rings", nargs="+", choices=TARGETS, metavar="ring", help=", ".join(TARGETS)
    )
    parser.add_argument("--times", type=int, default=20, help="runs of each ring")
    parser.add_argument("--load", type=int, default=3, help="busy loops beside them")
    parser.add_argument("--order-seed", type=int, help="of the first run; each adds one")
    parser.add_argument("--only", nargs="+", default=[], help="files or folders of tests")
    chosen = parser.parse_args()
    seed = random.randrange(1_000_000) if chosen.order_seed is None else chosen.order_seed
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that everything is ended
    with load(chosen.load):
        well = repeat(chosen.rings, chosen.times, seed, chosen.only)
    sys.exit(not well)


if __name__ == "__main__":
    main()
