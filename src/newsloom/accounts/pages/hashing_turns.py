"""Hashing passwords beside the pages: off the event loop, few at once, and no endless queue."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from newsloom.kernel.errors import ServerBusy

Given = ParamSpec("Given")
Result = TypeVar("Result")

# Each takes 19 MiB and some 20 ms of a core: 38 MiB, and a sign-in waits half a second at most.
AT_ONCE = 2
MOST_WAITING = 32


class HashingTurns:
    """A pool of its own: those who wait here hold up no page."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hashing")
        self._lock = threading.Lock()
        self._waiting = 0

    async def run(
        self, act: Callable[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """What `act` gives. Raises ServerBusy when too many wait already."""
        with self._lock:
            if self._waiting >= MOST_WAITING:
                raise ServerBusy("The server is busy with sign-ins. Try again in a moment.")
            self._waiting += 1
        try:
            work = self._pool.submit(partial(act, *given, **named))
            work.add_done_callback(lambda _work: self._done())
        except BaseException:
            self._done()
            raise
        return await asyncio.wrap_future(work)

    def _done(self) -> None:
        with self._lock:
            self._waiting -= 1
