"""Calls for code that runs in threads: a loop of its own, in a thread of its own, until closed."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import CancelledError

from newsloom.kernel.http.api import HttpApi
from newsloom.kernel.http.values import ApiReply, ApiRequest, Failure


class BlockingApi:
    """Calls and waits. May be called from any thread; opens at the first call, and again after
    `close`. Connections are kept between calls, which one `asyncio.run` a call would not do."""

    def __init__(self, *, version: str, max_ratio: int) -> None:
        self._version = version
        self._max_ratio = max_ratio
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def __call__(self, request: ApiRequest) -> ApiReply:
        """Any status is an answer. Never raises for what a network or a server does."""
        with self._lock:
            loop, api = self._opened()
            called = asyncio.run_coroutine_threadsafe(api.call(request), loop)
        try:
            return called.result()
        except CancelledError:
            return ApiReply(failure=Failure.CONNECT, problem="the call was broken off")

    def close(self) -> None:
        """End what is open; calls under way in other threads are broken off."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
            if loop is not None and thread is not None:
                asyncio.run_coroutine_threadsafe(_ended(self._api), loop).result()
                loop.call_soon_threadsafe(loop.stop)
                thread.join()
                loop.close()

    def _opened(self) -> tuple[asyncio.AbstractEventLoop, HttpApi]:
        if self._loop is None:
            loop = asyncio.new_event_loop()
            # A daemon: what is left open when a process ends must not keep it.
            self._thread = threading.Thread(target=loop.run_forever, daemon=True)
            self._thread.start()
            self._api = HttpApi(version=self._version, max_ratio=self._max_ratio)
            asyncio.run_coroutine_threadsafe(self._api.__aenter__(), loop).result()
            self._loop = loop
        return self._loop, self._api


async def _ended(api: HttpApi) -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for one in others:
        one.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await api.__aexit__(None, None, None)
