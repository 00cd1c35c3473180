"""Whose turn it is: few requests at once to a host, a pause between, and not too many in all.

Knows names of hosts and seconds, no network.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from weakref import WeakValueDictionary

from newsloom.kernel.http.ports import Hosts


class Alone:
    """Implements ports.Hosts where nobody else asks any host. Forgets when hosts were asked after
    `remember` seconds."""

    def __init__(self, per_host: int, remember: float) -> None:
        self._per_host = per_host
        self._remember = remember
        self._ended: dict[str, float] = {}  # seconds of the loop, in order
        # A host's semaphore lives as long as someone holds or awaits it.
        self._gates: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[float]:
        """See ports.Hosts."""
        gate = self._gates.get(host)
        if gate is None:
            gate = self._gates[host] = asyncio.Semaphore(self._per_host)
        loop = asyncio.get_running_loop()
        async with gate:
            try:
                yield loop.time() - self._ended.get(host, -inf)
            finally:
                if self._remember:
                    self._over(host, loop.time())

    def _over(self, host: str, now: float) -> None:
        self._ended.pop(host, None)
        self._ended[host] = now
        while self._ended[oldest := next(iter(self._ended))] + self._remember <= now:
            del self._ended[oldest]


class HostSlots:
    """`seconds` lie at least between the end of a turn and the beginning of the host's next.

    A turn that lasts longer than `stalled` goes on, but gives its place among all back: else as
    many servers as there are places would keep everybody waiting for the length of a deadline.
    """

    def __init__(
        self,
        *,
        at_once: int,
        hosts: Hosts,
        seconds: float,
        stalled: float = inf,
    ) -> None:
        self._stalled = stalled
        self._under_way = asyncio.Semaphore(at_once)
        self._hosts = hosts
        self._seconds = seconds

    @asynccontextmanager
    async def slot(self, host: str, *, again: bool = False) -> AsyncIterator[None]:
        """Wait for the host first: who waits for a busy host must hold no place of the others.

        `again`: the host was asked before in the same chain of redirects, which is one visit.
        """
        loop = asyncio.get_running_loop()
        async with self._hosts.slot(host) as ago:
            if not again and ago < self._seconds:
                await asyncio.sleep(self._seconds - ago)
            await self._under_way.acquire()
            place = _Permit(self._under_way)
            stalls = (
                None if self._stalled == inf else loop.call_later(self._stalled, place.give_back)
            )
            try:
                yield
            finally:
                if stalls:
                    stalls.cancel()
                place.give_back()


class _Permit:
    """One of the places in all; given back once."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._permits: asyncio.Semaphore | None = places

    def give_back(self) -> None:
        if self._permits is not None:
            self._permits.release()
            self._permits = None
