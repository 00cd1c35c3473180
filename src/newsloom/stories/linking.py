"""Which active story an article belongs to, kept in memory. No clock, no database.

The link of an article to a story is the mean less the standard deviation of its highest logits of
one event with members; its calibrated value is the probability that thresholds speak of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsloom.stories.prepared import Prepared
from newsloom.stories.rows import Compared, Rows
from newsloom.stories.same_event import SameEvent, sigmoid
from newsloom.types.ids import ArticleId
from newsloom.types.stories import (
    Candidate,
    StoryEject,
    StoryId,
    StoryMerge,
    StoryMove,
    StoryRepair,
)

# Members that speak for a story, those that speak most for it: of all, .608 of B-cubed F1 on
# huge stories, of ten .794.
SPEAKING = 10


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Probabilities that an article reports a story's event."""

    join: float = 0.5
    merge: float = 0.65  # mean of both directions, for two stories to become one
    eject: float = 0.35  # under this a member leaves for no other story


# The link at which joining is as likely right as wrong, and how fast that changes.
LINK_MIDDLE, LINK_SLOPE = -2.1, 1.0


def calibrated(link: float) -> float:
    """The probability that an article with this link reports the story's event."""
    return sigmoid(LINK_SLOPE * (link - LINK_MIDDLE))


def link_of(logits: NDArray[np.float64]) -> float:
    """Mean less population standard deviation of the highest; -inf of none."""
    if not len(logits):
        return -float("inf")
    top = np.sort(logits)[-SPEAKING:]
    return float(top.mean() - top.std())


