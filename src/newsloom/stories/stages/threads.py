"""Stories into threads, after each pass: those that are in none, and once a day those of the last
days, whose thread may have become another one.

What is alive is read anew for each pass: nothing is held that others might change meanwhile. A
batch is one transaction, which does nothing when somebody else decided on threads meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.stories import lifecycle
from newsloom.stories.values.pages import CALIBRATED, Piece, StoryChoice, StoryId, ThreadId
from newsloom.stories.values.threads import (
    StoredEvent,
    ThreadAsk,
    ThreadCandidate,
    ThreadChanges,
    ThreadDecision,
    ThreadKind,
)

if TYPE_CHECKING:
    from newsloom.store import Store
    from newsloom.stories.events import Event
    from newsloom.stories.prepared import Frequencies
    from newsloom.stories.threads import Placed, ThreadRule, Threads

# Stories of one transaction, and transactions of one pass: the next pass goes on.
BATCH, MOST_BATCHES = 200, 25
# Stories that are compared, the newest: 40 MB, and 2 ms a story.
MOST_ALIVE = 20_000
# How often a thread is thought of again.
EVERY = timedelta(hours=20)
# After that what a story is compared by goes.
FORGOTTEN = timedelta(days=60)
FORGOTTEN_AT_ONCE = 5_000
# Of stories whose thread is clear one in so many is a control.
CONTROL_EVERY = 5
# Stories of a thread by which it is told what kind it is, the newest.
TITLES = 60


@dataclass(frozen=True, slots=True)
class ThreadBuilder:
    """Puts stories into threads."""

    store: Store
    now: Callable[[], datetime]
    encoder: Callable[[], str]
    frequencies: Callable[[], Frequencies]  # how rare terms are
    asking: bool = False  # whether a language model is asked about borderline cases

    def build(self) -> int:
        """How many stories went into a thread, or into another."""
        moved = self._run(self._waiting, again=False) + self._run(self._recent, again=True)
        self.store.stories.drop_event_terms(self.now() - FORGOTTEN, FORGOTTEN_AT_ONCE)
        return moved

    def _waiting(self) -> Sequence[StoryId]:
        since = self.now() - lifecycle.REVIVABLE
        return self.store.stories.unthreaded(self.encoder(), since, BATCH)

    def _recent(self) -> Sequence[StoryId]:
        from newsloom.stories.threads import REPAIRED

        now = self.now()
        since = now - timedelta(days=REPAIRED)
        return self.store.stories.unchecked(
            self.encoder(), since=since, before=now - EVERY, limit=BATCH
        )

    def _run(self, next_batch: Callable[[], Sequence[StoryId]], *, again: bool) -> int:
        moved, threads = 0, None
        for _ in range(MOST_BATCHES):
            ids = next_batch()
            generation, last = self.store.stories.thread_generation()
            events = self._events(self.store.stories.stored_events(self.encoder(), ids), again)
            if not events:
                break
            if threads is None:
                threads = self._alive(events)
            changes = self._decided(threads, events, generation, last, again)
            if changes.decisions and not self.store.stories.put_threads(changes, self.now()):
                break
            if again:
                self.store.stories.checked_threads(ids, self.now())
            moved += len(changes.decisions)
        return moved

    def _alive(self, events: Sequence[Event]) -> Threads:
        """The stories that these may be of one thread with."""
        from newsloom.stories.threads import ALIVE, Threads, rule_of

        first, last = min(one.began for one in events), max(one.ended for one in events)
        stored = self.store.stories.threaded_events(
            self.encoder(), _moment(first - ALIVE), _moment(last + ALIVE), MOST_ALIVE
        )
        threads = Threads(rule_of(self.encoder()), len(events[0].vector))
        of = {one.story: one.thread for one in stored}
        for one in self._events(stored):
            thread = of[one.id]
            if thread is not None and len(one.vector) == len(events[0].vector):
                threads.put(one, thread)
        return threads

    def _events(self, stored: Sequence[StoredEvent], anew: bool = False) -> list[Event]:
        """Stories as they are compared; `anew`: from their articles, which may have become more."""
        import numpy as np

        from newsloom.stories.events import Event, unit, unpack

        known = {one.story: one.terms for one in stored if one.terms and not anew}
        made = self._made([one.story for one in stored if one.story not in known])
        found = []
        for one in stored:
            terms, names = unpack(known.get(one.story) or made[one.story])
            found.append(
                Event(
                    id=one.story,
                    vector=unit(np.frombuffer(one.total, "<f4")),
                    terms=terms,
                    names=names,
                    began=one.began.timestamp() / 86_400,
                    ended=one.latest.timestamp() / 86_400,
                    pinned=one.thread_by not in ("", CALIBRATED),
                )
            )
        return sorted(found, key=lambda one: (one.began, one.id))

    def _made(self, ids: Sequence[StoryId]) -> dict[StoryId, bytes]:
        """Terms and names out of the articles of stories, which are kept."""
        import numpy as np

        from newsloom.stories.events import READ, features, pack
        from newsloom.stories.prepared import Background, prepare

        if not ids:
            return {}
        background = Background(self.frequencies())
        found: dict[StoryId, bytes] = {}
        none = np.ones(1, np.float32)  # of an article only the terms are wanted
        for start in range(0, len(ids), BATCH):
            chunk = ids[start : start + BATCH]
            members = self.store.stories.newest_members(chunk, READ)
            wanted = [one for those in members.values() for one in those]
            articles = {one.id: one for one in self.store.stories.story_articles(wanted)}
            packed = {}
            for story in chunk:
                those = [articles[one] for one in members.get(story, ()) if one in articles]
                prepared = [
                    prepare(
                        Piece(one.id, one.title, one.lead, one.dated, one.source, one.language),
                        none,
                        background,
                    )
                    for one in those
                ]
                packed[story] = pack(*features(prepared, background))
            self.store.stories.put_event_terms(packed)
            found |= packed
        return found

    def _decided(
        self,
        threads: Threads,
        events: Sequence[Event],
        generation: int,
        last: ThreadId,
        again: bool,
    ) -> ThreadChanges:
        decisions, touched, questions = [], set[ThreadId](), []
        for one in events:
            placed = threads.repair(one) if again else threads.place(one)
            if placed is None:
                continue
            thread = placed.thread
            if thread is None:
                last = thread = ThreadId(last + 1)
            threads.put(one, thread)
            touched |= {one for one in (thread, placed.before) if one is not None}
            decisions.append(self._decision(placed, thread))
            if self.asking and not again:
                questions += _asks(placed, threads.rule)
        kinds = self._kinds(threads, sorted(touched))
        return ThreadChanges(generation, tuple(decisions), kinds, tuple(questions))

    def _decision(self, placed: Placed, thread: ThreadId) -> ThreadDecision:
        if placed.before is not None:
            choice = StoryChoice.EJECT if placed.thread is None else StoryChoice.MOVE
        else:
            choice = StoryChoice.NEW if placed.thread is None else StoryChoice.ASSIGN
        return ThreadDecision(
            at=self.now(),
            choice=choice,
            story=placed.event,
            thread=thread,
            other=placed.before,
            candidates=_candidates(placed),
        )

    def _kinds(self, threads: Threads, touched: Sequence[ThreadId]) -> dict[ThreadId, ThreadKind]:
        """By their stories of before, and those that are put there now."""
        from newsloom.stories.threads import FEW, kind_of

        held = threads.by_thread(touched)
        several = {one: those for one, those in held.items() if len(those) > 1}
        ids = sorted({one for those in several.values() for one in those[-TITLES:]})
        titles = self.store.stories.first_titles(ids)
        return {
            thread: kind_of(
                [titles[one] for one in those[-TITLES:] if one in titles],
                # A reader or a language model has judged that these few belong together.
                1.0
                if thread in threads.judged and len(those) <= FEW
                else threads.shared_terms(thread),
            )
            for thread, those in several.items()
        }


def _candidates(placed: Placed) -> tuple[ThreadCandidate, ...]:
    return tuple(ThreadCandidate(near.thread, near.link, near.best) for near in placed.candidates)


def _asks(placed: Placed, rule: ThreadRule) -> list[ThreadAsk]:
    """What a language model is asked about a story: where the nearest other one is neither near nor
    far; and now and then a clear case, as a control."""
    offered = _candidates(placed)
    best = max((one.best for one in offered), default=-1.0)
    link = offered[0].link if offered else -1.0
    low, high = rule.uncertain
    if low <= best <= high:
        return [ThreadAsk(placed.event, offered)]
    clear = link >= rule.clear[1] or (offered and best <= rule.clear[0])
    if clear and placed.event % CONTROL_EVERY == 0:
        return [ThreadAsk(placed.event, offered, control=True)]
    return []


def _moment(day: float) -> datetime:
    return datetime.fromtimestamp(day * 86_400, UTC)
