"""Polling: lease what is due, fetch it, read it, have it stored; feed by feed, batch by batch.

A feed that cannot be read is recorded as such and stops nothing. Two processes never double an
article: see storing.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from newsloom.dedup import forwarding
from newsloom.pipeline.reading import Polled, Reading, led
from newsloom.pipeline.resolving import Resolver
from newsloom.pipeline.storing import Storing
from newsloom.ports import Fetcher, PollStore
from newsloom.types import DueFeed, FeedId, PollCounts, Reply, Request

# Longer than any poll may take while it waits for its host's turn. A process that dies gives its
# leases back at once (the store sees that its owner is gone), so a long lease costs nothing.
LEASE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Poller:
    """Polls feeds through the ports given."""

    store: PollStore
    fetcher: Fetcher
    reading: Reading
    storing: Storing
    owner: str
    now: Callable[[], datetime]
    resolver: Resolver | None = None  # None: forwarding links are compared as they stand
    window: int = 64  # feeds leased and under way at once

    async def due(self, feeds: Sequence[FeedId] | None = None) -> PollCounts:
        """Poll every feed that is due, or those named; returns what came of it."""
        counts = PollCounts()
        under_way: set[asyncio.Task[Polled]] = set()
        try:
            claimed = self.claim(self.window, feeds)
            under_way |= self._start(claimed)
            # Named feeds are claimed once: they would be handed out again for ever.
            more = feeds is None and len(claimed) == self.window
            while under_way:
                done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                counts += await asyncio.to_thread(
                    self.storing.store_all, [task.result() for task in done]
                )
                if more and len(under_way) <= self.window // 2:
                    wanted = self.window - len(under_way)
                    claimed = self.claim(wanted, None)
                    under_way |= self._start(claimed)
                    more = len(claimed) == wanted
        finally:
            for task in under_way:
                task.cancel()
            self.store.release(self.owner)
        return counts

    async def first(self, feed: FeedId, reply: Reply) -> PollCounts:
        """Store a reply already in hand as the first poll of a feed just subscribed to."""
        claimed = await asyncio.to_thread(self.claim, 1, [feed])
        polled = [await self._read(due, reply) for due in claimed]
        return await asyncio.to_thread(self.storing.store_all, polled)

    async def take(
        self, feed: FeedId, reply: Reply, admit: Callable[[Polled], Polled]
    ) -> PollCounts | None:
        """Store a document that a hub sent, as far as it is admitted. It is no poll.

        None while the feed is being polled, or when nobody follows it.
        """
        try:
            claimed = await asyncio.to_thread(self.claim, 1, [feed])
            polled = [replace(admit(await self._read(due, reply)), by_hub=True) for due in claimed]
            return await asyncio.to_thread(self.storing.store_all, polled) if polled else None
        finally:
            await asyncio.to_thread(self.store.release, self.owner)

    def claim(self, limit: int, feeds: Sequence[FeedId] | None) -> tuple[DueFeed, ...]:
        """Lease feeds for this poller: those due, or those named."""
        return self.store.claim_due(
            self.now(),
            owner=self.owner,
            lease_for=LEASE,
            limit=limit if feeds is None else max(limit, len(feeds)),
            feeds=feeds,
        )

    def _start(self, feeds: Sequence[DueFeed]) -> set[asyncio.Task[Polled]]:
        return {asyncio.create_task(self._fetch(feed)) for feed in feeds}

    async def _fetch(self, due: DueFeed) -> Polled:
        reply = await self.fetcher.get(
            Request(
                url=due.url,
                etag=due.etag,
                last_modified=due.last_modified,
                validated_url=due.validated_url,
            )
        )
        return await self._read(due, reply)

    async def _read(self, due: DueFeed, reply: Reply) -> Polled:
        """A reply understood, with what is known of where its articles' links lead."""
        polled = await self.reading.read(due, reply)
        links = forwarding(polled.feed) if polled.feed and self.resolver else ()
        if not links or self.resolver is None:
            return polled
        targets = await self.resolver.targets(links)
        return await asyncio.to_thread(led, polled, targets)
