"""Calls of services that the owner named in the settings: one request, no redirect, no cookies.

Knows no service. Whatever a network or a server does becomes an ApiReply; only mistakes of ours are
raised. Headers and bodies of a call go to its address and nowhere else, and into no log.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from types import TracebackType

from aiohttp import (
    ClientConnectorError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
)
from aiohttp.abc import AbstractResolver
from yarl import URL

from newsloom.fetch.authorities import trusted
from newsloom.fetch.connect import Attempts, ask_once, attempts, guarded_connector
from newsloom.fetch.decode import ACCEPT_ENCODING, BoundedDecoder, content_coding
from newsloom.fetch.destination import destination
from newsloom.fetch.guard import private_refusal
from newsloom.fetch.headers import reply_headers, sendable
from newsloom.fetch.lookup import Resolver
from newsloom.fetch.problems import NETWORK_ERRORS, Stopped, described
from newsloom.types import ApiReply, ApiRequest, Failure

# Where clouds keep the keys of a machine, as far as it lies on networks that are granted: AWS and
# Google by IPv6, Alibaba. All others are link-local or reserved, which guard.py refuses already.
_METADATA = frozenset(map(ip_address, ("fd00:ec2::254", "fd20:ce::254", "100.100.100.200")))

# Shorter than the five seconds after which common servers close a resting connection: a POST sent
# into one that is just closing cannot be told from one that was answered and lost.
KEEP_ALIVE_SECONDS = 4

LOOKUP_THREADS = 2


def service_refusal(address: str) -> str | None:
    """What must not be connected to even though the owner named its host; None when it may.

    The names of private and loopback hosts stand in the settings, so these are meant.
    """
    if words := private_refusal(address):
        return words
    parsed = ip_address(address.partition("%")[0])
    inner = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    if isinstance(parsed, IPv6Address) and parsed.is_link_local:
        return f"{address}, a link-local address"
    if parsed in _METADATA or inner in _METADATA:
        return f"{address}, where clouds keep the keys of their machines"
    return None


class HttpApi:
    """Implements ports.ApiCaller with aiohttp. An async context manager, for one event loop.

    No proxy is used, neither the one of the feeds nor one of the environment: most services named
    are on this machine or beside it.
    """

    def __init__(
        self,
        *,
        version: str,
        max_ratio: int = 200,
        tls: ssl.SSLContext | None = None,
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._agent = f"Newsloom/{version}"
        self._max_ratio = max_ratio
        self._tls = tls or trusted().context()
        self._resolver = resolver
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> HttpApi:
        resolver = self._resolver or Resolver(LOOKUP_THREADS)
        self._stack.push_async_callback(resolver.close)
        connector = guarded_connector(
            service_refusal, resolver=resolver, tls=self._tls, keep_alive=KEEP_ALIVE_SECONDS
        )
        self._session = await self._stack.enter_async_context(
            ClientSession(
                connector=connector,
                cookie_jar=DummyCookieJar(),
                timeout=ClientTimeout(total=None),  # each call's own deadline covers all of it
                auto_decompress=False,
                trust_env=False,
                middlewares=(ask_once,),
            )
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    async def call(self, request: ApiRequest) -> ApiReply:
        """One request, and whatever came of it within its deadline."""
        answer = _Answer()
        failure: Failure | None = None
        problem, body, sent = "", b"", True
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            async with asyncio.timeout(request.timeout_seconds):
                body = await self._ask(request, answer)
        except Stopped as stopped:
            failure, problem = described(stopped)
            sent = answer.status > 0
        except TimeoutError:
            failure, problem = Failure.TIMEOUT, _late(request, answer)
        except NETWORK_ERRORS as error:
            failure, problem = _described(error, answer)
            sent = not isinstance(error, ClientConnectorError)
        return ApiReply(
            status=answer.status,
            headers=answer.headers,
            body=body,
            seconds=loop.time() - started,
            failure=failure,
            problem=problem,
            sent=sent,
        )

    async def _ask(self, request: ApiRequest, answer: _Answer) -> bytes:
        headers = {"User-Agent": self._agent, "Accept-Encoding": ACCEPT_ENCODING}
        headers |= dict(request.headers)
        url = _address(request.url, headers)
        attempts.set(answer.attempts)
        async with self._session.request(
            request.method,
            url,
            headers=headers,
            data=request.body or None,
            allow_redirects=False,
        ) as response:
            answer.status = response.status
            answer.headers = reply_headers(response.raw_headers)
            try:
                return await self._body(response, answer, request.max_bytes)
            except BaseException:
                response.close()
                raise

    async def _body(self, response: ClientResponse, answer: _Answer, most: int) -> bytes:
        coding = content_coding(v for k, v in answer.headers if k == "content-encoding")
        decoder = BoundedDecoder(coding, most_bytes=most, most_ratio=self._max_ratio)
        if (response.content_length or 0) > most:
            raise decoder.too_large()
        async for data in response.content.iter_any():
            decoder.feed(data)
        return decoder.finish()


@dataclass(slots=True)
class _Answer:
    """How far one call has come."""

    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    attempts: Attempts = field(default_factory=Attempts)


def _address(text: str, headers: dict[str, str]) -> URL:
    if not all(sendable(value) for value in headers.values() if value):
        raise Stopped(Failure.URL, "a key or header of the settings holds signs that none may")
    url = destination(text)
    # aiohttp would send a password of the address too, and refuses to send both.
    return url.with_user(None) if "authorization" in {name.lower() for name in headers} else url


def _late(request: ApiRequest, answer: _Answer) -> str:
    came = "no complete answer" if answer.status else "no answer"
    return f"{came} within {request.timeout_seconds:.3g} seconds"


def _described(error: BaseException, answer: _Answer) -> tuple[Failure, str]:
    if answer.attempts.all_refused:
        return Failure.BLOCKED, f"it is never called: {answer.attempts.refused[0][1]}"
    return described(error)
