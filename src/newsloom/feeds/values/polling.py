"""When a feed is asked, and what one poll and one pass did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from newsloom.duplicates.values import JudgedArticle
from newsloom.feeds.values.health import FeedIdentity, FeedState, HeldDocument, Moving, PushState
from newsloom.feeds.values.published import Damage, ParsedFeed, PollHints
from newsloom.kernel.ids import FeedId


class PollOutcome(StrEnum):
    CHANGED = "changed"  # a document with something new or revised in it
    UNCHANGED = "unchanged"  # 304, the same bytes, or nothing new in them
    FAILED = "failed"  # no answer, or not 200 and not 304
    UNREADABLE = "unreadable"  # an answer that is no feed
    GONE = "gone"  # 410


# A feed was read, whether it has news or not.
READ = frozenset({PollOutcome.CHANGED, PollOutcome.UNCHANGED})

# A clock that was set back leaves requests in the future, which are no reason to wait; by more than
# summer time and a wrong zone do.
CLOCK_SLACK = timedelta(hours=3)


@dataclass(frozen=True, slots=True)
class PublishingRate:
    """How often a feed has news, as far as its polls have told."""

    polls: int = 0  # that it was learned from
    per_day: float = 0.0  # new articles, the recent days weighing more
    hours: tuple[float, ...] = ()  # share of them by hour of the day in UTC; empty: not known
    days: tuple[float, ...] = ()  # by day of the week, Monday first
    at: datetime | None = None  # up to when it was learned; None: nothing is known
    watched: float = 0.0  # days it was learned from, the recent ones weighing more


@dataclass(frozen=True, slots=True)
class PollFacts:
    """All that the decision when to ask again may see."""

    outcome: PollOutcome
    interval: timedelta  # the last one used
    failures: int = 0  # consecutive, before this one
    unchanged: int = 0  # consecutive, before this one
    hints: PollHints = PollHints()
    fresh_for: timedelta | None = None  # Cache-Control or Expires, less Age
    retry_after: timedelta | None = None
    status: int = 0
    conditional: bool = True  # whether the server gives validators at all
    newsy: int = 0  # polls with news in a row, before this one
    pace: PublishingRate = PublishingRate()  # this poll included
    floor: timedelta | None = None  # its readers' own; None: as the settings say
    max_age: timedelta | None = None  # of Cache-Control, as said
    timed_out: bool = False
    limited: bool = False  # the answer before was 429 too
    pushed: bool = False  # a hub tells of its news
    damage: Damage = Damage.NONE  # of its document
    damaged: int = 0  # documents in a row with any, before this one


@dataclass(frozen=True, slots=True)
class PollPlan:
    """When to ask again, and why."""

    next_poll: datetime | None  # None: stop polling
    interval: timedelta
    reason: str
    not_before: datetime | None = None  # what the server asked for, and holds by hand too


@dataclass(frozen=True, slots=True)
class DueFeed:
    """A feed this process has leased and must poll."""

    id: FeedId
    url: str
    lease: str  # fencing token: a write with another token is refused
    etag: str = ""
    last_modified: str = ""
    validated_url: str = ""  # the URL whose validators these are, after redirects
    body_hash: str = ""
    interval: timedelta = timedelta(hours=1)
    failures: int = 0
    unchanged: int = 0
    hints: PollHints = PollHints()
    new: bool = False  # never polled
    host: str = ""  # text.urls.shared_host of its address
    host_asked_at: datetime | None = None  # by another process, if that is a moment ago
    status: int = 0  # of the last answer
    unreadable: int = 0  # polls in a row whose answer was no feed
    newsy: int = 0  # polls in a row with news
    damaged: int = 0  # documents in a row that were damaged
    polled_at: datetime | None = None
    floor: timedelta | None = None  # its readers' own; None: as the settings say
    pace: PublishingRate = PublishingRate()
    state: FeedState = FeedState.HEALTHY
    moving: Moving | None = None
    held: bool = False  # in quarantine
    pushed: bool = False  # a hub tells of its news for now (WebSub)
    title: str = ""
    site_url: str = ""
    language: str = ""
    identity: FeedIdentity | None = None  # None: no document has shown it
    declined: str = ""  # where a reader does not want it to have moved


@dataclass(frozen=True, slots=True)
class PollRecord:
    """Everything one poll changes, stored in one transaction."""

    due: DueFeed
    outcome: PollOutcome
    plan: PollPlan
    at: datetime
    seconds: float
    status: int = 0
    wire_bytes: int = 0
    problem: str = ""
    etag: str | None = None  # None: keep what is stored
    last_modified: str | None = None
    validated_url: str | None = None
    body_hash: str | None = None
    damage: Damage | None = None  # None: there was no document to be read
    feed: ParsedFeed | None = None  # title, site, language, hints
    articles: tuple[JudgedArticle, ...] = ()
    settings_fingerprint: str = ""  # of the request's settings; empty: no server was reached
    by_hub: bool = False  # a hub sent the document: no poll, and nothing said of the next one
    seen: int = 0  # articles in the document
    left_out: bytes | None = None  # marks of those that are not added; None: keep what is stored
    misdated: int = 0  # of them: without a date, or with one that cannot be
    identity: FeedIdentity | None = None
    pace: PublishingRate | None = None  # None: keep what is stored, as the next three
    state: FeedState | None = None
    moving: Moving | None = None
    still: bool = False  # the address does not redirect permanently: forget `moving`
    hold: HeldDocument | None = None  # what is kept instead of its articles
    held_because: str = ""  # begins a quarantine
    pause: Pause | None = None  # its host is left alone for a while
    move_to: str = ""  # the address the feed has from now on
    move_because: str = ""


@dataclass(frozen=True, slots=True)
class Pause:
    """A host that is left alone for a while, whatever is due of it."""

    host: str
    at: datetime
    until: datetime
    because: str


@dataclass(frozen=True, slots=True)
class HostLease:
    """Whether it is one's turn to ask a host."""

    mine: bool
    asked_at: datetime | None = None  # by another process, if that is a moment ago


