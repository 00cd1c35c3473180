"""HTTP servers on loopback that answer by a handler of the test."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Handler(BaseHTTPRequestHandler):
    """Answers one connection, and logs nothing."""

    def log_message(self, *_args: object) -> None:
        """Quiet."""


class _Server(ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that are killed, or refuse the rest, hang up: part of their tests."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


@contextmanager
def answering(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    """The port of a server with a thread for each connection, until the block ends."""
    server = _Server(("127.0.0.1", 0), handler)
    # The server looks this often whether it shall end: by default a test ends half a second later.
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
