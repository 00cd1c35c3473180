"""What programs of other makers ask for over the sync APIs, and what they get."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from newsloom.kernel.ids import ArticleId, FeedId

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newsloom.feeds.values.published import Enclosure
    from newsloom.reading.values.reading import ArticleState, Listed

# The folder of feeds without a category. Apps expect every feed to be in a folder, and other
# servers give the default one this name.
UNCATEGORIZED = "Uncategorized"


class StreamKind(StrEnum):
    """What a part of a stream has."""

    ALL = "all"
    READ = "read"
    UNREAD = "unread"
    STARRED = "starred"
    LIKED = "liked"
    DISLIKED = "disliked"
    LATER = "later"
    TAG = "tag"
    FEED_TAG = "feed tag"  # given by its feed
    FEED = "feed"
    CATEGORY = "category"
    THESE = "these"  # named one by one
    ARRIVED = "arrived"  # named by their arrival numbers
    NOTHING = "nothing"


class StreamOrder(StrEnum):
    """What a stream is ordered by; what is equal, by arrival."""

    ARRIVAL = "arrival"
    DATE = "date"
    CHANGED = "changed"  # last mark, else arrival
    STATUS = "status"
    TITLE = "title"
    AUTHOR = "author"
    CATEGORY = "category"


@dataclass(frozen=True, slots=True)
class StreamPart:
    """A set of a reader's articles."""

    kind: StreamKind = StreamKind.ALL
    feed: FeedId | None = None
    category: str = ""
    tag: str = ""
    these: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StreamQuery:
    """Articles in every one of `within` and in none of `without`, by default as they arrived.

    Arrival numbers only grow, so a page that begins after one leaves out and repeats nothing,
    whatever is read or arrives meanwhile.
    """

    within: tuple[StreamPart, ...] = ()
    without: tuple[StreamPart, ...] = ()
    since: datetime | None = None  # reached the reader then or later
    until: datetime | None = None  # reached them then or before
    after: int | None = None  # the arrival number of the last of the page before
    oldest_first: bool = False  # in ascending order, whatever the order is
    limit: int = 20
    above: int | None = None  # arrival numbers above this
    below: int | None = None
    dated_after: datetime | None = None
    dated_before: datetime | None = None
    changed_after: datetime | None = None
    changed_before: datetime | None = None
    order: StreamOrder = StreamOrder.ARRIVAL  # with another, pages go by `offset`, not by `after`
    offset: int = 0


@dataclass(frozen=True, slots=True)
class StreamRef:
    """An article of a stream."""

    id: ArticleId
    arrival: int  # the reader's number of it, which only grows
    came: datetime  # when it reached the reader


@dataclass(frozen=True, slots=True)
class StreamPage:
    """A page, and whether another follows, which has an article at least."""

    refs: tuple[StreamRef, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class KnownArticle:
    """The article of a reader that a number means: a merged copy's number means its original."""

    id: ArticleId
    state: ArticleState


@dataclass(frozen=True, slots=True)
class StreamArticle:
    """An article whole, for a program that keeps it. `html` is as published, not sanitised."""

    listed: Listed
    arrival: int
    came: datetime
    html: str
    base_url: str  # what relative links in it are relative to
    site_url: str  # of the feed
    categories: tuple[str, ...]  # of the reader's feeds that carry it
    enclosures: tuple[Enclosure, ...]
    changed: datetime  # when it was last marked, else when it reached the reader
    comments_url: str
    tags: tuple[str, ...]  # given by its feed
    positions: Mapping[str, int]  # seconds that were listened to of a file, by its URL
