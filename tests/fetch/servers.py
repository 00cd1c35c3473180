"""Loopback servers that do what a script says, byte by byte, and remember what reached them."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import loopback
from newsloom.kernel.http.authorities import Authorities
from newsloom.kernel.http.client import HttpFetcher
from newsloom.kernel.http.transfer import Resolver
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.settings import FetchSettings

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LOCAL = "127.0.0.1"
FEED = b"<rss version='2.0'><channel><title>A</title></channel></rss>"
LONG = 60.0  # seconds: what takes as long on the slowest machine hangs


class Exchange:
    """One request that reached a server, and the way to answer it."""

    def __init__(
        self,
        server: Server,
        head: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.server = server
        self.head = head
        self.read = reader.readexactly
        self.take = reader.read
        self.writer = writer
        self.path = head.split(" ", 2)[1]
        self.headers = {
            name.lower(): value
            for name, _, value in (line.partition(": ") for line in head.split("\r\n")[1:] if line)
        }

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(
        self, body: bytes = b"", *, status: str = "200 OK", headers: Mapping[str, str] | None = None
    ) -> None:
        lines = {"Content-Length": str(len(body))} | dict(headers or {})
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        await self.send(f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + body)

    def reset(self) -> None:
        """End the connection with RST instead of FIN."""
        raw = self.writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        self.writer.transport.abort()


Script = Callable[[Exchange], Awaitable[None]]


class Server:
    """What the tests see of a running server."""

    def __init__(self) -> None:
        self.port = 0
        self.connections = 0
        self.exchanges: list[Exchange] = []
        self.under_way = 0
        self.most_under_way = 0

    def url(self, path: str = "/feed", host: str = LOCAL, scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    async def sees(self, at_once: int) -> None:
        """Wait until so many requests were under way at once."""
        async with asyncio.timeout(LONG):
            while self.most_under_way < at_once:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


def crowd(size: int) -> Script:
    """Answers when so many requests were under way at once; a moment later, for one too many to be
    seen."""

    async def script(exchange: Exchange) -> None:
        await exchange.server.sees(size)
        await asyncio.sleep(0.02)
        await exchange.answer(b"feed")

    return script


@asynccontextmanager
async def serving(
    script: Script, *, host: str = LOCAL, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Server]:
    """A server that answers every request, also several on one connection, by the script."""
    server = Server()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.connections += 1
        while head := await reader.readuntil(b"\r\n\r\n"):
            exchange = Exchange(server, head.decode("latin-1"), reader, writer)
            server.exchanges.append(exchange)
            server.under_way += 1
            server.most_under_way = max(server.most_under_way, server.under_way)
            try:
                await script(exchange)
            finally:
                server.under_way -= 1

    async with loopback.streaming(connected, host, ssl=tls) as listening:
        server.port = listening.sockets[0].getsockname()[1]
        yield server


class Names(Resolver):
    """A name lookup with names of its own; written-out addresses are the system's to read."""

    def __init__(self, names: Mapping[str, list[str]]) -> None:
        super().__init__(threads=4)
        self.names = names
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        self.asked.append(host)
        if host not in self.names:
            return await super().resolve(host, port)
        if not self.names[host]:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return tuple(self.names[host])


def fetcher(
    *,
    names: Mapping[str, list[str]] | None = None,
    authorities: Authorities | None = None,
    subscribers: Callable[[str], int] = lambda _url: 1,
    **settings: Any,
) -> HttpFetcher:
    """A client that may reach loopback, with a short deadline and no pause between requests."""
    values = {"private_hosts": (LOCAL,), "timeout_seconds": 5.0, "host_seconds": 0.0} | settings
    return HttpFetcher(
        FetchSettings(**values),
        version="1.2.3",
        now=lambda: NOW,
        subscribers=subscribers,
        authorities=authorities,
        resolver=Names(names) if names is not None else None,
    )


def fetch_from(script: Script, request: Request | None = None, **settings: Any) -> Reply:
    """The reply of one fetch from one scripted server."""

    async def main() -> Reply:
        async with serving(script) as server, fetcher(**settings) as client:
            return await client.get(request or Request(server.url()))

    return asyncio.run(main())


async def feed(exchange: Exchange) -> None:
    """Answer with a feed."""
    await exchange.answer(FEED, headers={"ETag": '"1"', "Content-Type": "application/rss+xml"})
