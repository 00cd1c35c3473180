"""Which thread an event belongs to: the narrative over weeks that it is part of. Pure.

An event is a story. How near two events are is a weighted sum of the cosine of their vectors, of
their terms and of their names, less what time parts them. An event joins the thread whose nearest
events are nearest, or begins one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from newsloom.duplicates import series_titles
from newsloom.kernel.text.headlines import headline
from newsloom.stories.events import MOST_NAMES, Event
from newsloom.stories.prepared import COLUMN_BITS, MOST_TERMS
from newsloom.stories.values.pages import StoryId, ThreadId
from newsloom.stories.values.threads import ThreadKind

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ThreadRule:
    """How near events are, and how near is near enough, for the vectors of one encoder."""

    dense: float
    lexical: float
    names: float
    gap: float  # taken off for e - 1 days between two events, twice that for e² - 1
    join: float  # the least link of an event with a thread that it joins
    speaking: int = 3  # events of a thread that make its link, the nearest
    # Repair: how much nearer another thread must be, and how far below `join` an event leaves.
    better: float = 0.02
    worse: float = 0.08
    # The band of scores of the nearest event in which a language model is asked; and below which
    # score an event is clearly of no thread, from which link clearly of one.
    uncertain: tuple[float, float] = (0.25, 0.45)
    clear: tuple[float, float] = (0.2, 0.55)


# Of docs/work/figures.md, "Threads". Another encoder's cosines mean something else: it needs a row
# of its own, fitted by `newsloom eval threads`. Of multilingual-e5-small joins from .41, .44, .47
# were worse than from .35 (F1 of all .795, .794, .792 for .806).
MINILM = ThreadRule(dense=0.5, lexical=0.3, names=0.2, gap=0.02, join=0.35)
RULES: Mapping[str, ThreadRule] = {"all-minilm-l6-v2": MINILM, "multilingual-e5-small": MINILM}


def rule_of(encoder: str) -> ThreadRule:
    """By the name of an encoder; that of the shipped one for those that nobody has fitted."""
    return next((rule for name, rule in RULES.items() if encoder.startswith(name)), MINILM)


# Days after which a thread without an event is over; nearest events whose threads are candidates.
ALIVE = 30.0
NEAREST = 40
# Events whose terms and names are compared, those with the nearest vectors. With all of them a day
# of 2,000 events takes ten times as long, and both development sets come to the same.
COMPARED = 300
# Days after its first article in which an event may change its thread.
REPAIRED = 3.0
# Candidates that the audit keeps, and that a language model is offered.
CANDIDATES = 10


@dataclass(frozen=True, slots=True)
class Near:
    """A thread that an event may belong to."""

    thread: ThreadId
    link: float
    best: float  # the nearest event of it


@dataclass(frozen=True, slots=True)
class Placed:
    """What was decided of an event, and the candidates there were, the nearest first."""

    event: StoryId
    thread: ThreadId | None  # None: it begins one
    before: ThreadId | None
    candidates: tuple[Near, ...]


class Threads:
    """Threads that are alive, by their events."""

    def __init__(self, rule: ThreadRule, dimensions: int) -> None:
        self.rule = rule
        room = 256
        self._vectors = np.zeros((room, dimensions), np.float32)
        self._terms = _Weights(room, MOST_TERMS)
        self._names = _Weights(room, MOST_NAMES)
        self._days = np.zeros((room, 2))
        self._threads = np.zeros(room, np.int64)  # 0: the slot is free, or of no thread
        self._slots: dict[StoryId, int] = {}
        self.judged: set[ThreadId] = set()  # where a reader or a language model put an event
        self._free = list(range(room - 1, -1, -1))
        self._scratch = np.zeros(1 << COLUMN_BITS, np.float32)

    def put(self, event: Event, thread: ThreadId) -> None:
        """An event in a thread, in place of what was known of it."""
        slot = self._slots.get(event.id)
        if slot is None:
            slot = self._slots[event.id] = self._taken()
        self._vectors[slot] = event.vector
        self._terms.put(slot, *event.terms)
        self._names.put(slot, *event.names)
        self._days[slot] = event.began, event.ended
        self._threads[slot] = thread
        if event.pinned:
            self.judged.add(thread)

    def forget(self, events: Iterable[StoryId]) -> None:
        """Events that are over, or went into others."""
        for event in events:
            slot = self._slots.pop(event, None)
            if slot is not None:
                self._threads[slot] = 0
                self._free.append(slot)

    @property
    def events(self) -> tuple[StoryId, ...]:
        """Those that are held."""
        return tuple(self._slots)

    def by_thread(self, threads: Sequence[ThreadId]) -> dict[ThreadId, list[StoryId]]:
        """The events of some threads, by date."""
        wanted, found = set(threads), dict[ThreadId, list[StoryId]]()
        for event, slot in sorted(
            self._slots.items(), key=lambda it: (self._days[it[1], 0], it[0])
        ):
            thread = ThreadId(int(self._threads[slot]))
            if thread in wanted:
                found.setdefault(thread, []).append(event)
        return found

    def thread_of(self, event: StoryId) -> ThreadId | None:
        """Where an event is."""
        slot = self._slots.get(event)
        return None if slot is None else ThreadId(int(self._threads[slot]))

    def _near(self, event: Event) -> tuple[NDArray[np.int64], Scores]:
        """Threads of the events that are nearest, without the event itself, and how near they
        are, the nearest first."""
        # Days between the event and each other; 0 where they overlap.
        began, ended = self._days[:, 0], self._days[:, 1]
        gap = np.maximum(np.maximum(began - event.ended, event.began - ended), 0.0)
        dense = self._vectors @ event.vector
        known = (self._threads > 0) & (gap <= ALIVE)
        if event.id in self._slots:
            known[self._slots[event.id]] = False
        slots = np.flatnonzero(known)
        if len(slots) > COMPARED:
            slots = slots[np.argpartition(-dense[slots], COMPARED)[:COMPARED]]
        rule = self.rule
        scores: Scores = (
            rule.dense * dense[slots]
            + rule.lexical * self._terms.cosines(slots, self._scratch, *event.terms)
            + rule.names * self._names.cosines(slots, self._scratch, *event.names)
            - rule.gap * np.log1p(gap[slots])
        ).astype(np.float32)
        order = np.argsort(-scores, kind="stable")
        return self._threads[slots[order]], scores[order]

    def shared_terms(self, thread: ThreadId) -> float:
        """The mean cosine of the terms of a thread's events, two by two; 1 of a single one."""
        slots = np.flatnonzero(self._threads == thread)
        many = len(slots)
        if many < 2:
            return 1.0
        total = np.bincount(self._terms.columns[slots].ravel(), self._terms.weights[slots].ravel())
        return float((total @ total - many) / (many * (many - 1)))

    def candidates(self, event: Event, limit: int = CANDIDATES) -> tuple[Near, ...]:
        """The threads of the nearest events, the nearest first."""
        threads, scores = self._near(event)
        found = []
        for thread in dict.fromkeys(threads[:NEAREST].tolist()):
            own = scores[np.flatnonzero(threads == thread)[: self.rule.speaking]]
            found.append(Near(ThreadId(thread), float(own.mean()), float(own[0])))
        found.sort(key=lambda one: (-one.link, one.thread))
        return tuple(found[:limit])

    def place(self, event: Event) -> Placed:
        """Where an event goes that is in no thread yet."""
        near = self.candidates(event)
        best = near[0] if near and near[0].link >= self.rule.join else None
        return Placed(event.id, best.thread if best else None, None, near)

    def repair(self, event: Event) -> Placed | None:
        """Where an event goes that is in a thread already; None: it stays."""
        own = self.thread_of(event.id)
        if own is None or event.pinned:
            return None
        near = self.candidates(event, limit=NEAREST)
        mine = next((one.link for one in near if one.thread == own), None)
        better = next((one for one in near if one.thread != own), None)
        listed = near[:CANDIDATES]
        least = max(self.rule.join, -1.0 if mine is None else mine + self.rule.better)
        if better is not None and better.link >= least:
            return Placed(event.id, better.thread, own, listed)
        alone = int(np.count_nonzero(self._threads == own)) < 2
        if not alone and (mine is None or mine < self.rule.join - self.rule.worse):
            return Placed(event.id, None, own, listed)
        return None

    def _taken(self) -> int:
        if not self._free:
            room = len(self._days)
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
            self._days = np.concatenate([self._days, np.zeros_like(self._days)])
            self._threads = np.concatenate([self._threads, np.zeros_like(self._threads)])
            self._terms.grow()
            self._names.grow()
            self._free = list(range(2 * room - 1, room - 1, -1))
        return self._free.pop()


