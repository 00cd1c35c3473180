"""Whose turn it is: few requests at once to a host, a pause between, and not too many in all.

Knows names of hosts and seconds, no network.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from weakref import WeakValueDictionary


class Visits:
    """When hosts were asked last, in seconds of the monotonic clock. One for a whole process: its
    fetchers come and go with passes, and may be several at once in several threads."""

    def __init__(self) -> None:
        self._ended: dict[str, float] = {}  # in order
        self._lock = threading.Lock()

    def last(self, host: str) -> float:
        return self._ended.get(host, float("-inf"))

    def over(self, host: str, now: float, remember: float) -> None:
        """A visit ended; those of longer than `remember` seconds ago are forgotten."""
        with self._lock:
            self._ended.pop(host, None)
            self._ended[host] = now
            while self._ended[oldest := next(iter(self._ended))] + remember <= now:
                del self._ended[oldest]


class Turns:
    """`seconds` lie at least between the end of a turn and the beginning of the host's next.

    A turn that lasts longer than `stalled` goes on, but gives its place among all back: else as
    many servers as there are places would keep everybody waiting for the length of a deadline.
    """

    def __init__(
        self,
        *,
        at_once: int,
        per_host: int,
        seconds: float,
        visits: Visits | None = None,
        stalled: float = inf,
    ) -> None:
        self._stalled = stalled
        self._visits = visits or Visits()
        self._under_way = asyncio.Semaphore(at_once)
        self._per_host = per_host
        self._seconds = seconds
        # A host's semaphore lives as long as someone holds or awaits it.
        self._hosts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

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
            if not again and self._seconds:
                wait = self._visits.last(host) + self._seconds - loop.time()
                if wait > 0:
                    await asyncio.sleep(wait)
            await self._under_way.acquire()
            place = _Place(self._under_way)
            stalls = (
                None if self._stalled == inf else loop.call_later(self._stalled, place.give_back)
            )
            try:
                yield
            finally:
                if stalls:
                    stalls.cancel()
                place.give_back()
                if self._seconds:
                    self._visits.over(host, loop.time(), self._seconds)


class _Place:
    """One of the places in all; given back once."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places: asyncio.Semaphore | None = places

    def give_back(self) -> None:
        if self._places is not None:
            self._places.release()
            self._places = None
