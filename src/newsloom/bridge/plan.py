"""What follows from the marks of another program: which label events, and when to try again.

Pure: facts and `now` in, values out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.types import Account, EventKind, KnownEntry, Mark, RemoteState

# Where the other side keeps no time of reading, this many entries found read at one look were
# marked so together: nobody opens thirty articles between two looks half an hour apart.
MANY_AT_ONCE = 30

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Mapped:
    """Which marks of the other side say something of taste."""

    read: bool = True  # read one by one: liked
    disliked: bool = True
    starred: bool = True


def marks(
    known: Mapping[int, KnownEntry],
    states: Sequence[RemoteState],
    mapped: Mapped,
    now: datetime,
) -> tuple[Mark, ...]:
    """The events that turn what was last seen into what stands there now, in order of time."""
    newly_read = [
        one.key for one in states if one.read and one.key in known and not known[one.key].read
    ]
    many = len(newly_read) > MANY_AT_ONCE
    found = [
        mark
        for state in states
        if state.key in known
        for mark in _marks(known[state.key], state, mapped, now, many)
    ]
    return tuple(sorted(found, key=lambda mark: mark.at))


def _marks(
    known: KnownEntry, state: RemoteState, mapped: Mapped, now: datetime, many: bool
) -> list[Mark]:
    """Reading first: a dislike or a star given with it is the later word.

    What the reader said here in Newsloom stands: a rating or star that the other side did not give
    is not taken away by it.
    """
    found: list[tuple[EventKind, datetime | None]] = []
    if state.read and not known.read:
        found.append((_read(state, mapped, many), state.read_at))
    elif known.read and not state.read:
        found.append((EventKind.UNREAD, None))
    if mapped.disliked:
        if state.disliked and not known.disliked:
            found.append((EventKind.DISLIKE, state.disliked_at))
        elif known.disliked and not state.disliked and known.rating == -1:
            found.append((EventKind.UNRATE, state.disliked_at))
    if mapped.starred:
        if state.starred and not known.starred:
            found.append((EventKind.STAR, state.starred_at))
        elif known.starred and not state.starred and known.starred_here:
            found.append((EventKind.UNSTAR, state.starred_at))
    return [Mark(known.article, kind, min(at or now, now)) for kind, at in found]


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
