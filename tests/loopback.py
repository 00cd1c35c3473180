"""Servers on loopback that answer by a handler of the test: HTTP in threads, streams in a loop."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Handler(BaseHTTPRequestHandler):
    """Answers one connection, and logs nothing."""

    def log_message(self, *_args: object) -> None:
        """Quiet."""


class _Server(ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that are killed, or refuse the rest, hang up: part of their tests."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


@contextmanager
def answering(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    """The port of a server with a thread for each connection, until the block ends."""
    server = _Server(("127.0.0.1", 0), handler)
    # The server looks this often whether it shall end: by default a test ends half a second later.
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


Handle = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def streaming(
    handle: Handle, host: str = "127.0.0.1", **options: Any
) -> AsyncIterator[asyncio.Server]:
    """A server of streams until the block ends. It closes its connections then, also one that came
    so late that nothing was read from it: left open, it is a warning in some later test."""
    writers: list[asyncio.StreamWriter] = []
    tasks: list[asyncio.Future[None]] = []

    async def handled(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(asyncio.IncompleteReadError, OSError):  # the client left
                await handle(reader, writer)
        finally:
            writer.transport.abort()

    def came(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        tasks.append(asyncio.ensure_future(handled(reader, writer)))

    listening = await asyncio.start_server(came, host, 0, **options)
    try:
        yield listening
    finally:
        for _ in range(3):  # turns of the loop in which what is accepted already comes
            await asyncio.sleep(0)
        listening.close()
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            writer.transport.abort()
        for one in ended:
            if isinstance(one, Exception):
                raise one
