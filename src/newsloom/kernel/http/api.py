"""Calls of services that the owner, or a reader, named: one request, no redirect, no cookies.

Knows no service. Whatever a network or a server does becomes an ApiReply; only mistakes of ours are
raised. Headers and bodies of a call go to its address and nowhere else, and into no log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from ipaddress import IPv6Address, ip_address

import pycurl

from newsloom.kernel.http import problems
from newsloom.kernel.http.authorities import Authorities, trusted
from newsloom.kernel.http.decode import ACCEPT_ENCODING
from newsloom.kernel.http.destination import destination
from newsloom.kernel.http.engine import Engine
from newsloom.kernel.http.guard import (
    AllowList,
    port_refusal,
    private_refusal,
    refusal,
)
from newsloom.kernel.http.handle import Ask
from newsloom.kernel.http.headers import credentials, sendable
from newsloom.kernel.http.problems import Stopped
from newsloom.kernel.http.transfer import AddressRule, Resolver, Transfer, addresses_of
from newsloom.kernel.http.values import ApiReply, ApiRequest, Failure

# Where clouds keep the keys of a machine, as far as it lies on networks that are granted: AWS and
# Google by IPv6, Alibaba. All others are link-local or reserved, which guard.py refuses already.
_METADATA = frozenset(map(ip_address, ("fd00:ec2::254", "fd20:ce::254", "100.100.100.200")))

# Kept open for later calls, to as many services.
CONNECTIONS = 4

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
        return f"{address}, used by clouds for machine credentials"
    return None


class HttpApi:
    """Implements ports.ApiCaller with libcurl. An async context manager, for one event loop.

    No proxy is used, neither the one of the feeds nor one of the environment: most services named
    are on this machine or beside it.

    `private_hosts` are those that readers' services may have on private networks; None: the owner
    named the services, and all may.
    """

    def __init__(
        self,
        *,
        version: str,
        max_ratio: int = 200,
        authorities: Authorities | None = None,
        resolver: Resolver | None = None,
        private_hosts: Sequence[str] | None = None,
    ) -> None:
        self._agent = f"Newsloom/{version}"
        self._max_ratio = max_ratio
        self._authorities = authorities or trusted()
        self._resolver = resolver
        self._allowed = None if private_hosts is None else AllowList.of(private_hosts)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> HttpApi:
        self._lookup = self._resolver or Resolver(LOOKUP_THREADS)
        self._stack.push_async_callback(self._lookup.close)
        self._engine = Engine(connections=CONNECTIONS)
        self._stack.callback(self._engine.close)
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._stack.aclose()

    async def call(self, request: ApiRequest) -> ApiReply:
        """One request, and whatever came of it within its deadline."""
        call = _Call()
        failure: Failure | None = None
        problem, body = "", b""
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            async with asyncio.timeout(request.timeout_seconds):
                body = await self._ask(request, call)
        except Stopped as stopped:
            failure, problem = stopped.failure, stopped.words
        except TimeoutError:
            came = call.transfer is not None and call.transfer.status
            what = "no complete response" if came else "no response"
            failure = Failure.TIMEOUT
            problem = f"{what} within {request.timeout_seconds:.3g} seconds"
        transfer = call.transfer
        return ApiReply(
            status=transfer.status if transfer else 0,
            headers=transfer.headers if transfer else (),
            body=body,
            seconds=loop.time() - started,
            failure=failure,
            problem=problem,
            sent=call.sent,
        )

    async def _ask(self, request: ApiRequest, call: _Call) -> bytes:
        headers = {"User-Agent": self._agent, "Accept-Encoding": ACCEPT_ENCODING}
        headers |= dict(request.headers)
        if not all(sendable(value) for value in headers.values() if value):
            raise Stopped(Failure.URL, "a key or header in the settings has invalid characters")
        url = destination(request.url)
        if "authorization" not in {name.lower() for name in headers}:
            headers |= dict(credentials(url))
        host, port = url.raw_host or "", url.port or 0
        transfer = Transfer(
            Ask(
                method=request.method,
                url=str(url.with_user(None)),
                headers=tuple(headers.items()),
                seconds=request.timeout_seconds,
                most_bytes=request.max_bytes,
                most_ratio=self._max_ratio,
                body=request.body,
                wants_every_body=True,
                addresses=await addresses_of(self._lookup, host, port),
                connects_to=(host, port),
            ),
            self._rule(host, port),
        )
        call.transfer = transfer
        handle = transfer.handle(self._authorities)
        try:
            code, words = await self._engine.perform(handle)
            if not transfer.whole(code):
                raise transfer.error or _broken(handle, transfer, code, words)
        finally:
            call.sent = transfer.answered or handle.getinfo(pycurl.REQUEST_SIZE) > 0
            handle.close()
        return transfer.body()

    def _rule(self, host: str, port: int) -> AddressRule:
        """What must not be connected to. A host is judged by the same rule every time: connections
        are kept by host."""
        if self._allowed is None or self._allowed.grants(host, port):
            return service_refusal
        if words := port_refusal(port):
            raise Stopped(Failure.BLOCKED, words)
        return refusal


class _Call:
    """How far one call has come."""

    transfer: Transfer | None = None  # None: nothing was asked
    sent: bool = False


def _broken(handle: pycurl.Curl, transfer: Transfer, code: int, words: str) -> Exception:
    if transfer.all_refused:
        return Stopped(Failure.BLOCKED, f"blocked: {transfer.refused[0][1]}")
    if code == pycurl.E_OPERATION_TIMEDOUT:
        return TimeoutError()
    broken = problems.of_handle(handle, code, words, answered=transfer.answered, proxy=False)
    return Stopped(*problems.described(broken))
