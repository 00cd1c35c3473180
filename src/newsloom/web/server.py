"""Runs the pages on a port until told to stop. Knows no page."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import resource
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from newsloom.kernel.errors import UserError
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
            listening.listen(BACKLOG)

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:  # once a second
            for connection in list(self.server_state.connections):
                if isinstance(connection, LimitedConnection):
                    connection.close_when_late()
        return await super().on_tick(counter)


async def serve(
    app: ASGIApp,
    host: str,
    port: int,
    *,
    until: asyncio.Event,
    on_ready: Callable[[str], None],
    limits: Limits | None = None,
    bound: socket.socket | None = None,
) -> None:
    """Serve until `until` is set. Port 0 takes a free one; `on_ready` gets the address.

    `bound` is a socket of that address that does not listen yet; None makes one. Raises UserError
    when the port cannot be had.
    """
    address = resolved(host)
    listening = bind(address, port) if bound is None else bound
    listening.listen(BACKLOG)
    ending = asyncio.Event()
    limits = limits or Limits()
    server = _Server(
        uvicorn.Config(
            _Telling(app, ending),
            http=partial(LimitedConnection, limits=limits),  # type: ignore[arg-type]
            ws="none",
            # Of connections and of requests; at one more than the limit uvicorn answers 503.
            limit_concurrency=limits.connections + 1,
            backlog=ACCEPTED_AT_ONCE,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # proxies.py believes those of the settings alone
            timeout_graceful_shutdown=PATIENCE_SECONDS,
        )
    )
    repeated = RepeatedLines()
    for logger in LOGGERS:
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
        for logger in LOGGERS:
            logger.removeFilter(repeated)


def bind(address: Address, port: int, *, shared: bool = False) -> socket.socket:
    """A socket at that address. A shared one lets other processes of this user have the same port,
    and the kernel divides connections among those that listen. Raises UserError.
    """
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    # Named as TCP, or asyncio leaves Nagle's algorithm on: with a browser's delayed acknowledgement
    # each answer of more than one packet then took 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind((str(address), port))
    except OSError as error:
        listening.close()
        raise UserError(
            f"Port {port} of {address} cannot be used: {error.strerror or error}."
            + _HINTS.get(error.errno or 0, "")
        ) from error
    return listening


# Limits of the HTTP server: how many connections, how long a client may take, how much is logged.
# uvicorn has no time-out for a request's head or body, and takes connections until the process
# has no file descriptor left. See docs/work/decisions/pages.md.

log = logging.getLogger(__name__)

# Connections at once: no more than this, and no more than half of the files the process may open,
# so that databases, feeds and requests in progress have the other half.
MOST_CONNECTIONS = 2_000

# asyncio accepts so many before it gives us any of them, so there may be twice as many more.
ACCEPTED_AT_ONCE = 64
# How many the kernel keeps waiting for that.
BACKLOG = 1_024

# Lines of one kind in a minute.
MOST_LINES = 5

# What writes a line for something that a client did.
LOGGERS = (
    log,
    *map(
        logging.getLogger,
        (
            "asyncio",
            "uvicorn.error",
            "newsloom.accounts.service.openid",
            "newsloom.mcp.http",
            "newsloom.sync.answers",
            "newsloom.web.auth",
        ),
    ),
)

TIMED_OUT = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: 34\r\nconnection: close\r\n\r\nThe request did not come in time.\n"
)


def connection_limit() -> int:
    """How many connections this process may have open."""
    files, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files < 0 else max(16, min(MOST_CONNECTIONS, files // 2))


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may take. The time-outs are those of Apache's mod_reqtimeout."""

    connections: int = field(default_factory=connection_limit)
    head_seconds: float = 20.0
    body_seconds: float = 20.0
    body_bytes_per_second: float = 500.0  # each adds a second to `body_seconds`
    # How long a client may read nothing of its response. A slow one reads something: the kernel
    # takes more as soon as a third of its buffer (up to 4 MB) is empty.
    unread_seconds: float = 600.0


class LimitedConnection(H11Protocol):
    """A connection that is closed when its client takes too long, or when others need its place.

    At the limit a new connection replaces the one whose client the server has waited for longest,
    first among those without a request. If it waits for none, uvicorn answers 503.
    """

    def __init__(self, *args: Any, limits: Limits, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limits = limits
        self.since = self.loop.time()  # when the present wait began
        self.received = 0  # bytes of the present request

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) <= self.limits.connections:
            return
        others = (one for one in self.connections if isinstance(one, LimitedConnection))
        waiting = [one for one in others if one is not self and one.waits()]
        if waiting:
            log.warning("Too many connections: the server closes those that send nothing.")
            min(waiting, key=lambda one: (one.request is not None, one.since)).discard()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        self.received += len(data)
        super().data_received(data)
        if self.cycle is not before:
            self._begin_wait()

    def on_response_complete(self) -> None:
        self._begin_wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        self._begin_wait()
        super().pause_writing()

    def _begin_wait(self) -> None:
        self.since, self.received = self.loop.time(), 0

    @property
    def request(self) -> RequestResponseCycle | None:
        """The request in progress."""
        last = cast("RequestResponseCycle | None", self.cycle)
        return None if last is None or last.response_complete else last

    def waits(self) -> bool:
        """Whether the server waits for the client, and not the client for the server."""
        if self.request is None or self.flow.write_paused:
            return True
        return self.request.more_body and not self.flow.read_paused

    def seconds_allowed(self) -> float:
        if self.flow.write_paused:
            return self.limits.unread_seconds
        if self.request is None:
            return self.limits.head_seconds
        return self.limits.body_seconds + self.received / self.limits.body_bytes_per_second

    def close_when_late(self) -> None:
        if not self.waits() or self.loop.time() < self.since + self.seconds_allowed():
            return
        if self.transport.is_closing() or self.flow.write_paused:
            self.discard()
            return
        if self.received if self.request is None else not self.request.response_started:
            self.transport.write(TIMED_OUT)
        self.transport.close()

    def discard(self) -> None:
        """Close it now, whatever has not been sent."""
        self.connections.discard(self)
        self.transport.abort()


class RepeatedLines(logging.Filter):
    """Lets lines of one kind pass a few times a minute: a client can cause any number of them."""

    def __init__(self) -> None:
        super().__init__()
        self._minute = 0
        self._seen = Counter[object]()

    def filter(self, record: logging.LogRecord) -> bool:
        if (minute := int(record.created // 60)) != self._minute:
            self._minute = minute
            self._seen.clear()
        error = record.exc_info[0] if record.exc_info else None
        kind = (str(record.msg).partition("\n")[0], error)
        self._seen[kind] += 1
        if self._seen[kind] == MOST_LINES:
            record.msg = f"{record.msg} (More like this within the minute are not shown.)"
        return self._seen[kind] <= MOST_LINES
