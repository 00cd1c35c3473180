"""The server: on a port of its own, until told to stop."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from newsloom.kernel.errors import UserError
from newsloom.web.app import create_app
from newsloom.web.server import serve
from web.world import World


def test_it_serves_until_told_to_stop(world: World) -> None:
    async def visit() -> tuple[int, str]:
        until, ready = asyncio.Event(), asyncio.Queue[str]()
        app = create_app(world.reader())
        serving = asyncio.create_task(
            serve(app, "127.0.0.1", 0, until=until, on_ready=ready.put_nowait)
        )
        url = await ready.get()
        async with httpx.AsyncClient(timeout=60) as client:
            answer = await client.get(url + "healthz")
        until.set()
        await serving
        return answer.status_code, url

    status, url = asyncio.run(visit())
    assert status == 200
    assert url.startswith("http://127.0.0.1:")


def test_a_port_in_use_is_said_in_words(world: World) -> None:
    async def twice() -> None:
        until, ready = asyncio.Event(), asyncio.Queue[str]()
        app = create_app(world.reader())
        first = asyncio.create_task(
            serve(app, "127.0.0.1", 0, until=until, on_ready=ready.put_nowait)
        )
        port = int((await ready.get()).rstrip("/").rpartition(":")[2])
        try:
            with pytest.raises(UserError, match=f"Port {port}"):
                await serve(app, "127.0.0.1", port, until=until, on_ready=ready.put_nowait)
        finally:
            until.set()
            await first

    asyncio.run(twice())


def test_cancelling_stops_it(world: World) -> None:
    async def cancel() -> None:
        ready = asyncio.Queue[str]()
        serving = asyncio.create_task(
            serve(
                create_app(world.reader()),
                "127.0.0.1",
                0,
                until=asyncio.Event(),
                on_ready=ready.put_nowait,
            )
        )
        url = await ready.get()
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        async with httpx.AsyncClient(timeout=60) as client:
            with pytest.raises(httpx.ConnectError):
                await client.get(url)

    asyncio.run(cancel())
