"""`newsloom serve` as a process of its own: forked, see commands.py, or as a person starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import commands

READY = "Newsloom is ready: "
SERVE = ("serve", "--port", "0")


@contextmanager
def served(store: Path, *arguments: str, **environment: str) -> Iterator[str]:
    """The address that it prints. It is ended by Ctrl-C, and must end well."""
    reading, writing = os.pipe()
    with (
        Path(os.devnull).open() as nothing,
        tempfile.TemporaryFile("w+") as errors,
        os.fdopen(reading) as out,
    ):
        command = commands.begin(
            *SERVE,
            *arguments,
            environment=environment_of(store, environment),
            folder=store.parent,
            streams=(nothing.fileno(), writing, errors.fileno()),
        )
        os.close(writing)
        try:
            lines = []
            for line in out:
                lines.append(line)
                if line.startswith(READY):
                    break
            else:
                raise AssertionError(f"it ended: {lines} {_whole(errors)}")
            yield line.removeprefix(READY).split()[0]
        finally:
            with suppress(ProcessLookupError):
                os.kill(command.number, signal.SIGINT)
            status = command.status()
        assert status == 0, _whole(errors)


def _whole(file: IO[str]) -> str:
    file.seek(0)
    return file.read()


def started(store: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """On any free port, with nothing but loopback to ask."""
    return subprocess.Popen(
        [sys.executable, "-m", "newsloom", *SERVE, *arguments],
        env=environment_of(store, environment),
        cwd=store.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def environment_of(store: Path, more: Mapping[str, str]) -> dict[str, str]:
    """Ours without Newsloom's settings, but for these."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("NEWSLOOM_")}
    return bare | {"NEWSLOOM_STORE_PATH": str(store)} | more
