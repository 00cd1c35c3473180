"""What one poll says of how a feed is: its state, its address, whether it is kept apart. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from newsloom.types import (
    DueFeed,
    FeedState,
    HeldDocument,
    IncomingArticle,
    Moving,
    ParsedFeed,
    PollOutcome,
    Reply,
)


@dataclass(frozen=True, slots=True)
class Health:
    """What is to be recorded of a feed beside its articles."""

    state: FeedState
    because: str = ""  # in words
    moving: Moving | None = None  # where it permanently redirects to, not believed yet
    still: bool = False  # it does not: forget where it seemed to
    move_to: str = ""  # the address to store from now on
    move_because: str = ""
    held_because: str = ""  # begins a quarantine
    hold: HeldDocument | None = None  # kept whole, instead of its articles and its title
    misdated: int = 0  # articles without a date, or with one that cannot be


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
    answered = outcome in {PollOutcome.CHANGED, PollOutcome.UNCHANGED}
    return Health(FeedState.HEALTHY if answered else FeedState.SLOW)
