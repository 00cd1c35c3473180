"""Which active story an article belongs to, kept in memory. No clock, no database.

How an article's link to a story is made of members, and what it means, stands in link.py.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from newsloom.kernel.ids import ArticleId
from newsloom.stories.grouping import grouped
from newsloom.stories.nearby import Nearby
from newsloom.stories.prepared import MOST_TERMS, Prepared, Rows, Slots, stepped
from newsloom.stories.same_event import E5, FREE_DAYS, SameEvent, sigmoid
from newsloom.stories.values.pages import (
    Candidate,
    StoryEject,
    StoryId,
    StoryMerge,
    StoryMove,
    StoryRepair,
)

# How much an article belongs to a story, of what it is to the story's members. Plain numbers.
#
# The link is the mean less some of the standard deviation of the highest logits of one event;
# calibrated, it is the probability that thresholds speak of.


@dataclass(frozen=True, slots=True)
class LinkRule:
    """How the members speak for a story, and what their link means."""

    speaking: int  # members that speak, those with the highest logits
    spread: float  # how much of their population standard deviation is taken off
    middle: float  # the link of an even chance
    slope: float  # logits of a link of one more
    # How much higher the link of an even chance is with e times as many articles that might be
    # meant: among more of them the likeliest is more often likely by chance.
    rivals: float

    def link(self, logits: Sequence[float]) -> float:
        """-inf of none."""
        if not logits:
            return -math.inf
        if len(logits) == 1:
            return logits[0]
        top = sorted(logits)[-self.speaking :]
        mean = sum(top) / len(top)
        return mean - self.spread * math.sqrt(sum((one - mean) ** 2 for one in top) / len(top))

    def logit(self, logits: Sequence[float], rivals: int) -> float:
        """That the article reports the story's event; `rivals` are the articles that it might be
        meant instead."""
        middle = self.middle + self.rivals * math.log((min(rivals, MOST) + FEW) / MANY)
        return self.slope * (self.link(logits) - middle)


# Rivals by which `middle` is told, those that are always thought of, and those beyond which nothing
# more is said: of more nothing was measured.
MANY, FEW, MOST = 1_000, 30, 4_000

# Fitted by lab/scripts/fit_stories.py on the development sets; docs/work/quality.md has the
# figures. Titles of one event share little with most of its others: with ten speaking huge stories
# fall apart (B-cubed F1 .49, with three .70), where texts gain a little by twenty. Of texts middle
# and slope are Platt's, of the likeliest story of each article when it came; those of titles are
# chosen so that one threshold is best for both. What rivals say was chosen of 0, .15, .25, .35, .5
# and .75.
WITH_LEAD = LinkRule(speaking=20, spread=1.0, middle=-1.03, slope=1.022, rivals=0.35)
TITLES_ONLY = LinkRule(speaking=3, spread=0.5, middle=-1.52, slope=1.471, rivals=0.15)
# Bare titles of one subject are nearer to each other in e5's vectors: chosen of 0, .7, 1, 1.3 more.
E5_TITLES_ONLY = replace(TITLES_ONLY, middle=-0.52)


def rule_of(article: Prepared, judge: SameEvent) -> LinkRule:
    """By what there is of the article, and whose vectors are compared."""
    if article.has_lead:
        return WITH_LEAD
    return E5_TITLES_ONLY if judge == E5 else TITLES_ONLY


# How many articles there are around a day. Dates only.

# Days to either side.
WINDOW = 14


class DayCounts:
    """Counts articles around each day; told apart by days, not by hours."""

    def __init__(self) -> None:
        self._around: Counter[int] = Counter()
        self._undated = self._all = 0

    def add(self, day: float) -> None:
        """One more, of a day since 1970; nan: undated."""
        self._count(day, 1)

    def discard(self, day: float) -> None:
        """One less."""
        self._count(day, -1)

    def around(self, day: float) -> int:
        """Articles of at most WINDOW days before or after, and the undated ones; all, of nan."""
        return self._all if math.isnan(day) else self._undated + self._around[int(day)]

    def _count(self, day: float, many: int) -> None:
        self._all += many
        if math.isnan(day):
            self._undated += many
            return
        around = self._around
        for one in range(int(day) - WINDOW, int(day) + WINDOW + 1):
            around[one] += many


# Stories that are weighed for one article, those with the likeliest members.
STORIES = 12
# Members of one story that are compared with an article, and those that a repair looks at: the
# newest. Few stories have as many.
LOOKED, CHECKED = 256, 48
# When articles join small stories, these are regrouped with the small stories nearest to the
# articles, by the distance of the judge (`PairDistance`). Chosen on development sets
# (docs/work/decisions/stories.md); where larger stories are regrouped too, stories of hundreds of
# titles fall apart.
SMALL, NEAR, NEAR_PROBABILITY = 8, 3, 0.1
# How much less far it reaches with e times as many competing articles. With fewer than ENOUGH
# active articles it reaches less too (`PairDistance.few`).
REACH_RIVALS, ENOUGH = 0.035, 2_000
# Of two stories that may be one, members that are heard; and what one article must say of the
# other story before they are.
HEARD, WORTH_MERGING = 24, 0.22


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Probabilities that an article reports a story's event."""

    join: float = 0.45  # a little under an even chance: a right join helps many
    merge: float = 0.63  # mean of both directions, for two stories to become one
    eject: float = 0.29  # under this a member leaves for no other story


