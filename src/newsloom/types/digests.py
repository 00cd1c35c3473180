"""A digest: the best of a window of time, by topic, and what it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from newsloom.types.ids import ArticleId


class DigestKind(StrEnum):
    """The kinds of seed 001, and the one for a window that a reader names."""

    MORNING = "morning"
    MIDDAY = "midday"
    EVENING = "evening"
    WEEKLY = "weekly"
    AD_HOC = "ad hoc"


@dataclass(frozen=True, slots=True)
class DigestArticle:
    """One article as a digest needs it. `text` is plain, without its title."""

    id: ArticleId
    title: str
    url: str
    source: str  # registrable domain
    publisher: str  # the name to show
    owner: str  # of the source; equal for those of one owner
    tier: int
    category: str  # of the feed, as the reader filed it
    language: str
    published: datetime  # aware, UTC
    importance: float  # 0 to 100, for this reader at the digest's moment
    text: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a summary, and the articles that say so."""

    text: str
    articles: tuple[ArticleId, ...]
    new: bool = False  # was not known when the last digest was written
    disagrees: bool = False  # another source of the topic gives another number


@dataclass(frozen=True, slots=True)
class SummaryQuestion:
    """A topic of a digest that a language model is to summarise; the lead is the first article."""

    digest: int
    key: str  # of the topic
    articles: tuple[DigestArticle, ...]
    words: int  # at most
    language: str = ""  # of the summary; "" is that of the articles


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence of a language model, and the articles that it says it rests on."""

    text: str
    articles: tuple[ArticleId, ...]


@dataclass(frozen=True, slots=True)
class RefusedSentence:
    """A sentence of a language model that is not shown, and why in words."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A summary whose sentences all stand on articles; each is one of `written` or `replaced`."""

    sentences: tuple[Sentence, ...]  # as they are to be read
    written: tuple[Sentence, ...]  # by the language model
    replaced: tuple[Sentence, ...]  # out of the articles
    refused: tuple[RefusedSentence, ...]


@dataclass(frozen=True, slots=True)
class DigestGroup:
    """Articles on one matter, as clustering gives them to a digest."""

    key: str  # the same in the next digest if the matter is the same
    label: str
    lead: ArticleId  # one of `articles`
    articles: tuple[DigestArticle, ...]


@dataclass(frozen=True, slots=True)
class Remembered:
    """What an earlier digest told a reader of one topic."""

    key: str
    told: tuple[str, ...]  # titles and sentences, as they were shown
    articles: tuple[ArticleId, ...]  # that were listed


@dataclass(frozen=True, slots=True)
class DigestTopic:
    """A group of articles on one matter. `lead` is not among `related`."""

    key: str  # the same in the next digest if the matter is the same
    label: str  # "" where the title of the lead says it
    lead: DigestArticle
    related: tuple[DigestArticle, ...]
    summary: tuple[Sentence, ...]
    importance: float
    category: str
    developed: bool = False  # it was in an earlier digest, and there is something new
    written_by: str = ""  # the language model, where one wrote the summary


@dataclass(frozen=True, slots=True)
class Trend:
    """A topic that has more or fewer independent sources than before."""

    label: str
    now: int  # articles in the window
    before: float  # expected from earlier windows of the same length
    sources: int
    p_value: float
    counts: tuple[int, ...] = ()  # by window, the oldest first, this one last


@dataclass(frozen=True, slots=True)
class FeedReport:
    """The Feed Health Report of a digest."""

    polled: int = 0
    succeeded: int = 0
    errors: int = 0
    new_articles: int = 0
    duplicates: int = 0
    emerging: tuple[Trend, ...] = ()
    declining: tuple[Trend, ...] = ()


@dataclass(frozen=True, slots=True)
class Digest:
    """What a reader gets. Times are aware, UTC; `zone` is an IANA name."""

    kind: DigestKind
    begin: datetime
    end: datetime
    zone: str
    title: str
    top: tuple[DigestTopic, ...]
    noteworthy: tuple[DigestTopic, ...]  # grouped by category, in order
    mentioned: tuple[DigestTopic, ...]
    feeds: FeedReport
    relaxed: bool = False  # fewer than three topics reached 70, so the best ones lead
