"""Server-sent events: open pages hear at once that something of their reader's changed.

An event says that there is news and how much is unread; the page then asks /pulse, as it does from
time to time where it cannot hear. One task of the process watches the database, whatever number of
pages is open: by its notices where it sends any, else by looking. An event's id is the state it
tells of, so a page that lost the connection and names the last id it had is told whether it missed
anything, also by another process.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Collection, Hashable
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Header, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from newsloom.accounts.service import signing_in
from newsloom.accounts.service.account_service import Principal
from newsloom.kernel.errors import NewsloomError
from newsloom.kernel.ids import UserId
from newsloom.web.auth import AuthServices, visitor_of
from newsloom.web.change_listener import EVERYBODY, NO_LISTENER, ChangeListener
from newsloom.web.site import Here, Site

log = logging.getLogger(__name__)

router = APIRouter()

KIND = "text/event-stream"

# Seconds between two looks at the database; while it is written to, the second is kept.
LOOK_SECONDS, REST_SECONDS = 0.5, 1.5
# The same while notices are heard: a look from time to time all the same.
HEARING_SECONDS, HEARD_SECONDS = 10.0, 0.3
# A comment is sent so often: proxies close what is silent for a minute.
ALIVE_SECONDS = 15
# Then a stream ends, and the page asks anew: so what stands before us can look who asks.
LONGEST_SECONDS = 1_800
# Open at once; who gets none asks from time to time. A browser has one for each window in view.
MOST, MOST_OF_ONE = 300, 12
# What a browser waits before it asks again.
AGAIN_MILLISECONDS = 5_000

HEADERS = {
    "cache-control": "no-store, no-transform",  # also: compressed by nobody, us included
    "x-accel-buffering": "no",  # nginx would hold it back
}


@dataclass(frozen=True, slots=True)
class State:
    """What a page can know to be as it was; another one means that something changed."""

    step: int  # the last thing done that stands
    article: int  # the newest
    unread: int

    @property
    def id(self) -> str:
        return f"{self.step}-{self.article}-{self.unread}"

    @property
    def event(self) -> bytes:
        text = json.dumps({"unread": self.unread})
        return f"id: {self.id}\nevent: news\ndata: {text}\n\n".encode()


def state_of(site: Site) -> State:
    reader = site.reader
    return State(*reader.store.reading.newest_step(reader.user), reader.unread())


@dataclass(eq=False, slots=True)
class _Stream:
    """One open page."""

    site: Site
    principal: Principal
    known: str  # the id of the state it knows; "": it was shown now
    state: State | None = None
    over: bool = False
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def user(self) -> UserId:
        return self.site.reader.user

    def end(self) -> None:
        self.over = True
        self.woken.set()


class Live:
    """All streams of a process, and the one task that watches for them."""

    def __init__(
        self,
        token: Callable[[], Hashable],
        auth: AuthServices | None,
        changes: ChangeListener = NO_LISTENER,
    ) -> None:
        self._token = token
        self._listener = changes
        self._auth = auth
        self._streams: set[_Stream] = set()
        self._watching: asyncio.Task[None] | None = None

    def full_for(self, user: UserId) -> bool:
        of_one = sum(one.user == user for one in self._streams)
        return len(self._streams) >= MOST or of_one >= MOST_OF_ONE

    async def stream(
        self, site: Site, principal: Principal, last: str, ending: asyncio.Event | None
    ) -> AsyncIterator[bytes]:
        """The bytes of one stream, until the page is left, the reader signs out or we end."""
        loop = asyncio.get_running_loop()
        one = _Stream(site, principal, last)
        self._streams.add(one)
        try:
            if self._watching is None or self._watching.done():
                self._watching = asyncio.create_task(self._watch(ending))
            yield f"retry: {AGAIN_MILLISECONDS}\n\n".encode()
            try:
                now = await run_in_threadpool(state_of, site)
            except NewsloomError as error:  # the page asks again
                log.info("a page hears nothing for a moment: %s", error)
                return
            if last and last != now.id:
                yield now.event
            one.known = now.id
            until = loop.time() + LONGEST_SECONDS
            while not one.over and loop.time() < until:
                yield await _next(one)
        finally:
            self._streams.discard(one)
            if not self._streams and self._watching is not None:
                self._watching.cancel()
                self._watching = None

    async def _watch(self, ending: asyncio.Event | None) -> None:
        ending = ending or asyncio.Event()
        seen: Hashable = None
        wait = 0.0
        while True:
            user_ids = await self._listener.wait(ending, wait)
            if ending.is_set():
                break
            wait = HEARING_SECONDS if self._listener.hears else LOOK_SECONDS
            try:
                if user_ids and EVERYBODY not in user_ids:
                    await self._tell(user_ids)
                    wait = await self._rest(ending, wait)
                    continue
                now = await run_in_threadpool(self._token)
                if now != seen:
                    await self._tell()
                    seen = now
                    wait = await self._rest(ending, wait)
            except NewsloomError as error:
                log.warning("open pages hear nothing for a moment: %s", error)
                wait = ALIVE_SECONDS
            except Exception:
                log.exception("open pages hear nothing for a moment")
                wait = ALIVE_SECONDS
        for one in self._streams:
            one.end()

    async def _rest(self, ending: asyncio.Event, wait: float) -> float:
        """Seconds until the next look, after something was told."""
        if not self._listener.hears:
            return REST_SECONDS
        await _set_within(ending, HEARD_SECONDS)
        return wait

    async def _tell(self, user_ids: Collection[UserId] | None = None) -> None:
        """Each reader's state is read once, however many pages they have open. None: of all."""
        users = {one.user for one in self._streams}
        for user in users if user_ids is None else users.intersection(user_ids):
            mine = [one for one in self._streams if one.user == user]
            state = await run_in_threadpool(state_of, mine[0].site)
            visitors = [one.principal for one in mine]
            here = await run_in_threadpool(still_here, self._auth, visitors)
            for one, allowed in zip(mine, here, strict=True):
                one.state = state
                if not allowed:
                    one.end()
                elif one.known != state.id:
                    one.woken.set()


