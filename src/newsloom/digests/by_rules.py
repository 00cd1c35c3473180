"""What rules of a reader say to tell of, as a message. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from newsloom.digests.select import Offered, kind_of, topic_of
from newsloom.digests.values import (
    Digest,
    DigestArticle,
    DigestGroup,
    DigestKind,
    DigestTopic,
    FeedReport,
)


def message_of(
    articles: Sequence[tuple[str, DigestArticle]],
    begin: datetime,
    end: datetime,
    zone: str,
    address: str,
) -> Digest:
    """One message of articles, each behind the name of the rule it is told by; there are some."""
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
