"""Measures the HTTP client on loopback: requests a second, and memory under each kind of bomb.

    python lab/scripts/measure_fetch.py

Runs on Linux. The server runs in a process of its own. Rates are of one client process with 32
requests under way to 32 host names; memory is the growth of the client's peak resident set, each in
a fresh process. The figures are quoted in docs/work/decisions/fetching.md.
"""

from __future__ import annotations

import asyncio
import gzip
import multiprocessing
import os
import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import brotli

from newsloom.kernel.http.client import HttpFetcher
from newsloom.kernel.http.transfer import Resolver
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.settings import FetchSettings

HOSTS = 32
REQUESTS = 4_000
NOW = datetime(2026, 1, 1, tzinfo=UTC)

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n"
BLOCK = bytes(64 * 1024)
ZEROS = bytes(200_000_000)


def _whole(body: bytes, *headers: bytes) -> bytes:
    lines = b"".join(line + b"\r\n" for line in headers)
    return OK + b"Content-Length: %d\r\n%b\r\n" % (len(body), lines) + body


def _bombs() -> dict[str, Callable[[], bytes]]:
    return {
        "gzip, 1:1000": lambda: _whole(gzip.compress(ZEROS), b"Content-Encoding: gzip"),
        "deflate, 1:1000": lambda: _whole(zlib.compress(ZEROS), b"Content-Encoding: deflate"),
        "br, 1:600000": lambda: _whole(
            brotli.compress(ZEROS, quality=5, lgwin=24), b"Content-Encoding: br"
        ),
        "gzip twice": lambda: _whole(
            gzip.compress(gzip.compress(ZEROS)), b"Content-Encoding: gzip, gzip"
        ),
        "gzip, half of it empty members": lambda: _whole(
            gzip.compress(b"") * 500_000, b"Content-Encoding: gzip"
        ),
        "100 MB announced": lambda: OK + b"Content-Length: 100000000\r\n\r\n",
        "100 MB to the end of the connection": lambda: OK + b"\r\n",
        "endless chunks": lambda: OK + b"Transfer-Encoding: chunked\r\n\r\n",
    }


class _Loopback(Resolver):
    async def resolve(self, host: str, port: int) -> tuple[str, ...]:  # noqa: ARG002
        return ("127.0.0.1",)


def _serve(answer: bytes, then: bytes, close: bool, ready: Connection) -> None:
    """Answers every request alike; `then` is sent for ever after the first answer."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(answer)
                await writer.drain()
                while then:
                    writer.write(then)
                    await writer.drain()
                if close:
                    break
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    async def main() -> None:
        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


class _Server:
    """A server process that is gone when the block ends."""

    def __init__(self, answer: bytes, *, then: bytes = b"", close: bool = False) -> None:
        mine, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(
            target=_serve, args=(answer, then, close, theirs), daemon=True
        )
        self._ready = mine

    def __enter__(self) -> int:
        self._process.start()
        return int(self._ready.recv())

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.join()


def _client(hosts: tuple[str, ...], **settings: Any) -> HttpFetcher:
    return HttpFetcher(
        FetchSettings(private_hosts=hosts, host_seconds=0.0, **settings),
        version="0",
        now=lambda: NOW,
        resolver=_Loopback(1),
    )


def _rate(answer: bytes, *, close: bool) -> tuple[float, float]:
    """Requests a second, and processor seconds of the client per 1,000 requests."""

    async def main(port: int) -> tuple[float, float]:
        hosts = tuple(f"h{n}.test" for n in range(HOSTS))
        async with _client(hosts) as client:

            async def one(host: str) -> None:
                for _ in range(REQUESTS // HOSTS):
                    reply = await client.get(Request(f"http://{host}:{port}/feed", etag='"1"'))
                    assert reply.failure is None, reply

            started, used = time.perf_counter(), time.process_time()
            await asyncio.gather(*(one(host) for host in hosts))
            seconds, busy = time.perf_counter() - started, time.process_time() - used
            return REQUESTS / seconds, busy / REQUESTS * 1000

    with _Server(answer, close=close) as port:
        return asyncio.run(main(port))


def _bombed(port: int, result: Connection) -> None:
    """In a fresh process: one fetch, and how far the peak resident set grew."""

    async def main() -> Reply:
        async with _client(("h.test",), timeout_seconds=60.0) as client:
            await client.get(Request("http://h.test:1/"))  # what the client itself needs
            before = _peak_kb()
            started = time.process_time()
            reply = await client.get(Request(f"http://h.test:{port}/"))
            result.send((_peak_kb() - before, time.process_time() - started))
            return reply

    reply = asyncio.run(main())
    result.send((reply.failure, reply.problem, reply.wire_bytes))


def _peak_kb() -> int:
    # Not getrusage: Linux lets its figure survive exec, so a child begins with its parent's peak.
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM:")))


def _bomb(name: str, answer: bytes) -> None:
    then = {"endless chunks": b"10000\r\n" + BLOCK + b"\r\n"}.get(name, b"")
    if name.startswith("100 MB"):
        then = BLOCK
    context = multiprocessing.get_context("spawn")
    with _Server(answer, then=then, close=True) as port:
        mine, theirs = multiprocessing.Pipe()
        process = context.Process(target=_bombed, args=(port, theirs))
        process.start()
        grown, seconds = mine.recv()
        failure, problem, wire = mine.recv()
        process.join()
    print(
        f"  {name:38} +{grown / 1024:5.1f} MB  {seconds:5.2f} s cpu  "
        f"{wire:>10,} B on the wire  {failure}: {problem}"
    )


def main() -> None:
    print(f"{REQUESTS} requests, {HOSTS} under way, {os.cpu_count()} cores")
    not_modified = b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n'
    body = os.urandom(50_000).hex().encode()
    for name, answer in (("304", not_modified), ("200, 100 KB", _whole(body))):
        for close in (False, True):
            rate, busy = _rate(answer, close=close)
            kind = "new connection each" if close else "connections kept"
            print(f"  {name:12} {kind:20} {rate:6.0f} requests/s  {busy:.2f} cpu s per 1,000")
    print("bombs, growth of the client's peak memory")
    for name, make in _bombs().items():
        _bomb(name, make())


if __name__ == "__main__":
    main()
