"""Related coverage: what is looked for elsewhere about an article, and what was found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from newsloom.kernel.ids import ArticleId, CandidateId, CoveragePageId, UserId
from newsloom.ranking.values.models import ArticleText


class SearchState(StrEnum):
    """How far the search for one article is."""

    CHOSEN = "chosen"  # its queries are to be made
    PREPARED = "prepared"  # to be searched for
    SEARCHED = "searched"  # hits are to be ranked
    RANKED = "ranked"  # what is left to do is each hit's own
    FAILED = "failed"  # no search service answered


class CandidateState(StrEnum):
    """How far one hit is, in the order they come in."""

    FOUND = "found"
    LEFT_OUT = "left out"  # too unlike the article, or beyond the places looked at
    RANKED = "ranked"
    UNRESOLVED = "unresolved"  # the publisher's address is not known: its search link is kept
    RESOLVED = "resolved"
    FAILED = "failed"  # its page was not had, or is no article
    FETCHED = "fetched"  # its page is an article: to be judged
    ACCEPTED = "accepted"  # it reports the same
    DECLINED = "declined"


class Gate(StrEnum):
    """Which way a page that was fetched is judged."""

    MODEL = "language model"
    ENCODER = "encoder"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a search for an article is made of."""

    queries: tuple[str, ...]  # words alone, no operators
    entities: tuple[str, ...] = ()  # five at most
    keywords: tuple[str, ...] = ()
    tickers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CoverageSearch:
    """An article that was chosen, and how far its search is."""

    article: ArticleId
    user: UserId  # who wants it first, or whose choosing it was
    because: str  # "important", or "by hand"
    chosen: datetime
    state: SearchState
    prepared: Prepared | None = None
    prepared_by: str = ""  # "rules@1", or the model's maker
    tries: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One item of a news search."""

    key: str  # the same for the same title of the same source
    link_key: str  # the same for the same address
    link: str
    title: str  # without the publisher's name behind it
    source: str  # its name, or its domain
    source_url: str = ""
    published: datetime | None = None
    provider: str = ""  # the host of the search service


@dataclass(frozen=True, slots=True)
class CoverageHit:
    """A hit for one article, and what is known of it."""

    id: CandidateId
    article: ArticleId
    hit: Hit
    state: CandidateState
    similarity: float | None = None  # of headlines, as ranked; cosine
    place: int | None = None  # from 1
    url: str = ""  # at the publisher; "" unless it is known
    page: CoveragePageId | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CoveragePage:
    """A page that was asked for, whichever articles it was for."""

    id: CoveragePageId
    key: str  # canonical form of the address asked
    url: str
    at: datetime
    tries: int
    address: str = ""  # where it stands: after redirects, or as it names itself
    title: str = ""
    text: str = ""
    failure: str = ""  # a kind of failure; "": it is an article
    problem: str = ""
    next_at: datetime | None = None  # asked again then; None: never


@dataclass(frozen=True, slots=True)
class CoverageQuestion:
    """An article and a page that may report the same, to be judged."""

    candidate: CandidateId
    article: ArticleText
    title: str
    source: str
    text: str
    similarity: float  # of the texts, cosine


@dataclass(frozen=True, slots=True)
class CoverageAnswer:
    """What was said of such a pair."""

    score: float  # 0..10
    same_event: bool
    confidence: float  # 0..1
    quality: int = 0  # of the page's text, 0..10; 0: not said
    abstain: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CoverageJudgement:
    """The audit row of a decision."""

    candidate: CandidateId
    at: datetime
    gate: Gate
    maker: str  # the model and the version of its prompt or preparation
    similarity: float
    answer: CoverageAnswer
    accepted: bool


@dataclass(frozen=True, slots=True)
class Covered:
    """A report of the same elsewhere, as the article's page shows it."""

    candidate: CandidateId
    title: str
    source: str
    domain: str
    url: str  # where a click leads: the page, or the search link
    published: datetime | None
    sure: float  # 0..1
    gate: Gate | None  # None: the page was not read
    unresolved: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CoverageStatus:
    """How discovery stands for one reader."""

    on: bool
    since: datetime | None
    searches: int = 0  # sent within the last hour
    waiting: int = 0  # articles that were chosen and are not done
    articles: int = 0  # chosen in 30 days
    accepted: int = 0  # reports found in 30 days
    states: tuple[tuple[str, int], ...] = ()  # hits of 30 days by state


@dataclass(frozen=True, slots=True)
class RepeatedSource:
    """A publisher that reports the same again and again, and is not followed."""

    domain: str
    name: str
    times: int
