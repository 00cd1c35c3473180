"""Limits of connections, on real sockets: slow and silent clients, and more of them than fit."""

from __future__ import annotations

import asyncio
import resource
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import httpx
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from cli.serving import READY, started
from migrated import migrated
from newsloom.web.server import Limits, serve

HALF_A_REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Never-Ends: "
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf"
HASTY = Limits(connections=4, head_seconds=0.2, body_seconds=0.2)


def test_1100_half_open_requests_leave_room_for_others(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1_024, hard))
    try:
        process = started(migrated(tmp_path / "n.db"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4_096)), hard))
    assert process.stdout is not None
    try:
        url = next(one for one in process.stdout if one.startswith(READY)).split()[3]
        with ExitStack() as stack:
            for _ in range(1_100):
                one = socket.create_connection(("127.0.0.1", httpx.URL(url).port or 0), 5)
                stack.enter_context(one)
                one.sendall(HALF_A_REQUEST)
            statuses = [httpx.get(url + "health", timeout=5).status_code for _ in range(10)]
    finally:
        process.send_signal(signal.SIGINT)
        _, log = process.communicate(timeout=60)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert statuses == [200] * 10
    assert log.count("\n") < 100


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    """Returns the body; /stream sends a dot every tenth of a second, /hang nothing at all."""
    request = Request(scope, receive)
    if scope["path"] == "/stream":
        answer = StreamingResponse(_slowly())
        await answer(scope, receive, send)
    elif scope["path"] == "/hang":
        while (await receive())["type"] != "http.disconnect":
            pass
    else:
        await PlainTextResponse(await request.body() or b"no body")(scope, receive, send)


async def _slowly() -> AsyncIterator[bytes]:
    for _ in range(10):
        yield b"."
        await asyncio.sleep(0.1)


@asynccontextmanager
async def _served(limits: Limits) -> AsyncIterator[str]:
    until, ready = asyncio.Event(), asyncio.Queue[str]()
    serving = asyncio.create_task(
        serve(_app, "127.0.0.1", 0, until=until, on_ready=ready.put_nowait, limits=limits)
    )
    try:
        yield await ready.get()
    finally:
        until.set()
        await serving


async def _sent(url: str, *parts: bytes) -> bytes:
    """What comes back until the server closes the connection; parts go .1 seconds apart."""
    reader, writer = await asyncio.open_connection("127.0.0.1", httpx.URL(url).port)
    try:
        for one in parts:
            writer.write(one)
            await asyncio.sleep(0.1)
        return await asyncio.wait_for(reader.read(), 10)
    finally:
        writer.close()


def test_slow_requests_end_and_slow_responses_go_on() -> None:
    async def visit() -> tuple[list[bytes], str]:
        async with _served(HASTY) as url, httpx.AsyncClient(timeout=60) as client:
            stream = asyncio.create_task(client.get(url + "stream"))
            waiting = (_sent(url, *one) for one in ((), (HALF_A_REQUEST,), (HALF_A_BODY,)))
            return await asyncio.gather(*waiting), (await stream).text

    (silent, head, body), stream = asyncio.run(visit())
    assert silent == b""
    assert head.startswith(b"HTTP/1.1 408 ")
    assert body.startswith(b"HTTP/1.1 408 ")
    assert stream == "." * 10


def test_a_steady_upload_takes_as_long_as_it_needs() -> None:
    parts = [b"x" * 100] * 10
    head = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n"

    async def visit() -> bytes:
        async with _served(HASTY) as url:
            return await _sent(url, head, *parts)

    assert asyncio.run(visit()).endswith(b"".join(parts))


def test_at_the_limit_idle_clients_make_room_and_busy_ones_do_not() -> None:
    async def visit() -> tuple[int, int]:
        async with _served(Limits(connections=4)) as url, httpx.AsyncClient(timeout=60) as client:
            port = httpx.URL(url).port
            idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
            first = await client.get(url, headers={"connection": "close"})
            hanging = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
            for _reader, writer in hanging:
                writer.write(b"GET /hang HTTP/1.1\r\nHost: a\r\n\r\n")
            await asyncio.sleep(0.2)
            second = await client.get(url)
            for _reader, writer in (*idle, *hanging):
                writer.close()
            return first.status_code, second.status_code

    assert asyncio.run(visit()) == (200, 503)
