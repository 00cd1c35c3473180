"""Titles and summaries of stories that changed: out of their articles' own words.

Title and summary are chosen as a digest chooses them: the title of the article that tells the news,
and whole sentences of it and of others. Nothing here is written by a model; where one is used
it is asked later, beside the passes (stories/purposes/wording.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from newsloom.digests.values import DigestArticle
from newsloom.kernel.ids import ArticleId
from newsloom.stories import lifecycle
from newsloom.stories.values.pages import (
    OWN_WORDS,
    STORY_WORDS,
    StoryHead,
    StoryWording,
)
from newsloom.summaries.credited import credited
from newsloom.summaries.summarise import entry_articles, lead_of, tell

if TYPE_CHECKING:
    from newsloom.store import Store

# Words are chosen anew when a story has grown by so many articles (seed 002, section 3).
GROWN = 3
LEAST = 2
READ = 12  # articles of a story that are read, the newest
AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class StoryWriter:
    """Writes what is missing."""

    store: Store
    now: Callable[[], datetime]
    encoder: Callable[[], str]

    def write(self) -> int:
        """How many stories got words."""
        count = 0
        since = self.now() - lifecycle.REVIVABLE
        while True:
            waiting = self.store.stories.unworded_stories(
                since, least=LEAST, more=GROWN, limit=AT_ONCE
            )
            if not waiting:
                break
            found = self.store.stories.story_heads(ids=waiting, least=0, limit=len(waiting))
            heads = {one.id: one for one in found}
            self.store.stories.put_story_words([self._worded(heads[one]) for one in waiting])
            count += len(waiting)
        return count

    def _worded(self, head: StoryHead) -> StoryWording:
        members = self.store.stories.newest_members([head.id], READ).get(head.id, ())
        ordered = self._by_nearness(members)
        texts = {one.id: one for one in self.store.articles.texts(ordered)}
        read = [texts[one] for one in ordered if one in texts]
        title, summary = title_and_summary([credited(one) for one in read])
        return StoryWording(head.id, title, OWN_WORDS, summary, OWN_WORDS, max(head.size, 1))

    def _by_nearness(self, members: Sequence[ArticleId]) -> list[ArticleId]:
        """The nearest to the middle of all first."""
        vectors = self.store.articles.vectors(self.encoder(), members)
        known = [one for one in members if one in vectors]
        if not known:
            return list(members)
        middle = sum(vectors[one] for one in known)
        near = {one: round(float(vectors[one] @ middle), 4) for one in known}
        return sorted(members, key=lambda one: (-near.get(one, -9.0), one))


def title_and_summary(articles: Sequence[DigestArticle]) -> tuple[str, str]:
    """Those of a story whose articles are ordered by nearness to its centre."""
    titled = [one for one in articles if one.title]
    if not titled:
        return "", ""
    lead = lead_of(titled)
    read = entry_articles(lead, [one for one in titled if one.id != lead.id])
    return lead.title, " ".join(one.text for one in tell(read, STORY_WORDS))
