"""The sample on loopback while it is needed, so that the whole path of a feed is the real one.

Holds where it is served and which edition is the one of now; what is answered is in site.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import datetime, timedelta

from newsloom.feeds.parse import write_opml
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import Subscription
from newsloom.sample.content import LAST_GENERATION, SampleFeed, sample
from newsloom.sample.wire import Edition, base_of, feed_path

HOST = "127.0.0.1"

# The same port each time, so that a second start polls the addresses that are subscribed already;
# two above the pages' own.
PORT = 8767

# Just under the shortest time between two polls of a feed (an hour), so that each poll of the first
# hours finds something that has changed.
GENERATION_EVERY = timedelta(minutes=50)


class SampleServer:
    """`async with SampleServer(now=utc_now) as server`: then server.url, server.opml().

    `generation` is the one to begin with: 0, or LAST_GENERATION where an earlier run has shown the
    later ones already, so that its revisions are not taken back.
    """

    def __init__(
        self, *, now: Callable[[], datetime], port: int = PORT, generation: int = 0
    ) -> None:
        self._now = now
        self._port = port
        self._first = generation
        self._began = now()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> SampleServer:
        # Nearly every command does without a server.
        from newsloom.sample.listening import Listening
        from newsloom.sample.site import Site

        self._began = self._now()
        listening = Listening(Site(self._edition), HOST, self._port)
        self._stack.push_async_callback(asyncio.to_thread, listening.close)
        self._port = listening.port
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._stack.aclose()

    @property
    def port(self) -> int:
        """PORT, unless another program had it; then these are other feeds than last time's."""
        return self._port

    @property
    def address(self) -> str:
        return f"{HOST}:{self._port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """What the allow list of private hosts needs."""
        return tuple(f"{feed.name}.localhost:{self._port}" for feed in sample())

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    @property
    def feed_urls(self) -> tuple[str, ...]:
        return tuple(self._url_of(feed) for feed in sample())

    def _url_of(self, feed: SampleFeed) -> str:
        return base_of(feed.name, self._port) + feed_path(feed)

    @property
    def generation(self) -> int:
        """Which edition is served: a later one has revisions and new articles."""
        return min(LAST_GENERATION, self._first + (self._now() - self._began) // GENERATION_EVERY)

    def advance(self) -> None:
        """To the next generation at once."""
        self._first += 1

    def opml(self) -> bytes:
        """All feeds of the sample, in their folders."""
        return write_opml(
            Subscription(FeedId(number), self._url_of(feed), feed.title, feed.folder)
            for number, feed in enumerate(sample())
        )

    def _edition(self, feed: SampleFeed) -> Edition:
        return Edition(feed, self._port, self._began, self.generation)