class Linker:
    """The active stories and their members."""

    def __init__(
        self, judge: SameEvent | None = None, thresholds: Thresholds | None = None
    ) -> None:
        self.judge = judge or SameEvent()
        self.thresholds = thresholds or Thresholds()
        self._rows: Rows | None = None
        self._slots: dict[ArticleId, int] = {}
        self._articles: dict[ArticleId, Prepared] = {}
        self._story_of: dict[ArticleId, StoryId] = {}
        self._members: dict[StoryId, list[ArticleId]] = {}
        self._touched: set[StoryId] = set()

    def restore(self, story: StoryId, members: Sequence[Prepared]) -> None:
        """An active story as it was; nothing of it is to be repaired until it changes."""
        for member in members:
            self._place(member, story)

    def place(self, article: Prepared, story: StoryId) -> None:
        """Put an article into a story, which begins when it is unknown. An article that is in a
        story leaves it."""
        self._place(article, story)
        self._touched.add(story)

    def move(self, article: ArticleId, story: StoryId) -> None:
        """Put an article that is in a story into another."""
        self.place(self._articles[article], story)

    def merge(self, kept: StoryId, gone: StoryId) -> None:
        """Every article of `gone` into `kept`."""
        for article in tuple(self._members.get(gone, ())):
            self.move(article, kept)

    def forget(self, story: StoryId) -> None:
        """A story that is archived: it is no candidate any more."""
        for article in tuple(self._members.get(story, ())):
            self._leave(article)

    def members(self, story: StoryId) -> tuple[ArticleId, ...]:
        """The articles of a story, by their ids."""
        return tuple(self._members.get(story, ()))

    def story_of(self, article: ArticleId) -> StoryId | None:
        """The story that an article is in."""
        return self._story_of.get(article)

    @property
    def stories(self) -> int:
        """How many are active."""
        return len(self._members)

    def candidates(self, article: Prepared, limit: int = 5) -> tuple[Candidate, ...]:
        """The stories that the article most likely belongs to, the likeliest first."""
        near = self._near(article)
        if not near:
            return ()
        found = [self._candidate(article, story) for story in near]
        found.sort(key=lambda one: (-one.probability, -one.cosine, one.story))
        return tuple(found[:limit])

    def best(self, _article: Prepared, candidates: Sequence[Candidate]) -> StoryId | None:
        """The calibrated judge: the likeliest candidate, when it is likely enough."""
        likely = [one for one in candidates if one.probability >= self.thresholds.join]
        if not likely:
            return None
        return max(likely, key=lambda one: (one.probability, one.cosine, -one.story)).story

    def group(self, unmatched: Sequence[Prepared]) -> tuple[tuple[int, ...], ...]:
        """Articles that belong to no story yet, as groups of their places; every place once."""
        own = Linker(self.judge, self.thresholds)
        for place, article in enumerate(unmatched):
            known = own.best(article, own.candidates(article))
            own.place(article, StoryId(place) if known is None else known)
        places = {article.piece.id: place for place, article in enumerate(unmatched)}
        groups = (
            tuple(sorted(places[article] for article in members))
            for members in own._members.values()
        )
        return tuple(sorted(groups))

    def repairs(self) -> tuple[StoryRepair, ...]:
        """What is wrong with the stories touched since the last call. Each story is in one merge
        at most, and none that is merged loses an article in the same call."""
        touched = sorted(story for story in self._touched if story in self._members)
        self._touched.clear()
        merged: set[StoryId] = set()
        found: list[StoryRepair] = []
        for story in touched:
            merge = None if story in merged else self._merge(story, merged)
            if merge is not None:
                merged |= {merge.kept, merge.gone}
                found.append(merge)
        for story in touched:
            if story not in merged:
                found.extend(self._departures(story, merged))
        return tuple(found)

    def _place(self, article: Prepared, story: StoryId) -> None:
        own = article.piece.id
        if own in self._story_of:
            self._leave(own)
        if self._rows is None:
            self._rows = Rows(len(article.vector))
        self._slots[own] = self._rows.add(article)
        self._articles[own] = article
        self._story_of[own] = story
        members = self._members.setdefault(story, [])
        members.append(own)
        members.sort()

    def _leave(self, article: ArticleId) -> None:
        assert self._rows is not None
        story = self._story_of.pop(article)
        self._rows.free(self._slots.pop(article))
        del self._articles[article]
        members = self._members[story]
        members.remove(article)
        if not members:
            del self._members[story]
            self._touched.discard(story)

    def _near(self, article: Prepared) -> list[StoryId]:
        """Stories with the likeliest members."""
        if self._rows is None or not self._slots:
            return []
        ids = sorted(self._slots)
        slots = np.array([self._slots[one] for one in ids], np.int64)
        logits = self.judge.of(self._rows.compare(article, slots))
        near: dict[StoryId, None] = {}
        for place in np.argsort(-logits, kind="stable"):
            near[self._story_of[ids[place]]] = None
            if len(near) >= 10:
                break
        return list(near)

    def _beside(self, article: Prepared, others: Iterable[ArticleId]) -> Compared:
        assert self._rows is not None
        slots = np.array([self._slots[one] for one in others], np.int64)
        return self._rows.compare(article, slots)

    def _candidate(self, article: Prepared, story: StoryId) -> Candidate:
        members = [one for one in self._members[story] if one != article.piece.id]
        compared = self._beside(article, members)
        logits = self.judge.of(compared)
        nearest = int(np.argmax(logits))
        return Candidate(
            story=story,
            probability=calibrated(link_of(logits)),
            cosine=float(compared.dense[nearest]),
            nearest=members[nearest],
        )

    def _link(self, article: Prepared, story: StoryId) -> float:
        others = [one for one in self._members[story] if one != article.piece.id]
        return link_of(self.judge.of(self._beside(article, others)))

    def _merge(self, story: StoryId, taken: set[StoryId]) -> StoryMerge | None:
        near = {other for one in self._members[story] for other in self._near(self._articles[one])}
        best: tuple[float, StoryId] | None = None
        for other in sorted(near - taken - {story}):
            probability = calibrated(self._mutual(story, other))
            if probability >= self.thresholds.merge and (best is None or probability > best[0]):
                best = (probability, other)
        if best is None:
            return None
        sizes = sorted((story, best[1]), key=lambda one: (-len(self._members[one]), one))
        return StoryMerge(sizes[0], sizes[1], best[0])

    def _mutual(self, one: StoryId, other: StoryId) -> float:
        ways = [
            np.mean([self._link(self._articles[article], to) for article in self._members[of]])
            for of, to in ((one, other), (other, one))
        ]
        return float(np.mean(ways))

    def _departures(self, story: StoryId, merged: set[StoryId]) -> list[StoryRepair]:
        if len(self._members[story]) < 2:
            return []
        found: list[StoryRepair] = []
        for one in self._members[story]:
            article = self._articles[one]
            own = calibrated(self._link(article, story))
            others = (c for c in self.candidates(article) if c.story != story)
            best = next((c for c in others if c.story not in merged), None)
            if best and best.probability > own and best.probability >= self.thresholds.join:
                found.append(StoryMove(one, story, best.story, best.probability))
            elif own < self.thresholds.eject:
                found.append(StoryEject(one, story, own))
        return found
