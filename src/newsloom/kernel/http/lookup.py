"""Looks names up without holding anybody up. Judges no address: connecting does."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class Resolver:
    """The system's lookup in threads of its own.

    asyncio's shared threads (6 on two cores) also parse and store; 32 feeds of dead hosts would
    hold them all for as long as the system's resolver keeps trying.
    """

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="newsloom-lookup")

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses of a name, each once. Raises OSError when it has none."""
        found = await asyncio.get_running_loop().run_in_executor(
            self._threads, _look_up, host, port
        )
        addresses = (str(address[0]) for _family, _kind, _protocol, _name, address in found)
        # libcurl takes no zone ("fe80::1%eth0"); left with nothing, it looks up by itself.
        return tuple(dict.fromkeys(one for one in addresses if "%" not in one))

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _look_up(host: str, port: int) -> list[Any]:
    if host.rstrip(".").endswith(".localhost"):
        # This machine, as for browsers (RFC 6761); not every system's resolver knows it.
        host = "localhost"
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        # A label too long for DNS; the client knows how to say OSError.
        raise socket.gaierror(socket.EAI_NONAME, "not a valid host name") from error
