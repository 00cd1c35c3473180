"""Servers that break off, drip and never end: each ends in a value, in time, in words."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from newsloom.kernel.http.values import Failure, Reply, Request

from .servers import LOCAL, LONG, Exchange, Script, fetch_from, fetcher, serving

FEED = b"<rss version='2.0'><channel><title>A</title></channel></rss>"
BLOCK = bytes(64 * 1024)
MB = 1_000_000


async def _head(exchange: Exchange, *lines: str) -> None:
    await exchange.send(("\r\n".join(["HTTP/1.1 200 OK", *lines]) + "\r\n\r\n").encode("latin-1"))


# --- what is cut off or not HTTP ---


async def reset_at_once(exchange: Exchange) -> None:
    exchange.reset()


async def close_at_once(exchange: Exchange) -> None:
    exchange.writer.close()
    await asyncio.sleep(1)


async def close_in_the_headers(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Le")
    exchange.writer.close()
    await asyncio.sleep(1)


async def reset_in_the_body(exchange: Exchange) -> None:
    await _head(exchange, f"Content-Length: {len(FEED)}")
    await exchange.send(FEED[:20])
    await asyncio.sleep(0.02)
    exchange.reset()


async def short_of_its_length(exchange: Exchange) -> None:
    await _head(exchange, f"Content-Length: {len(FEED) + 10}")
    await exchange.send(FEED)
    exchange.writer.close()
    await asyncio.sleep(1)


async def bad_length(exchange: Exchange) -> None:
    await _head(exchange, "Content-Length: many")
    await exchange.send(FEED)


async def two_lengths(exchange: Exchange) -> None:
    await _head(exchange, "Content-Length: 3", "Content-Length: 30")
    await exchange.send(FEED)


async def bad_chunk(exchange: Exchange) -> None:
    await _head(exchange, "Transfer-Encoding: chunked")
    await exchange.send(b"5\r\nhello\r\nzz\r\n")


async def chunks_without_end(exchange: Exchange) -> None:
    await _head(exchange, "Transfer-Encoding: chunked")
    await exchange.send(b"5\r\nhello\r\n")
    exchange.writer.close()
    await asyncio.sleep(1)


async def not_http(exchange: Exchange) -> None:
    await exchange.send(b"220 mail.example ESMTP\r\n250 ok\r\n")


async def nonsense(exchange: Exchange) -> None:
    await exchange.send(bytes(range(256)) * 40)


async def long_header(exchange: Exchange) -> None:
    await _head(exchange, "X: " + "x" * 65_536, "Content-Length: 0")


async def many_headers(exchange: Exchange) -> None:
    await _head(exchange, *(f"X-{n}: 1" for n in range(500)), "Content-Length: 0")


async def long_status(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 " + b"x" * 65_536 + b"\r\n\r\n")


async def switching(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
    exchange.writer.close()
    await asyncio.sleep(1)


@pytest.mark.parametrize(
    ("script", "failure", "words"),
    [
        (reset_at_once, Failure.CONNECT, "the server closed the connection without a response"),
        (close_at_once, Failure.CONNECT, "the server closed the connection without a response"),
        (close_in_the_headers, Failure.CONNECT, "the server closed the connection without"),
        (reset_in_the_body, Failure.PROTOCOL, "cut off"),
        (short_of_its_length, Failure.PROTOCOL, "cut off"),
        (bad_length, Failure.PROTOCOL, "the response is not valid HTTP"),
        (two_lengths, Failure.PROTOCOL, "the response is not valid HTTP"),
        (bad_chunk, Failure.PROTOCOL, "the response"),
        (chunks_without_end, Failure.PROTOCOL, "cut off"),
        (not_http, Failure.PROTOCOL, "the response is not valid HTTP"),
        (nonsense, Failure.PROTOCOL, "the response is not valid HTTP"),
        (long_header, Failure.PROTOCOL, "the response is not valid HTTP"),
        (many_headers, Failure.PROTOCOL, "the response is not valid HTTP"),
        (long_status, Failure.PROTOCOL, "the response is not valid HTTP"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_broken_answers(script, failure, words):
    async def main() -> tuple[Reply, int]:
        async with serving(script) as server, fetcher() as client:
            return await client.get(Request(server.url())), len(server.exchanges)

    reply, requests = asyncio.run(main())
    assert reply.failure is failure
    assert words in reply.problem
    assert "\n" not in reply.problem
    assert reply.body == b""
    assert requests == 1  # asked once: a server that breaks is not asked again in the same breath


def test_an_upgrade_nobody_asked_for_is_an_answer_without_a_body():
    reply = fetch_from(switching)
    assert (reply.status, reply.body) == (101, b"")


def test_a_page_is_an_answer():
    async def script(exchange: Exchange) -> None:
        await exchange.answer(b"<!doctype html><p>Log in", headers={"Content-Type": "text/html"})

    reply = fetch_from(script)
    assert (reply.status, reply.failure, reply.body[:9]) == (200, None, b"<!doctype")


# --- what does not end in time ---


async def no_answer(exchange: Exchange) -> None:
    await asyncio.sleep(60)


async def header_drip(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        await exchange.send(b"x")
        await asyncio.sleep(0.02)


async def body_drip(exchange: Exchange) -> None:
    await _head(exchange, "Content-Length: 100000")
    while True:
        await exchange.send(b"x")
        await asyncio.sleep(0.02)


async def stall_in_the_body(exchange: Exchange) -> None:
    await _head(exchange, "Content-Length: 100000")
    await exchange.send(b"x" * 1000)
    await asyncio.sleep(60)


async def information_flood(exchange: Exchange) -> None:
    while True:
        await exchange.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)
        await asyncio.sleep(0.01)


async def redirect_drip(exchange: Exchange) -> None:
    await asyncio.sleep(0.12)
    number = int(exchange.path.removeprefix("/feed") or 0) + 1
    await exchange.answer(status="302 Found", headers={"Location": f"/feed{number}"})


def test_one_deadline_covers_everything():
    cases = {
        no_answer: (0.3, "no response within 0.3 seconds"),
        header_drip: (0.3, "no response within 0.3 seconds"),
        # Long enough for the headers to be there, however busy the machine.
        body_drip: (2.0, "no complete response within 2 seconds"),
        stall_in_the_body: (2.0, "no complete response within 2 seconds"),
        information_flood: (0.3, "no response within 0.3 seconds"),
        redirect_drip: (0.3, "no response within 0.3 seconds"),
    }

    async def ended(script: Script, seconds: float) -> Reply:
        async with serving(script) as server, fetcher(timeout_seconds=seconds) as client:
            return await client.get(Request(server.url()))

    async def main() -> list[Reply]:
        return await asyncio.gather(*(ended(one, seconds) for one, (seconds, _) in cases.items()))

    replies = asyncio.run(main())
    found = {one: (reply.failure, reply.problem) for one, reply in zip(cases, replies, strict=True)}
    assert found == {one: (Failure.TIMEOUT, words) for one, (_, words) in cases.items()}
    assert not any(reply.body for reply in replies)
    for (seconds, _words), reply in zip(cases.values(), replies, strict=True):
        assert seconds - 0.1 < reply.seconds < LONG / 2


def test_a_name_that_is_looked_up_for_ever():
    async def main() -> Reply:
        client = fetcher(names={}, timeout_seconds=0.2)

        async def never(*_args: object, **_named: object) -> list[object]:
            await asyncio.sleep(60)
            return []

        client._resolver.resolve = never  # type: ignore[union-attr, method-assign]
        async with client:
            return await client.get(Request("http://slow.test/"))

    assert asyncio.run(main()).failure is Failure.TIMEOUT


def test_slow_servers_do_not_hold_up_others():
    async def main() -> Reply:
        names = {f"slow{n}.test": [LOCAL] for n in range(20)} | {"good.test": [LOCAL]}
        client = fetcher(names=names, private_hosts=tuple(names), timeout_seconds=LONG)

        async def script(exchange: Exchange) -> None:
            if exchange.headers["host"].startswith("slow"):
                await body_drip(exchange)
            await exchange.answer(FEED)

        async with serving(script) as server, client:
            slow = [
                asyncio.create_task(client.get(Request(server.url(host=name))))
                for name in names
                if name.startswith("slow")
            ]
            await server.sees(20)
            good = await client.get(Request(server.url(host="good.test")))
            assert not any(task.done() for task in slow)
            for task in slow:
                task.cancel()
            return good

    assert asyncio.run(main()).body == FEED


def test_five_hundred_slow_servers_at_once():
    """F19, with a deadline of five seconds for thirty: who answers is answered to all the while."""
    slow = {f"slow{n}.test": [LOCAL] for n in range(500)}
    good = {f"good{n}.test": [LOCAL] for n in range(50)}

    async def script(exchange: Exchange) -> None:
        host = exchange.headers["host"]
        if host.startswith("good"):
            await exchange.answer(FEED)
            return
        if int(host[4 : host.index(".")]) % 2:
            await _head(exchange, "Content-Length: 100000")
        else:
            await exchange.send(b"HTTP/1.1 200 OK\r\nX: ")
        while True:
            await exchange.send(b"x")
            await asyncio.sleep(0.3)

    async def main() -> tuple[list[Reply], list[Reply]]:
        client = fetcher(
            names=slow | good,
            private_hosts=tuple(slow | good),
            timeout_seconds=5,
            concurrency=len(slow) + 1,
        )
        async with serving(script) as server, client:
            urls = {name: server.url(host=name) for name in slow | good}
            dripping = [asyncio.create_task(client.get(Request(urls[name]))) for name in slow]
            await asyncio.sleep(0.5)
            answered = [await client.get(Request(urls[name])) for name in good]
            return await asyncio.gather(*dripping), answered

    dripped, answered = asyncio.run(main())
    assert {reply.failure for reply in dripped} == {Failure.TIMEOUT}
    assert [reply.body for reply in answered] == [FEED] * len(good)


# --- who does not answer at all ---


def test_refused_connection():
    async def main() -> Reply:
        async with serving(no_answer) as server:
            url = server.url()
        async with fetcher() as client:
            return await client.get(Request(url))

    reply = asyncio.run(main())
    assert (reply.failure, reply.status) == (Failure.CONNECT, 0)
    assert reply.problem == "the server refused the connection"


def test_no_such_host():
    async def main() -> Reply:
        async with fetcher(names={"gone.test": []}) as client:
            return await client.get(Request("https://gone.test/feed"))

    reply = asyncio.run(main())
    assert (reply.failure, reply.problem) == (Failure.DNS, "host not found")


def test_one_dead_address_of_two():
    """A host whose first address does not answer is reached at its second."""

    async def main() -> Reply:
        async def script(exchange: Exchange) -> None:
            await exchange.answer(FEED)

        names = {"two.test": ["127.0.0.3", LOCAL]}
        client = fetcher(names=names, private_hosts=("two.test",))
        async with serving(script) as server, client:
            return await client.get(Request(server.url(host="two.test")))

    assert asyncio.run(main()).body == FEED


# --- this machine's own state changes nothing ---


def test_cookies_are_not_kept():
    async def main() -> list[Exchange]:
        async def script(exchange: Exchange) -> None:
            headers = {"Set-Cookie": "a=1; Path=/; Domain=feed.test"}
            if exchange.path == "/feed":
                headers["Location"] = "/b"
                await exchange.answer(status="302 Found", headers=headers)
            else:
                await exchange.answer(FEED, headers=headers)

        names = {"feed.test": [LOCAL]}
        client = fetcher(names=names, private_hosts=("feed.test",))
        async with serving(script) as server, client:
            for _ in range(2):
                await client.get(Request(server.url(host="feed.test")))
            return server.exchanges

    exchanges = asyncio.run(main())
    assert len(exchanges) == 4
    assert not any("cookie" in one.headers for one in exchanges)


def test_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine {LOCAL} login me password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    seen: list[Exchange] = []

    async def script(exchange: Exchange) -> None:
        seen.append(exchange)
        await exchange.answer(FEED)

    assert fetch_from(script).body == FEED
    assert "authorization" not in seen[0].headers
