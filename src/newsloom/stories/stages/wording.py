"""Titles, summaries and parents of stories that changed: out of their articles' own words.

The title is that of the article nearest to the centre of the story, the summary whole sentences of
its articles, chosen as a digest chooses them. Nothing here is written by a model; where one is used
it is asked later, beside the passes (stories/purposes/wording.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.kernel.ids import ArticleId
from newsloom.stories import lifecycle
from newsloom.stories.parents import matched
from newsloom.stories.values.pages import (
    OWN_WORDS,
    STORY_WORDS,
    StoryHead,
    StoryState,
    StoryWording,
)
from newsloom.stories.values.stories import StoryId
from newsloom.summaries.credited import credited
from newsloom.summaries.summarise import summarise
from newsloom.topics.grouping import TopicArticle, topics

if TYPE_CHECKING:
    from newsloom.store import Store
    from newsloom.topics.tfidf import Terms

# Words are chosen anew when a story has grown by so many articles (seed 002, section 3).
GROWN = 3
LEAST = 2
READ = 12  # articles of a story that are read, the newest
AT_ONCE = 200
# Parents are found anew so often, among so many stories.
EVERY = timedelta(hours=20)
MOST_STORIES = 2_000


@dataclass(frozen=True, slots=True)
class StoryWriter:
    """Writes what is missing."""

    store: Store
    now: Callable[[], datetime]
    encoder: Callable[[], str]
    terms: Callable[[str, str, str], Terms]

    def write(self) -> int:
        """How many stories got words."""
        count, now = 0, self.now()
        since = now - lifecycle.REVIVABLE
        while True:
            waiting = self.store.stories.unworded_stories(
                since, least=LEAST, more=GROWN, limit=AT_ONCE
            )
            if not waiting:
                break
            heads = {one.id: one for one in self._heads(waiting)}
            self.store.stories.put_story_words([self._worded(heads[one]) for one in waiting])
            count += len(waiting)
        if count:
            self._find_parents(now)
        return count

    def _heads(self, ids: Sequence[StoryId]) -> Sequence[StoryHead]:
        return self.store.stories.story_heads(ids=ids, least=0, limit=len(ids))

    def _worded(self, head: StoryHead) -> StoryWording:
        members = self.store.stories.newest_members([head.id], READ).get(head.id, ())
        ordered = self._by_nearness(members)
        texts = {one.id: one for one in self.store.articles.texts(ordered)}
        read = [texts[one] for one in ordered if one in texts]
        title = next((one.title for one in read if one.title), "")
        said = summarise([credited(one) for one in read], STORY_WORDS)
        summary = " ".join(one.text for one in said)
        return StoryWording(head.id, title, OWN_WORDS, summary, OWN_WORDS, max(head.size, 1))

    def _by_nearness(self, members: Sequence[ArticleId]) -> list[ArticleId]:
        """The nearest to the middle of all first."""
        vectors = self.store.stories.story_vectors(self.encoder(), members)
        known = [one for one in members if one in vectors]
        if not known:
            return list(members)
        middle = sum(vectors[one] for one in known)
        near = {one: round(float(vectors[one] @ middle), 4) for one in known}
        return sorted(members, key=lambda one: (-near.get(one, -9.0), one))

    def _find_parents(self, now: datetime) -> None:
        """Stories on one matter under a parent, once a day."""
        made = self.store.stories.parents_made()
        if made is not None and timedelta(0) <= now - made < EVERY:
            return
        heads = self.store.stories.story_heads(
            states=(StoryState.ACTIVE, StoryState.COOLING), limit=MOST_STORIES
        )
        offered = [
            TopicArticle(
                id=ArticleId(one.id),  # of a story: topics only tell them apart by it
                title=one.title,
                text=one.summary,
                language="",
                importance=float(one.size),
                tier=1,
                published=one.began,
                terms=self.terms(one.title, one.summary, ""),
            )
            for one in heads
        ]
        found, _alone = topics(offered)
        groups = [tuple(StoryId(one) for one in topic.articles) for topic in found]
        before = matched(groups, self.store.stories.story_parents())
        self.store.stories.put_parents(
            [
                (number, topic.label, group)
                for number, topic, group in zip(before, found, groups, strict=True)
            ],
            now,
        )
