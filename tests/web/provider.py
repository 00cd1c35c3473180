"""OpenID Connect providers on loopback: a real one, and one that lies as it is told."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

import loopback

# Whom the real one knows: subject and name.
MARY, TOM = ("248289761001", "Mary Ann"), ("90342.ASDFJWFA", "tom")


@contextmanager
def real_provider() -> Iterator[str]:
    """oidc-provider-mock as a process of its own; its issuer."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    people = (
        json.dumps({"sub": subject, "preferred_username": name}) for subject, name in (MARY, TOM)
    )
    named = [word for one in people for word in ("--user-claims", one)]
    process = subprocess.Popen(
        [sys.executable, "-m", "oidc_provider_mock", "--port", str(port), *named],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    issuer = f"http://127.0.0.1:{port}"
    try:
        for _try in range(200):
            try:
                httpx.get(issuer + "/.well-known/openid-configuration").raise_for_status()
                break
            except httpx.TransportError:
                assert process.poll() is None
                time.sleep(0.05)
        yield issuer
    finally:
        process.terminate()
        process.wait(30)


def at_the_provider(url: str, subject: str) -> str:
    """Sign in there as somebody; the address that the browser is sent back to."""
    answer = httpx.post(url, data={"sub": subject})
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


@dataclass
class Lying:
    """What the scripted provider answers: changed by a test as it likes."""

    issuer: str = ""
    key: Any = None  # what it signs with
    shown: Any = None  # the keys that it publishes
    claims: dict[str, Any] = field(default_factory=dict)  # put over the right ones; None: left out
    header: dict[str, Any] = field(default_factory=dict)
    token: Callable[[str], Any] = str  # the token as it goes out
    document: dict[str, Any] = field(default_factory=dict)
    raw: dict[str, tuple[int, bytes]] = field(default_factory=dict)  # by path, in place of all else
    nonce: str = ""
    now: float = 0.0
    asked: list[tuple[str, dict[str, list[str]], str]] = field(default_factory=list)

    def answer(self, path: str) -> dict[str, Any]:
        if path.endswith("openid-configuration"):
            return {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
            } | self.document
        if path == "/keys":
            return {"keys": [one.as_dict(private=False) for one in self.shown or [self.key]]}
        if path == "/userinfo":
            return {"sub": "17", "preferred_username": "from-userinfo"}
        return {"access_token": "a", "token_type": "Bearer", "id_token": self.token(self.minted())}

    def minted(self) -> str:
        from joserfc import jwt

        right = {
            "iss": self.issuer,
            "aud": "newsloom",
            "sub": "17",
            "nonce": self.nonce,
            "iat": int(self.now),
            "exp": int(self.now) + 600,
            "preferred_username": "ida",
        }
        claims = {name: one for name, one in (right | self.claims).items() if one is not None}
        header = {"alg": "RS256", "kid": self.key.kid} | self.header
        return jwt.encode(header, claims, self.key, algorithms=[header["alg"]])


@cache
def _key() -> Any:
    """Making one takes longer than most tests."""
    from joserfc.jwk import RSAKey

    return RSAKey.generate_key(2048, {"kid": "one"})


@contextmanager
def lying_provider() -> Iterator[Lying]:
    """A provider that is right in everything that a test does not change."""
    lying = Lying(key=_key())

    class Handler(loopback.Handler):
        def do_GET(self) -> None:
            self.reply({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.reply(parse_qs(body.decode()))

        def reply(self, form: dict[str, list[str]]) -> None:
            path = urlsplit(self.path).path
            lying.asked.append((path, form, self.headers.get("authorization", "")))
            status, body = lying.raw.get(path) or (200, json.dumps(lying.answer(path)).encode())
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if status == 302:
                self.send_header("Location", "http://127.0.0.1:1/")
            self.end_headers()
            self.wfile.write(body)

    with loopback.answering(Handler) as port:
        lying.issuer = f"http://127.0.0.1:{port}"
        yield lying
