"""Letting in what was held of a feed in quarantine: read, judged and stored as if polled, at once.

No poll: nothing is asked of the network, and when the feed is asked next does not change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from newsloom.duplicates import judge_document
from newsloom.feeds import health
from newsloom.feeds.service.reply import OK, Polled, Reading
from newsloom.feeds.values.health import HeldDocument
from newsloom.feeds.values.polling import DueFeed
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.ids import FeedId
from newsloom.store import Store

# Enough to see whose they are.
MOST_HEADLINES = 50


@dataclass(frozen=True, slots=True)
class QuarantineRelease:
    """Reads held documents, and lets them in through the ports given."""

    store: Store
    reading: Reading
    now: Callable[[], datetime]

    async def release(self, feed: FeedId) -> int:
        """End the quarantine of a feed: everything in it, in order and one step. How much is news.

        A document that cannot be read again is left out.
        """
        documents = await self.read(feed)
        return await asyncio.to_thread(self._store, feed, documents)

    async def headlines(self, feed: FeedId) -> tuple[str, ...]:
        """The titles of what is held, the newest document first, each once."""
        titles = [
            article.parsed.title
            for one in reversed(await self.read(feed))
            for article in one.incoming
        ]
        return tuple(dict.fromkeys(filter(None, titles)))[:MOST_HEADLINES]

    async def read(self, feed: FeedId) -> tuple[Polled, ...]:
        """What is held of a feed, as far as it can be read, the oldest first."""
        held = await asyncio.to_thread(self.store.feeds.held, feed)
        return tuple([await self.reading.read(_due(feed, one), _reply(one)) for one in held])

    def _store(self, feed: FeedId, documents: Sequence[Polled]) -> int:
        news = 0
        with self.store.feeds.letting_in(feed, self.now()) as letting:
            for one in documents:
                if one.feed is None:
                    continue
                keys = {key for article in one.incoming for key in article.keys}
                judged = judge_document(one.incoming, letting.candidates(keys) if keys else {})
                identity = health.identity_of(one.feed)
                news += letting.take_in(one.feed, judged, identity, one.reply.received)
        return news


def _due(feed: FeedId, document: HeldDocument) -> DueFeed:
    return DueFeed(feed, document.url, lease="")


def _reply(document: HeldDocument) -> Reply:
    return Reply(
        Request(document.url),
        received=document.at,
        seconds=0.0,
        status=OK,
        url=document.url,
        headers=(("content-type", document.content_type),),
        body=document.body,
    )
