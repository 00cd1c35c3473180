"""Opens connections past the address guard: the one place where sockets are made.

The guard stands at the last step before connecting, so it sees the address itself: after the name
was looked up, after every redirect, and in whatever form a URL wrote it. A check of the URL or of
a lookup beforehand sees another address than the one connected to (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any

from aiohttp import (
    ClientConnectorError,
    ClientHandlerType,
    ClientOSError,
    ClientRequest,
    ClientResponse,
    ServerDisconnectedError,
    TCPConnector,
)
from aiohttp.abc import AbstractResolver, ResolveResult

from newsloom.fetch.guard import port_refusal, private_refusal, refusal
from newsloom.fetch.problems import Dropped

KEEP_ALIVE_SECONDS = 15.0  # aiohttp's own

AddressRule = Callable[[str], str | None]

# (family, type, protocol, canonical name, socket address), as getaddrinfo gives it.
_Address = tuple[Any, Any, int, str, tuple[Any, ...]]


@dataclass(slots=True)
class Attempts:
    """What one request tried to connect to."""

    tried: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)  # the address, and what it is

    @property
    def all_refused(self) -> bool:
        return 0 < self.tried == len(self.refused)


# Set by the client for each request; connecting may go on in tasks of aiohttp's own, which inherit
# it. A socket factory is told the address and nothing of the request.
attempts: ContextVar[Attempts] = ContextVar("attempts")


class _RefusedAddressError(OSError):
    """The guard's no, in the only kind that connecting code expects here."""


def guarded_connector(
    rule: AddressRule,
    *,
    resolver: AbstractResolver,
    tls: ssl.SSLContext,
    keep_alive: float = KEEP_ALIVE_SECONDS,
) -> TCPConnector:
    """A connector whose every new connection is to an address the rule does not refuse."""

    def guarded_socket(address: _Address) -> socket.socket:
        family, kind, protocol, _, where = address
        record = attempts.get()
        record.tried += 1
        if words := rule(where[0]):
            record.refused.append((where[0], words))
            raise _RefusedAddressError(words)
        return socket.socket(family, kind, protocol)

    # No limit of its own: the client holds the numbers, and does not count waiting as fetching.
    return TCPConnector(
        limit=0,
        resolver=resolver,
        socket_factory=guarded_socket,
        ssl=tls,
        # A lookup serves the feeds of one host in one pass; connecting checks the address anyway.
        ttl_dns_cache=60,
        keepalive_timeout=keep_alive,
    )


async def ask_once(request: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
    """Middleware: aiohttp sends a request again when the connection breaks before an answer.

    That is right for a connection kept from before, which the server may have closed meanwhile,
    and rude on a fresh one: the server has seen the request and chosen not to answer.
    """
    try:
        return await handler(request)
    except ClientConnectorError:
        raise
    except (ServerDisconnectedError, ClientOSError) as error:
        if attempts.get().tried:
            raise Dropped from error
        raise


def literal_refusal(host: str, port: int) -> str | None:
    """What can be said of a host without looking it up, for requests that a proxy connects.

    The names are the proxy's to look up (behind Tor or a company's proxy they may not even resolve
    here); addresses written out and names of this machine are ours to refuse.
    """
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith((".localhost", ".local", ".internal")):
        return f"{name} is a name of this machine or network"
    address = _written_address(name)
    what = refusal(address) if address else None
    return refusal_words(address, what) if what else port_refusal(port)


def refusal_words(address: str, what: str) -> str:
    """The guard's no for a person, with the way out where there is one."""
    grant = "" if private_refusal(address) else "; to allow it, name its host in private_hosts"
    return f"it is not on the public network ({what}){grant}"


def _written_address(host: str) -> str:
    try:
        return str(ip_address(host))
    except ValueError:
        pass
    try:
        # 127.1, 0x7f.1, 017700000001, 2130706433: what C libraries read as addresses.
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return ""


class Resolver(AbstractResolver):
    """The system's lookup in threads of its own.

    asyncio's shared threads (6 on two cores) also parse and store; 32 feeds of dead hosts would
    hold them all for as long as the system's resolver keeps trying.
    """

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="newsloom-lookup")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await asyncio.get_running_loop().run_in_executor(
            self._threads, _look_up, host, port, family
        )
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=port,
                family=kind,
                proto=protocol,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for kind, _, protocol, _, address in found
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _look_up(host: str, port: int, family: socket.AddressFamily) -> list[Any]:
    try:
        return socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        # A label too long for DNS; the client knows how to say OSError.
        raise socket.gaierror(socket.EAI_NONAME, "not a valid host name") from error