@dataclass(frozen=True, slots=True)
class _Near:
    """A story that an article is beside."""

    story: StoryId
    link: float  # less the rule's middle, times its slope: a logit, the same for every rule
    cosine: float
    nearest: ArticleId


@dataclass(frozen=True, slots=True)
class _Beside:
    """A member beside its own story (-inf: alone in it), and beside others."""

    own: float
    others: tuple[_Near, ...]


@dataclass(frozen=True, slots=True)
class _Compared:
    """Stories that an article may belong to, and what is known of articles by slot: the logit of
    one event, the cosine."""

    stories: tuple[StoryId, ...]
    known: Mapping[int, tuple[float, float]]


_NOTHING: Mapping[int, tuple[float, float]] = {}


class Linker:
    """The active stories and their members."""

    def __init__(
        self, judge: SameEvent | None = None, thresholds: Thresholds | None = None
    ) -> None:
        self.judge = judge or SameEvent()
        self.thresholds = thresholds or Thresholds()
        self._crowd = DayCounts()
        self._elsewhere = DayCounts()  # of articles that another linker holds
        self._rows: Rows | None = None
        self._nearby: Nearby | None = None
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

    def expect(self, articles: Sequence[Prepared]) -> None:
        """The next that candidates are asked for, and that are placed: looking them up together
        takes a fraction of the time. Only leaves part a little later for it."""
        if articles and self._rows is not None and self._nearby is not None:
            self._nearby.expect(articles, self._rows)

    def candidates(self, article: Prepared, limit: int = 5) -> tuple[Candidate, ...]:
        """The stories that the article most likely belongs to, the likeliest first."""
        near = self._near(article)
        return tuple(
            Candidate(one.story, sigmoid(one.link), one.cosine, one.nearest)
            for one in self._found(article, near.stories, near.known)[:limit]
        )

    def best(self, _article: Prepared, candidates: Sequence[Candidate]) -> StoryId | None:
        """The calibrated judge: the likeliest candidate, when it is likely enough."""
        likely = [one for one in candidates if one.probability >= self.thresholds.join]
        if not likely:
            return None
        return max(likely, key=lambda one: (one.probability, one.cosine, -one.story)).story

    def group(self, unmatched: Sequence[Prepared]) -> tuple[tuple[int, ...], ...]:
        """Articles that belong to no story yet, as groups of their places; every place once."""
        own = Linker(self.judge, self.thresholds)
        own._elsewhere = self._crowd
        for place, article in enumerate(unmatched):
            if place == 1:
                own.expect(unmatched)
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
        checked = {story: self._members[story][-CHECKED:] for story in touched}
        self.expect([self._articles[one] for those in checked.values() for one in those])
        beside = {
            one: self._beside(self._articles[one], story)
            for story, those in checked.items()
            for one in those
        }
        merged: set[StoryId] = set()
        found: list[StoryRepair] = []
        for story in touched:
            merge = None if story in merged else self._merge(story, beside, merged)
            if merge is not None:
                merged |= {merge.kept, merge.gone}
                found.append(merge)
        for story in touched:
            if story not in merged:
                found.extend(self._departures(story, beside, merged))
        return tuple(found)

    def regrouped(
        self, stories: Iterable[StoryId], fixed: frozenset[ArticleId]
    ) -> list[list[ArticleId]]:
        """The articles of small stories and of small ones near them, in the groups that they form
        together. Stories with a `fixed` article are left alone."""

        def loose(story: StoryId) -> bool:
            those = self._members.get(story, ())
            return len(those) <= SMALL and fixed.isdisjoint(those)

        touched = {one for one in stories if loose(one)}
        asked = [self._articles[one] for story in sorted(touched) for one in self._members[story]]
        self.expect(asked)
        near = (one for article in asked for one in self.candidates(article, NEAR))
        others = {one.story for one in near if one.probability >= NEAR_PROBABILITY}
        pool = touched | {one for one in others if loose(one)}
        articles = sorted(one for story in pool for one in self._members[story])
        if self._rows is None or len(pool) < 2:
            return []
        slots = np.array([self._slots[one] for one in articles], np.int64)
        those = [self._articles[one] for one in articles]
        table, apart = np.empty((2, len(slots), len(slots)))
        whitened = self._rows.whitened(slots)
        for place, (one, vector) in enumerate(zip(those, whitened, strict=True)):
            found, titled = self._rows.compare(one, slots), self._rows.titled(one, slots)
            apart[place] = np.minimum(found.gap, FREE_DAYS)
            table[place] = self.judge.distance.of(
                found, whitened @ vector, titled, stepped(one, those)
            )
        groups: dict[int, list[ArticleId]] = {}
        rivals = max(self._crowd.around(one.day) for one in those)
        terms = np.array([len(one.terms) for one in those])
        single = self.judge.distance.single + self.judge.distance.single_day * apart
        single *= 1.0 - np.minimum.outer(terms, terms) / MOST_TERMS
        found_groups = grouped((table + table.T) / 2, self._reach(rivals), single)
        for article, group in zip(articles, found_groups, strict=True):
            groups.setdefault(group, []).append(article)
        return list(groups.values())

    def _reach(self, rivals: int) -> float:
        """The largest cost that joins groups with so many competing articles."""
        distance, held = self.judge.distance, min(len(self._slots), ENOUGH)
        less = REACH_RIVALS * math.log((min(rivals, MOST) + FEW) / MANY)
        return distance.reach - less - distance.few * math.log(ENOUGH / held)

    def settle(self) -> None:
        """Repair no story until it changes again."""
        self._touched.clear()

    def belonging(self, article: ArticleId, story: StoryId) -> float:
        """How likely an article belongs to a story; 1 where the story has no other article."""
        link = self._own(article, story) if story in self._members else -math.inf
        return 1.0 if link == -math.inf else sigmoid(link)

    def _place(self, article: Prepared, story: StoryId) -> None:
        own = article.piece.id
        if own in self._story_of and self._articles[own] is not article:
            self._leave(own)
        if own in self._story_of:
            self._part(own)
        else:
            self._hold(article)
        assert self._rows is not None
        self._rows.stories[self._slots[own]] = story
        self._story_of[own] = story
        insort(self._members.setdefault(story, []), own)

    def _hold(self, article: Prepared) -> None:
        if self._rows is None or self._nearby is None:
            self._rows, self._nearby = Rows(len(article.vector)), Nearby(len(article.vector))
        slot = self._slots[article.piece.id] = self._rows.add(article)
        self._nearby.add(slot, article)
        self._articles[article.piece.id] = article
        self._crowd.add(article.day)

    def _leave(self, article: ArticleId) -> None:
        assert self._rows is not None
        assert self._nearby is not None
        self._part(article)
        slot, gone = self._slots.pop(article), self._articles.pop(article)
        self._nearby.discard(slot, gone, self._rows)
        self._crowd.discard(gone.day)
        self._rows.free(slot)

    def _part(self, article: ArticleId) -> None:
        """Take an article out of its story; it is held still."""
        story = self._story_of.pop(article)
        members = self._members[story]
        del members[bisect_left(members, article)]
        if not members:
            del self._members[story]
            self._touched.discard(story)

    def _near(self, article: Prepared, besides: StoryId | None = None) -> _Compared:
        """The stories of the articles likeliest to report the same, without one of them."""
        if self._rows is None or self._nearby is None or not self._slots:
            return _Compared((), {})
        rows = self._rows
        slots = self._nearby.near(article, rows)
        slots = slots[rows.articles[slots] != article.piece.id]
        slots = slots[np.argsort(rows.articles[slots])]
        if not len(slots):
            return _Compared((), {})
        known = self._logits(article, slots)
        order = np.argsort([-logit for logit, _cosine in known.values()], kind="stable")
        likely = dict.fromkeys(rows.stories[slots[order]].tolist())
        likely.pop(besides, None)
        return _Compared(tuple(islice(likely, STORIES)), known)

    def _logits(self, article: Prepared, slots: Slots) -> dict[int, tuple[float, float]]:
        """By slot the logit of one event, and the cosine."""
        assert self._rows is not None
        compared = self._rows.compare(article, slots)
        both = zip(self.judge.of(compared).tolist(), compared.dense.tolist(), strict=True)
        return dict(zip(slots.tolist(), both, strict=True))

    def _found(
        self,
        article: Prepared,
        stories: Iterable[StoryId],
        known: Mapping[int, tuple[float, float]] = _NOTHING,
    ) -> list[_Near]:
        """The article beside each story, the likeliest first; a story without another member is
        left out. `known` is what is known of some slots already."""
        own, slots = article.piece.id, self._slots
        heard = []
        for story in stories:
            ones = [one for one in self._members[story][-LOOKED:] if one != own]
            if ones:
                heard.append((story, ones, [slots[one] for one in ones]))
        unknown = [slot for _, _, held in heard for slot in held if slot not in known]
        if unknown:
            known = {**known, **self._logits(article, np.array(unknown, np.int64))}
        rule = rule_of(article, self.judge)
        rivals = self._crowd.around(article.day) + self._elsewhere.around(article.day)
        found = []
        for story, ones, held in heard:
            logits = [known[slot][0] for slot in held]
            nearest = logits.index(max(logits))
            cosine = known[held[nearest]][1]
            found.append(_Near(story, rule.logit(logits, rivals), cosine, ones[nearest]))
        found.sort(key=lambda one: (-one.link, -one.cosine, one.story))
        return found

    def _beside(self, article: Prepared, story: StoryId) -> _Beside:
        """A member of a story, beside its story and beside others."""
        near = self._near(article, besides=story)
        found = self._found(article, (*near.stories, story), near.known)
        own = [one.link for one in found if one.story == story]
        others = tuple(one for one in found if one.story != story)
        return _Beside(own[0] if own else -math.inf, others)

    def _own(self, article: ArticleId, story: StoryId) -> float:
        """The link of an article to a story; -inf where it is the only member."""
        found = self._found(self._articles[article], [story])
        return found[0].link if found else -math.inf

    def _merge(
        self, story: StoryId, beside: Mapping[ArticleId, _Beside], taken: set[StoryId]
    ) -> StoryMerge | None:
        likely: dict[StoryId, None] = {}
        for one in self._members[story][-CHECKED:]:
            near = (other for other in beside[one].others if sigmoid(other.link) >= WORTH_MERGING)
            likely.update(dict.fromkeys(other.story for other in near))
        mutual = [(self._mutual(story, other), -other) for other in likely if other not in taken]
        link, other = max(mutual, default=(-math.inf, 0))
        probability = sigmoid(link)
        if probability < self.thresholds.merge:
            return None
        pair = (story, StoryId(-other))
        kept, gone = sorted(pair, key=lambda one: (-len(self._members[one]), one))
        return StoryMerge(kept, gone, probability)

    def _mutual(self, one: StoryId, other: StoryId) -> float:
        """The mean logit of both directions, each heard by its newest members."""
        ways = []
        for of, to in ((one, other), (other, one)):
            links = [self._own(article, to) for article in self._members[of][-HEARD:]]
            ways.append(sum(links) / len(links))
        return sum(ways) / 2

    def _departures(
        self, story: StoryId, beside: Mapping[ArticleId, _Beside], merged: set[StoryId]
    ) -> list[StoryRepair]:
        if len(self._members[story]) < 2:
            return []
        found: list[StoryRepair] = []
        for one in self._members[story][-CHECKED:]:
            own = sigmoid(beside[one].own)
            near = next((other for other in beside[one].others if other.story not in merged), None)
            elsewhere = 0.0 if near is None else sigmoid(near.link)
            if near is not None and elsewhere > own and elsewhere >= self.thresholds.join:
                found.append(StoryMove(one, story, near.story, elsewhere))
            elif own < self.thresholds.eject:
                found.append(StoryEject(one, story, own))
        return found
