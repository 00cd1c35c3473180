"""A loopback server of the OpenAI chat protocol that answers as a script says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import loopback

LOCAL = "127.0.0.1"


@dataclass
class Asked:
    """One question that reached the server, and the ways to answer it."""

    head: str
    body: dict[str, Any]
    writer: asyncio.StreamWriter

    @property
    def user(self) -> str:
        return str(self.body["messages"][1]["content"])

    @property
    def title(self) -> str:
        return self.user.split("\n")[1].removeprefix("Title: ")

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(
        self, body: bytes, status: str = "200 OK", kind: str = "application/json", more: str = ""
    ) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}"
        await self.send(f"{head}\r\n".encode() + body)

    async def say(self, content: Any, **changes: Any) -> None:
        """A completion whose message has that content."""
        await self.answer(completion(content, **changes))

    async def rate(self, score: Any = 3, confidence: Any = "high", words: Any = "so it is") -> None:
        await self.say(answer(score, confidence, words))


def answer(score: Any = 3, confidence: Any = "high", words: Any = "so it is") -> str:
    return json.dumps({"score": score, "confidence": confidence, "explanation": words})


def completion(content: Any, *, finish: Any = "stop", message: Any = None, **top: Any) -> bytes:
    said = {"role": "assistant", "content": content} | (message or {})
    whole = {
        "id": "1",
        "object": "chat.completion",
        "model": "judge",
        "choices": [{"index": 0, "message": said, "finish_reason": finish}],
        "usage": {"prompt_tokens": 300, "completion_tokens": 30, "total_tokens": 330},
    }
    whole |= top
    return json.dumps({name: value for name, value in whole.items() if value != "absent"}).encode()


Script = Callable[[Asked], Awaitable[None]]


@dataclass
class Server:
    """What the tests see of it; the script may be changed while it runs."""

    script: Script
    port: int = 0
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://{LOCAL}:{self.port}/v1"


@asynccontextmanager
async def serving(script: Script) -> AsyncIterator[Server]:
    server = Server(script)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.connections += 1
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = next(
                (int(line[15:]) for line in head.lower().split("\r\n") if _length(line)), 0
            )
            body = json.loads(await reader.readexactly(length) or b"{}")
            server.asked.append(Asked(head, body, writer))
            await server.script(server.asked[-1])

    async with loopback.streaming(connected, LOCAL) as listening:
        server.port = listening.sockets[0].getsockname()[1]
        yield server


def _length(line: str) -> bool:
    return line.startswith("content-length:")
