"""What a batch of articles comes to: which join, which begin stories, what is repaired. Pure but
for the linker that it is given, which it brings to the same state.

Readers' words go before everything: an article that one placed stays, and what one parted never
comes together. Of a language model only borderline cases are asked, and clear ones now and then, to
see whether it may be believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from newsloom.kernel.ids import ArticleId
from newsloom.stories.linking import Linker
from newsloom.stories.prepared import Prepared
from newsloom.stories.values.pages import (
    CALIBRATED,
    READER,
    SAME_TEXT,
    Apart,
    Candidate,
    Membership,
    OfferedStory,
    StoryArticle,
    StoryAsk,
    StoryChanges,
    StoryChoice,
    StoryDecision,
    StoryEject,
    StoryId,
    StoryMerge,
    StoryMove,
    StoryRepair,
)

# Candidates that the audit keeps, and that a language model is offered.
MOST_OFFERED = 10
# Probabilities of the likeliest candidate between which a language model is asked for its opinion.
BORDERLINE = (0.15, 0.9)
# Or when the likeliest two are so close.
CLOSE = 0.3
# Beyond these a case is clear; one in so many of them is asked too, as a control.
CLEAR = (0.1, 0.95)
CONTROL_EVERY = 3
# A control that belongs to none is not offered its nearest stories: of 139 in four labelled sets
# one of ten candidates was right for 16, one from the fourth on for 1.
LEFT_OUT = 3


@dataclass(slots=True)
class Placing:
    """One batch under way."""

    linker: Linker
    apart: Apart
    now: datetime
    generation: int
    last: int  # the highest number of a story so far
    title_of: Callable[[ArticleId], str]
    story_of: Mapping[ArticleId, StoryId]  # of articles with the same text as one of the batch
    asking: bool = False  # whether a language model is asked
    members: dict[ArticleId, Membership] = field(default_factory=dict)
    begun: dict[StoryId, datetime] = field(default_factory=dict)
    merges: list[tuple[StoryId, StoryId]] = field(default_factory=list)
    decisions: list[StoryDecision] = field(default_factory=list)
    questions: list[StoryAsk] = field(default_factory=list)

    def place(
        self, batch: Sequence[tuple[StoryArticle, Prepared]], bare: Sequence[StoryArticle] = ()
    ) -> StoryChanges:
        """All of a batch, in the order of its dates. `bare` have nothing to be compared by: each
        is in a story of its own."""
        waiting: list[tuple[StoryArticle, Prepared, tuple[Candidate, ...]]] = []
        self.linker.expect([prepared for _article, prepared in batch])
        for article, prepared in batch:
            if not self._certain(article, prepared):
                candidates = self._candidates(prepared)
                chosen = self.linker.best(prepared, candidates)
                if chosen is None:
                    waiting.append((article, prepared, candidates))
                else:
                    self._join(prepared, candidates, chosen)
        self._group(waiting)
        for repair in self.linker.repairs():
            self._repair(repair)
        self._regroup({self.linker.story_of(prepared.piece.id) for _article, prepared in batch})
        if self.asking:
            for article, prepared in batch:
                if not article.pinned:
                    self._ask(prepared)
        for article in bare:
            story = article.story or self._new(article.dated)
            self.members[article.id] = Membership(article.id, story, 1.0)
            reason = "It has no text to compare."
            self._decide(StoryChoice.NEW, story, article.id, CALIBRATED, 1.0, reason)
        mine = {article.id for article, _prepared in batch} | {one.id for one in bare}
        return StoryChanges(
            generation=self.generation,
            begun=tuple(self.begun.items()),
            members=tuple(one for one in self.members.values() if one.article in mine),
            moved=tuple(one for one in self.members.values() if one.article not in mine),
            merges=tuple(self.merges),
            decisions=tuple(self.decisions),
            questions=tuple(self.questions),
        )

    def _certain(self, article: StoryArticle, prepared: Prepared) -> bool:
        """What needs no judge: a reader's word, and the text of an article that has a story."""
        if article.pinned and article.story is not None:
            self._put(prepared, Membership(article.id, article.story, 1.0, READER))
            self._decide(StoryChoice.ASSIGN, article.story, article.id, READER, 1.0)
            return True
        for other in article.same:
            placed = self.members.get(other)
            story = placed.story if placed else self.story_of.get(other)
            if story is not None and (article.id, story) not in self.apart.articles:
                self._put(prepared, Membership(article.id, story, 1.0, SAME_TEXT))
                reason = f"It has the same text as article {other}."
                self._decide(StoryChoice.ASSIGN, story, article.id, SAME_TEXT, 1.0, reason)
                return True
        return False

    def _candidates(self, prepared: Prepared) -> tuple[Candidate, ...]:
        found = self.linker.candidates(prepared, MOST_OFFERED)
        own = prepared.piece.id
        return tuple(one for one in found if (own, one.story) not in self.apart.articles)

    def _join(self, prepared: Prepared, candidates: Sequence[Candidate], chosen: StoryId) -> None:
        best = next(one for one in candidates if one.story == chosen)
        own = prepared.piece.id
        self._put(prepared, Membership(own, chosen, best.probability))
        self._decide(
            StoryChoice.ASSIGN,
            chosen,
            own,
            CALIBRATED,
            best.probability,
            f"Most similar to “{self.title_of(best.nearest)[:200]}”.",
            self._offered(candidates),
        )

    def _group(
        self, waiting: Sequence[tuple[StoryArticle, Prepared, tuple[Candidate, ...]]]
    ) -> None:
        """Articles that joined none, together: what they have in common begins one story."""
        for places in self.linker.group([prepared for _article, prepared, _them in waiting]):
            those = [waiting[place] for place in places]
            story = self._own_story([article for article, _prepared, _them in those])
            for article, prepared, candidates in those:
                best = max((one.probability for one in candidates), default=0.0)
                self._put(prepared, Membership(article.id, story, 1.0 - best))
                others = ", ".join(str(one.id) for one, _it, _them in those if one is not article)
                reason = f"Together with article {others[:400]}." if others else ""
                self._decide(
                    StoryChoice.NEW,
                    story,
                    article.id,
                    CALIBRATED,
                    1.0 - best,
                    reason,
                    self._offered(candidates),
                )

    def _own_story(self, articles: Sequence[StoryArticle]) -> StoryId:
        """The story that one of them had for itself before its text changed, or a new one."""
        for one in articles:
            if one.story is not None and not self.linker.members(one.story):
                return one.story
        return self._new(min(one.dated for one in articles))

    def _new(self, dated: datetime) -> StoryId:
        self.last += 1
        self.begun[StoryId(self.last)] = dated
        return StoryId(self.last)

    def _repair(self, repair: StoryRepair) -> None:
        """What a repair says, unless a reader said otherwise."""
        match repair:
            case StoryMerge(kept, gone, probability):
                self._merge(kept, gone, probability)
            case StoryMove(article, source, target, probability):
                barred = (article, target) in self.apart.articles
                if article not in self.apart.pinned and not barred:
                    self._move(article, source, target, StoryChoice.MOVE, probability)
            case StoryEject(article, source, probability):
                if article not in self.apart.pinned:
                    target = self._new(self.now)
                    self._move(article, source, target, StoryChoice.EJECT, 1.0 - probability)

    def _regroup(self, touched: set[StoryId | None]) -> None:
        """Regroup small stories, unless a reader said otherwise: a group goes into the story that
        had most of its articles, or a new one; a story without a group is merged into another."""
        known = [one for one in touched if one is not None]
        groups = self.linker.regrouped(known, self.apart.pinned)
        shares = Counter(
            (self.linker.story_of(one), at) for at, group in enumerate(groups) for one in group
        )
        targets: dict[int, StoryId] = {}
        largest: dict[StoryId, int] = {}  # the group that had most of each story
        for (story, at), _many in sorted(shares.items(), key=lambda one: (-one[1], one[0])):
            assert story is not None
            largest.setdefault(story, at)
            if at not in targets and story not in targets.values():
                targets[at] = story
        gone = sorted(largest.keys() - set(targets.values()))
        for at, group in enumerate(groups):
            choice = StoryChoice.MOVE if at in targets else StoryChoice.EJECT
            target = targets[at] if at in targets else self._new(self.now)
            for one in group:
                source = self.linker.story_of(one)
                assert source is not None
                barred = (one, target) in self.apart.articles or self.apart.parts(source, target)
                merged = source in gone and largest[source] == at
                if source != target and not barred and not merged:
                    probability = self.linker.belonging(one, target)
                    self._move(one, source, target, choice, probability)
        for story in gone:
            member = self.linker.members(story)[0]
            target = targets[largest[story]]
            self._merge(target, story, self.linker.belonging(member, target))
        self.linker.settle()

    def _merge(self, kept: StoryId, gone: StoryId, probability: float) -> None:
        if self.apart.parts(kept, gone) or self._barred(kept, gone) or self._barred(gone, kept):
            return
        if self._pinned(kept) and self._pinned(gone):
            return  # what a model or a reader looked at in both, and left apart
        self.linker.merge(kept, gone)
        self.merges.append((gone, kept))
        reason = "Their articles report the same event."
        self._decide(StoryChoice.MERGE, kept, None, CALIBRATED, probability, reason, (), gone)

    def _barred(self, one: StoryId, other: StoryId) -> bool:
        """Whether an article of a story may not be in the other, by a reader's word."""
        return any((each, other) in self.apart.articles for each in self.linker.members(one))

    def _pinned(self, story: StoryId) -> bool:
        return any(one in self.apart.pinned for one in self.linker.members(story))

    def _move(
        self,
        article: ArticleId,
        source: StoryId,
        target: StoryId,
        choice: StoryChoice,
        probability: float,
    ) -> None:
        self.linker.move(article, target)
        self.members[article] = Membership(article, target, probability)
        reason = {
            StoryChoice.MOVE: "It is more similar to this story than to the previous one.",
            StoryChoice.EJECT: "It is not similar to the rest of its previous story.",
        }[choice]
        self._decide(choice, target, article, CALIBRATED, probability, reason, (), source)

    def _put(self, prepared: Prepared, member: Membership) -> None:
        self.linker.place(prepared, member.story)
        self.members[member.article] = member

    def _decide(
        self,
        choice: StoryChoice,
        story: StoryId,
        article: ArticleId | None,
        judge: str,
        confidence: float,
        reason: str = "",
        candidates: tuple[OfferedStory, ...] = (),
        other: StoryId | None = None,
    ) -> None:
        version = self.linker.judge.version if judge == CALIBRATED else ""
        self.decisions.append(
            StoryDecision(
                self.now,
                choice,
                story,
                article,
                other,
                candidates,
                reason,
                confidence,
                judge=judge,
                prompt=version,
            )
        )

    def _offered(self, candidates: Sequence[Candidate]) -> tuple[OfferedStory, ...]:
        return tuple(
            OfferedStory(one.story, self.title_of(one.nearest), one.probability, one.cosine)
            for one in candidates
        )

    def _ask(self, prepared: Prepared) -> None:
        """Note what a language model is to be asked: where the article is now, beside what else
        there is, when either is near to even; or when both are clear, as a control."""
        candidates = self._candidates(prepared)
        article = prepared.piece.id
        story = self.linker.story_of(article)
        own = next((one for one in candidates if one.story == story), None)
        best = next((one for one in candidates if one.story != story), None)
        offered = self._offered(candidates)
        if not offered:
            return
        sure = 0.0 if own is None else own.probability
        other = 0.0 if best is None else best.probability
        near_even = BORDERLINE[0] <= max(sure, other) <= BORDERLINE[1]
        if near_even or (abs(sure - other) < CLOSE and max(sure, other) >= BORDERLINE[0]):
            self.questions.append(StoryAsk(article, offered))
        elif article % CONTROL_EVERY == 0:
            self._control(article, own, candidates, offered)

    def _control(
        self,
        article: ArticleId,
        own: Candidate | None,
        candidates: Sequence[Candidate],
        offered: tuple[OfferedStory, ...],
    ) -> None:
        """A case that is clear: of its story, or of none of those that are offered. As many of the
        one as of the other: of an article that has a story every other time that is left out."""
        others = [one for one in candidates if one is not own]
        if any(one.probability >= CLEAR[0] for one in others):
            return
        if own is not None and own.probability <= CLEAR[1]:
            return
        if own is None or article // CONTROL_EVERY % 2:
            offered = self._offered(others[LEFT_OUT:])
        if offered:
            self.questions.append(StoryAsk(article, offered, control=True))
