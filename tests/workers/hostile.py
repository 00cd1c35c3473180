"""A task that does, at one's word, what a parser does that has been taken over or is broken."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import ParseError


def answer(asked: Any, body: bytes) -> bytes:
    return _DOES[asked](body)


def _echo(body: bytes) -> bytes:
    return body


def _refuse(body: bytes) -> bytes:
    raise ParseError(f"no feed, but {body.decode()}")


def _fail(_body: bytes) -> bytes:
    raise LookupError("\x1b[31mred\x1b[0m")


def _fall(_body: bytes) -> bytes:
    ctypes.string_at(0)
    return b""


def _spin(_body: bytes) -> bytes:
    while True:
        pass


def _sleep(_body: bytes) -> bytes:
    time.sleep(600)
    return b""


def _take(body: bytes) -> bytes:
    return b"%d" % len(b"x" * int(body))


def _hog(_body: bytes) -> bytes:
    return b"x" * 4_000_000_000


def _open(body: bytes) -> bytes:
    return Path(body.decode()).read_bytes()


def _connect(body: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", int(body)), timeout=5) as link:
        link.sendall(b"hello")
    return b"connected"


def _start(_body: bytes) -> bytes:
    os.execv(sys.executable, [sys.executable, "-c", "print()"])  # needs files to be opened
    return b""


def _surroundings(_body: bytes) -> bytes:
    return "\n".join(f"{name}={value}" for name, value in os.environ.items()).encode()


def _leave(_body: bytes) -> bytes:
    os._exit(0)


def _killed(_body: bytes) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def _swell(_body: bytes) -> bytes:
    _KEPT.append(b"x" * 200_000_000)
    return b"swollen"


_KEPT: list[bytes] = []
_DOES = {
    "echo": _echo,
    "refuse": _refuse,
    "fail": _fail,
    "fall": _fall,
    "spin": _spin,
    "sleep": _sleep,
    "hog": _hog,
    "take": _take,
    "open": _open,
    "connect": _connect,
    "start": _start,
    "surroundings": _surroundings,
    "leave": _leave,
    "killed": _killed,
    "swell": _swell,
}