# A thread is a series when so many of its titles are of one, or are the one before but for a number
# or a day (of two stories: when both hold); and a subject when its stories share too few words: few
# stories must share more. Measured in docs/work/figures.md.
SERIES = 0.5
SAME_FRAME = 0.6
SUBJECT, SUBJECT_OF_FEW = 0.22, 0.38  # of 17 labelled narratives of five or more one shares less
FEWEST_OF_SERIES, FEW = 3, 4


def kind_of(titles: Sequence[str], shared: float) -> ThreadKind:
    """Of the title of each story's first article, by date, and of the mean cosine of the terms of
    its stories."""
    many = len(titles)
    if many < 2:
        return ThreadKind.NARRATIVE
    words = [headline(one) for one in titles]
    of_series = sum(map(_of_series, words)) / many
    same = [series_titles.shared(*pair) >= SAME_FRAME for pair in pairwise(words)]
    framed = sum(same) / (many - 1)
    enough = max if many >= FEWEST_OF_SERIES else min
    if enough(of_series, framed) >= SERIES:
        return ThreadKind.SERIES
    if shared < (SUBJECT_OF_FEW if many <= FEW else SUBJECT):
        return ThreadKind.SUBJECT
    return ThreadKind.NARRATIVE


def _of_series(title: str) -> bool:
    return series_titles.looks_recurring(title) or series_titles.issue(title) is not None


