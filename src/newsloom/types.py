"""Frozen values and typed ids shared by every room. Standard library only; no behaviour beyond
what a value knows of itself.

All times are aware datetimes in UTC. All texts are `str` without NUL or lone surrogates (the
parser sees to it). HTML fields hold what the publisher wrote, not sanitised: sanitising belongs to
showing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

UserId = NewType("UserId", int)
FeedId = NewType("FeedId", int)
ArticleId = NewType("ArticleId", int)
EventId = NewType("EventId", int)

# --- what a publisher sent ---


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file attached to an article."""

    url: str
    type: str = ""
    length: int | None = None  # bytes, as declared


@dataclass(frozen=True, slots=True)
class PollHints:
    """What a feed document says about how often to ask for it."""

    ttl: timedelta | None = None  # RSS <ttl>
    skip_hours: frozenset[int] = frozenset()  # 0..23, UTC
    skip_days: frozenset[int] = frozenset()  # Monday is 0
    update_every: timedelta | None = None  # sy:updatePeriod / sy:updateFrequency
    hub: str = ""  # WebSub
    topic: str = ""  # rel=self, what to ask the hub for


@dataclass(frozen=True, slots=True)
class ParsedArticle:
    """One item of a feed document, mapped to the fields Newsloom keeps."""

    guid: str = ""  # as written; empty when the feed gives none
    url: str = ""  # absolute
    title: str = ""  # plain text
    author: str = ""  # plain text
    summary: str = ""  # HTML
    content: str = ""  # HTML; empty when the feed carries only a summary
    published: datetime | None = None
    updated: datetime | None = None
    language: str = ""  # BCP 47, the item's own or the feed's
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    image: str = ""
    comments_url: str = ""


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """A feed document, mapped."""

    format: str  # "rss 2.0", "rdf 1.0", "atom 1.0", "json 1.1", ...
    title: str = ""
    site_url: str = ""
    description: str = ""
    language: str = ""
    image: str = ""
    hints: PollHints = PollHints()
    articles: tuple[ParsedArticle, ...] = ()
    problem: str = ""  # empty when well-formed, else what was wrong and how it was read anyway


# --- what the network answered ---


@dataclass(frozen=True, slots=True)
class Request:
    """One conditional GET. Validators are opaque and echoed byte for byte."""

    url: str
    etag: str = ""
    last_modified: str = ""
    validated_url: str = ""  # the Reply.url that gave the validators; empty: `url` itself
    accept: str = ""  # empty: the feed types


class Failure(StrEnum):
    """Why there is no answer, in the order a reader would ask."""

    BLOCKED = "blocked"  # the address guard
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    TOO_LARGE = "too large"
    ENCODING = "encoding"  # unknown, stacked or broken content coding, or a bomb
    REDIRECTS = "redirects"
    PROTOCOL = "protocol"
    URL = "url"  # not an http(s) address


@dataclass(frozen=True, slots=True)
class Redirect:
    status: int
    url: str  # where it pointed, absolute


