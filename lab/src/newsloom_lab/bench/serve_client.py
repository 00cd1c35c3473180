"""Browsers for `bench serve`: keep-alive clients in one process of their own, on plain sockets.

Run as `python -m newsloom_lab.bench.serve_client`: reads a `Load` as JSON from its standard input,
prints what it saw as JSON. Nothing is decompressed while it is timed; a client that takes longer
than the server measures itself.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

HEAD = (
    "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: {coding}\r\n"
    "Sec-Fetch-Site: same-origin\r\nCookie: {cookie}\r\n{more}\r\n"
)
FORM = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n"
ZONE = "newsloom-zone=Europe%2FBerlin"

MARK = "mark"


@dataclass(frozen=True, slots=True)
class Person:
    """One reader as browsers know them: what they ask for, by its kind."""

    cookie: str
    paths: dict[str, tuple[str, ...]]
    marks: tuple[str, ...] = ()  # addresses that marks are sent to, one after the other
    form: str = "kind=read&at="  # what a mark says
    head: str = ""  # another line of the head of each request


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of which server, by whom, how often each kind."""

    url: str
    people: tuple[Person, ...]
    shares: dict[str, float]
    clients: int
    seconds: float
    coding: str = "br"  # what a client says it can read; "identity": nothing compressed
    seed: int = 1


@dataclass(slots=True)
class Seen:
    """What came of it. Times in seconds, by the kind of page; marks are among them."""

    times: dict[str, list[float]] = field(default_factory=dict)
    wire: int = 0  # bytes of the answers, heads included
    failed: int = 0
    seconds: float = 0.0


class _Client:
    def __init__(self, load: Load) -> None:
        self.load = load
        self.host = urlsplit(load.url).netloc

    async def open(self) -> None:
        host, _, port = self.host.rpartition(":")
        self.reading, self.writing = await asyncio.open_connection(host, int(port), limit=2**20)

    async def ask(
        self, method: str, path: str, cookie: str, form: str = "", head: str = ""
    ) -> tuple[int, int, bytes]:
        """The status, the bytes of the whole answer, and its body if it came in one piece."""
        more = (FORM.format(length=len(form)) if form else "") + (f"{head}\r\n" if head else "")
        text = HEAD.format(
            method=method,
            path=path,
            host=self.host,
            coding=self.load.coding,
            cookie=cookie,
            more=more,
        )
        self.writing.write((text + form).encode())
        answer = await self.reading.readuntil(b"\r\n\r\n")
        size = len(answer)
        length, chunked, body = 0, False, b""
        for line in answer.split(b"\r\n"):
            name, _, value = line.lower().partition(b":")
            if name == b"content-length":
                length = int(value)
            chunked |= name == b"transfer-encoding" and b"chunked" in value
        if chunked:
            size += await self._chunks()
        elif b"connection: close" in answer.lower():
            body = await self.reading.read()
            size += len(body) - length
        elif length:
            body = await self.reading.readexactly(length)
        if b"connection: close" in answer.lower():
            self.writing.close()
            await self.open()
        return int(answer[9:12]), size + length, body

    async def _chunks(self) -> int:
        total = 0
        while True:
            line = await self.reading.readuntil(b"\r\n")
            length = int(line.split(b";")[0], 16)
            await self.reading.readexactly(length + 2)
            total += len(line) + length + 2
            if not length:
                return total


async def text_of(url: str, path: str, cookie: str, head: str = "") -> str:
    """One page, uncompressed."""
    client = _Client(Load(url, (), {}, 1, 0.0, coding="identity"))
    await client.open()
    _status, _size, body = await client.ask("GET", path, cookie, head=head)
    client.writing.close()
    return body.decode()


async def _browse(load: Load, number: int, seen: Seen, until: float, marks: Sequence[Any]) -> None:
    client = _Client(load)
    await client.open()
    chance = random.Random(load.seed * 1_000 + number)
    kinds, shares = tuple(load.shares), tuple(load.shares.values())
    while time.perf_counter() < until:
        who = chance.randrange(len(load.people))
        person = load.people[who]
        (kind,) = chance.choices(kinds, shares)
        began = time.perf_counter()
        if kind == MARK:
            path, form = next(marks[who]), person.form
            status, size, _body = await client.ask("POST", path, person.cookie, form, person.head)
        else:
            path = chance.choice(person.paths[kind])
            status, size, _body = await client.ask("GET", path, person.cookie, head=person.head)
        seen.times.setdefault(kind, []).append(time.perf_counter() - began)
        seen.wire += size if kind != MARK else 0
        seen.failed += status not in {200, 303}


async def run(load: Load) -> Seen:
    """All of them at once, for that long."""
    seen = Seen()
    began = time.perf_counter()
    until = began + load.seconds
    marks: list[Iterator[str]] = [cycle(one.marks) for one in load.people]
    await asyncio.gather(*(_browse(load, one, seen, until, marks) for one in range(load.clients)))
    seen.seconds = time.perf_counter() - began
    return seen


def main() -> None:
    told = json.load(sys.stdin)
    told["people"] = tuple(Person(**one) for one in told["people"])
    json.dump(asdict(asyncio.run(run(Load(**told)))), sys.stdout)


if __name__ == "__main__":
    main()
