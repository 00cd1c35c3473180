"""A digest: the best of a window of time, by topic, and what it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from newsloom.kernel.delivery.values import Target
from newsloom.kernel.ids import ArticleId, DigestId, ScheduleId, UserId

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DigestKind(StrEnum):
    """The kinds of seed 001, the one for a window that a reader names, and news of stories."""

    MORNING = "morning"
    MIDDAY = "midday"
    EVENING = "evening"
    WEEKLY = "weekly"
    AD_HOC = "ad hoc"
    STORIES = "stories"  # made when stories that the reader follows have developed
    RULES = "rules"  # made when rules of the reader say to tell of articles


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
    relevance: float = 0.0  # 0 to 100, for this reader; 0 where nothing is known of them
    event: int = 0  # its story: equal for articles on one event; 0: in none yet
    picture: str = ""  # its address; "": none is known
    sensitivity: int = 3  # to time: 1 evergreen .. 5 critical
    minutes: int = 0  # to read the text; 0: too short, or not counted


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
    told: frozenset[str] = frozenset()  # sentences of the digest's other entries


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
    terms: Mapping[str, float] = field(default_factory=dict)  # the centre, of length 1
    # The unit vector of `lead`, and the cosine from which on its encoder's articles are related.
    vector: NDArray[np.float32] | None = field(default=None, compare=False)
    related: float = 0.5


@dataclass(frozen=True, slots=True)
class Remembered:
    """What a digest knew of one topic when it was written."""

    key: str
    label: str
    terms: Mapping[str, float]  # the centre, of length 1
    articles: tuple[ArticleId, ...]
    sources: int  # independent ones
    shown: bool  # False: it was found, and stood in no section
    words: frozenset[str] = frozenset()  # stems of all that its articles said
    numbers: frozenset[float] = frozenset()
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Memory:
    """What is kept of one digest for the next ones."""

    topics: tuple[Remembered, ...] = ()
    sources: int = 0  # that told of anything in its window
    newest: ArticleId | None = None  # the last article there was
    told: tuple[str, ...] = ()  # sentences of its summaries, word for word


@dataclass(frozen=True, slots=True)
class DigestTopic:
    """A group of articles on one matter, or what came of a story. `lead` is not among `related`."""

    key: str  # the same in the next digest if the matter is the same
    label: str  # "" where the title of the lead says it
    lead: DigestArticle
    related: tuple[DigestArticle, ...]
    summary: tuple[Sentence, ...]
    importance: float
    category: str
    developed: bool = False  # it was in an earlier digest, and there is something new
    written_by: str = ""  # the language model, where one wrote the summary
    story: int = 0  # the followed story; 0: a topic or a thread
    titled_by: str = ""  # the language model, where one wrote its label
    new_sources: int = 0  # of a story: independent ones that had not told of it before
    thread: int = 0  # the followed thread; 0: a topic or a story

    @property
    def tag(self) -> str:
        """The name that a topic is about, to stand small beside its headline; "" without one."""
        return "" if self.page or ": " not in self.label else self.label.split(": ")[0]

    @property
    def others(self) -> tuple[DigestArticle, ...]:
        """The first article of each other event of the matter."""
        first = {one.event: one for one in reversed(self.related) if one.event != self.lead.event}
        return tuple(one for one in self.related if first.get(one.event) is one)

    @property
    def page(self) -> str:
        """Path of the page of the story or thread; "": it is a topic."""
        if self.thread:
            return f"/threads/{self.thread}"
        return f"/story/{self.story}" if self.story else ""


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
    followed: tuple[DigestTopic, ...] = ()  # stories that the reader follows, and that developed
    address: str = ""  # where Newsloom is reached, without a slash at the end; "": not known
    for_you: tuple[DigestTopic, ...] = ()  # by the reader's interests and model
    roundups: tuple[DigestArticle, ...] = ()  # newsletters, live pages, podcasts: of no topic

    @property
    def topics(self) -> tuple[DigestTopic, ...]:
        """All of them, in the order they stand in."""
        return (*self.followed, *self.summarised, *self.mentioned)

    @property
    def summarised(self) -> tuple[DigestTopic, ...]:
        """Those with a summary, less the stories that the reader follows."""
        return (*self.top, *self.for_you, *self.noteworthy)


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a reader gets which digest, in their own time zone."""

    id: ScheduleId
    user: UserId
    kind: DigestKind
    at: int  # minutes after midnight, local
    weekday: int  # 0 is Monday; of weekly ones alone
    zone: str  # IANA name
    targets: tuple[Target, ...]
    next_at: datetime  # aware, UTC
    begun: datetime | None = None  # when the reader asked for it; None: before that was kept


@dataclass(frozen=True, slots=True)
class ArchivedDigest:
    """A digest in the archive."""

    id: DigestId
    user: UserId
    schedule: ScheduleId | None  # None: the schedule is gone
    made_at: datetime
    digest: Digest


@dataclass(frozen=True, slots=True)
class DigestHead:
    """A line of the archive."""

    id: DigestId
    kind: DigestKind
    title: str
    made_at: datetime
    end: datetime
    zone: str
