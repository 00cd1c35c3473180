"""aiohttp's connections past the address guard, for the services named in the settings.

The guard stands at the last step before connecting, so it sees the address itself: after the name
was looked up, and in whatever form a URL wrote it. A check of the URL or of a lookup beforehand
sees another address than the one connected to (DNS rebinding).
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
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
from aiohttp.abc import AbstractResolver

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
