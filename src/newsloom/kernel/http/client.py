"""The HTTP client: one conditional request with its redirects, in one deadline. Knows no feeds.

Whatever a network or a server does becomes a Reply; only mistakes of ours are raised.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from math import inf
from weakref import WeakValueDictionary

import pycurl
from yarl import URL

from newsloom.kernel.errors import NotNow
from newsloom.kernel.http import problems
from newsloom.kernel.http.authorities import Authorities, trusted
from newsloom.kernel.http.destination import Journey, destination
from newsloom.kernel.http.engine import Engine
from newsloom.kernel.http.guard import (
    AllowList,
    literal_refusal,
    port_refusal,
    private_refusal,
    refusal,
    refusal_words,
)
from newsloom.kernel.http.handle import Ask
from newsloom.kernel.http.headers import credentials, is_conditional, request_headers, user_agent
from newsloom.kernel.http.ports import Hosts
from newsloom.kernel.http.problems import Stopped
from newsloom.kernel.http.transfer import AddressRule, Resolver, Transfer, addresses_of
from newsloom.kernel.http.values import Failure, Reply, Request
from newsloom.kernel.settings import FetchSettings
from newsloom.kernel.text.urls import shared_host

NOT_MODIFIED = 304

# Believed, it would hide a feed of which nothing was ever had (RFC 9110, 15.4.5).
UNASKED = "the server returned 304 Not Modified for an unconditional request"


class HttpFetcher:
    """Implements ports.Fetcher with libcurl. An async context manager, for one event loop.

    `subscribers` tells publishers how many readers a poll serves; `authorities` and `resolver`
    replace the system's certificate store and name lookup. `hosts`: whose turn each is; None: only
    this fetcher asks them.
    """

    def __init__(
        self,
        settings: FetchSettings,
        *,
        version: str,
        now: Callable[[], datetime],
        subscribers: Callable[[str], int] = lambda _url: 1,
        authorities: Authorities | None = None,
        resolver: Resolver | None = None,
        hosts: Hosts | None = None,
    ) -> None:
        self._settings = settings
        self._version = version
        self._now = now
        self._subscribers = subscribers
        self._authorities = authorities or trusted()
        self._resolver = resolver
        self._allowed = AllowList.of(settings.private_hosts)
        self._proxy = URL(settings.proxy) if settings.proxy else None
        self._stack = AsyncExitStack()
        self._slots = HostSlots(
            at_once=settings.concurrency,
            hosts=hosts or Alone(settings.per_host, settings.host_seconds),
            seconds=settings.host_seconds,
            stalled=settings.stalled_seconds,
        )

    async def __aenter__(self) -> HttpFetcher:
        self._lookup = self._resolver or Resolver(self._settings.concurrency)
        self._stack.push_async_callback(self._lookup.close)
        # Two engines: connections are kept by host, and what one rule let through must not be
        # found by a request under the other. A proxy is connected to as set, without the guard.
        self._public = self._way((lambda _address: None) if self._proxy else refusal)
        self._private = self._way(private_refusal)
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._stack.aclose()

    def _way(self, rule: AddressRule) -> _Way:
        engine = Engine(connections=self._settings.concurrency)
        self._stack.callback(engine.close)
        return _Way(engine, rule)

    async def get(self, request: Request) -> Reply:
        """See ports.Fetcher."""
        journey = Journey(request, url=request.url)
        failure: Failure | None = None
        problem, body = "", b""
        try:
            body = await self._travel(journey)
        except Stopped as stopped:
            failure, problem = stopped.failure, stopped.words
        except NotNow as error:
            if not journey.redirects:
                raise
            failure, problem = Failure.REDIRECTS, f"it redirects to an unavailable address: {error}"
        return Reply(
            request=request,
            received=self._now(),
            seconds=journey.seconds,
            status=journey.status,
            url=journey.url,
            redirects=tuple(journey.redirects),
            headers=journey.headers,
            body=body,
            wire_bytes=journey.wire_bytes,
            failure=failure,
            problem=problem,
        )

    async def _travel(self, journey: Journey) -> bytes:
        """Follow redirects to an answer's body."""
        url: URL | None = destination(journey.request.url)
        journey.start = str(url)
        visited: set[str] = set()
        host = shared_host(journey.start)
        while url is not None:
            here = host
            # Waiting for a turn is this machine's doing and does not count against the server.
            async with self._slots.slot(here, again=here in visited):
                while url is not None and host == here:
                    url = await self._hop(url, journey)
                    host = shared_host(str(url)) if url else ""
            visited.add(here)
        return journey.body

    async def _hop(self, url: URL, journey: Journey) -> URL | None:
        """Ask one URL: where it redirects to, or None with its answer in the journey."""
        journey.arrived_at(url)
        way = self._way_to(url)
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            left = self._settings.timeout_seconds - journey.seconds
            async with asyncio.timeout(left):
                await self._ask(way, url, journey, left)
        except TimeoutError as error:
            came = "no complete response" if journey.status else "no response"
            raise Stopped(
                Failure.TIMEOUT, f"{came} within {self._settings.timeout_seconds:g} seconds"
            ) from error
        finally:
            journey.seconds += loop.time() - started
        return journey.onward(url, self._settings.max_redirects)

    async def _ask(self, way: _Way, url: URL, journey: Journey, left: float) -> None:
        request = journey.request
        connects_to = self._proxy or url
        headers = self._headers(url, journey)
        transfer = Transfer(
            Ask(
                method=request.method,
                url=str(url.with_user(None)),
                headers=headers,
                seconds=left,
                most_bytes=int((request.max_megabytes or self._settings.max_megabytes) * 1e6),
                most_ratio=self._settings.max_ratio,
                body=request.body,
                wants_body=request.follow,
                addresses=await self._addresses(connects_to, journey),
                connects_to=(connects_to.raw_host or "", connects_to.port or 0),
                proxy=self._settings.proxy,
            ),
            way.rule,
        )
        handle = transfer.handle(self._authorities)
        try:
            code, words = await way.engine.perform(handle)
            if not transfer.whole(code):
                raise transfer.error or self._broken(handle, transfer, code, words)
        finally:
            journey.came(transfer)
            handle.close()
        if journey.status == NOT_MODIFIED and not is_conditional(headers):
            raise Stopped(Failure.PROTOCOL, UNASKED)
        journey.body = transfer.body()

    async def _addresses(self, url: URL, journey: Journey) -> tuple[str, ...]:
        """Of a name; none for what is an address already."""
        host = url.raw_host or ""
        if host not in journey.addresses:
            try:
                journey.addresses[host] = await addresses_of(self._lookup, host, url.port or 0)
            except Stopped as error:
                if self._proxy:
                    words = "the proxy's name cannot be looked up"
                    raise Stopped(Failure.CONNECT, words) from error
                raise
        return journey.addresses[host]

    def _way_to(self, url: URL) -> _Way:
        host, port = url.raw_host or "", url.port or 0
        if self._allowed.grants(host, port):
            return self._private
        if words := literal_refusal(host, port) if self._proxy else port_refusal(port):
            raise Stopped(Failure.BLOCKED, words)
        return self._public

    def _headers(self, url: URL, journey: Journey) -> tuple[tuple[str, str], ...]:
        request = journey.request
        # Validators belong to the URL that gave them; no other one is shown them.
        own = journey.url == (request.validated_url or journey.start)
        agent = user_agent(self._version, self._settings.contact, self._subscribers(request.url))
        return (*request_headers(request, agent, conditional=own).items(), *credentials(url))

    def _broken(self, handle: pycurl.Curl, transfer: Transfer, code: int, words: str) -> Exception:
        if transfer.all_refused:
            return Stopped(Failure.BLOCKED, refusal_words(*transfer.refused[0]))
        if code == pycurl.E_OPERATION_TIMEDOUT:
            return TimeoutError()
        broken = problems.of_handle(
            handle, code, words, answered=transfer.answered, proxy=self._proxy is not None
        )
        return Stopped(*problems.described(broken))


