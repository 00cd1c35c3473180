"""What one reader follows, sees and does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from newsloom.feeds.values.health import FeedState
from newsloom.kernel.ids import ArticleId, EventId, FeedId

if TYPE_CHECKING:
    from newsloom.duplicates.values import Evidence, Relation
    from newsloom.feeds.values.published import Enclosure
    from newsloom.kernel.settings.ranking import Diversification
    from newsloom.reading.values.searching import Cursor
    from newsloom.stories.values.pages import StoryId


class EventKind(StrEnum):
    """What a reader did to an article. Events are only ever added."""

    READ = "read"
    UNREAD = "unread"
    LIKE = "like"
    DISLIKE = "dislike"
    UNRATE = "unrate"
    STAR = "star"
    UNSTAR = "unstar"
    LATER = "later"  # to be read later: not yet, which says nothing of it
    NOT_LATER = "not later"
    OPENED = "opened"  # implicit: looked at
    FINISHED = "finished"  # implicit: read to the end
    SKIPPED = "skipped"  # implicit: seen and passed over
    BULK_READ = "bulk read"  # marked read with many others: says nothing of any of them
    UNDO = "undo"


class Mark(StrEnum):
    """What can be said of an article."""

    READ = "read"
    UNREAD = "unread"
    LIKE = "like"
    DISLIKE = "dislike"
    UNRATE = "unrate"
    STAR = "star"
    UNSTAR = "unstar"


class SentOutcome(StrEnum):
    """What came of a mark that was sent some time after it was made."""

    DONE = "done"
    OVERTAKEN = "overtaken"  # the reader said something else of the article later
    GONE = "gone"  # none of its articles is among the reader's
    LATE = "late"  # it was made too long ago


@dataclass(frozen=True, slots=True)
class Event:
    id: EventId
    article_id: ArticleId
    kind: EventKind
    at: datetime
    via: str  # "web", "cli", "import", ...
    title: str = ""


@dataclass(frozen=True, slots=True)
class ArticleState:
    """One reader's state of one article."""

    read: bool = False
    starred: bool = False
    rating: int = 0  # 1 liked, -1 disliked, 0 neither
    later: bool = False  # to be read later


# What each kind sets, what it says itself first; the others change no state. Who has judged an
# article is done with it, so it leaves the unread list; that is no event of its own, so it teaches
# what the judgement teaches.
EFFECTS: Mapping[EventKind, Mapping[str, Any]] = {
    EventKind.READ: {"read": True},
    EventKind.BULK_READ: {"read": True},
    EventKind.FINISHED: {"read": True},
    EventKind.SKIPPED: {"read": True},
    EventKind.UNREAD: {"read": False},
    EventKind.LIKE: {"rating": 1, "read": True},
    EventKind.DISLIKE: {"rating": -1, "read": True},
    EventKind.UNRATE: {"rating": 0},
    EventKind.STAR: {"starred": True},
    EventKind.UNSTAR: {"starred": False},
    EventKind.LATER: {"later": True},
    EventKind.NOT_LATER: {"later": False},
}


def is_marked(state: ArticleState, kind: EventKind) -> bool:
    """Whether what a kind says of an article is so already."""
    name, value = next(iter(EFFECTS[kind].items()))
    return bool(getattr(state, name) == value)


@dataclass(frozen=True, slots=True)
class Subscription:
    feed_id: FeedId
    url: str
    title: str  # the reader's own name for it, else the feed's
    category: str
    name: str = ""  # what stands for it beside its articles
    label: str = ""  # what stands for it among feeds: the publisher and the section
    site_url: str = ""
    unread: int = 0
    problem: str = ""
    failures: int = 0
    polled_at: datetime | None = None
    next_poll_at: datetime | None = None
    dead: bool = False
    articles: int = 0
    full_text: bool = False  # its articles' pages are fetched
    state: FeedState = FeedState.HEALTHY
    place: int = 0  # in the order the reader made of all feeds, from 1; 0: by category and title


