"""Bodies that are too much, bombed or badly coded: memory stays bounded, the words are clear."""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import tracemalloc
import zlib
from functools import cache
from typing import Any

import brotli
import pytest

from newsloom.kernel.http.values import Failure, Reply, Request

from .servers import Exchange, fetch_from, fetcher, serving

FEED = b"<rss version='2.0'><channel><title>A</title></channel></rss>"
BLOCK = bytes(64 * 1024)
MB = 1_000_000


async def _head(exchange: Exchange, *lines: str) -> None:
    await exchange.send(("\r\n".join(["HTTP/1.1 200 OK", *lines]) + "\r\n\r\n").encode("latin-1"))


@cache
def gzip_bomb() -> bytes:
    return gzip.compress(bytes(50 * MB), mtime=0)


def _sends(body: bytes, *lines: str):
    async def script(exchange: Exchange) -> None:
        await _head(exchange, f"Content-Length: {len(body)}", *lines)
        await exchange.send(body)

    return script


def _sends_blocks(*lines: str, first: bytes = b"", block: bytes = BLOCK, chunked: bool = False):
    async def script(exchange: Exchange) -> None:
        await _head(exchange, *lines)
        frame = b"%x\r\n%b\r\n"
        blocks = [first, block]
        for data in blocks[not first :]:
            await exchange.send(frame % (len(data), data) if chunked else data)
        while True:
            await exchange.send(frame % (len(block), block) if chunked else block)

    return script


BOMBS = {
    "100 MB announced": lambda: (_sends_blocks("Content-Length: 100000000"), Failure.TOO_LARGE),
    "endless": lambda: (_sends_blocks("Connection: close"), Failure.TOO_LARGE),
    "endless chunks": lambda: (
        _sends_blocks("Transfer-Encoding: chunked", chunked=True),
        Failure.TOO_LARGE,
    ),
    "gzip 1:1000": lambda: (_sends(gzip_bomb(), "Content-Encoding: gzip"), Failure.ENCODING),
    "gzip 1:1000 in members": lambda: (
        _sends(gzip_bomb() * 9, "Content-Encoding: gzip"),
        Failure.ENCODING,
    ),
    "deflate 1:1000": lambda: (
        _sends(zlib.compress(bytes(50 * MB)), "Content-Encoding: deflate"),
        Failure.ENCODING,
    ),
    "br 1:1000000": lambda: (
        _sends(brotli.compress(bytes(50 * MB), quality=5), "Content-Encoding: br"),
        Failure.ENCODING,
    ),
    "gzip twice": lambda: (
        _sends(gzip.compress(gzip_bomb()), "Content-Encoding: gzip, gzip"),
        Failure.ENCODING,
    ),
    "gzip twice in two headers": lambda: (
        _sends(gzip.compress(gzip_bomb()), "Content-Encoding: gzip", "Content-Encoding: gzip"),
        Failure.ENCODING,
    ),
    "zstd": lambda: (
        _sends(b"\x28\xb5\x2f\xfd" + bytes(100), "Content-Encoding: zstd"),
        Failure.ENCODING,
    ),
    "endless gzip": lambda: (
        _sends_blocks(
            "Content-Encoding: gzip", first=gzip_bomb()[:10], block=b"\0\0\0\xff\xff" * 13_000
        ),
        Failure.TOO_LARGE,
    ),
    "endless gzip members": lambda: (
        _sends_blocks("Content-Encoding: gzip", block=gzip.compress(b"") * 3_000),
        Failure.ENCODING,
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_stay_in_bounds(name):
    script, failure = BOMBS[name]()

    async def main() -> tuple[Reply, int]:
        async with serving(script) as server, fetcher(timeout_seconds=60) as client:
            tracemalloc.start()
            try:
                reply = await client.get(Request(server.url()))
                return reply, tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

    reply, peak = asyncio.run(main())
    assert reply.failure is failure
    assert reply.body == b""
    assert reply.wire_bytes <= 16 * MB
    assert peak < 40 * MB


# Asks for the plain feed first and then for each bomb, and tells how far its memory peak grew.
CHILD = """
import asyncio, json, resource, sys
from datetime import UTC, datetime
from pathlib import Path
from newsloom.kernel.http.client import HttpFetcher
from newsloom.kernel.settings import FetchSettings
from newsloom.kernel.http.values import Request

def peak():
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux lets getrusage's figure survive exec: a child begins with its parent's peak.
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmHWM:")))

async def main(plain, *bombs):
    settings = FetchSettings(private_hosts=("127.0.0.1",), host_seconds=0.0)
    async with HttpFetcher(settings, version="1", now=lambda: datetime.now(UTC)) as client:
        await client.get(Request(plain))
        before = peak()
        replies = [await client.get(Request(bomb)) for bomb in bombs]
    failures = [reply.failure for reply in replies]
    print(json.dumps({"grown": peak() - before, "failures": failures}))

asyncio.run(main(*sys.argv[1:]))
"""


def test_all_bombs_in_one_process_cost_little_memory():
    bombs = [made() for made in BOMBS.values()]

    async def main() -> dict[str, Any]:
        async def script(exchange: Exchange) -> None:
            if exchange.path == "/plain":
                await exchange.answer(FEED)
            else:
                await bombs[int(exchange.path[1:])][0](exchange)

        async with serving(script) as server:
            urls = [server.url("/plain"), *(server.url(f"/{at}") for at in range(len(bombs)))]
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-c", CHILD, *urls, stdout=asyncio.subprocess.PIPE
            )
            said, _ = await child.communicate()
        return dict(json.loads(said))

    data = asyncio.run(main())
    assert data["failures"] == [failure.value for _script, failure in bombs]
    assert len(data["failures"]) >= 10
    assert 0 < data["grown"] < 64 * MB


def test_a_bomb_below_the_ratio_still_stops_at_the_limit():
    async def main() -> Reply:
        script = _sends(gzip_bomb(), "Content-Encoding: gzip")
        async with serving(script) as server, fetcher(max_ratio=5_000, max_megabytes=2) as client:
            return await client.get(Request(server.url()))

    reply = asyncio.run(main())
    assert (reply.failure, reply.problem) == (Failure.TOO_LARGE, "it is larger than 2 MB")


@pytest.mark.parametrize(
    ("body", "coding", "words"),
    [
        (gzip.compress(FEED * 50)[:-9], "gzip", "its compressed data is cut off"),
        (zlib.compress(FEED * 50)[:-5], "deflate", "its compressed data is cut off"),
        (brotli.compress(FEED * 50)[:-3], "br", "its compressed data is cut off"),
        (b"not gzip at all", "gzip", "its compressed data is broken"),
        (gzip.compress(FEED * 50)[:-4] + b"\0\0\0\0", "gzip", "its compressed data is broken"),
        (b"\xff" * 40, "br", "its compressed data is broken"),
        (
            b"\x1f\x9d\x90" * 20,
            "compress",
            "it is compressed with 'compress', which was not requested",
        ),
        (FEED, "br, gzip", "it is encoded 2 times over"),
    ],
    ids=[
        "gzip cut",
        "deflate cut",
        "br cut",
        "no gzip",
        "gzip of another length",
        "no br",
        "compress",
        "two codings",
    ],
)
def test_broken_codings(body, coding, words):
    reply = fetch_from(_sends(body, f"Content-Encoding: {coding}"))
    assert (reply.failure, reply.problem) == (Failure.ENCODING, words)
    assert (reply.status, reply.body) == (200, b"")
