"""What rules say to tell of, sent: together, and not too often, as news of stories is.

After a message there is a quiet time, in which what comes is gathered; a reader gets so many a day
at most, and what is above that comes later.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.digests.select import Offered, kind_of, topic_of
from newsloom.digests.service.digest_articles import article_of, by_id, categories_of
from newsloom.digests.service.digests import Composed
from newsloom.digests.service.story_news import DAY, NewsBatch, quiet
from newsloom.digests.values import (
    Digest,
    DigestArticle,
    DigestGroup,
    DigestKind,
    DigestTopic,
    FeedReport,
    Memory,
    Schedule,
)

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.kernel.settings import DigestSettings

# Between two looks while nothing came: who asked to be told wants to know.
LOOK = timedelta(minutes=1)
# Older news than this is told of no more: sending was out of order for long.
LATEST = timedelta(days=2)
# Articles of one message; the rest is in the next.
MOST = 50


def collect(
    reader: Reader, schedule: Schedule, settings: DigestSettings, now: datetime
) -> NewsBatch:
    """What waits, all of it in one message."""
    past = reader.store.digests.memories(
        reader.user, kinds=(DigestKind.RULES,), since=now - DAY, until=now
    )
    if len(past) >= settings.story_news_a_day:
        return NewsBatch(None, past[settings.story_news_a_day - 1][0] + DAY)
    begun = max(schedule.begun or schedule.next_at, now - LATEST)
    waiting = reader.store.rules.rule_news(reader.user, begun, MOST)
    found = by_id(reader, [one.article for one in waiting], now)
    if not found:
        return NewsBatch(None, now + LOOK)
    categories = categories_of(reader)
    articles = [
        (one.rule_name, article_of(found[one.article], categories))
        for one in waiting
        if one.article in found
    ]
    begin = min(max(begun, past[0][0] if past else begun), now - LOOK)
    made = _message_of(articles, begin, now, schedule.zone, reader.address)
    told = tuple(one.article for one in waiting)
    return NewsBatch(Composed(made, Memory()), now + quiet(settings), told)


def _message_of(
    articles: Sequence[tuple[str, DigestArticle]],
    begin: datetime,
    end: datetime,
    zone: str,
    address: str,
) -> Digest:
    """The message that lists articles, each after the name of its rule; never without articles."""
    topics = tuple(_topic(rule, one) for rule, one in articles)
    first, more = articles[0], len(articles) - 1
    others = f" and {more} more" if more else ""
    return Digest(
        kind=DigestKind.RULES,
        begin=begin,
        end=end,
        zone=zone,
        title=f"{first[0]}: {first[1].title}{others}",
        top=topics,
        noteworthy=(),
        mentioned=(),
        feeds=FeedReport(),
        address=address,
    )


def _topic(rule: str, article: DigestArticle) -> DigestTopic:
    group = DigestGroup(f"rule:{article.id}", f"By your rule: {rule}", article.id, (article,))
    return topic_of(Offered(group, article.importance), kind_of(DigestKind.RULES).words, set())
