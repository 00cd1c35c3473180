"""Who hears, in this process, that something of a reader's changed in whichever process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from newsloom.kernel.ids import UserId

# What stands for everybody: something changed, of nobody in particular.
EVERYBODY = UserId(0)


class ChangeListener(Protocol):
    """Hears of changes, or does not."""

    @property
    def hears(self) -> bool:
        """Whether changes are heard now; else one has to look."""

    async def wait(self, ending: asyncio.Event, seconds: float) -> frozenset[UserId]:
        """Whose changes were heard of since the last call, as soon as there are any, or `ending` is
        set, or the time is over."""


class _NoListener:
    """Hears nothing: who wants to know looks."""

    hears = False

    async def wait(self, ending: asyncio.Event, seconds: float) -> frozenset[UserId]:
        with suppress(TimeoutError):
            await asyncio.wait_for(ending.wait(), seconds)
        return frozenset()


NO_LISTENER: ChangeListener = _NoListener()


class Notices:
    """Collects what a listener hears in its thread, for one task of one event loop."""

    def __init__(self, listens: Callable[[], bool]) -> None:
        self._listens = listens
        self._lock = threading.Lock()
        self._changed: set[UserId] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._woken = asyncio.Event()

    @property
    def hears(self) -> bool:
        return self._listens()

    def note(self, words: str) -> None:
        """Something of a reader's changed. What is no number of a reader's is of nobody."""
        if not (words.isascii() and words.isdecimal() and len(words) < 20):
            return
        with self._lock:
            self._changed.add(UserId(int(words)))
            loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._woken.set)

    async def wait(self, ending: asyncio.Event, seconds: float) -> frozenset[UserId]:
        with self._lock:
            self._loop = asyncio.get_running_loop()
            if self._changed:
                self._woken.set()
        waits = [asyncio.ensure_future(one.wait()) for one in (self._woken, ending)]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waits:
                one.cancel()
        with self._lock:
            user_ids, self._changed = frozenset(self._changed), set()
            self._woken.clear()
        return user_ids
