"""`newsloom serve` as a process of its own, as a person starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

READY = "Newsloom is ready: "


@contextmanager
def served(store: Path, *arguments: str, **environment: str) -> Iterator[str]:
    """The address that it prints. It is ended by Ctrl-C, and must end well."""
    process = started(store, *arguments, **environment)
    try:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith(READY):
                break
        else:
            raise AssertionError(f"it ended: {lines} {process.communicate()}")
        yield line.removeprefix(READY).split()[0]
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said


def started(store: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """On any free port, with nothing but loopback to ask."""
    return subprocess.Popen(
        [sys.executable, "-m", "newsloom", "serve", "--port", "0", *arguments],
        env={**_bare(os.environ), "NEWSLOOM_STORE_PATH": str(store), **environment},
        cwd=store.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _bare(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.startswith("NEWSLOOM_")}
