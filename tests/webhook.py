"""A webhook on loopback."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer


@contextmanager
def listening(statuses: list[int]) -> Iterator[tuple[int, list[bytes]]]:
    """A server that answers with these, and what it was sent."""
    bodies: list[bytes] = []

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(statuses.pop(0))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1], bodies
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
