"""What goes between Newsloom and its workers: frames of JSON and bytes. Knows no task.

A worker reads hostile bytes, so its answer is data and never code: no pickle, no marshal.
"""

from __future__ import annotations

import dataclasses
import json
import socket
import struct
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from typing import Any

_SIZES = struct.Struct(">II")
# The fetcher stops at 15 MB, a reader may set more; JSON doubles a body of quotes.
LARGEST = 512_000_000


class Broken(Exception):
    """The other side is gone, or does not speak like this."""


def frame(head: Any, body: bytes = b"") -> bytes:
    """One message."""
    said = written(head)
    return b"".join((_SIZES.pack(len(said), len(body)), said, body))


def receive(link: socket.socket, wait: Callable[[], None] = lambda: None) -> tuple[Any, bytes]:
    """The next message; `wait` is called before each look. Raises Broken, OSError, ValueError."""
    head, body = _SIZES.unpack(_exactly(link, _SIZES.size, wait))
    if head + body > LARGEST:
        raise Broken("a message too large")
    said = json.loads(_exactly(link, head, wait))
    return said, bytes(_exactly(link, body, wait))


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


def written(value: Any) -> bytes:
    """Frozen values as JSON that pydantic reads back by their types."""
    text = json.dumps(
        value, default=_plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )
    return text.encode("utf-8", "replace")


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return f"PT{value.total_seconds():.6f}S"
        case frozenset():
            return list(value)
    kind: Any = type(value)
    return {name: getattr(value, name) for name in _names(kind)}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))
