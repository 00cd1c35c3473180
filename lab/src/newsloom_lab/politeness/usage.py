"""What this process and all below it use: memory and processor time, read from /proc.

So a reader in this process and one started by a command are measured alike. Elsewhere than on
Linux everything reads as nothing used, and a bound on it always holds: `available` says which.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

BETWEEN_LOOKS = 0.05  # seconds

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_CPU_FIELDS = slice(11, 15)  # of /proc/PID/stat behind the name: own, and of children waited for


def available() -> bool:
    return (_PROC / "self" / "smaps_rollup").exists()


class Watch:
    """Between entering and leaving: the most memory and the processor time of the process tree."""

    def __enter__(self) -> Watch:
        self._start_mb = self.peak_mb_of_all = tree_megabytes()
        self._start_cpu = tree_seconds()
        self._began = time.monotonic()
        self.seconds = self.cpu_seconds = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.seconds = time.monotonic() - self._began
        self.cpu_seconds = max(tree_seconds() - self._start_cpu, 0.0)

    @property
    def peak_mb(self) -> float:
        """More than at the start."""
        return max(self.peak_mb_of_all - self._start_mb, 0.0)

    def _look(self) -> None:
        while not self._over.wait(BETWEEN_LOOKS):
            self.peak_mb_of_all = max(self.peak_mb_of_all, tree_megabytes())


def tree(root: int = 0) -> Iterator[int]:
    """A process (this one) and all below it."""
    todo = [root or os.getpid()]
    while todo:
        pid = todo.pop()
        yield pid
        with suppress(OSError):
            for task in (_PROC / str(pid) / "task").iterdir():
                with suppress(OSError):
                    todo += map(int, (task / "children").read_text().split())


def tree_megabytes() -> float:
    """Memory of the tree, what several share counted once between them."""
    return sum(map(_megabytes, tree()))


def tree_seconds() -> float:
    """Processor time of the tree, with that of what has ended in it."""
    return sum(map(_seconds, tree()))


def _megabytes(pid: int) -> float:
    with suppress(OSError, ValueError):
        for line in (_PROC / str(pid) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1000
    return 0.0


def _seconds(pid: int) -> float:
    with suppress(OSError, ValueError):
        behind_name = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return sum(map(int, behind_name[_CPU_FIELDS])) / _TICKS
    return 0.0
