"""WebSub: what is agreed with the hub of a feed, and what a hub sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from newsloom.feeds.values.health import PushState
from newsloom.kernel.ids import FeedId


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