@dataclass(frozen=True, slots=True)
class Waiting:
    """What keeps a feed from being asked by hand."""

    feed_id: FeedId
    polled_at: datetime | None
    not_before: datetime | None  # what its server asked for
    pause: Pause | None  # of its host
    dead: bool = False
    # It failed before any server was asked, or under other settings: no reason to wait.
    excused: bool = False


@dataclass(frozen=True, slots=True)
class PollCounts:
    """What a pass did, for people and for --json. Adds up."""

    feeds: int = 0
    changed: int = 0
    unchanged: int = 0
    failed: int = 0
    articles: int = 0  # seen in documents
    new: int = 0
    revised: int = 0
    duplicates: int = 0
    wire_bytes: int = 0
    problems: tuple[tuple[str, str], ...] = ()  # (feed URL, words)

    def __add__(self, other: PollCounts) -> PollCounts:
        return PollCounts(
            *(
                getattr(self, name) + getattr(other, name)
                for name in type(self).__dataclass_fields__
            )
        )


@dataclass(frozen=True, slots=True)
class StageReport:
    """What one stage of a pass did."""

    stage: str
    done: int
    seconds: float
    problem: str = ""
    joined: int = 0  # articles that came to share a cluster


@dataclass(frozen=True, slots=True)
class PassReport:
    """The result of `newsloom run`."""

    polls: PollCounts
    stages: tuple[StageReport, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class PollingFigures:
    """How polling does as a whole, for who runs the server."""

    by_state: Mapping[str, int]  # feeds; see FeedState
    due: int  # feeds to be asked by now
    late_seconds: float  # how long the first of them has been due
    failing: int  # feeds whose last poll failed
    articles: int  # stored since the store was made


# WebSub: what is agreed with the hub of a feed, and what a hub sent.


@dataclass(frozen=True, slots=True)
class Announced:
    """A followed feed whose publisher names a hub that this feed is not agreed on with yet."""

    feed: FeedId
    hub: str
    topic: str  # what to ask the hub for
    instead_of: str = ""  # the token of what was agreed before, with this hub or another


@dataclass(frozen=True, slots=True)
class Push:
    """How things stand between a feed and its hub. The token and the secret are never shown."""

    feed: FeedId
    token: str = field(repr=False)
    secret: str = field(repr=False)
    base: str  # where hubs reach us, as it was when the hub was asked
    hub: str
    topic: str
    state: PushState = PushState.WANTED
    asked_at: datetime | None = None  # None: the hub owes no call back
    active_at: datetime | None = None  # since when it tells, renewals apart
    until: datetime | None = None  # when the lease ends
    next_at: datetime | None = None  # when to ask the hub again
    pushed_at: datetime | None = None
    missed_at: datetime | None = None  # when a poll found news the hub should have told
    tries: int = 0  # since it last went well
    received: int = 0
    ignored: int = 0  # of them: no feed, or another's
    refused: int = 0  # with a wrong signature, or none
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A document that a hub sent, acknowledged and not taken in yet."""

    feed: FeedId
    at: datetime
    content_type: str
    digest: str  # of the body
    body: bytes
    id: int = 0  # 0: not kept yet


@dataclass(frozen=True, slots=True)
class MostDeliveries:
    """What is kept of hubs that send faster than it is taken in, or for no reason."""

    waiting: int  # of one feed
    megabytes: float  # of all feeds
    an_hour: int  # of one feed


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
