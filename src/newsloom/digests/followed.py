"""Followed stories and threads: whether they developed, and what is new. Pure.

A story has developed when its new articles say what none of the earlier ones said, as topics of
digests do (`memory.py`), or when many more independent sources tell it than did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from newsloom.digests.memory import developed, fresh, known_of, said_in
from newsloom.digests.select import Offered, importance_of, kind_of, title, topic_of
from newsloom.digests.values import (
    Digest,
    DigestArticle,
    DigestGroup,
    DigestKind,
    DigestTopic,
    FeedReport,
    Remembered,
)
from newsloom.summaries.ranking import MOST_ARTICLES
from newsloom.summaries.said import NOTHING, Said

# Of a story that one source told one more is much, of one that twenty told it is not.
MORE_SOURCES = 0.5
# Earlier articles of a story that are read for what it said already, the newest.
MOST_KNOWN = 3 * MOST_ARTICLES


@dataclass(frozen=True, slots=True)
class StoryNews:
    """A followed story or thread with new articles: `group` has those, `known` the earlier ones."""

    title: str
    group: DigestGroup  # its key is `key_of` the subscription
    known: tuple[DigestArticle, ...]  # the newest first
    titled_by: str = ""  # the language model, where one wrote the title


def key_of(story: int, thread: int | None = None) -> str:
    """What a digest remembers a followed story, or the thread that is followed, by. No key of a
    topic has a colon."""
    return f"story:{story}" if thread is None else f"thread:{thread}"


def developments(
    news: Iterable[StoryNews],
    kind: DigestKind,
    earlier: Mapping[str, Sequence[Remembered]],
    told: Iterable[str] = (),
) -> tuple[DigestTopic, ...]:
    """The stories that have developed, the most important first.

    `earlier` is what was told of a topic or a story before, by key, `told` every sentence of it.
    """
    said = set(told)
    found = [new for one in news if (new := new_of(one, earlier)) is not None]
    found.sort(key=lambda one: (-one.offered.importance, one.news.group.key))
    words = kind_of(kind).words
    return tuple(
        replace(
            topic_of(one.offered, words, said),
            label=one.news.title,
            story=_number(one.news, "story"),
            thread=_number(one.news, "thread"),
            titled_by=one.news.titled_by,
            new_sources=one.sources,
        )
        for one in found
    )


def _number(one: StoryNews, kind: str) -> int:
    found, number = one.group.key.split(":")
    return int(number) if found == kind else 0


@dataclass(frozen=True, slots=True)
class New:
    """What is left to tell of a story."""

    news: StoryNews
    offered: Offered
    sources: int = 0  # that had not told of it


def new_of(one: StoryNews, earlier: Mapping[str, Sequence[Remembered]]) -> New | None:
    """What is left to tell of a story; None where it has not developed."""
    own = {article.id for article in (*one.group.articles, *one.known)}
    before = [
        each
        for key, those in earlier.items()
        for each in those
        if key == one.group.key or not own.isdisjoint(each.articles)
    ]
    left = fresh(one.group, before)
    if left is None:
        return None
    new = {article.id for article in left.articles}
    known = [each for each in (*one.group.articles, *one.known) if each.id not in new]
    if not known and not before:  # all of it is new
        return New(one, Offered(left, importance_of(left)))
    sources = _owners(known)
    more = len(_owners(left.articles) - sources) if sources else 0
    says = _said_by(known) | known_of(before)
    if developed(left, says) or (more and more >= MORE_SOURCES * len(sources)):
        return New(one, Offered(left, importance_of(left), says), more)
    return None


def _said_by(articles: Sequence[DigestArticle]) -> Said:
    whole = NOTHING
    for start in range(0, min(len(articles), MOST_KNOWN), MOST_ARTICLES):
        whole |= said_in(articles[start : start + MOST_ARTICLES])
    return whole


def _owners(articles: Iterable[DigestArticle]) -> set[str]:
    return {one.owner for one in articles}


def news(
    topics: tuple[DigestTopic, ...], begin: datetime, end: datetime, zone: str, address: str
) -> Digest:
    """What came of some stories by themselves, not as a part of another digest."""
    more = f" and {len(topics) - 1} more" if len(topics) > 1 else ""
    return Digest(
        kind=DigestKind.STORIES,
        begin=begin,
        end=end,
        zone=zone,
        title=f"News of: {topics[0].label}{more}" if topics else title(DigestKind.STORIES, 0),
        top=(),
        noteworthy=(),
        mentioned=(),
        feeds=FeedReport(),
        followed=topics,
        address=address,
    )
