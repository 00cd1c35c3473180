"""A command run to its end, with all processes it starts: seconds, processor seconds, memory."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from newsloom.kernel.errors import UserError

_LOOKS_EVERY = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class Usage:
    seconds: float
    cpu_seconds: float
    peak_mb: float  # of all its processes together, what they share counted once
    peak_resident_mb: float  # the same, what they share counted for each
    said: str


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
    peak, ended = _Peak(), threading.Event()
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
        seconds=seconds,
        cpu_seconds=used.ru_utime + used.ru_stime,
        peak_mb=peak.shared_once / 1000,
        peak_resident_mb=peak.resident / 1000,
        said=said.decode("utf-8", "replace"),
    )


@dataclass(slots=True)
class _Peak:
    """Kilobytes."""

    shared_once: int = 0
    resident: int = 0


def held_mb(root: int) -> float:
    """What a process and all it started hold now, what they share counted once."""
    return sum(_memory(process).get("Pss", 0) for process in _tree(root)) / 1000


def _look(root: int, peak: _Peak, ended: threading.Event) -> None:
    while not ended.wait(_LOOKS_EVERY):
        used = [_memory(process) for process in _tree(root)]
        peak.shared_once = max(peak.shared_once, sum(one.get("Pss", 0) for one in used))
        peak.resident = max(peak.resident, sum(one.get("Rss", 0) for one in used))


def _tree(root: int) -> list[int]:
    found = [root]
    for process in found:
        for task in Path(f"/proc/{process}/task").glob("*/children"):
            try:
                found += map(int, task.read_text().split())
            except OSError:
                continue  # it has just ended
    return found


def _memory(process: int) -> dict[str, int]:
    """Kilobytes by kind, as Linux tells; nothing elsewhere, and of what has ended."""
    try:
        _, *lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except (OSError, ValueError):
        return {}
    return {name: int(value.split()[0]) for name, _, value in (li.partition(":") for li in lines)}
