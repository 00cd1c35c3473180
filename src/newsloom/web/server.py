"""Runs the pages on a port until told to stop. Knows no page."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import uvicorn
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

from newsloom.kernel.errors import UserError
from newsloom.web import connections
from newsloom.web.reach import Address, resolved, where_to_open

# What to do when a port cannot be had, by the number of the error.
_HINTS = {
    errno.EADDRINUSE: " Is Newsloom already running? Use another port: newsloom serve --port 8766",
    errno.EACCES: " Ports below 1024 are reserved. Use another: newsloom serve --port 8765",
    errno.EADDRNOTAVAIL: " This machine does not have that address. See web.host or --host.",
}

# Requests under way are given this long when the server stops.
PATIENCE_SECONDS = 3


@dataclass(frozen=True, slots=True)
class _Telling:
    """Lets answers that would go on for ever know that the server is ending."""

    app: ASGIApp
    ending: asyncio.Event

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with contextlib.suppress(ClientDisconnect):  # no defect, so nothing for the log
            await self.app({**scope, "newsloom.ending": self.ending}, receive, send)


class _Server(uvicorn.Server):
    """uvicorn, with signals left to the caller, and with the time-outs of `connections`."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(connections.BACKLOG)

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:  # once a second
            for connection in list(self.server_state.connections):
                if isinstance(connection, connections.LimitedConnection):
                    connection.close_when_late()
        return await super().on_tick(counter)


async def serve(
    app: ASGIApp,
    host: str,
    port: int,
    *,
    until: asyncio.Event,
    on_ready: Callable[[str], None],
    limits: connections.Limits | None = None,
) -> None:
    """Serve until `until` is set. Port 0 takes a free one; `on_ready` gets the address.

    Raises UserError when the port cannot be had.
    """
    address = resolved(host)
    listening = _listen(address, port)
    ending = asyncio.Event()
    limits = limits or connections.Limits()
    server = _Server(
        uvicorn.Config(
            _Telling(app, ending),
            http=partial(connections.LimitedConnection, limits=limits),  # type: ignore[arg-type]
            ws="none",
            # Of connections and of requests; at one more than the limit uvicorn answers 503.
            limit_concurrency=limits.connections + 1,
            backlog=connections.ACCEPTED_AT_ONCE,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # proxies.py believes those of the settings alone
            timeout_graceful_shutdown=PATIENCE_SECONDS,
        )
    )
    repeated = connections.RepeatedLines()
    for logger in connections.LOGGERS:
        logger.addFilter(repeated)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    stopping = asyncio.create_task(until.wait())
    try:
        on_ready(where_to_open(address, listening.getsockname()[1]))
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        ending.set()
        server.should_exit = True
        await serving
        listening.close()
        for logger in connections.LOGGERS:
            logger.removeFilter(repeated)


def _listen(address: Address, port: int) -> socket.socket:
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    # Named as TCP, or asyncio leaves Nagle's algorithm on: with a browser's delayed acknowledgement
    # each answer of more than one packet then took 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((str(address), port))
    except OSError as error:
        listening.close()
        raise UserError(
            f"Port {port} of {address} cannot be used: {error.strerror or error}."
            + _HINTS.get(error.errno or 0, "")
        ) from error
    listening.listen(128)
    return listening
