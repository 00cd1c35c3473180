"""Ports for servers that must know theirs before they start."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def kept_port() -> Iterator[int]:
    """A port of loopback that nobody else is given while the block lasts.

    Bound and not listened at: connections are refused until a server that sets SO_REUSEADDR, as
    servers do, listens there. A port that was only looked up may be another's a moment later.
    """
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(("127.0.0.1", 0))
        yield one.getsockname()[1]
