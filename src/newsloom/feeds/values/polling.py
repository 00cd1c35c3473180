"""When a feed is asked, and what one poll and one pass did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from newsloom.duplicates.values import JudgedArticle
from newsloom.feeds.values.health import FeedIdentity, FeedState, HeldDocument, Moving
from newsloom.feeds.values.published import Damage, ParsedFeed, PollHints
from newsloom.kernel.ids import FeedId


class PollOutcome(StrEnum):
    CHANGED = "changed"  # a document with something new or revised in it
    UNCHANGED = "unchanged"  # 304, the same bytes, or nothing new in them
    FAILED = "failed"  # no answer, or not 200 and not 304
    UNREADABLE = "unreadable"  # an answer that is no feed
    GONE = "gone"  # 410


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
