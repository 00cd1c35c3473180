"""Limits of the HTTP server: how many connections, how long a client may take, how much is logged.

uvicorn has no time-out for a request's head or body, and takes connections until the process has no
file descriptor left. See docs/work/decisions/pages.md.
"""

from __future__ import annotations

import logging
import resource
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

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
