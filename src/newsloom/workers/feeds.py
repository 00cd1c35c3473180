"""The task "read": a feed document parsed, its articles made ready to be judged.

Both sides of it: `answer` runs in a worker, `question` and `understood` in Newsloom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, get_type_hints

from newsloom.dedup import prepare
from newsloom.parse import parse_feed
from newsloom.types import FeedId, IncomingArticle, ParsedArticle, ParsedFeed
from newsloom.workers.plain import packed, reads

TASK = "read"
_HINTS = get_type_hints(IncomingArticle)
# An incoming article's document stands in the feed already; the rest of it travels as it is.
_REST = tuple(field.name for field in fields(IncomingArticle) if field.name != "parsed")


def question(url: str, content_type: str, feed: FeedId, received: datetime) -> list[Any]:
    """What is asked beside the document itself."""
    return [url, content_type, feed, received.isoformat()]


def answer(asked: Any, body: bytes) -> tuple[Any, list[str]]:
    """In a worker: the feed and its articles as plain values, with their long texts beside them."""
    url, content_type, feed_id, received = asked
    feed = parse_feed(body, url, content_type=content_type)
    incoming = prepare(feed, FeedId(feed_id), datetime.fromisoformat(received))
    places = {id(article): place for place, article in enumerate(feed.articles)}
    texts: list[str] = []
    articles = packed(feed, texts)
    rows = [
        [places[id(one.parsed)], *(packed(getattr(one, name), texts) for name in _REST)]
        for one in incoming
    ]
    return [articles, rows], texts


def understood(said: Any, texts: Sequence[str]) -> tuple[ParsedFeed, tuple[IncomingArticle, ...]]:
    """In Newsloom: the same values again. Raises what `plain.reads` raises."""
    feed, rows = said
    parsed: ParsedFeed = reads(ParsedFeed)(feed, texts)
    return parsed, tuple([_incoming(row, parsed.articles, texts) for row in rows])


def _incoming(row: Any, articles: Sequence[ParsedArticle], texts: Sequence[str]) -> IncomingArticle:
    place, *rest = row
    read = (reads(_HINTS[name])(value, texts) for name, value in zip(_REST, rest, strict=True))
    return IncomingArticle(articles[place], *read)
