"""A WebSub hub on loopback: takes subscriptions, calls back, distributes; or misbehaves as set."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx

import loopback

DAY = 86_400


@dataclass
class Asked:
    """One request for a subscription, and what the callback answered to being verified."""

    form: dict[str, str]
    path: str = "/"
    verified: int = 0
    echoed: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def callback(self) -> str:
        return self.form["hub.callback"]

    @property
    def mode(self) -> str:
        return self.form["hub.mode"]


@dataclass
class Hub:
    """Set how it behaves; read `asked`."""

    url: str
    status: int = 202
    headers: dict[str, str] = field(default_factory=dict)  # of its answers
    lease: str | None = str(10 * DAY)  # what it grants; None: it says nothing of that
    verifies: bool = True
    query: dict[str, str] = field(default_factory=dict)  # instead of what it should call with
    algorithm: str = "sha256"
    asked: list[Asked] = field(default_factory=list)

    @property
    def host(self) -> str:
        return self.url.removeprefix("http://").rstrip("/")

    def verify(self, one: Asked) -> None:
        """Call back, as section 5.3 says."""
        query = {
            "hub.mode": one.mode,
            "hub.topic": one.form["hub.topic"],
            "hub.challenge": "pVj-17+/= ü",
        }
        if self.lease is not None and one.mode == "subscribe":
            query["hub.lease_seconds"] = self.lease
        one.verified, one.echoed, _ = self.call(one.callback, query | self.query)

    def deny(self, one: Asked, reason: str = "") -> int:
        query = {"hub.mode": "denied", "hub.topic": one.form["hub.topic"], "hub.reason": reason}
        return self.call(one.callback, query)[0]

    def call(self, callback: str, query: Mapping[str, str]) -> tuple[int, str, dict[str, str]]:
        return request("GET", f"{callback}?{urlencode(query)}")

    def distribute(
        self,
        one: Asked,
        document: str | bytes,
        *,
        secret: str | None = None,
        kind: str = "application/rss+xml",
        signature: str | None = None,
    ) -> int:
        """Send a document, signed with the subscriber's secret unless told otherwise."""
        body = document.encode() if isinstance(document, str) else document
        key = one.form["hub.secret"] if secret is None else secret
        digest = hmac.new(key.encode(), body, getattr(hashlib, self.algorithm)).hexdigest()
        signed = f"{self.algorithm}={digest}" if signature is None else signature
        headers = {
            "Content-Type": kind,
            "X-Hub-Signature": signed,
            "Link": f'<{self.url}>; rel="hub", <{one.form["hub.topic"]}>; rel="self"',
        }
        return request("POST", one.callback, body, headers)[0]


def request(
    method: str, url: str, body: Any = None, headers: Mapping[str, str] | None = None
) -> tuple[int, str, dict[str, str]]:
    """One request, its answer's status, text and headers."""
    answer = _CLIENT.request(method, url, content=body, headers=headers)
    return answer.status_code, answer.text, dict(answer.headers)


_CLIENT = httpx.Client(timeout=30, trust_env=False, headers={"connection": "close"})


@contextmanager
def hubbing() -> Iterator[Hub]:
    """A hub that does all as it should, until the block ends."""

    class Handler(loopback.Handler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
            headers = {name.lower(): value for name, value in self.headers.items()}
            one = Asked(dict(parse_qsl(body, strict_parsing=True)), self.path, headers=headers)
            hub.asked.append(one)
            moved = self.path == "/old"
            self.send_response(307 if moved else hub.status)
            for name, value in hub.headers.items():
                self.send_header(name, value)
            if moved:
                self.send_header("Location", "/new")
            elif hub.verifies and 200 <= hub.status < 300:
                # Before its answer is out, as fast hubs do.
                hub.verify(one)
            self.send_header("Content-Length", "0")
            self.end_headers()

    with loopback.answering(Handler) as port:
        hub = Hub(f"http://127.0.0.1:{port}/")
        yield hub
