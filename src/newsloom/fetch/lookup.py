"""Looks names up without holding anybody up. Judges no address: connecting does."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult


class Resolver(AbstractResolver):
    """The system's lookup in threads of its own.

    asyncio's shared threads (6 on two cores) also parse and store; 32 feeds of dead hosts would
    hold them all for as long as the system's resolver keeps trying.
    """

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="newsloom-lookup")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await asyncio.get_running_loop().run_in_executor(
            self._threads, _look_up, host, port, family
        )
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=port,
                family=kind,
                proto=protocol,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for kind, _, protocol, _, address in found
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _look_up(host: str, port: int, family: socket.AddressFamily) -> list[Any]:
    try:
        return socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        # A label too long for DNS; the client knows how to say OSError.
        raise socket.gaierror(socket.EAI_NONAME, "not a valid host name") from error