@dataclass(frozen=True, slots=True)
class FeedFigures:
    """How much comes of a feed, and how much of it the reader has read."""

    newest: datetime | None  # the date of its last article
    recent: int  # articles dated in the time asked about
    read: int  # its originals that are read, however they came to be


@dataclass(frozen=True, slots=True)
class LeftFeed:
    """A feed that a reader left lately and can follow again as it was."""

    feed_id: FeedId
    title: str
    url: str
    category: str
    at: datetime  # when they left it
    unread: int  # articles that were unread then and come back with it


class Order(StrEnum):
    RANKED = "ranked"
    NEWEST = "newest"
    IMPORTANT = "important"
    OLDEST = "oldest"
    RANDOM = "random"  # the same for the same seed, whatever comes or is read meanwhile


class Rows(StrEnum):
    """What makes one row of a list."""

    STORY = "story"  # a narrative over days; what is in none has rows as by CLUSTER
    CLUSTER = "cluster"  # an event
    TEXT = "text"  # copies only
    ARTICLE = "article"


@dataclass(frozen=True, slots=True)
class AsOf:
    """A moment of a store, by what had happened until then.

    A list as of it keeps what was read, starred or rated otherwise since, one by one, and has
    nothing that came since: it is the list that was shown then, whatever was done in it.
    """

    event: EventId  # the last
    arrival: int  # the reader's newest; see states.py


@dataclass(frozen=True, slots=True)
class RecencyTerm:
    """What recency adds to importance: `points` of 100 for what is new, fading by the hour."""

    points: float = 20.0
    fade: float = 0.03


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which articles to list. Everything narrows; the default is the ranked unread list."""

    order: Order = Order.RANKED
    unread_only: bool = True
    starred_only: bool = False
    liked_only: bool = False
    later_only: bool = False
    tag: str | None = None  # a name of it
    as_of: AsOf | None = None  # None: as it is now
    newer_than: ArticleId | None = None  # only articles that the store got after that one
    arrived_after: int | None = None  # only articles that reached the reader after that number
    feed: FeedId | None = None
    category: str | None = None
    cluster: ArticleId | None = None  # any article of it: each of the others has a row of its own
    language: str | None = None  # "en"; "" for articles that name none
    sensitivity: int | None = None  # 1..5, as listed
    score: float = 0  # R(now) at least; 0 lets all through
    importance: float = 0  # now, at least; 0 lets all through
    recency: RecencyTerm = RecencyTerm()  # of importance
    since: datetime | None = None
    within: timedelta | None = None  # dated no longer ago than this, at the moment of the list
    seed: int | None = None  # of the random order; None: none was drawn yet
    limit: int = 50
    offset: int = 0
    after: Cursor | None = None  # of the page before; `offset` counts from there
    rows: Rows = Rows.CLUSTER  # a filter lets a row through that has one article which it lets
    diversification: Diversification | None = None  # None: by score alone

    @property
    def row_kind(self) -> Rows:
        """What makes one row: in a list of one cluster, each article."""
        return self.rows if self.cluster is None else Rows.ARTICLE


@dataclass(frozen=True, slots=True)
class RowArticle:
    """Another article of a row than the one shown."""

    id: ArticleId
    title: str
    source: str
    feed_title: str
    dated: datetime
    read: bool
    same_text: bool  # as the one shown


@dataclass(frozen=True, slots=True)
class Cluster:
    """What the reader has of what one row stands for, the article shown among it."""

    articles: int
    texts: int  # that many of them are different
    sources: int
    feeds: int  # that carry the text shown
    latest: datetime
    others: tuple[RowArticle, ...]  # the fullest of them; `articles` counts all


@dataclass(frozen=True, slots=True)
class RowStory:
    """What the reader has of the story that one row stands for, the article shown among it."""

    id: StoryId
    title: str  # "" until it has one
    articles: int
    unread: int
    sources: int
    latest: datetime
    others: tuple[RowArticle, ...]  # the newest of them; `articles` counts all


@dataclass(frozen=True, slots=True)
class Version:
    """Another article that is an earlier or a later version of one, with a row of its own."""

    id: ArticleId
    title: str
    later: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """One row of the list: an article shown once, however many feeds carry it."""

    id: ArticleId
    title: str
    url: str
    source: str  # host without www
    feed_id: FeedId
    feed_title: str
    dated: datetime  # min(published, first seen)
    relevance: float  # R0, 0..100, time-free
    sensitivity: int  # 1 evergreen .. 5 critical
    score: float  # R(now), 0..100
    state: ArticleState
    links_elsewhere: bool = False  # the feed is served by others than its link
    also_in: int = 0  # other feeds of the reader with the same text
    excerpt: str = ""
    image: str = ""  # address of a picture of it; empty: none is known
    language: str = ""
    author: str = ""
    scored: bool = True  # False: no model has seen it yet, and it stands where an average one would
    # None: it shares its row with no other; or, where that is a story's, its text with no other.
    cluster: Cluster | None = None
    story: RowStory | None = None  # only where rows are stories; None: the row stands for none
    # Whose relevance, sensitivity and score these are, when another article of the row stands
    # higher than the one shown.
    stands_by: ArticleId | None = None
    version: Version | None = None  # the newest that is later, else the newest that is earlier
    lowered: bool = False  # for variety: a row that scores less stands above it
    points: float | None = None  # importance without its recency; None: not weighed yet
    importance: float | None = None  # now, 0..100; only where a list is ordered or filtered by it
    tags: tuple[str, ...] = ()  # of the article itself
    noted: bool = False  # the reader wrote a note about it, or highlighted words of it
    sorted_as: datetime | None = None  # the date it is ordered by, if it is another

    @property
    def sort_date(self) -> datetime:
        """The date it is ordered by, and is as old as."""
        return self.sorted_as or self.dated


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list, and where the next one begins."""

    rows: tuple[Listed, ...]
    after: Cursor | None  # None: this is the last


