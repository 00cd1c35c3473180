"""A command run to its end, with all processes it starts: seconds, processor seconds, memory."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from newsloom.errors import UserError

_LOOKS_EVERY = 0.05  # seconds
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True, slots=True)
class Usage:
    seconds: float
    cpu_seconds: float
    peak_mb: float  # of all its processes together; what they share counts for each
    said: str = ""


def watched(command: Sequence[str], environment: Mapping[str, str]) -> Usage:
    """Runs it; raises UserError with its last words when it fails."""
    began = time.perf_counter()
    child = subprocess.Popen(  # noqa: S603 - commands of the benchmarks
        command,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    peak, ended = [0], threading.Event()
    looking = threading.Thread(target=_look, args=(child.pid, peak, ended))
    looking.start()
    assert child.stdout is not None
    said = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - began
    ended.set()
    looking.join()
    child.stdout.close()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        words = said.decode("utf-8", "replace").strip()[-500:]
        raise UserError(f"{command[0]} ended with {child.returncode}: {words}")
    return Usage(
        seconds, used.ru_utime + used.ru_stime, peak[0] / 1e6, said.decode("utf-8", "replace")
    )


def _look(root: int, peak: list[int], ended: threading.Event) -> None:
    while not ended.wait(_LOOKS_EVERY):
        peak[0] = max(peak[0], sum(map(_resident, _tree(root))))


def _tree(root: int) -> list[int]:
    found = [root]
    for process in found:
        for task in Path(f"/proc/{process}/task").glob("*/children"):
            try:
                found += map(int, task.read_text().split())
            except OSError:
                continue  # it has just ended
    return found


def _resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0
