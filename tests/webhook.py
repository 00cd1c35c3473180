"""A webhook on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import loopback


@contextmanager
def listening(statuses: list[int]) -> Iterator[tuple[int, list[bytes]]]:
    """A server that answers with these, and what it was sent."""
    bodies: list[bytes] = []

    class Answer(loopback.Handler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(statuses.pop(0))
            self.send_header("content-length", "0")
            self.end_headers()

    with loopback.answering(Answer) as port:
        yield port, bodies
