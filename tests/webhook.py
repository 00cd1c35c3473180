"""A webhook on loopback."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Iterator
from contextlib import contextmanager

import loopback


class Posts(list[bytes]):
    """Bodies; and the headers of each, with names in lower case."""

    def __init__(self) -> None:
        super().__init__()
        self.headers: list[dict[str, str]] = []

    def assert_signed(self, secret: str) -> None:
        """As a receiver checks them by the specification of Standard Webhooks."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        for body, headers in zip(self, self.headers, strict=True):
            signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
            made = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
            assert headers["webhook-signature"] == f"v1,{made}"
            assert headers["content-type"] == "application/json; charset=utf-8"


@contextmanager
def listening(statuses: list[int]) -> Iterator[tuple[int, Posts]]:
    """A server that answers with these, and what it was sent."""
    bodies = Posts()

    class Answer(loopback.Handler):
        def do_POST(self) -> None:
            bodies.headers.append({name.lower(): value for name, value in self.headers.items()})
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(statuses.pop(0))
            self.send_header("content-length", "0")
            self.end_headers()

    with loopback.answering(Answer) as port:
        yield port, bodies
