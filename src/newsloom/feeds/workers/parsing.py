"""A feed document parsed, its articles made ready to be judged.

Both sides of it: `answer` runs in a worker, `question` and `understood` in Newsloom.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from newsloom.duplicates import prepare
from newsloom.duplicates.values import Copy, IncomingArticle
from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.published import ParsedFeed
from newsloom.kernel.ids import FeedId
from newsloom.kernel.workers.wire import read_back, written

TASK, KIND = "read", "feed"


@dataclass(frozen=True, slots=True)
class _Incoming:
    """An IncomingArticle on its way: what the document says of it stands in the feed already."""

    place: int
    copy: Copy
    keys: tuple[tuple[str, str], ...]
    origin: str
    private: str
    detected: str


@dataclass(frozen=True, slots=True)
class _Read:
    feed: ParsedFeed
    incoming: tuple[_Incoming, ...]


def question(url: str, content_type: str, feed: FeedId, received: datetime) -> list[Any]:
    """What is asked beside the document itself."""
    return [KIND, url, content_type, feed, received.isoformat()]


def answer(asked: Any, body: bytes) -> bytes:
    """In a worker: what the document says."""
    _kind, url, content_type, feed_id, received = asked
    feed = parse_feed(body, url, content_type=content_type)
    incoming = prepare(feed, FeedId(feed_id), datetime.fromisoformat(received))
    places = {id(article): place for place, article in enumerate(feed.articles)}
    ready = tuple(
        _Incoming(places[id(one.parsed)], one.copy, one.keys, one.origin, one.private, one.detected)
        for one in incoming
    )
    return written(_Read(feed, ready))


def understood(said: bytes) -> tuple[ParsedFeed, tuple[IncomingArticle, ...]]:
    """In Newsloom: the same values again. Raises ValueError or IndexError for anything else."""
    read = read_back(_Read, said)
    articles = read.feed.articles
    incoming = [
        IncomingArticle(
            articles[one.place], one.copy, one.keys, one.origin, one.private, one.detected
        )
        for one in read.incoming
    ]
    return read.feed, tuple(incoming)