async def _next(one: _Stream) -> bytes:
    """The next part of a stream: what changed, or a sign that it is alive."""
    if not await _set_within(one.woken, ALIVE_SECONDS):
        return b":\n\n"
    one.woken.clear()
    if one.over or one.state is None or one.known == one.state.id:
        return b":\n\n"
    one.known = one.state.id
    return one.state.event


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return event.is_set()
    return True


def still_here(auth: AuthServices | None, visitors: list[Principal]) -> list[bool]:
    """Whether each of one reader's visitors may still see what is theirs."""
    if auth is None:
        return [True] * len(visitors)
    first = visitors[0]
    if not first.name:
        return [not auth.accounts.required()] * len(visitors)
    if auth.accounts.store.accounts.account_of(first.user) is None:
        return [False] * len(visitors)
    open_now = {one.id for one in signing_in.sessions(auth.accounts, first)}
    return [one.session is None or one.session.id in open_now for one in visitors]


@router.get("/events", response_model=None)
async def events(
    site: Here, request: Request, last_event_id: Annotated[str, Header(max_length=80)] = ""
) -> Response:
    """A stream for who accepts one; for others the state as it is now, once."""
    principal = visitor_of(request)
    assert principal is not None
    live: Live = request.app.state.live
    if KIND not in request.headers.get("accept", ""):
        state = await run_in_threadpool(state_of, site)
        return Response(state.event, media_type=KIND, headers=HEADERS)
    if live.full_for(site.reader.user):
        words = "Too many open pages. This page polls instead.\n"
        return PlainTextResponse(words, status_code=503, headers={"retry-after": "60"})
    stream = live.stream(site, principal, last_event_id, request.scope.get("newsloom.ending"))
    return StreamingResponse(stream, media_type=KIND, headers=HEADERS)
