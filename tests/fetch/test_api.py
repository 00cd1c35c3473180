"""Calls of services named in the settings: every answer and every failure is a value, in bounds."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import replace
from typing import Any

import pytest

from newsloom.kernel.http.api import HttpApi
from newsloom.kernel.http.values import ApiReply, ApiRequest, Failure

from .servers import LOCAL, Exchange, Names, Script, Server, serving

MB = 1_000_000


def call(script: Script, names: dict[str, list[str]] | None = None, **changes: Any) -> ApiReply:
    return asyncio.run(_call(script, names, changes))[0]


async def _call(
    script: Script, names: dict[str, list[str]] | None, changes: dict[str, Any]
) -> tuple[ApiReply, Server]:
    resolver = Names(names) if names is not None else None
    async with serving(script) as server, HttpApi(version="1.2.3", resolver=resolver) as api:
        host = changes.pop("host", LOCAL)
        request = ApiRequest("GET", server.url("/v1", host=host), timeout_seconds=3.0)
        return await api.call(replace(request, **changes)), server


async def ok(exchange: Exchange) -> None:
    await exchange.answer(b"OK", headers={"X-More": "yes"})


async def refused(exchange: Exchange) -> None:
    await exchange.answer(b'{"error": "why"}', status="429 Too Many", headers={"Retry-After": "7"})


async def moved(exchange: Exchange) -> None:
    where = "http://169.254.169.254/latest/"
    await exchange.answer(status="302 Found", headers={"Location": where})


async def silent(exchange: Exchange) -> None:
    await asyncio.sleep(60)


async def dripping(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        await exchange.send(b"x")
        await asyncio.sleep(0.05)


async def endless(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        await exchange.send(bytes(64 * 1024))


async def bomb(exchange: Exchange) -> None:
    body = gzip.compress(bytes(50 * MB))
    await exchange.answer(body, headers={"Content-Encoding": "gzip"})


async def cut(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    exchange.reset()


async def nonsense(exchange: Exchange) -> None:
    await exchange.send(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")
    exchange.reset()


def test_an_answer_with_its_headers() -> None:
    reply = call(ok)
    assert (reply.status, reply.body, reply.header("x-more")) == (200, b"OK", "yes")
    assert reply.failure is None


def test_what_is_sent_is_what_was_given() -> None:
    seen: list[bytes] = []

    async def echo(exchange: Exchange) -> None:
        seen.append(exchange.head.encode())
        await exchange.answer(b"OK")

    headers = (("Authorization", "Bearer k"), ("Content-Type", "application/json"))
    reply = call(echo, method="POST", body=b"{}", headers=headers)
    assert reply.body == b"OK"
    head = seen[0].decode().lower()
    assert head.startswith("post /v1 http/1.1")
    assert "authorization: bearer k" in head
    assert "content-length: 2" in head
    assert "cookie" not in head


def test_an_error_is_an_answer_with_its_body() -> None:
    reply = call(refused)
    assert (reply.status, reply.header("retry-after")) == (429, "7")
    assert reply.body == b'{"error": "why"}'


def test_a_redirect_is_not_followed() -> None:
    reply = call(moved)
    assert (reply.status, reply.failure) == (302, None)


@pytest.mark.parametrize(
    ("script", "failure"),
    [
        (silent, Failure.TIMEOUT),
        (dripping, Failure.TIMEOUT),
        (endless, Failure.TOO_LARGE),
        (bomb, Failure.TOO_LARGE),
        (cut, Failure.PROTOCOL),
        (nonsense, Failure.PROTOCOL),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_no_answer_is_a_failure_with_words(script: Script, failure: Failure) -> None:
    reply = call(script, timeout_seconds=0.5 if failure is Failure.TIMEOUT else 5.0)
    assert reply.failure in {failure, Failure.CONNECT, Failure.ENCODING}
    assert reply.failure is failure or script in {cut, nonsense, bomb}
    assert reply.problem
    assert reply.body == b""


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "fd00:ec2::254",
        "fd20:ce::254",
        "fe80::1",
        "100.100.100.200",
        "::ffff:100.100.100.200",
        "0.0.0.0",
        "224.0.0.1",
        "168.63.129.16",
    ],
)
def test_addresses_where_no_service_lives_are_refused(address: str) -> None:
    reply = call(ok, names={"model.test": [address]}, host="model.test")
    assert reply.failure is Failure.BLOCKED
    assert "blocked" in reply.problem


def test_a_private_host_is_reached_because_it_was_named() -> None:
    assert call(ok, names={"model.test": [LOCAL]}, host="model.test").body == b"OK"


@pytest.mark.parametrize("url", ["", "ftp://example.org/", "http://", "http://[x", "/v1"])
def test_an_address_that_is_none(url: str) -> None:
    reply = call(ok, url=url)
    assert (reply.failure, reply.status) == (Failure.URL, 0)


def test_nothing_listens_there() -> None:
    reply = call(ok, url="http://127.0.0.1:9/")
    assert reply.failure is Failure.CONNECT


def test_a_key_with_a_line_break_is_not_sent() -> None:
    reply = call(ok, headers=(("Authorization", "Bearer a\r\nX-Other: b"),))
    assert reply.failure is Failure.URL


def test_the_environments_proxy_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert call(ok).body == b"OK"
