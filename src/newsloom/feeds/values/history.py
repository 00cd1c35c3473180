"""What became of a feed over time: its polls, its addresses, what readers said of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.feeds.values.health import FeedState, Moving
from newsloom.feeds.values.polling import PollOutcome, PublishingRate
from newsloom.feeds.values.published import Damage, PollHints
from newsloom.kernel.ids import FeedId


@dataclass(frozen=True, slots=True)
class PastPoll:
    """One poll, as far as it is remembered."""

    at: datetime
    outcome: PollOutcome
    status: int = 0
    seconds: float = 0.0
    wire_bytes: int = 0
    articles: int = 0  # in the document; 0: there was none, or it was not read again
    misdated: int = 0
    new: int = 0
    problem: str = ""
    next_poll_at: datetime | None = None
    reason: str = ""  # why then


@dataclass(frozen=True, slots=True)
class PollTally:
    """What the polls that are remembered of a feed come to."""

    polls: int = 0
    answered: int = 0  # with a document or with "nothing new"
    documents: int = 0  # that were read, or tried
    sound: int = 0  # of them: well-formed
    articles: int = 0  # in them
    misdated: int = 0


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far a feed can be relied on, 0 to 100, and what that is made of; None: nothing is known.

    The parts are shares, 0 to 1.
    """

    score: int | None
    uptime: float | None = None
    valid: float | None = None
    dated: float | None = None
    polls: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """An address that was given up for another."""

    id: int
    feed_id: FeedId
    at: datetime
    from_url: str
    to_url: str
    because: str
    merged_id: FeedId | None = None  # the feed it became part of
    seen: bool = False
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What readers said of a feed in quarantine."""

    at: datetime
    same: bool  # it is the feed it was: all was let in; else it is kept out


@dataclass(frozen=True, slots=True)
class FeedHealth:
    """One feed a reader follows, and how it is."""

    feed_id: FeedId
    url: str
    title: str
    category: str
    state: FeedState
    since: datetime | None  # when that began
    seen: bool  # a reader waved the alert away
    site_url: str = ""
    problem: str = ""
    failures: int = 0
    unreadable: int = 0
    unchanged: int = 0
    damaged: int = 0  # documents in a row that were not as they should be
    damage: Damage = Damage.NONE  # of the last one
    status: int = 0
    polled_at: datetime | None = None
    ok_at: datetime | None = None
    changed_at: datetime | None = None  # when it last had news
    next_poll_at: datetime | None = None
    reason: str = ""  # why then
    interval: timedelta = timedelta(hours=1)
    floor: timedelta | None = None
    full_text: bool = False
    pace: PublishingRate = PublishingRate()
    hints: PollHints = PollHints()
    moving: Moving | None = None
    moved: Move | None = None  # the last, while nobody has seen it
    held_at: datetime | None = None
    held_because: str = ""
    held: int = 0  # documents kept back
    verdict: Verdict | None = None  # the last that stands
    tally: PollTally = PollTally()
