"""A publisher on loopback that says what a script says, byte by byte, and remembers every request.

It listens on as many addresses of 127.0.0.0/8 as a case has hosts, is a proxy for names where a
case needs names, and tells the time of the case. It judges nothing.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

from newsloom_lab.politeness.clock import CaseClock

LOCAL = "127.0.0.1"
LONGEST_HEAD = 1 << 20

# Our own authority's certificate for 127.0.0.1, its key beside it: worth nothing elsewhere.
CERTIFICATE = Path(__file__).with_name("loopback.pem")
AUTHORITY = Path(__file__).with_name("authority.pem")

Headers = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class RecordedRequest:
    """One request, and what was answered."""

    number: int
    at: datetime  # by the case's clock
    began: float  # real seconds, monotonic, as `ended`
    connection: int
    host: str  # of the URL asked for, with its port
    method: str
    path: str  # with the query, as sent
    headers: Headers  # as sent, byte for byte, in Latin-1
    body: bytes = b""
    status: int = 0
    sent: int = 0  # bytes of the answer
    ended: float = 0.0

    def header(self, name: str) -> str:
        """The first value of a header; empty when it was not sent."""
        return next((v for k, v in self.headers if k.lower() == name.lower()), "")

    @property
    def conditional(self) -> bool:
        return bool(self.header("If-None-Match") or self.header("If-Modified-Since"))

    def line(self) -> str:
        """For a report."""
        values = {
            name: value
            for name in ("If-None-Match", "If-Modified-Since", "Cookie", "Authorization")
            if (value := self.header(name))
        }
        said = "".join(f"; {name}: {value}" for name, value in values.items())
        when = self.at.strftime("%a %H:%M:%S")
        return f"{when} {self.method} {self.host}{self.path} -> {self.status or 'nothing'}{said}"


class Exchange:
    """One request, and the way to answer it with any bytes."""

    def __init__(self, request: RecordedRequest, writer: asyncio.StreamWriter) -> None:
        self.request = request
        self._writer = writer

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        self.request.sent += len(data)
        await self._writer.drain()

    async def head(self, status: int, *headers: tuple[str, str]) -> None:
        """A status line and headers."""
        self.request.status = status
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        await self.send(f"HTTP/1.1 {status} {_phrase(status)}\r\n{lines}\r\n".encode("latin-1"))

    def reset(self) -> None:
        """End the connection with RST instead of FIN."""
        raw = self._writer.get_extra_info("socket")
        with suppress(OSError):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        self._writer.transport.abort()


Raw = Callable[[Exchange], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said to a request; `raw` says it all itself, and the connection ends after it."""

    body: bytes = b""
    status: int = 200
    headers: Headers = ()
    raw: Raw | None = None


Script = Callable[[RecordedRequest], Answer]


