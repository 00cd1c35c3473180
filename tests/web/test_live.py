"""Server-sent events: who hears of what, how streams end, and that the server ends with them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.reading import EventKind
from newsloom.web import live
from newsloom.web.app import create_app
from newsloom.web.server import serve
from web.conftest import Visitor
from web.peopled import ANNA, BOB, Peopled
from web.world import World

STREAM = {"accept": "text/event-stream"}


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[tuple[str, asyncio.Event, asyncio.Task[None]]]:
    until, ready = asyncio.Event(), asyncio.Queue[str]()
    task = asyncio.create_task(serve(app, "127.0.0.1", 0, until=until, on_ready=ready.put_nowait))
    try:
        yield (await ready.get()).rstrip("/"), until, task
    finally:
        until.set()
        await task


async def event(lines: AsyncIterator[str]) -> dict[str, str]:
    """The next event of a stream; {} when it is over."""
    found: dict[str, str] = {}
    async for line in lines:
        name, _, value = line.partition(": ")
        if not line and "event" in found:
            return found
        if name in {"id", "event", "data"}:
            found[name] = value
    return {}


def test_an_open_page_hears_of_a_mark_made_elsewhere_and_the_server_ends_at_once(
    world: World,
) -> None:
    async def listen() -> tuple[dict[str, str], dict[str, str], dict[str, str], float]:
        async with (
            served(create_app(world.reader())) as (url, until, task),
            httpx.AsyncClient(timeout=60) as client,
        ):
            async with client.stream("GET", url + "/events", headers=STREAM) as answer:
                assert answer.headers["content-type"].startswith("text/event-stream")
                assert answer.headers["x-accel-buffering"] == "no"
                assert "content-encoding" not in answer.headers
                lines = answer.aiter_lines()
                assert await anext(lines) == "retry: 5000"
                await asyncio.sleep(0.3)  # the state it begins with is known
                reader = world.reader()
                await asyncio.to_thread(reader.mark, [ArticleId(1)], EventKind.READ, "app")
                fields = await event(lines)
            missed = await resumed(client, url, {"last-event-id": "0-0-0"})
            began = time.monotonic()
            async with client.stream("GET", url + "/events", headers=STREAM) as answer:
                lines = answer.aiter_lines()
                await anext(lines)
                until.set()
                ended = await event(lines)
            await task
            return fields, missed, ended, time.monotonic() - began

    async def resumed(client: httpx.AsyncClient, url: str, more: dict[str, str]) -> dict[str, str]:
        async with client.stream("GET", url + "/events", headers=STREAM | more) as answer:
            return await event(answer.aiter_lines())

    values, missed, ended, seconds = asyncio.run(listen())
    assert json.loads(values["data"]) == {"unread": world.reader().unread()}
    assert missed == values
    assert ended == {}
    assert seconds < 3  # PATIENCE_SECONDS: nothing had to be cut off


def test_a_stream_tells_its_own_reader_alone_and_ends_when_they_sign_out(world: World) -> None:
    peopled = Peopled(world)
    peopled.add(ANNA)
    peopled.add(BOB)

    async def listen() -> tuple[list[str], float]:
        async with served(peopled.app) as (url, _until, _task):
            client, other = httpx.AsyncClient(timeout=60), httpx.AsyncClient(timeout=60)
            async with client, other:
                for browser, who in ((client, ANNA), (other, BOB)):
                    form = {"name": who[0], "password": who[1]}
                    page = {"referer": url + "/"}
                    answer = await browser.post(url + "/sign-in", data=form, headers=page)
                    assert answer.status_code == 303
                async with other.stream("GET", url + "/events", headers=STREAM) as answer:
                    lines = answer.aiter_lines()
                    marked = await client.post(
                        url + "/articles/1/marks", data={"kind": "like"}, headers=page
                    )
                    assert marked.status_code == 303
                    await asyncio.sleep(2 * live.REST_SECONDS)
                    began = time.monotonic()
                    await other.post(url + "/sign-out", headers=page)
                    return [line async for line in lines], time.monotonic() - began

    lines, seconds = asyncio.run(listen())
    assert not [line for line in lines if line.startswith("event")]
    assert seconds < 10


def test_no_more_streams_are_open_than_one_person_may_have(world: World) -> None:
    async def crowd() -> int:
        async with (
            served(create_app(world.reader())) as (url, _until, _task),
            httpx.AsyncClient(timeout=60) as client,
            contextlib.AsyncExitStack() as stack,
        ):
            heard = []  # a reading that is dropped would close its stream
            for _ in range(live.MOST_OF_ONE):
                one = client.stream("GET", url + "/events", headers=STREAM)
                answer = await stack.enter_async_context(one)
                heard.append(answer.aiter_lines())
                await anext(heard[-1])
            refused = await client.get(url + "/events", headers=STREAM)
            return refused.status_code

    assert asyncio.run(crowd()) == 503


def test_who_takes_no_stream_gets_the_state_once(visitor: Visitor) -> None:
    answer = visitor.get("/events")
    assert answer.status_code == 200
    assert answer.text.startswith("id: 0-")
    assert "event: news\n" in answer.text


@pytest.mark.parametrize("last", ["x" * 200, "0"])
def test_a_strange_last_id_is_no_harm(visitor: Visitor, last: str) -> None:
    assert visitor.get("/events", **{"last-event-id": last}).status_code in {200, 400}
