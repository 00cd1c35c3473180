"""The HTTP client: one conditional request with its redirects, in one deadline. Knows no feeds.

Whatever a network or a server does becomes a Reply; only mistakes of ours are raised.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from weakref import WeakValueDictionary

from aiohttp import (
    ClientConnectorDNSError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
)
from aiohttp.abc import AbstractResolver
from yarl import URL

from newsloom.fetch.authorities import trusted
from newsloom.fetch.connect import (
    Attempts,
    Resolver,
    ask_once,
    attempts,
    guarded_connector,
    literal_refusal,
    refusal_words,
)
from newsloom.fetch.decode import BoundedDecoder, content_coding
from newsloom.fetch.destination import destination, redirected
from newsloom.fetch.guard import AllowList, port_refusal, private_refusal, refusal
from newsloom.fetch.headers import reply_headers, request_headers, user_agent
from newsloom.fetch.problems import NETWORK_ERRORS, Stopped, described
from newsloom.settings import FetchSettings
from newsloom.types import Failure, Redirect, Reply, Request

# The redirects that a GET follows; 300 offers a choice, 304 is an answer, 305 and 306 are retired.
REDIRECTS = frozenset({301, 302, 303, 307, 308})

# Content-Security-Policy headers of large sites pass aiohttp's own limit of 8,190.
LONGEST_HEADER_LINE = 16 * 1024
MOST_HEADERS = 128


class HttpFetcher:
    """Implements ports.Fetcher with aiohttp. An async context manager, for one event loop.

    `subscribers` tells publishers how many readers a poll serves; `tls` and `resolver` replace the
    system's certificate store and name lookup.
    """

    def __init__(
        self,
        settings: FetchSettings,
        *,
        version: str,
        now: Callable[[], datetime],
        subscribers: Callable[[str], int] = lambda _url: 1,
        tls: ssl.SSLContext | None = None,
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._settings = settings
        self._version = version
        self._now = now
        self._subscribers = subscribers
        self._tls = tls or trusted()
        self._resolver = resolver
        self._allowed = AllowList.of(settings.private_hosts)
        self._stack = AsyncExitStack()
        self._under_way = asyncio.Semaphore(settings.concurrency)
        # A host's semaphore lives as long as someone holds or awaits it.
        self._hosts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def __aenter__(self) -> HttpFetcher:
        resolver = self._resolver or Resolver(self._settings.concurrency)
        self._stack.push_async_callback(resolver.close)
        # Two sessions: connections are pooled by host, and what one rule let through must not be
        # found by a request under the other. A proxy is connected to as set, without the guard.
        rule = (lambda _address: None) if self._settings.proxy else refusal
        self._public = await self._stack.enter_async_context(self._session(rule, resolver))
        self._private = await self._stack.enter_async_context(
            self._session(private_refusal, resolver)
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    def _session(
        self, rule: Callable[[str], str | None], resolver: AbstractResolver
    ) -> ClientSession:
        return ClientSession(
            connector=guarded_connector(rule, resolver=resolver, tls=self._tls),
            proxy=self._settings.proxy or None,
            cookie_jar=DummyCookieJar(),
            timeout=ClientTimeout(total=None),  # the client's own deadline covers all of it
            auto_decompress=False,
            trust_env=False,
            max_line_size=LONGEST_HEADER_LINE,
            max_field_size=LONGEST_HEADER_LINE,
            max_headers=MOST_HEADERS,
            middlewares=(ask_once,),
        )

    async def get(self, request: Request) -> Reply:
        """One conditional request. Never raises for what a network or a server does."""
        journey = _Journey(request, url=request.url)
        failure: Failure | None = None
        problem, body = "", b""
        try:
            body = await self._travel(journey)
        except Stopped as stopped:
            failure, problem = described(stopped)
        except NETWORK_ERRORS as error:
            failure, problem = self._described(error, journey)
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

    async def _travel(self, journey: _Journey) -> bytes:
        """Follow redirects to an answer's body."""
        url = destination(journey.request.url)
        journey.start = str(url)
        seen = {url}
        while True:
            journey.arrived_at(url)
            answer = await self._hop(url, journey)
            if isinstance(answer, bytes):
                return answer
            journey.redirects.append(Redirect(journey.status, str(answer)))
            if answer in seen:
                raise Stopped(Failure.REDIRECTS, "it redirects in a circle")
            if len(journey.redirects) > self._settings.max_redirects:
                most = self._settings.max_redirects
                raise Stopped(Failure.REDIRECTS, f"it redirects more than {most} times")
            seen.add(answer)
            url = answer

    async def _hop(self, url: URL, journey: _Journey) -> bytes | URL:
        """Ask one URL: the body, or where it redirects to."""
        session = self._session_for(url)
        # Waiting for a turn is this machine's doing and does not count against the server.
        async with self._turn(url.raw_host or ""):
            loop = asyncio.get_running_loop()
            started = loop.time()
            try:
                left = self._settings.timeout_seconds - journey.seconds
                async with asyncio.timeout(left) as deadline:
                    return await self._ask(session, url, journey)
            except TimeoutError as error:
                if deadline.expired():
                    raise self._late(journey) from error
                raise
            finally:
                journey.seconds += loop.time() - started

    async def _ask(self, session: ClientSession, url: URL, journey: _Journey) -> bytes | URL:
        attempts.set(journey.attempts)
        async with session.request(
            journey.request.method, url, headers=self._headers(journey), allow_redirects=False
        ) as response:
            journey.answered(response)
            if not journey.request.follow:
                return b""
            if response.status in REDIRECTS:
                location = next((v for k, v in journey.headers if k == "location"), "")
                return redirected(url, location, response.status)
            if not 200 <= response.status < 300:
                return b""  # an error page says nothing that its status does not
            try:
                return await self._body(response, journey)
            except BaseException:
                response.close()
                raise

    async def _body(self, response: ClientResponse, journey: _Journey) -> bytes:
        most = int(self._settings.max_megabytes * 1_000_000)
        coding = content_coding(v for k, v in journey.headers if k == "content-encoding")
        decoder = BoundedDecoder(coding, most_bytes=most, most_ratio=self._settings.max_ratio)
        if (response.content_length or 0) > most:
            raise decoder.too_large()
        async for data in response.content.iter_any():
            journey.wire_bytes += len(data)
            decoder.feed(data)
        return decoder.finish()

    def _session_for(self, url: URL) -> ClientSession:
        host, port = url.raw_host or "", url.port or 0
        if self._allowed.grants(host, port):
            return self._private
        words = literal_refusal(host, port) if self._settings.proxy else port_refusal(port)
        if words:
            raise Stopped(Failure.BLOCKED, words)
        return self._public

    @asynccontextmanager
    async def _turn(self, host: str) -> AsyncIterator[None]:
        """Wait for the host first: who waits for a busy host must hold no place of the others."""
        gate = self._hosts.get(host)
        if gate is None:
            gate = self._hosts[host] = asyncio.Semaphore(self._settings.per_host)
        async with gate, self._under_way:
            yield

    def _headers(self, journey: _Journey) -> dict[str, str]:
        request = journey.request
        # Validators belong to the URL that gave them; no other one is shown them.
        own = journey.url == (request.validated_url or journey.start)
        agent = user_agent(self._version, self._settings.contact, self._subscribers(request.url))
        return request_headers(request, agent, conditional=own)

    def _late(self, journey: _Journey) -> Stopped:
        came = "no complete answer" if journey.status else "no answer"
        return Stopped(Failure.TIMEOUT, f"{came} within {self._settings.timeout_seconds:g} seconds")

    def _described(self, error: BaseException, journey: _Journey) -> tuple[Failure, str]:
        if journey.attempts.all_refused:
            return Failure.BLOCKED, refusal_words(*journey.attempts.refused[0])
        if self._settings.proxy and isinstance(error, ClientConnectorDNSError):
            return Failure.CONNECT, "the proxy's name cannot be looked up"
        return described(error)


@dataclass(slots=True)
class _Journey:
    """How far one request has come."""

    request: Request
    start: str = ""  # the request's URL as it is sent
    url: str = ""
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    redirects: list[Redirect] = field(default_factory=list)
    wire_bytes: int = 0
    seconds: float = 0.0
    attempts: Attempts = field(default_factory=Attempts)

    def arrived_at(self, url: URL) -> None:
        self.url = str(url)
        self.status, self.headers = 0, ()
        self.attempts = Attempts()

    def answered(self, response: ClientResponse) -> None:
        self.status = response.status
        self.headers = reply_headers(response.raw_headers)
