"""`newsloom` commands, each a process of its own, forked from one that has imported the program.

A command begun by `python -m newsloom` spends most of its time on imports. Tests of how it starts
and of kills begin it so.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

PATIENCE = 100.0  # seconds; a command that takes longer is killed, and its status is -9


@cache
def _door() -> socket.socket:
    """To the server of this process's commands, which ends with it."""
    outer, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    program = [sys.executable, str(Path(__file__).with_name("command_server.py"))]
    with inner:
        server = subprocess.Popen(
            [*program, str(inner.fileno())], pass_fds=[inner.fileno()], stdin=subprocess.DEVNULL
        )
    atexit.register(_end, outer, server)
    return outer


def _end(door: socket.socket, server: subprocess.Popen[bytes]) -> None:
    door.close()
    server.wait(10)


def run_at_once(
    *commands: Sequence[str], environment: Mapping[str, str] | None = None
) -> list[subprocess.CompletedProcess[str]]:
    """What several commands came to that ran beside each other."""
    _door()
    with ThreadPoolExecutor(len(commands)) as pool:
        return [*pool.map(lambda one: run(*one, environment=environment), commands)]


@dataclass(frozen=True)
class Command:
    """One under way."""

    number: int  # of its process
    reports: IO[str]

    def status(self) -> int:
        """How it ends, with patience."""
        with self.reports:
            if not select.select([self.reports], [], [], PATIENCE)[0]:
                os.kill(self.number, signal.SIGKILL)
            return int(self.reports.read())


def begin(
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    streams: Sequence[int],
) -> Command:
    """`newsloom` with these arguments, and files as its standard input, output and errors."""
    umask = os.umask(0)
    os.umask(umask)
    request = {
        "arguments": arguments,
        "environment": dict(os.environ if environment is None else environment),
        "folder": str(folder or Path.cwd()),
        "umask": umask,
    }
    reading, writing = os.pipe()
    try:
        socket.send_fds(_door(), [json.dumps(request).encode()], [*streams, writing])
    finally:
        os.close(writing)
    reports = os.fdopen(reading, buffering=1)
    return Command(int(reports.readline()), reports)


def run(
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    given: str = "",
) -> subprocess.CompletedProcess[str]:
    """What `newsloom` with these arguments came to; `given` is what it reads."""
    with (
        tempfile.TemporaryFile("w+") as read,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        read.write(given)
        read.seek(0)
        streams = (read.fileno(), out.fileno(), err.fileno())
        status = begin(*arguments, environment=environment, folder=folder, streams=streams).status()
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(["newsloom", *arguments], status, out.read(), err.read())
