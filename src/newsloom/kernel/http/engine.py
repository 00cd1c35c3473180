"""libcurl's multi interface on an asyncio loop: many transfers at once, none of them waited for.

Knows handles and how they end, not what they ask. For one event loop, which its callbacks run on.
"""

from __future__ import annotations

import asyncio
import selectors
from contextlib import suppress

import pycurl

# Shorter than what common servers keep a resting connection for; what is asked of one that was
# closed meanwhile is asked again, once, on a new one.
IDLE_SECONDS = 15

Ended = tuple[int, str]  # curl's code, 0 when all went well, and its words


class Engine:
    """Performs handles. Connections that are left open serve later handles of the same engine only.

    libcurl tells which sockets to watch and when to wake it. The sockets are watched by a selector
    of its own, which the loop watches as one file: a reader and a writer of the loop for each
    socket cost a sixth more processor time a request.
    """

    def __init__(self, *, connections: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[pycurl.Curl, asyncio.Future[Ended]] = {}
        self._timer: asyncio.Handle | None = None
        self._sockets = selectors.DefaultSelector()
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._watch)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._wake_in)
        self._multi.setopt(pycurl.M_MAXCONNECTS, connections)
        self._loop.add_reader(self._sockets, self._sockets_ready)

    async def perform(self, handle: pycurl.Curl) -> Ended:
        """Runs a handle to its end. Cancelled, it is broken off at once."""
        ended: asyncio.Future[Ended] = self._loop.create_future()
        self._waiting[handle] = ended
        self._multi.add_handle(handle)
        try:
            return await ended
        finally:
            if self._waiting.pop(handle, None) is not None:
                self._multi.remove_handle(handle)

    def close(self) -> None:
        """Ends what is under way and closes what was kept."""
        for handle, ended in list(self._waiting.items()):
            ended.cancel()
            self._multi.remove_handle(handle)
        self._waiting.clear()
        self._multi.close()
        self._wake_in(-1)
        self._loop.remove_reader(self._sockets)
        self._sockets.close()

    def _watch(self, what: int, socket: int, _multi: object, _data: object) -> None:
        # curl's numbers for reading and writing (1, 2, both 3) are those of `selectors`.
        if what == pycurl.POLL_REMOVE:
            with suppress(KeyError):
                self._sockets.unregister(socket)
        elif what in {pycurl.POLL_IN, pycurl.POLL_OUT, pycurl.POLL_INOUT}:
            try:
                self._sockets.modify(socket, what)
            except KeyError:
                self._sockets.register(socket, what)

    def _wake_in(self, milliseconds: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if milliseconds == 0:
            self._timer = self._loop.call_soon(self._time_is_up)
        elif milliseconds > 0:
            self._timer = self._loop.call_later(milliseconds / 1000, self._time_is_up)

    def _time_is_up(self) -> None:
        self._timer = None
        self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)
        self._settle()

    def _sockets_ready(self) -> None:
        for key, ready in self._sockets.select(0):
            self._multi.socket_action(key.fd, ready)
        self._settle()

    def _settle(self) -> None:
        left = 1
        while left:
            left, whole, broken = self._multi.info_read()
            for handle in whole:
                self._end(handle, (pycurl.E_OK, ""))
            for handle, code, words in broken:
                self._end(handle, (code, words))

    def _end(self, handle: pycurl.Curl, how: Ended) -> None:
        self._multi.remove_handle(handle)
        ended = self._waiting.pop(handle)
        if not ended.done():
            ended.set_result(how)