@dataclass(frozen=True, slots=True)
class Reply:
    """What one request came to: a response, or a failure with words for a person."""

    request: Request
    received: datetime
    seconds: float
    status: int = 0  # of the last hop; 0 when there was no answer
    url: str = ""  # of the last hop
    redirects: tuple[Redirect, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()  # names in lower case, order kept
    body: bytes = b""  # decoded
    wire_bytes: int = 0
    failure: Failure | None = None
    problem: str = ""

    def header(self, name: str) -> str:
        """The first value of a header, or an empty string."""
        return next((value for key, value in self.headers if key == name), "")


# --- polling ---


class PollOutcome(StrEnum):
    CHANGED = "changed"  # a document with something new or revised in it
    UNCHANGED = "unchanged"  # 304, the same bytes, or nothing new in them
    FAILED = "failed"  # no answer, or not 200 and not 304
    UNREADABLE = "unreadable"  # an answer that is no feed
    GONE = "gone"  # 410


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


@dataclass(frozen=True, slots=True)
class PollPlan:
    """When to ask again, and why."""

    next_poll: datetime | None  # None: stop polling
    interval: timedelta
    reason: str


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


# --- duplicates ---


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why two articles are held to be the same: the layer, how sure (0..1), what matched."""

    layer: str
    score: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Copy:
    """An article as the duplicate layers see it, stored or not."""

    feed_id: FeedId
    guid: str
    url: str  # as published
    canonical_url: str  # "" when there is none to compare
    title: str
    length: int  # characters of the fuller of summary and content
    content_hash: str
    dated: datetime
    id: ArticleId | None = None  # None: not stored yet
    original: ArticleId | None = None  # the article it is a duplicate of; its own id when none


class Action(StrEnum):
    """What becomes of one incoming article."""

    NEW = "new"
    UNCHANGED = "unchanged"
    REVISED = "revised"  # same article, changed: the earlier version is kept as a revision
    DUPLICATE = "duplicate"  # the same article in another place: stored, shown once


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision about one incoming article, with its evidence."""

    action: Action
    target: ArticleId | None = None  # revised: which article; duplicate: which original
    evidence: Evidence | None = None
    shown: bool = False  # duplicate or revised: its text is fuller and becomes the one shown


@dataclass(frozen=True, slots=True)
class IncomingArticle:
    """A parsed article made ready to be judged and stored."""

    parsed: ParsedArticle
    copy: Copy
    keys: tuple[tuple[str, str], ...]  # (layer, key)


@dataclass(frozen=True, slots=True)
class JudgedArticle:
    incoming: IncomingArticle
    judgement: Judgement


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
    feed: ParsedFeed | None = None  # title, site, language, hints
    articles: tuple[JudgedArticle, ...] = ()


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


# --- one reader ---


class EventKind(StrEnum):
    """What a reader did to an article. Events are only ever added."""

    READ = "read"
    UNREAD = "unread"
    LIKE = "like"
    DISLIKE = "dislike"
    UNRATE = "unrate"
    STAR = "star"
    UNSTAR = "unstar"
    OPENED = "opened"  # implicit: looked at; trains nothing by itself
    UNDO = "undo"


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


@dataclass(frozen=True, slots=True)
class Subscription:
    feed_id: FeedId
    url: str
    title: str  # the reader's own name for it, else the feed's
    category: str
    site_url: str = ""
    unread: int = 0
    problem: str = ""
    failures: int = 0
    polled_at: datetime | None = None
    next_poll_at: datetime | None = None
    dead: bool = False
    articles: int = 0


class Order(StrEnum):
    RANKED = "ranked"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which articles to list. Everything narrows; the default is the ranked unread list."""

    order: Order = Order.RANKED
    unread_only: bool = True
    starred_only: bool = False
    feed_id: FeedId | None = None
    category: str | None = None
    since: datetime | None = None
    limit: int = 50
    offset: int = 0


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
    also_in: int = 0  # other feeds that carry it
    excerpt: str = ""
    language: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class CopyPlace:
    """Where else an article appeared."""

    article_id: ArticleId
    feed_title: str
    url: str
    title: str
    evidence: Evidence | None = None


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
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    comments_url: str = ""
    copies: tuple[CopyPlace, ...] = ()
    revisions: tuple[Revision, ...] = ()


# --- models and scores ---


@dataclass(frozen=True, slots=True)
class Rating:
    """A time-sensitivity judgement."""

    rating: int  # 1..5
    confidence: float  # probability of that rating
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class ArticleText:
    """What models see of an article: plain text, already cut to the lead."""

    id: ArticleId
    title: str
    text: str
    source: str  # host without www
    language: str
    dated: datetime
    feed_id: FeedId


@dataclass(frozen=True, slots=True)
class RawArticle:
    """The shown text of an article, as the publisher wrote it."""

    id: ArticleId
    title: str
    html: str


@dataclass(frozen=True, slots=True)
class PlainText:
    """What the text stage makes of it."""

    id: ArticleId
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Score:
    """One reader's two time-free numbers of one article."""

    article_id: ArticleId
    relevance: float  # R0, 0..100
    sensitivity: int  # 1..5


@dataclass(frozen=True, slots=True)
class Label:
    """A reader's judgement to learn from: the latest of like, dislike, star per article."""

    article: ArticleText
    category: str
    positive: bool
    at: datetime
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Interest:
    """Something a reader said they care about, in their words."""

    id: int
    text: str
    added: datetime


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A trained model as kept: bytes that are plain numbers, never pickle, and their hash."""

    model_id: str
    kind: str  # "relevance"
    payload: bytes
    sha256: str
    trained: datetime
    metrics: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that moved a score: what, and by how many points (0 when it only informs)."""

    kind: str  # "liked", "disliked", "interest", "term", "feed", "category", "prior"
    text: str
    effect: float = 0.0
    article_id: ArticleId | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an article stands where it stands."""

    listed: Listed
    personal: bool  # whether a model trained on this reader's labels made the base score
    made_by: str  # the model, in words
    reasons: tuple[Reason, ...]
    rating: Rating
    half_life: timedelta
    age: timedelta
    remaining: float  # share of the base score left, 0..1


@dataclass(frozen=True, slots=True)
class StageReport:
    """What one stage of a pass did."""

    stage: str
    done: int
    seconds: float
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PassReport:
    """The result of `newsloom run`."""

    polls: PollCounts
    stages: tuple[StageReport, ...] = ()
    seconds: float = 0.0