class _Weights:
    """Weighted buckets of many events."""

    def __init__(self, room: int, width: int) -> None:
        self.columns = np.zeros((room, width), np.int32)
        self.weights = np.zeros((room, width), np.float32)

    def put(self, slot: int, columns: NDArray[np.int32], weights: Scores) -> None:
        many = len(columns)
        self.columns[slot, :many] = columns
        self.weights[slot, :many] = weights
        self.weights[slot, many:] = 0.0

    def grow(self) -> None:
        self.columns = np.concatenate([self.columns, np.zeros_like(self.columns)])
        self.weights = np.concatenate([self.weights, np.zeros_like(self.weights)])

    def cosines(
        self,
        slots: NDArray[np.int64],
        scratch: Scores,
        columns: NDArray[np.int32],
        weights: Scores,
    ) -> Scores:
        scratch[columns] = weights
        held = scratch.take(self.columns.take(slots, 0))
        scratch[columns] = 0.0
        found: Scores = np.einsum("ij,ij->i", held, self.weights.take(slots, 0))
        return found


@dataclass(slots=True)
class Stream:
    """Events in the order of their dates into threads, repaired once a day: what the stage does,
    for what measures."""

    threads: Threads
    last: int = 0
    recent: dict[StoryId, Event] = field(default_factory=dict)

    def run(self, events: Sequence[Event]) -> dict[StoryId, ThreadId]:
        """The thread of each event in the end."""
        found: dict[StoryId, ThreadId] = {}
        day = None
        for one in sorted(events, key=lambda it: (it.began, it.id)):
            if day is not None and int(one.began) != day:
                self._repair(one.began, found)
            day = int(one.began)
            self._put(one, self.threads.place(one).thread, found)
            self.recent[one.id] = one
        if day is not None:
            self._repair(day + 1.0, found)
        return found

    def _repair(self, now: float, found: dict[StoryId, ThreadId]) -> None:
        self.recent = {k: one for k, one in self.recent.items() if now - one.began <= REPAIRED}
        for one in self.recent.values():
            placed = self.threads.repair(one)
            if placed is not None:
                self._put(one, placed.thread, found)

    def _put(self, one: Event, thread: ThreadId | None, found: dict[StoryId, ThreadId]) -> None:
        if thread is None:
            self.last += 1
            thread = ThreadId(self.last)
        self.threads.put(one, thread)
        found[one.id] = thread
