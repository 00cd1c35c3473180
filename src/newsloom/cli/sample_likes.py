"""Likes and dislikes of an imagined reader of the sample, so that its lists are ranked."""

from __future__ import annotations

import asyncio

from newsloom.app.reader import Reader
from newsloom.reading.values.reading import EventKind, ListQuery
from newsloom.sample.content import sample

# Feeds by name: what the imagined reader likes, and what not.
LIKED = frozenset({"quadrant", "circuit", "stackframe"})
DISLIKED = frozenset({"touchline", "table", "lantern", "ledger"})

LOOKS, LOOK_SECONDS = 120, 1.0


async def rate_sample(reader: Reader) -> None:
    """Wait for the articles of the sample; then rate the oldest of some feeds, as many as a model
    needs, unless anything has been rated."""
    if await asyncio.to_thread(lambda: any(reader.judged())):
        return
    for _look in range(LOOKS):
        if all(one.articles for one in await asyncio.to_thread(reader.subscriptions)):
            break
        await asyncio.sleep(LOOK_SECONDS)
    rows = await asyncio.to_thread(reader.page, ListQuery(limit=1_000))
    titles = {feed.title: feed.name for feed in sample()}
    oldest = sorted(rows, key=lambda row: row.dated)
    for names, kind, most in zip(
        (LIKED, DISLIKED), (EventKind.LIKE, EventKind.DISLIKE), reader.needed(), strict=True
    ):
        chosen = [row.id for row in oldest if titles.get(row.feed_title) in names][:most]
        await asyncio.to_thread(reader.mark, chosen, kind, "sample")
        await asyncio.to_thread(reader.mark, chosen, EventKind.READ, "sample")
