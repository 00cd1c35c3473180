"""Where hubs reach this Newsloom: they make sure of a subscription (GET), and send news (POST).

The one part that the internet may reach. Who does not know a token learns nothing here; who knows
one can have a document stored only with its signature.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from newsloom.feeds.service.pushing import Callback, Taken
from newsloom.kernel.errors import StoreBusy, StoreFull

router = APIRouter()

# Bodies read at once: each may be as large as a feed, and only hubs that we asked come so far.
MOST_AT_ONCE = 4

LATER = {"retry-after": "600"}


async def nothing() -> None:
    """What follows on a document where nobody waits for it."""


@dataclass(frozen=True, slots=True)
class HubDoor:
    """The callback, and what is done once a document is kept and acknowledged."""

    callback: Callback
    after: Callable[[], Awaitable[None]] = nothing
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))


def _door(request: Request) -> HubDoor | None:
    door: HubDoor | None = request.app.state.hubs
    return door


def _said(words: str, status: int, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(words, status, headers)


NOTHING_HERE = "Nothing is agreed here.\n"


@router.get("/push/{token}")
async def make_sure(request: Request, token: str) -> Response:
    """A hub asks whether it was asked."""
    door = _door(request)
    if door is None:
        return _said(NOTHING_HERE, 404)
    query = request.query_params.multi_items()
    challenge = await run_in_threadpool(door.callback.called, token, query)
    return _said(NOTHING_HERE, 404) if challenge is None else _said(challenge, 200)


@router.post("/push/{token}")
async def news(request: Request, token: str) -> Response:
    """A hub sends a document. The answer says that it is kept, not what it is worth."""
    door = _door(request)
    if door is None:
        return _said(NOTHING_HERE, 404)
    push = await run_in_threadpool(door.callback.listens, token)
    if push is None:
        return _said(NOTHING_HERE, 410)
    callback, headers = door.callback, request.headers
    if headers.get("content-encoding", "identity").lower() != "identity":
        return _said("Send it as it is.\n", 415)
    if door.reading.locked():
        return _said("Too much at once.\n", 503, LATER)
    try:
        async with door.reading, asyncio.timeout(callback.seconds):
            body = await _body(request, callback.most_bytes)
    except TimeoutError:
        return _said("Too slow.\n", 408)
    except ClientDisconnect:
        return _said("", 400)
    if body is None:
        await run_in_threadpool(callback.too_large, push)
        return _said("Too large.\n", 413)
    signature, kind = headers.get("x-hub-signature", ""), headers.get("content-type", "")
    try:
        taken = await run_in_threadpool(callback.sent, push, signature, kind, body)
    except (StoreBusy, StoreFull):
        return _said("Not now.\n", 503, LATER)
    if taken is Taken.TOO_MUCH:
        return _said("Too much of it.\n", 429, LATER)
    # A forger learns no more than a hub does (WebSub 8.1).
    after = BackgroundTask(door.after) if taken is Taken.KEPT else None
    return Response(status_code=202, background=after)


async def _body(request: Request, most: int) -> bytes | None:
    """The whole body; None as soon as it is too large."""
    said = request.headers.get("content-length", "")
    if said.isdecimal() and int(said[:20]) > most:
        return None
    body = bytearray()
    async for chunk in request.stream():
        if len(body) + len(chunk) > most:
            return None
        body += chunk
    return bytes(body)
