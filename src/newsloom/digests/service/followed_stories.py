"""News of followed stories and threads since the last digest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.digests.followed import MOST_KNOWN, StoryNews, key_of
from newsloom.digests.service.digest_articles import Gathered, article_of, by_id, categories_of
from newsloom.digests.values import DigestArticle, DigestGroup
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.scoring import raised
from newsloom.stories.values.pages import OWN_WORDS, FollowedStory, StoryHead, StoryMember
from newsloom.topics.grouping import centre_of

if TYPE_CHECKING:
    from newsloom.app.reader import Reader

FOLLOWS = 1
# An article is seen in its story so long after the moment that stands there as when it joined: its
# batch is one transaction.
PLACED = timedelta(minutes=15)
# Stories that are looked at, those with the latest articles; new articles of each.
MOST_STORIES, MOST_NEW = 200, 60


def news_of(
    reader: Reader,
    told: Callable[[FollowedStory], datetime],
    until: datetime,
    late: timedelta,
) -> tuple[StoryNews, ...]:
    """Every followed story or thread with articles after it was `told` of, those and the others.

    What is dated longer before that than `late` is no news, whenever it came.
    """
    subscriptions = reader.store.stories.story_subscriptions(reader.user)
    followed = [one for one, how in subscriptions.items() if how.stand == FOLLOWS]
    heads = reader.store.stories.story_heads(
        ids=followed, least=1, limit=MOST_STORIES, user=reader.user
    )
    members = reader.store.stories.visible_members(reader.user, [one.id for one in heads])
    # The stories of a followed thread are one matter.
    matters: dict[str, list[StoryHead]] = {}
    for head in heads:
        how = subscriptions[head.id]
        matters.setdefault(key_of(how.story, how.thread), []).append(head)
    parted: dict[str, tuple[list[ArticleId], list[ArticleId]]] = {}
    for key, those in matters.items():
        since = told(subscriptions[those[0].id])
        own = [one for head in those for one in members.get(head.id, ())]
        new, known = _parted(own, since, until, since - late)
        if new:
            parted[key] = new, known
    wanted = {one for both in parted.values() for those in both for one in those}
    found = by_id(reader, sorted(wanted), until)
    made = _Making(reader, categories_of(reader), found)
    return tuple(
        made.news(
            key,
            max(matters[key], key=lambda head: (len(members.get(head.id, ())), head.id)),
            new,
            known,
        )
        for key, (new, known) in parted.items()
        if any(one in found for one in new)
    )


def _parted(
    members: Sequence[StoryMember], since: datetime, until: datetime, first: datetime
) -> tuple[list[ArticleId], list[ArticleId]]:
    """What came after a moment, and what was there; each the newest first."""
    ordered = sorted(members, key=lambda one: (one.dated, one.article), reverse=True)
    new = [one for one in ordered if one.since > since and first <= one.dated <= until]
    ids = {one.article for one in new}
    known = [one.article for one in ordered if one.article not in ids]
    return [one.article for one in new[:MOST_NEW]], known[:MOST_KNOWN]


@dataclass(frozen=True, slots=True)
class _Making:
    """Makes the news of stories out of articles that were read."""

    reader: Reader
    categories: Mapping[FeedId, str]
    found: Mapping[ArticleId, Gathered]

    def news(
        self, key: str, head: StoryHead, new: Sequence[ArticleId], known: Sequence[ArticleId]
    ) -> StoryNews:
        """News of a matter; `head` is its largest story, which names it."""
        fresh = [self.found[one] for one in new if one in self.found]
        articles = tuple(
            # What the reader follows is worth more to them.
            replace(one, importance=raised(one.importance, followed=True))
            for one in self._articles(new)
        )
        group = DigestGroup(
            key=key,
            label=head.title,
            lead=articles[0].id,
            articles=articles,
            terms=self._centre(fresh),
        )
        model = "" if head.title_by == OWN_WORDS else head.title_by
        title = head.title or articles[0].title
        return StoryNews(title, group, self._articles(known), model)

    def _articles(self, ids: Sequence[ArticleId]) -> tuple[DigestArticle, ...]:
        those = [self.found[one] for one in ids if one in self.found]
        return tuple(article_of(one, self.categories) for one in those)

    def _centre(self, fresh: Sequence[Gathered]) -> Mapping[str, float]:
        terms = self.reader.importance_services().terms()
        total: Counter[str] = Counter()
        for one in fresh:
            total.update(terms(one.text.title, one.text.text, one.text.language))
        return centre_of(total)
