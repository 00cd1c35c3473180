"""What one poll says of how a feed is: its state, its address, whether it is kept apart. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.duplicates.values import IncomingArticle
from newsloom.feeds.health.moving import moved
from newsloom.feeds.health.ownership import identity_of, ownership_changed
from newsloom.feeds.values.health import FeedIdentity, FeedState, HeldDocument, Moving
from newsloom.feeds.values.polling import DueFeed, PollOutcome
from newsloom.feeds.values.published import Damage, ParsedArticle, ParsedFeed
from newsloom.kernel.http.values import Failure, Reply

# The issue: "after 3 flag unhealthy".
MOST_UNREADABLE = 3
# The ladder of waits (docs/work/decisions/fetching.md) has five rungs: a feed that failed on each
# has not answered for at least 41 hours.
MOST_FAILURES = 5
# One that only answers late is slow, not ill; ten polls without any answer in time are more than a
# fortnight of it.
MOST_TIMEOUTS = 10
# Documents that end too early, in a row: the first may have been an accident, and after three a
# reader is to be told, as of those that cannot be read.
MOST_CUT = MOST_UNREADABLE
# An answer that took this long came in time, but a third of our patience (30 s) was gone.
LATE = timedelta(seconds=10)

# Dates that cannot be: before the first feeds, or later than clocks and time zones put off.
EARLIEST_YEAR = 1990
MOST_AHEAD = timedelta(hours=24)

_ANSWERED = frozenset({PollOutcome.CHANGED, PollOutcome.UNCHANGED})


@dataclass(frozen=True, slots=True)
class Health:
    """What is to be recorded of a feed beside its articles."""

    state: FeedState
    moving: Moving | None = None  # where it permanently redirects to, not believed yet
    still: bool = False  # it does not: forget where it seemed to
    move_to: str = ""  # the address to store from now on
    move_because: str = ""
    held_because: str = ""  # begins a quarantine
    hold: HeldDocument | None = None  # kept whole, instead of its articles and its title
    misdated: int = 0  # articles without a date, or with one that cannot be
    identity: FeedIdentity | None = None  # who it is now; None: as before


def judged(
    due: DueFeed,
    reply: Reply,
    outcome: PollOutcome,
    feed: ParsedFeed | None,
    incoming: Sequence[IncomingArticle],
    known: int,
    now: datetime,
) -> Health:
    """How a feed is after a poll. `known`: how many of the incoming articles it has had already.

    Where `hold` is given, nothing of the document may be stored but the document itself.
    """
    if outcome is PollOutcome.GONE:
        return Health(FeedState.DEAD)
    if outcome not in _ANSWERED:
        # Any answer but the feed itself breaks the row; none at all says nothing of where it is.
        return Health(_after_failure(due, reply, outcome), still=reply.status > 0)
    wrong = misdated(feed.articles, now) if feed else 0
    because = "" if feed is None or due.held else ownership_changed(due, feed, len(incoming), known)
    if due.held or because:
        hold = None if feed is None else held(reply, now)
        return Health(FeedState.HELD, still=True, held_because=because, hold=hold, misdated=wrong)
    address = moved(due, reply, now)
    return Health(
        state=FeedState.MOVED if address.to else _answered(due, reply, feed),
        moving=address.moving,
        still=address.still,
        move_to=address.to,
        move_because=address.because,
        misdated=wrong,
        identity=identity_of(feed) if feed and feed.articles else None,
    )


def held(reply: Reply, now: datetime) -> HeldDocument:
    """A document as it came."""
    return HeldDocument(now, reply.url, reply.header("content-type"), reply.body)


def misdated(articles: Sequence[ParsedArticle], now: datetime) -> int:
    """How many have no date, or one that cannot be."""
    return sum(not _plausible(one.published or one.updated, now) for one in articles)


def _plausible(said: datetime | None, now: datetime) -> bool:
    return said is not None and said.year >= EARLIEST_YEAR and said <= now + MOST_AHEAD


def _answered(due: DueFeed, reply: Reply, feed: ParsedFeed | None) -> FeedState:
    """How a feed is that answered."""
    if feed is not None and feed.damage is Damage.CUT:
        return FeedState.UNHEALTHY if due.damaged + 1 >= MOST_CUT else FeedState.SLOW
    late = reply.seconds >= LATE.total_seconds()
    return FeedState.SLOW if late else FeedState.HEALTHY


def _after_failure(due: DueFeed, reply: Reply, outcome: PollOutcome) -> FeedState:
    if due.held:
        return FeedState.HELD
    if outcome is PollOutcome.UNREADABLE:
        ill = due.unreadable + 1 >= MOST_UNREADABLE
    elif reply.failure is Failure.TIMEOUT:
        ill = due.failures + 1 >= MOST_TIMEOUTS
    else:
        ill = due.failures + 1 >= MOST_FAILURES
    return FeedState.UNHEALTHY if ill or due.state is FeedState.UNHEALTHY else FeedState.SLOW
