"""What goes between Newsloom and its workers: frames of JSON and bytes. Knows no task.

A worker reads hostile bytes, so its answer is data and never code: no pickle, no marshal. Long
texts travel beside the JSON, which would look at each of their characters on both sides.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable
from typing import Any

_SIZES = struct.Struct(">II")
# The fetcher stops at 15 MB, a reader may set more; an answer holds each text at most twice.
LARGEST = 512_000_000


class Broken(Exception):
    """The other side is gone, or does not speak like this."""


def frame(head: Any, body: bytes = b"") -> bytes:
    """One message."""
    shown = json.dumps(head, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    said = shown.encode("utf-8", "replace")
    return b"".join((_SIZES.pack(len(said), len(body)), said, body))


def receive(link: socket.socket, wait: Callable[[], None] = lambda: None) -> tuple[Any, bytes]:
    """The next message; `wait` is called before each look. Raises Broken, OSError, ValueError."""
    sizes = _exactly(link, _SIZES.size, wait)
    head, body = _SIZES.unpack(sizes)
    if head + body > LARGEST:
        raise Broken("a message too large")
    both = memoryview(_exactly(link, head + body, wait))
    return json.loads(bytes(both[:head])), bytes(both[head:])


def _exactly(link: socket.socket, size: int, wait: Callable[[], None]) -> bytearray:
    whole = bytearray(size)
    view, got = memoryview(whole), 0
    while got < size:
        wait()
        came = link.recv_into(view[got:])
        if not came:
            raise Broken("the connection ended")
        got += came
    return whole
