"""What follows from the marks of another program: which label events, and when to try again.

Pure: facts and `now` in, values out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

from newsloom.bridges.values import Account, KnownEntry, Mark, RemoteState
from newsloom.reading.values.reading import EventKind

# Where the other side keeps no time of reading, this many entries found read at one look were
# marked so together: nobody opens thirty articles between two looks half an hour apart.
MANY_AT_ONCE = 30

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Mapped:
    """Which marks of the other side say something of taste."""

    read: bool = True  # read one by one: liked
    rated: bool = True  # marks for liked and disliked
    starred: bool = True


def marks(
    known: Mapping[int, KnownEntry],
    states: Sequence[RemoteState],
    mapped: Mapped,
    now: datetime,
    new: Mapping[int, datetime | None] = MappingProxyType({}),
) -> tuple[Mark, ...]:
    """The events that turn what was last seen into what stands there now, in order of time.

    `new` entries, with when they came out, are seen for the first time: where the other side keeps
    no times, how they were read is not known, and what was said is dated by the entry. Dated by the
    day of the first look, years of likes were the flood of one day.
    """
    newly_read = [
        one.key for one in states if one.read and one.key in known and not known[one.key].read
    ]
    many = len(newly_read) > MANY_AT_ONCE
    found = [
        mark
        for state in states
        if state.key in known
        for mark in _marks(
            known[state.key],
            state,
            mapped,
            _look(state, now, many, new),
        )
    ]
    return tuple(sorted(found, key=lambda mark: mark.at))


def _look(
    state: RemoteState, now: datetime, many: bool, new: Mapping[int, datetime | None]
) -> _Look:
    if state.key not in new:
        return _Look(now, now, many)
    out = new[state.key] or now
    # What was said of it was not said before it was read.
    return _Look(now, max(out, state.read_at or out), many or state.read_at is None)


@dataclass(frozen=True, slots=True)
class _Look:
    """What is to be taken of an entry where the other side says nothing."""

    now: datetime
    at: datetime  # when what was done was done
    many: bool  # it was marked read with many others


def _marks(known: KnownEntry, state: RemoteState, mapped: Mapped, look: _Look) -> list[Mark]:
    """Reading first: a dislike or a star given with it is the later word.

    What the reader said here in Newsloom stands: a rating or star that the other side did not give
    is not taken away by it.
    """
    found: list[tuple[EventKind, datetime | None]] = []
    if state.read and not known.read:
        found.append((_read(state, mapped, look.many), state.read_at))
    elif known.read and not state.read:
        found.append((EventKind.UNREAD, None))
    rated = _rated(known, state) if mapped.rated else None
    if rated is not None:
        found.append((rated, state.disliked_at))
    if mapped.starred:
        if state.starred and not known.starred:
            found.append((EventKind.STAR, state.starred_at))
        elif known.starred and not state.starred and known.starred_here:
            found.append((EventKind.UNSTAR, state.starred_at))
    return [Mark(known.article, kind, min(at or look.at, look.now)) for kind, at in found]


def _rated(known: KnownEntry, state: RemoteState) -> EventKind | None:
    """What a change of the marks for liked and disliked says.

    What was said here already is not said again: it may be our own write that comes back. Both
    marks at once: the one that is new counts, and two new ones say nothing.
    """
    liked = known.liked if state.liked is None else state.liked
    disliked = known.disliked if state.disliked is None else state.disliked
    if (liked, disliked) == (known.liked, known.disliked):
        return None
    if liked and disliked:
        says = int(not known.liked) - int(not known.disliked)
    else:
        says = int(liked) - int(disliked)
    if says:
        kind = EventKind.LIKE if says > 0 else EventKind.DISLIKE
        return kind if known.rating != says else None
    taken = {1: known.liked and not liked, -1: known.disliked and not disliked}
    return EventKind.UNRATE if taken.get(known.rating) else None


def _read(state: RemoteState, mapped: Mapped, many: bool) -> EventKind:
    in_bulk = many if state.in_bulk is None else state.in_bulk
    if in_bulk:
        return EventKind.BULK_READ
    return EventKind.FINISHED if mapped.read and not state.disliked else EventKind.READ


def due(account: Account, every: timedelta, now: datetime) -> bool:
    """Whether it is time: after a failure its own, else so long after the last success."""
    if account.next_try is not None:
        return account.next_try <= now
    return account.synced is None or account.synced + every <= now


def next_try(failures: int, now: datetime) -> datetime:
    """Twice as long after each failure."""
    return now + longer(FIRST_PAUSE, failures)


def longer(pause: timedelta, failures: int) -> timedelta:
    """A pause doubled for each failure in a row."""
    return min(pause * (1 << min(failures, 20)), LONGEST_PAUSE)
