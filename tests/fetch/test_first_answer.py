"""A request that wants no more than the first answer: what is sent, and what is not read."""

from __future__ import annotations

import asyncio

import pytest

from newsloom.kernel.http.values import Request

from .servers import LOCAL, Exchange, fetch_from, fetcher, serving


async def elsewhere(exchange: Exchange) -> None:
    await exchange.answer(
        status="301 Moved Permanently", headers={"Location": "https://news.example/a?b=1"}
    )


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_redirect_is_the_answer(method: str) -> None:
    async def main():
        async with serving(elsewhere) as server, fetcher() as client:
            request = Request(server.url("/~r/x"), method=method, follow=False)
            return await client.get(request), server.exchanges

    reply, (exchange,) = asyncio.run(main())
    assert exchange.head.startswith(f"{method} /~r/x ")
    assert (reply.status, reply.failure, reply.redirects) == (301, None, ())
    assert reply.header("location") == "https://news.example/a?b=1"
    assert reply.url.endswith("/~r/x")


def test_it_may_lead_from_a_secure_address_to_an_open_one_or_nowhere() -> None:
    """Nobody goes there."""

    async def script(exchange: Exchange) -> None:
        await exchange.answer(status="302 Found", headers={"Location": "javascript:alert(1)"})

    reply = fetch_from(script, None)
    assert reply.failure is not None

    async def main():
        async with serving(script) as server, fetcher() as client:
            return await client.get(Request(server.url(), method="HEAD", follow=False))

    assert asyncio.run(main()).failure is None


def test_a_body_is_not_read() -> None:
    async def endless(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + b"x" * 1000)
        await asyncio.sleep(60)

    async def main():
        async with serving(endless) as server, fetcher(timeout_seconds=30.0) as client:
            return await client.get(Request(server.url(), follow=False))

    reply = asyncio.run(main())
    assert (reply.status, reply.body, reply.wire_bytes, reply.failure) == (200, b"", 0, None)


def test_a_head_may_announce_any_length() -> None:
    async def huge(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")

    async def main():
        async with serving(huge) as server, fetcher() as client:
            return await client.get(Request(server.url(), method="HEAD"))

    reply = asyncio.run(main())
    assert (reply.status, reply.failure, reply.header("content-length")) == (
        200,
        None,
        "1000000000",
    )


def test_the_guard_is_on() -> None:
    async def main():
        async with serving(elsewhere) as server, fetcher(private_hosts=()) as client:
            request = Request(server.url(host=LOCAL), method="HEAD", follow=False)
            return await client.get(request), server.connections

    reply, connections = asyncio.run(main())
    assert reply.failure is not None
    assert connections == 0
