"""Stories that a reader follows: whether they have developed, and what is told of it. Pure.

A story has developed when its new articles say what none of the earlier ones said, as topics of
digests do (`memory.py`), or when many more independent sources tell it than did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from newsloom.digest.memory import developed, fresh, known_of, said_in
from newsloom.digest.ranking import MOST_ARTICLES
from newsloom.digest.said import NOTHING, Said
from newsloom.digest.select import Offered, importance_of, kind_of, title, topic_of
from newsloom.types import (
    Digest,
    DigestArticle,
    DigestGroup,
    DigestKind,
    DigestTopic,
    FeedReport,
    Remembered,
)

# Of a story that one source told one more is much, of one that twenty told it is not.
MORE_SOURCES = 0.5
# Earlier articles of a story that are read for what it said already, the newest.
MOST_KNOWN = 3 * MOST_ARTICLES


@dataclass(frozen=True, slots=True)
class StoryNews:
    """A story that got articles. `group` has those, `known` the ones that it had before."""

    story: int
    title: str
    group: DigestGroup  # its key is `key_of(story)`
    known: tuple[DigestArticle, ...]  # the newest first


def key_of(story: int) -> str:
    """What a digest remembers a story by; no key of a topic has a colon."""
    return f"story:{story}"


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
    offered = [(one, found) for one in news if (found := _offered(one, earlier)) is not None]
    offered.sort(key=lambda one: (-one[1].importance, one[0].story))
    words = kind_of(kind).words
    return tuple(
        replace(
            topic_of(found, words, said),
            label=one.title,
            story=one.story,
            new_sources=len(_owners(found.group.articles) - _owners(one.known)) if one.known else 0,
        )
        for one, found in offered
    )


def _offered(one: StoryNews, earlier: Mapping[str, Sequence[Remembered]]) -> Offered | None:
    """What is left to tell of a story; None where nothing is."""
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
    if not one.known and not before:  # all of it is new
        return Offered(left, importance_of(left))
    known = _said_by(one.known) | known_of(before)
    if developed(left, known) or _told_by_many_more(left.articles, one.known):
        return Offered(left, importance_of(left), known)
    return None


def _said_by(articles: Sequence[DigestArticle]) -> Said:
    whole = NOTHING
    for start in range(0, min(len(articles), MOST_KNOWN), MOST_ARTICLES):
        whole |= said_in(articles[start : start + MOST_ARTICLES])
    return whole


def _told_by_many_more(now: Sequence[DigestArticle], known: Sequence[DigestArticle]) -> bool:
    before = _owners(known)
    more = len(_owners(now) - before)
    return more > 0 and more >= MORE_SOURCES * len(before)


def _owners(articles: Sequence[DigestArticle]) -> set[str]:
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