@dataclass
class Publisher:
    """Set scripts with `on`; read `log`. Used from the case's thread while its own serves."""

    clock: CaseClock
    log: list[RecordedRequest] = field(default_factory=list)
    connections: int = 0
    hosts: tuple[tuple[str, int], ...] = ()
    tls_port: int = 0
    stall_port: int = 0  # takes connections and never says a word
    reset_port: int = 0  # takes connections and breaks them at once
    broken_off: int = 0  # connections to it
    _scripts: dict[tuple[str, str], Script] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def authority(self, host: int = 0) -> str:
        """`address:port` of one of the hosts."""
        address, port = self.hosts[host]
        return f"{address}:{port}"

    def url(self, path: str, host: int | str = 0, *, scheme: str = "http") -> str:
        """Of a path at a host, given by number or, behind the proxy, by name."""
        if scheme == "https":
            return f"https://{LOCAL}:{self.tls_port}{path}"
        return f"http://{host if isinstance(host, str) else self.authority(host)}{path}"

    def on(self, url: str, script: Script | Answer) -> str:
        """What is answered at an address from now on; the address again."""
        parts = urlsplit(url)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        host = parts.netloc.rpartition("@")[2]
        answer = (lambda _asked: script) if isinstance(script, Answer) else script
        self._scripts[(host, path or "/")] = answer
        return url

    def requests(self, url: str = "", since: int = 0) -> tuple[RecordedRequest, ...]:
        """The requests for an address, or for all, of those numbered `since` and later."""
        parts = urlsplit(url)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        where = (parts.netloc.rpartition("@")[2], path or "/")
        return tuple(one for one in self.log[since:] if not url or (one.host, one.path) == where)

    @property
    def mark(self) -> int:
        """How many requests there were: for `since`."""
        return len(self.log)

    # --- in the publisher's own thread ---

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        number = self.connections
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            while await self._one(reader, writer, number):
                pass
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            pass  # the client left, or sends no HTTP
        except asyncio.CancelledError:
            pass  # the case is over
        finally:
            writer.transport.abort()

    async def _one(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: int
    ) -> bool:
        """Answer one request; whether the connection goes on."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ", 2)
        headers = tuple(
            (name, value.lstrip(" "))
            for name, _, value in (line.partition(":") for line in head[1:-2])
        )
        request = RecordedRequest(
            number=len(self.log),
            at=self.clock.now(),
            began=time.monotonic(),
            connection=connection,
            host="",
            method=method,
            path=target,
            headers=headers,
        )
        if target.startswith("http://"):
            parts = urlsplit(target)
            request.host = parts.netloc
            request.path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        else:
            request.host = request.header("Host")
        length = request.header("Content-Length")
        if length.isdigit() and int(length):
            request.body = await reader.readexactly(int(length))
        self.log.append(request)
        script = self._scripts.get((request.host, request.path), _nothing_here)
        answer = script(request)
        exchange = Exchange(request, writer)
        try:
            return await self._say(exchange, answer)
        finally:
            request.ended = time.monotonic()

    async def _say(self, exchange: Exchange, answer: Answer) -> bool:
        if answer.raw is not None:
            await answer.raw(exchange)
            return False
        names = {name.lower() for name, _ in answer.headers}
        usual: list[tuple[str, str]] = []
        if "date" not in names:
            usual.append(("Date", format_datetime(self.clock.now(), usegmt=True)))
        bare = answer.status in (204, 304)
        if "content-length" not in names and not bare:
            usual.append(("Content-Length", str(len(answer.body))))
        await exchange.head(answer.status, *usual, *answer.headers)
        if not bare and exchange.request.method != "HEAD":
            await exchange.send(answer.body)
        return exchange.request.header("Connection").lower() != "close"

    async def _stall(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        with suppress(OSError, asyncio.CancelledError):
            while await reader.read(4096):
                pass
        writer.transport.abort()

    async def _break_off(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.broken_off += 1
        raw = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        writer.transport.abort()

    async def serve(self, hosts: int, ready: threading.Event, over: asyncio.Event) -> None:
        """Listen on so many hosts until it is over."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        servers: list[asyncio.Server] = []
        try:
            for number in range(hosts):
                servers.append(await self._listen(number, servers))
            secure = await asyncio.start_server(self._connected, LOCAL, 0, ssl=context)
            stalling = await asyncio.start_server(self._stall, LOCAL, 0)
            breaking = await asyncio.start_server(self._break_off, LOCAL, 0)
            servers += [secure, stalling, breaking]
            self.hosts = tuple(one.sockets[0].getsockname()[:2] for one in servers[:hosts])
            self.tls_port, self.stall_port, self.reset_port = (
                one.sockets[0].getsockname()[1] for one in servers[hosts:]
            )
            ready.set()
            await over.wait()
        finally:
            ready.set()
            for server in servers:
                server.close()
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self, number: int, before: Sequence[asyncio.Server]) -> asyncio.Server:
        """On an address of its own with one port for all; where there is none, on another port."""
        listen = partial(asyncio.start_server, self._connected, limit=LONGEST_HEAD, backlog=1024)
        if number:
            port = before[0].sockets[0].getsockname()[1]
            with suppress(OSError):
                return await listen(host=f"127.77.{number // 250}.{number % 250 + 1}", port=port)
        return await listen(host=LOCAL, port=0)


def _nothing_here(_asked: RecordedRequest) -> Answer:
    return Answer(b"nothing here", 404, (("Content-Type", "text/plain"),))


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


@contextmanager
def publishing(clock: CaseClock, hosts: int = 1) -> Iterator[Publisher]:
    """A publisher with nothing on it, until the block ends."""
    publisher = Publisher(clock)
    ready = threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []
    over: list[asyncio.Event] = []

    async def main() -> None:
        loops.append(asyncio.get_running_loop())
        over.append(asyncio.Event())
        await publisher.serve(hosts, ready, over[0])

    thread = threading.Thread(target=lambda: asyncio.run(main()), name="publisher", daemon=True)
    thread.start()
    ready.wait()
    try:
        yield publisher
    finally:
        if loops:
            with suppress(RuntimeError):
                loops[0].call_soon_threadsafe(over[0].set)
        thread.join()
