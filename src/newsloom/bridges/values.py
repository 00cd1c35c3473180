"""What passes between Newsloom and another reader's program: its feeds, entries and marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from newsloom.duplicates.values import JudgedArticle
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.ids import AccountId, ArticleId, FeedId, UserId
from newsloom.reading.values.reading import EventKind

# The kinds of writes that say what the reader said: `value` is the mark there, "" for none.
LIKED_KIND = "liked"
DISLIKED_KIND = "disliked"
RATING_KINDS = (LIKED_KIND, DISLIKED_KIND)


@dataclass(frozen=True, slots=True)
class RemoteAccount:
    """One reader of the other program."""

    key: str  # what the other side calls them, for ever
    login: str


@dataclass(frozen=True, slots=True)
class RemoteFeed:
    key: str
    title: str
    category: str = ""
    site_url: str = ""


@dataclass(frozen=True, slots=True)
class RemoteEntry:
    """One article as the other program holds it."""

    key: int
    feed: str  # RemoteFeed.key
    article: ParsedArticle  # its guid is unique in the account and never changes
    digest: str  # another one when the text is another


@dataclass(frozen=True, slots=True)
class RemoteState:
    """The marks of one entry as they stand there. Times are None where the other side keeps none"""

    key: int
    read: bool
    starred: bool = False
    disliked: bool | None = False  # None: the other side says nothing of it
    read_at: datetime | None = None
    starred_at: datetime | None = None
    disliked_at: datetime | None = None
    liked: bool | None = None  # by a mark of its own, not by a star
    in_bulk: bool | None = None  # marked read with many others; None: the other side cannot say
    present: Mapping[str, str] | None = (
        None  # what stands there of each kind of write; None: unread
    )


@dataclass(frozen=True, slots=True)
class RemotePage:
    """A part of what the other side has to say. Taken in whole or not at all."""

    entries: tuple[RemoteEntry, ...] = ()  # new, or with another text
    states: tuple[RemoteState, ...] = ()
    gone: tuple[int, ...] = ()  # not there any more
    cursor: str = ""  # set on the last page: where to go on next time


@dataclass(frozen=True, slots=True)
class Account:
    """An account as kept here."""

    id: AccountId
    bridge: str
    remote: RemoteAccount
    user: UserId
    cursor: str = ""
    synced: datetime | None = None
    failures: int = 0  # in a row
    next_try: datetime | None = None  # None: nothing is wrong
    problem: str = ""


@dataclass(frozen=True, slots=True)
class KnownEntry:
    """What is kept of an entry: its article, and its marks when last seen."""

    key: int
    article: ArticleId  # the original it is shown as
    digest: str
    read: bool
    starred: bool
    disliked: bool
    rating: int  # the reader's own, of the article: 1, -1, 0
    starred_here: bool
    liked: bool = False


@dataclass(frozen=True, slots=True)
class AdoptedEntry:
    """An entry judged, to be stored."""

    key: int
    digest: str
    judged: JudgedArticle


@dataclass(frozen=True, slots=True)
class Mark:
    """A label event that follows from what changed there."""

    article: ArticleId
    kind: EventKind
    at: datetime


@dataclass(frozen=True, slots=True)
class RatedEntry:
    """An entry that is liked or disliked, here or there."""

    key: int
    article: ArticleId
    rating: int  # here: 1, -1, 0
    liked: bool  # there, when last seen or told
    disliked: bool


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """An unread entry where Newsloom lists its article: they come best first."""

    key: int
    feed: FeedId
    title: str
    score: float  # R(now), 0..100
    sensitivity: int  # 1..5; 0: not judged yet
    confidence: float
    explanation: str
    present: Mapping[str, str]  # what stands there, as far as is known


@dataclass(frozen=True, slots=True)
class RemoteWrite:
    """What should stand at an entry there."""

    key: int
    kind: str  # "score", "label", RATING_KINDS, ...
    value: str


@dataclass(frozen=True, slots=True)
class PendingWrite:
    """A write that waits, and how often it was tried in vain."""

    write: RemoteWrite
    attempts: int


@dataclass(frozen=True, slots=True)
class Written:
    """What came of telling the other side."""

    done: tuple[RemoteWrite, ...] = ()  # stands there now
    moot: tuple[RemoteWrite, ...] = ()  # of entries gone or read since: to be told no more
    problem: str = ""  # why the others do not stand there; they are tried again
