"""Browsers for `bench serve`: keep-alive clients in one process of their own, on plain sockets.

Run as `python -m newsloom_lab.bench.serve_client`: reads a `Load` as JSON from its standard input,
prints what it saw as JSON. Nothing is decompressed while it is timed; a client that takes longer
than the server measures itself.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

HEAD = (
    "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: {coding}\r\n"
    "Sec-Fetch-Site: same-origin\r\nCookie: newsloom-zone=Europe%2FBerlin\r\n{more}\r\n"
)
FORM = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n"


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of which server."""

    url: str
    paths: tuple[str, ...]
    clients: int
    seconds: float
    coding: str = "br"  # what a client says it can read; "identity": nothing compressed
    articles: int = 0  # beside them, one marks these read in turn; 0: nobody does
    marks_every: float = 0.5  # seconds


@dataclass(slots=True)
class Seen:
    """What came of it. Times in seconds."""

    times: list[float]
    wire: int  # bytes of the answers, heads included
    failed: int
    marked: int
    seconds: float


class _Client:
    def __init__(self, load: Load) -> None:
        self.load = load
        self.host = urlsplit(load.url).netloc

    async def open(self) -> None:
        host, _, port = self.host.rpartition(":")
        self.reading, self.writing = await asyncio.open_connection(host, int(port), limit=2**20)

    async def ask(self, method: str, path: str, form: str = "") -> tuple[int, int]:
        """The status, and the bytes of the whole answer."""
        more = FORM.format(length=len(form)) if form else ""
        head = HEAD.format(
            method=method, path=path, host=self.host, coding=self.load.coding, more=more
        )
        self.writing.write((head + form).encode())
        answer = await self.reading.readuntil(b"\r\n\r\n")
        length = 0
        for line in answer.split(b"\r\n"):
            if line[:15].lower() == b"content-length:":
                length = int(line[15:])
        if length:
            await self.reading.readexactly(length)
        return int(answer[9:12]), len(answer) + length


async def _read(load: Load, number: int, seen: Seen, until: float) -> None:
    client = _Client(load)
    await client.open()
    at = number
    while time.perf_counter() < until:
        began = time.perf_counter()
        status, size = await client.ask("GET", load.paths[at % len(load.paths)])
        seen.times.append(time.perf_counter() - began)
        seen.wire += size
        seen.failed += status != 200
        at += 1


async def _mark(load: Load, seen: Seen, until: float) -> None:
    client = _Client(load)
    await client.open()
    while time.perf_counter() < until:
        await asyncio.sleep(load.marks_every)
        seen.marked += 1
        article = 1 + seen.marked % load.articles
        await client.ask("POST", f"/articles/{article}/marks", "kind=read&at=")


async def run(load: Load) -> Seen:
    """All of them at once, for that long."""
    seen = Seen([], 0, 0, 0, 0.0)
    began = time.perf_counter()
    until = began + load.seconds
    tasks = [_read(load, number, seen, until) for number in range(load.clients)]
    if load.articles:
        tasks.append(_mark(load, seen, until))
    await asyncio.gather(*tasks)
    seen.seconds = time.perf_counter() - began
    return seen


def main() -> None:
    load = Load(**json.load(sys.stdin))
    json.dump(asdict(asyncio.run(run(load))), sys.stdout)


if __name__ == "__main__":
    main()
