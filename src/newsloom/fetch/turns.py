"""Whose turn it is: few requests at once to a host, a pause between, and not too many in all.

Knows names of hosts and seconds, no network.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class Turns:
    """`seconds` lie at least between the end of a turn and the beginning of the host's next."""

    def __init__(self, *, at_once: int, per_host: int, seconds: float) -> None:
        self._under_way = asyncio.Semaphore(at_once)
        self._per_host = per_host
        self._seconds = seconds
        # A host's semaphore lives as long as someone holds or awaits it.
        self._hosts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._ended: dict[str, float] = {}  # when, in order

    @asynccontextmanager
    async def turn(self, host: str, *, again: bool = False) -> AsyncIterator[None]:
        """Wait for the host first: who waits for a busy host must hold no place of the others.

        `again`: the host was asked before in the same chain of redirects, which is one visit.
        """
        gate = self._hosts.get(host)
        if gate is None:
            gate = self._hosts[host] = asyncio.Semaphore(self._per_host)
        loop = asyncio.get_running_loop()
        async with gate:
            if not again and (wait := self._ended.get(host, 0.0) + self._seconds - loop.time()) > 0:
                await asyncio.sleep(wait)
            async with self._under_way:
                try:
                    yield
                finally:
                    self._over(host, loop.time())

    def _over(self, host: str, now: float) -> None:
        if not self._seconds:
            return
        self._ended.pop(host, None)
        self._ended[host] = now
        while self._ended:
            oldest = next(iter(self._ended))
            if self._ended[oldest] + self._seconds > now:
                return
            del self._ended[oldest]