@dataclass(frozen=True, slots=True)
class Related:
    """Another article of the reader's that decisions tie to this one."""

    id: ArticleId
    title: str
    url: str
    source: str
    feed_title: str
    dated: datetime
    read: bool
    in_cluster: bool
    same_text: bool
    relation: Relation | None = None
    evidence: tuple[Evidence, ...] = ()
    through: ArticleId | None = None  # the one it is tied to, when that is a third
    parted_at: datetime | None = None  # when a reader said that they are not the same


@dataclass(frozen=True, slots=True)
class Revision:
    seen: datetime
    title: str
    text: str  # HTML of the earlier version


@dataclass(frozen=True, slots=True)
class FullArticle:
    """An article opened to be read."""

    listed: Listed
    html: str  # not sanitised
    undated: bool = False  # its feed gives no date, or one that cannot be: it is when it was seen
    own_html: str = ""  # what the feed has, when `html` was taken from the article's page instead
    page_url: str = ""  # that page
    page_problem: str = ""  # why the full text is missing; "" if shown, or not requested
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    comments_url: str = ""
    revisions: tuple[Revision, ...] = ()
    related: tuple[Related, ...] = ()  # the surest relation first

    @property
    def feed_html(self) -> str:
        """What the feed has, whatever is shown."""
        return self.own_html if self.page_url else self.html

    @property
    def copies(self) -> tuple[Related, ...]:
        """Those of `related` with the same text."""
        return tuple(one for one in self.related if one.same_text)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """How many articles of a feed share a cluster with others of the reader's."""

    same_text: int = 0  # those of which another article has the text
    shared: int = 0  # all of them


@dataclass(frozen=True, slots=True)
class Reading:
    """An article a reader had before them, and when they read it, if they did."""

    feed_id: FeedId
    published: datetime
    read_at: datetime | None = None
    in_bulk: bool = False  # marked read with many others