@dataclass(frozen=True, slots=True)
class _Way:
    """An engine, and what its connections may lead to."""

    engine: Engine
    rule: AddressRule


# Whose turn it is: few requests at once to a host, a pause between, and not too many in all.
# Knows names of hosts and seconds, no network.


class Alone:
    """Implements ports.Hosts where nobody else asks any host. Forgets when hosts were asked after
    `remember` seconds."""

    def __init__(self, per_host: int, remember: float) -> None:
        self._per_host = per_host
        self._remember = remember
        self._ended: dict[str, float] = {}  # seconds of the loop, in order
        # A host's semaphore lives as long as someone holds or awaits it.
        self._gates: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[float]:
        """See ports.Hosts."""
        gate = self._gates.get(host)
        if gate is None:
            gate = self._gates[host] = asyncio.Semaphore(self._per_host)
        loop = asyncio.get_running_loop()
        async with gate:
            try:
                yield loop.time() - self._ended.get(host, -inf)
            finally:
                if self._remember:
                    now = loop.time()
                    self._ended.pop(host, None)
                    self._ended[host] = now
                    while self._ended[oldest := next(iter(self._ended))] + self._remember <= now:
                        del self._ended[oldest]


class HostSlots:
    """`seconds` lie at least between the end of a turn and the beginning of the host's next.

    A turn that lasts longer than `stalled` goes on, but gives its place among all back: else as
    many servers as there are places would keep everybody waiting for the length of a deadline.
    """

    def __init__(
        self,
        *,
        at_once: int,
        hosts: Hosts,
        seconds: float,
        stalled: float = inf,
    ) -> None:
        self._stalled = stalled
        self._under_way = asyncio.Semaphore(at_once)
        self._hosts = hosts
        self._seconds = seconds

    @asynccontextmanager
    async def slot(self, host: str, *, again: bool = False) -> AsyncIterator[None]:
        """Wait for the host first: who waits for a busy host must hold no place of the others.

        `again`: the host was asked before in the same chain of redirects, which is one visit.
        """
        loop = asyncio.get_running_loop()
        async with self._hosts.slot(host) as ago:
            if not again and ago < self._seconds:
                await asyncio.sleep(self._seconds - ago)
            await self._under_way.acquire()
            place = _Permit(self._under_way)
            stalls = (
                None if self._stalled == inf else loop.call_later(self._stalled, place.give_back)
            )
            try:
                yield
            finally:
                if stalls:
                    stalls.cancel()
                place.give_back()


class _Permit:
    """One of the places in all; given back once."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._permits: asyncio.Semaphore | None = places

    def give_back(self) -> None:
        if self._permits is not None:
            self._permits.release()
            self._permits = None
