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
from typing import Any, TypeVar

Value = TypeVar("Value")
_SIZES = struct.Struct(">II")
# The fetcher stops at 15 MB, a reader may set more; JSON doubles a body of quotes.
LARGEST = 512_000_000


class Broken(Exception):
    """The other side is gone, or does not speak like this."""


def frame(head: Any, body: bytes = b"") -> bytes:
    """One message."""
    said = written(head)
    return b"".join((_SIZES.pack(len(said), len(body)), said, body))


def receive(link: socket.socket, late: Callable[[], bool] = lambda: False) -> tuple[Any, bytes]:
    """The next message. Raises Broken, ValueError, and OSError, a TimeoutError when it is late."""
    head, body = _SIZES.unpack(_exactly(link, _SIZES.size, late))
    if head + body > LARGEST:
        raise Broken("a message too large")
    both = _exactly(link, head + body, late)
    return json.loads(both[:head]), bytes(memoryview(both)[head:])


def _exactly(link: socket.socket, size: int, late: Callable[[], bool]) -> bytearray:
    whole = bytearray(size)
    view, got = memoryview(whole), 0
    while got < size:
        came = link.recv_into(view[got:])
        if not came:
            raise Broken("the connection ended")
        got += came
        if got < size and late():
            raise TimeoutError
    return whole


def written(value: Any) -> bytes:
    """Frozen values as JSON that pydantic reads back by their types."""
    text = json.dumps(
        value, default=_plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )
    return text.encode("utf-8", "replace")


def read_back(kind: Callable[..., Value], said: bytes) -> Value:
    """The frozen values that were written. Raises ValueError for anything else."""
    found: Value = _reader(kind).validate_json(said, strict=True)
    return found


@cache
def _reader(kind: type[Any]) -> Any:
    from pydantic import TypeAdapter  # its price is not for workers, which only write

    return TypeAdapter(kind)


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return f"PT{value.total_seconds():.6f}S"
        case frozenset():
            return list(value)
    kind: Any = type(value)
    return {name: said for name, usual in _fields(kind) if (said := getattr(value, name)) != usual}


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    """Names and what they are when nothing is said, which need not be said either."""
    return tuple((field.name, field.default) for field in dataclasses.fields(kind))
