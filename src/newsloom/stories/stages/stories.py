"""The stage of stories: each article joins one that is going on, or begins one.

Of the stories in reach of a batch the last members are held in memory, and kept in step with what
other processes and readers decide: the audit says which stories changed. A batch, its memberships,
centroids and audit are one transaction; when something else was decided meanwhile, it is judged
again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.html import headline
from newsloom.stories import lifecycle
from newsloom.stories.values.pages import Apart, Piece, StoryArticle, StoryChanges, StoryId
from newsloom.work.service import Keep, Leases
from newsloom.work.values import Lease, Put, StageKey

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from newsloom.store import Store
    from newsloom.stories.linking import Linker
    from newsloom.stories.prepared import Background, Frequencies, Prepared

log = logging.getLogger(__name__)

VERSION = "stories@1"
# Articles that are placed before unmatched ones are grouped and stories are repaired.
BATCH = 200
# Members that are held of one story: the ten that speak most are among its last ones.
MOST_MEMBERS = 20
# Stories in reach that are held, the newest; with 1.2 members each some 400 MB.
MOST_STORIES = 100_000
# How much further than a batch needs is loaded, so that the next ones need not.
AHEAD = timedelta(days=1)
# Changes by others beyond which all is read anew.
MOST_CHANGES = 2_000
# Quiet stories that may come back: of two articles at least, the nearest of each article.
REVIVED_LEAST, REVIVED_MOST = 2, 3
MOST_ARCHIVED = 50_000
# Stories whose centroids are counted for a new encoder in one go.
COUNTED = 1_000


@dataclass(slots=True)
class _Archive:
    """Centroids of quiet stories."""

    first: datetime
    last: datetime
    ids: tuple[StoryId, ...]
    ends: tuple[datetime, ...]
    units: NDArray[np.float32]


@dataclass(slots=True)
class _Held:
    """What is in memory, and of which generation."""

    encoder: str
    linker: Linker
    generation: int
    last: int
    apart: Apart
    background: Background
    first: datetime | None = None  # the time whose stories are held
    until: datetime | None = None
    ends: dict[StoryId, datetime] = field(default_factory=dict)  # of those held
    titles: dict[ArticleId, str] = field(default_factory=dict)
    archive: _Archive | None = None


@dataclass(slots=True)
class StoryAssembler:
    """Places batch after batch."""

    store: Store
    encoder: Callable[[], str]  # whose vectors there are
    frequencies: Callable[[], Frequencies]  # how rare terms are
    now: Callable[[], datetime]
    asking: bool = False  # whether a language model is asked for borderline cases
    worded: Callable[[], int] = lambda: 0  # titles and summaries of what changed
    threaded: Callable[[], int] = lambda: 0  # threads of what changed
    _held: _Held | None = None

    def step(self, leases: Leases) -> int:
        """Do the next batch: how many articles were placed."""

        encoder = self.encoder()
        if self._held is not None and self._held.encoder != encoder:
            self._held = None

        def compute(lease: Lease) -> Keep | None:
            batch, articles = self.store.stories.leased_stories(lease)
            if not articles:
                return None
            changes = self._decided(articles, encoder)

            def keep(until: datetime) -> Put:
                put, generation = self.store.stories.put_stories(
                    VERSION, encoder, changes, self.now(), batch=batch, until=until
                )
                if put.stored and self._held is not None:
                    self._held.generation = generation
                else:
                    self._held = None
                return put

            return keep

        try:
            return leases.work(StageKey("stories", VERSION, (encoder,)), BATCH, compute)
        except BaseException:
            self._held = None  # it may be ahead of what is kept
            raise

    def finish(self) -> None:
        """What is done when nothing is left to place: states, titles, threads."""
        now = self.now()
        cooling, archived = now - lifecycle.ACTIVE, now - lifecycle.COOLING
        self.store.stories.age_stories(now, cooling=cooling, archived=archived)
        since = now - lifecycle.REVIVABLE
        while self.store.stories.count_centroids(self.encoder(), since, COUNTED) == COUNTED:
            pass
        self.worded()
        self.threaded()

    def _decided(self, articles: Sequence[StoryArticle], encoder: str) -> StoryChanges:
        from newsloom.stories.placing import Placing

        try:
            held = self._in_step(encoder)
            self._load(held, articles)
            ready = dict(self._those_prepared(held, articles))
            batch = [(one, ready[one.id]) for one in articles if one.id in ready]
            known = {article.id for article, _one in batch}
            self._take_out(held, articles)
            self._revive(held, [one for _article, one in batch])
            same = [one for article in articles for one in article.same]
            changes = Placing(
                linker=held.linker,
                apart=held.apart,
                now=self.now(),
                generation=held.generation,
                last=held.last,
                title_of=lambda one: held.titles.get(one, ""),
                story_of=self.store.stories.stories_of(same),
                asking=self.asking,
            ).place(batch, [one for one in articles if one.id not in known])
        except BaseException:
            self._held = None
            raise
        self._note(held, articles, changes)
        return changes

    def _note(self, held: _Held, articles: Iterable[StoryArticle], changes: StoryChanges) -> None:
        dates = {one.id: one.dated for one in articles}
        for story, dated in changes.begun:
            held.last = max(held.last, story)
            held.ends[story] = dated
        for member in changes.members:
            dated = dates[member.article]
            held.ends[member.story] = max(held.ends.get(member.story, dated), dated)

    def _in_step(self, encoder: str) -> _Held:
        """The stories in memory, with what other processes decided since. They are read again when
        the term frequencies have changed."""
        from newsloom.stories.linking import Linker
        from newsloom.stories.prepared import Background
        from newsloom.stories.same_event import judge_of

        stories, frequencies = self.store.stories, self.frequencies()
        held = self._held
        if held is not None and held.background.known is frequencies:
            generation = stories.story_generation()
            if generation == held.generation:
                return held
            decided = stories.stories_decided(held.generation, MOST_CHANGES)
            if decided is not None:
                held.generation, held.last = generation, stories.last_story()
                held.apart = stories.apart()
                self._forget(held, decided)
                self._restore(held, decided)
                return held
        generation = stories.story_generation()
        self._held = _Held(
            encoder=encoder,
            linker=Linker(judge_of(encoder)),
            generation=generation,
            last=stories.last_story(),
            apart=stories.apart(),
            background=Background(frequencies),
        )
        return self._held

    def _load(self, held: _Held, articles: Sequence[StoryArticle]) -> None:
        """The stories in reach of a batch, and no others."""
        first = articles[0].dated - lifecycle.COOLING
        until = articles[-1].dated + lifecycle.COOLING
        if held.first and held.until and held.first <= first and until <= held.until:
            return
        held.first, held.until = first - AHEAD, until + AHEAD
        found = self.store.stories.stories_between(held.first, held.until, MOST_STORIES)
        wanted = {story: latest for story, _began, latest in found}
        self._forget(held, [one for one in held.ends if one not in wanted])
        self._restore(held, [one for one in wanted if one not in held.ends], wanted)

    def _forget(self, held: _Held, ids: Iterable[StoryId]) -> None:
        for story in ids:
            for article in held.linker.members(story):
                held.titles.pop(article, None)
            held.linker.forget(story)
            held.ends.pop(story, None)

    def _restore(
        self,
        held: _Held,
        ids: Sequence[StoryId],
        ends: Mapping[StoryId, datetime] | None = None,
        without: frozenset[ArticleId] = frozenset(),
    ) -> None:
        """Hold the last members of stories."""
        members = self.store.stories.newest_members(ids, MOST_MEMBERS)
        wanted = [one for those in members.values() for one in those if one not in without]
        articles = {one.id: one for one in self.store.stories.story_articles(wanted)}
        prepared = dict(self._those_prepared(held, list(articles.values())))
        for story, those in members.items():
            known = [prepared[one] for one in those if one in prepared]
            held.linker.restore(story, known)
            dates = [articles[one].dated for one in those if one in articles]
            if dates:
                held.ends[story] = ends[story] if ends and story in ends else max(dates)

    def _those_prepared(
        self, held: _Held, articles: Sequence[StoryArticle]
    ) -> Iterable[tuple[ArticleId, Prepared]]:
        from newsloom.stories.prepared import prepare

        ids = [one.id for one in articles]
        vectors = self.store.articles.vectors(held.encoder, ids)
        centred = held.linker.judge.centred
        for one in articles:
            if one.id in vectors and vectors[one.id].any():
                held.titles[one.id] = headline(one.title, one.lead)
                piece = Piece(one.id, one.title, one.lead, one.dated, one.source, one.language)
                ready = prepare(piece, vectors[one.id], held.background, centred=centred)
                yield one.id, ready

    def _take_out(self, held: _Held, articles: Sequence[StoryArticle]) -> None:
        """Articles that are judged again speak for no story meanwhile, not even their own."""
        mine = frozenset(one.id for one in articles)
        again = sorted({one.story for one in articles if one.story is not None})
        if again:
            kept = {story: held.ends[story] for story in again if story in held.ends}
            titles = {one.id: headline(one.title, one.lead) for one in articles}
            self._forget(held, again)
            self._restore(held, again, kept, mine)
            held.titles |= titles

    def _revive(self, held: _Held, batch: Sequence[Prepared]) -> None:
        """Hold quiet stories that are near an article of the batch: it may bring them back."""
        import numpy as np

        dated = [one.piece.dated for one in batch if one.piece.dated is not None]
        if not dated:
            return
        archive = self._archive(held, min(dated), max(dated))
        if not archive.ids:
            return
        near = np.stack([one.vector for one in batch]) @ archive.units.T
        found: set[StoryId] = set()
        least = held.linker.judge.revived
        for article, cosines in zip(batch, near, strict=True):
            for at in np.argsort(-cosines)[:REVIVED_MOST]:
                ends, when = archive.ends[at], article.piece.dated
                if when and cosines[at] >= least and lifecycle.revivable(ends, when):
                    found.add(archive.ids[at])
        self._restore(held, sorted(found - held.ends.keys()))

    def _archive(self, held: _Held, first: datetime, last: datetime) -> _Archive:
        """Centroids of what ended long enough ago, read again when a batch is of another time."""
        import numpy as np

        known = held.archive
        if known is not None and known.first <= first and last <= known.last:
            return known
        ids, totals, ends = self.store.stories.story_centroids(
            held.encoder,
            since=first - lifecycle.REVIVABLE,
            until=last - lifecycle.COOLING,
            least=REVIVED_LEAST,
            limit=MOST_ARCHIVED,
        )
        units = np.empty((0, 0), np.float32)
        if ids:
            units = np.frombuffer(b"".join(totals), "<f4").reshape(len(ids), -1)
            lengths = np.linalg.norm(units, axis=1, keepdims=True)
            units = (units / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        held.archive = _Archive(first, last + AHEAD, ids, ends, units)
        return held.archive
