"""How much an article matters: for everyone, and for one reader at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from newsloom.kernel.ids import ArticleId

if TYPE_CHECKING:
    from newsloom.duplicates.values import Witness


@dataclass(frozen=True, slots=True)
class TextShape:
    """What tells the depth of a text, counted."""

    words: int = 0
    numbers: int = 0
    citations: int = 0  # links to other sites, and quotations
    tables: int = 0
    lists: int = 0  # of at least two points
    headings: int = 0


@dataclass(frozen=True, slots=True)
class TermBackground:
    """In how many of so many ingested articles each term was."""

    made_at: datetime
    newest: ArticleId  # the last that was counted
    articles: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ArticleImportance:
    """The signals that are the same for everyone and do not age, each 0 to 100."""

    article_id: ArticleId
    authority: float
    corroboration: float
    depth: float
    sources: int  # independent ones that tell of it, its own among them


@dataclass(frozen=True, slots=True)
class ImportanceFacts:
    """An article as the importance stage reads it."""

    id: ArticleId
    source: str  # the host that published it
    html: str
    text: str  # plain
    witnesses: tuple[Witness, ...]  # who tells of the same event, itself among them
    feeds: tuple[str, ...] = ()  # addresses of those that carry it; none: not asked


@dataclass(frozen=True, slots=True)
class ReaderPoints:
    """What one reader's interests and tiers make of an article; nothing in it ages."""

    article_id: ArticleId
    topic: float  # 0 to 100
    points: float  # the weighted sum of all signals but recency, 0 to 100


@dataclass(frozen=True, slots=True)
class SignalPart:
    """One signal of an article's importance, as it is shown."""

    name: str
    value: float  # 0 to 100
    weight: float  # of the sum; the weights add up to 1
    reason: str

    @property
    def points(self) -> float:
        """What it adds to the importance."""
        return self.value * self.weight


@dataclass(frozen=True, slots=True)
class TopicEvidence:
    """An article that taught an interest."""

    article_id: ArticleId
    title: str
    at: datetime
    weight: float  # below 0: against it


@dataclass(frozen=True, slots=True)
class TopicInterest:
    """A topic of a reader's interest profile."""

    term: str  # as stored: a stem
    word: str  # as printed
    weight: float  # of a profile whose heaviest topic is 1
    fading: bool  # no evidence for more than a week
    stated: bool  # said by the reader, or named by a category
    edited: float | None = None  # what the reader set it to; 0: left out
    articles: tuple[TopicEvidence, ...] = ()


# Who publishes: tiers of sources, and why.


class SourceKind(StrEnum):
    """What a source is."""

    WIRE = "wire"
    NEWSPAPER = "newspaper"
    BROADCASTER = "broadcaster"
    MAGAZINE = "magazine"
    ONLINE = "online"
    JOURNAL = "journal"
    GOVERNMENT = "government"
    STANDARDS = "standards"
    ACADEMIC = "academic"
    COMPANY = "company"
    ORGANISATION = "organisation"
    BLOG = "blog"
    COMMUNITY = "community"
    AGGREGATOR = "aggregator"
    SATIRE = "satire"
    PROPAGANDA = "propaganda"


class TierOrigin(StrEnum):
    """Where a source's tier is from, the first that says one."""

    READER = "reader"
    TABLE = "table"
    RULE = "rule"
    LEARNED = "learned"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Source:
    """A row of the shipped table. `country` is ISO 3166-1 alpha-2; "" for international ones."""

    domain: str  # a registrable domain, or a name below one
    tier: int  # 1 (wire services, official) to 5 (unverified)
    owner: str  # who controls it; equal for those of one owner
    country: str
    kind: SourceKind
    reason: str  # public, in a few words


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What was measured here about one source. Rates are of its articles, 0 to 1."""

    articles: int = 0
    days: float = 0.0  # since its first article here
    authored: float = 0.0  # name an author
    revised: float = 0.0  # changed after they were first seen
    corrected: float = 0.0  # say so themselves: correction, retraction
    corroborated: float = 0.0  # in a cluster with an independent source
    followed: float = 0.0  # of those, it was first and others came later
    trackers: float = 0.0  # tracking and advertising marks an article, as a rate of its links
    reliability: float = 1.0  # of its feeds, 0 to 1


@dataclass(frozen=True, slots=True)
class Authority:
    """How far a source is to be believed: 0 to 100, inside the band of its tier."""

    domain: str
    tier: int
    score: float
    origin: TierOrigin
    owner: str  # the domain itself where nobody is known
    reason: str
