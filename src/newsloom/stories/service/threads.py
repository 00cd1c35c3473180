"""Threads as one reader sees them: narratives over weeks, event by event, and what they say of
them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.text.sentences import sentences
from newsloom.stories.service.stories import (
    FOLLOWS,
    MOST_DECISIONS,
    MUTED,
    ThreadLine,
    thread_lines,
)
from newsloom.stories.values.pages import StoryHead, StoryId, StoryMember, ThreadId
from newsloom.stories.values.threads import ThreadCorrection, ThreadDecision, ThreadKind
from newsloom.summaries.said import NOTHING, is_new, said

if TYPE_CHECKING:
    from newsloom.app.reader import Reader

# Threads of a list, the latest, and how long ago the last story of one may be.
LISTED, LATELY = 200, timedelta(days=30)


@dataclass(frozen=True, slots=True)
class ThreadEvent:
    """A story of a thread."""

    head: StoryHead
    title: str
    members: tuple[StoryMember, ...]  # among the reader's, by date
    changed: str = ""  # the sentences of its summary that earlier events did not say

    @property
    def first(self) -> StoryMember:
        """Who reported it first."""
        return self.members[0]

    @property
    def sources(self) -> int:
        return len({one.source for one in self.members})


@dataclass(frozen=True, slots=True)
class ThreadView:
    """A thread whole."""

    line: ThreadLine
    events: tuple[ThreadEvent, ...]  # by date, the first first
    corrections: tuple[ThreadCorrection, ...]  # one of each act, the last first

    @property
    def first(self) -> StoryMember:
        """Who reported the first event first."""
        return min((one.first for one in self.events), key=lambda one: (one.dated, one.article))


def lines(reader: Reader, *, muted: bool = False) -> tuple[ThreadLine, ...]:
    """The threads of a reader's feeds, those that they follow first, then the latest."""
    subscriptions = reader.store.stories.thread_subscriptions(reader.user)
    heads = reader.store.stories.thread_heads(
        since=reader.now() - LATELY,
        limit=LISTED,
        ids=[
            one for one, subscription in subscriptions.items() if subscription == FOLLOWS or muted
        ],
    )
    found = [one for one in thread_lines(reader, heads) if (one.subscription == MUTED) is muted]
    return tuple(sorted(found, key=lambda one: one.subscription != FOLLOWS))


def followed(reader: Reader) -> tuple[ThreadLine, ...]:
    """The threads that a reader follows, the latest first."""
    subscriptions = reader.store.stories.thread_subscriptions(reader.user)
    ids = [one for one, subscription in subscriptions.items() if subscription == FOLLOWS]
    heads = reader.store.stories.thread_heads(since=reader.now(), limit=LISTED, ids=ids)
    return tuple(one for one in thread_lines(reader, heads) if one.subscription == FOLLOWS)


def view(reader: Reader, number: int) -> ThreadView:
    """A thread whole; of one that went into another, that one. Raises NotFound."""
    line = _line(reader, number)
    members = reader.store.stories.visible_members(reader.user, line.stories)
    heads = reader.store.stories.story_heads(
        ids=line.stories, least=1, limit=len(line.stories), user=reader.user
    )
    events = sorted(
        (
            ThreadEvent(
                head, head.title or members[head.id][0].title or "Untitled", members[head.id]
            )
            for head in heads
        ),
        key=lambda one: (one.first.dated, one.head.id),
    )
    acts: dict[int, ThreadCorrection] = {}
    for one in reader.store.stories.thread_corrections(line.head.id):
        acts.setdefault(one.act, one)
    return ThreadView(
        line=line,
        events=tuple(_with_changes(events)),
        corrections=tuple(one for one in acts.values() if one.user == reader.user),
    )


def _with_changes(events: Sequence[ThreadEvent]) -> Iterator[ThreadEvent]:
    """Each event with the sentences that say more than the events before it."""
    known = NOTHING
    for event in events:
        language = event.first.language
        lines = sentences(event.head.summary)
        new = [one for one in lines if known is NOTHING or is_new(said(one, language), known)]
        yield replace(event, changed=" ".join(new))
        for one in (event.title, *lines):
            known |= said(one, language)


def set_subscription(reader: Reader, number: int, how: int) -> None:
    """Follow, mute or neither, with all its stories, now and to come. Raises NotFound."""
    reader.store.stories.set_thread_subscription(reader.user, _line(reader, number).head.id, how)
    reader.on_change()


def split(reader: Reader, number: int, chosen: Sequence[int]) -> ThreadId:
    """Stories out of a thread into one of their own: which it is. Raises UserError, NotFound."""
    line = _line(reader, number)
    ids = [one for one in line.stories if one in set(chosen)]
    if not ids or len(ids) == len(line.stories):
        raise UserError("Select some of the stories, not all.")
    return _moved(reader, ids, None)


def merge(reader: Reader, gone: int, kept: int) -> ThreadId:
    """All stories of a thread into another. Raises UserError and NotFound."""
    one, other = _line(reader, gone), _line(reader, kept)
    if one.head.id == other.head.id:
        raise UserError("Choose another thread to merge with.")
    every = reader.store.stories.thread_stories([one.head.id], one.head.size)
    return _moved(reader, every.get(one.head.id, ()), other.head.id)


def undo(reader: Reader, act: int) -> ThreadId:
    """Take back what the reader did to threads: where the stories are again. Raises NotFound."""
    thread = reader.store.stories.undo_thread_act(reader.user, act, reader.now())
    if thread is None:
        raise NotFound("There is nothing to undo.")
    reader.on_change()
    return thread


def decisions(reader: Reader, number: int) -> tuple[ThreadDecision, ...]:
    """The audit of a thread, of the stories that the reader sees; the newest first."""
    line = _line(reader, number)
    found = reader.store.stories.thread_decisions(line.head.id, MOST_DECISIONS)
    ids = sorted({one.story for one in found})
    seen = reader.store.stories.visible_members(reader.user, ids)
    return tuple(
        one if one.story in line.stories else replace(one, candidates=(), reason="")
        for one in found
        if one.story in seen
    )


def _moved(reader: Reader, ids: Sequence[StoryId], thread: ThreadId | None) -> ThreadId:
    found = reader.store.stories.move_stories(reader.user, ids, thread, reader.now())
    if found is None:
        raise UserError("None of these stories can be moved.")
    reader.on_change()
    return found


def _line(reader: Reader, number: int) -> ThreadLine:
    head = reader.store.stories.thread(ThreadId(number))
    shown = head is not None and (
        head.kind is ThreadKind.NARRATIVE
        or head.id in reader.store.stories.thread_subscriptions(reader.user)
    )
    found = thread_lines(reader, [head]) if head is not None and shown else ()
    if not found:
        raise NotFound(f"There is no thread {number} in your feeds.")
    return found[0]
