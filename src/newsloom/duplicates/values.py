"""Articles as the duplicate layers see them, and what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType

from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.ids import ArticleId, FeedId


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
    publisher: str = ""  # who serves its feed: see newsloom.kernel.text.urls.shared_host
    id: ArticleId | None = None  # None: not stored yet
    original: ArticleId | None = None  # the article it is a copy of; its own id when none
    author: str = ""
    enclosures: tuple[str, ...] = ()  # addresses


class Action(StrEnum):
    """What becomes of one incoming article."""

    NEW = "new"
    UNCHANGED = "unchanged"
    REVISED = "revised"  # same article, changed: the earlier version is kept as a revision
    DUPLICATE = "duplicate"  # the same article in another feed: both stay, linked


class Relation(StrEnum):
    """What two articles that both stay are to each other."""

    SAME_TEXT = "same text"  # one text in two places: one cluster
    NEAR_DUPLICATE = "near duplicate"  # the same headline from another source: one cluster
    SAME_EVENT = "same event"  # one cluster; the most comprehensive stands for it
    REVISION = "revision"  # the same report, changed, under another id: both stay, flagged

    @property
    def joins(self) -> bool:
        """Whether it makes the two one row of a list."""
        return self is not Relation.REVISION


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision about one incoming article, with its evidence."""

    action: Action
    target: ArticleId | None = None  # revised: which article; duplicate: of which article
    evidence: Evidence | None = None
    relation: Relation | None = None  # duplicate: how the two are linked
    amended: bool = False  # unchanged, but its link, author or enclosures are others


@dataclass(frozen=True, slots=True)
class Unsigned:
    """An original as the text stage left it, on its way to a signature."""

    id: ArticleId
    feed_id: FeedId
    source: str  # registrable domain; "" when its address names none
    dated: datetime
    title: str
    text: str  # plain
    author: str = ""
    language: str = ""
    guid: str = ""  # of all places it stands in, only its own
    digest: int = 0  # tells the text from any other it had


@dataclass(frozen=True, slots=True)
class Signed:
    """A signature as it is kept: its keys in the open, the rest packed."""

    id: ArticleId
    digest: int  # of the text it was made of
    agency: str
    keys: tuple[int, ...]  # of all layers, 64-bit
    packed: bytes


@dataclass(frozen=True, slots=True)
class Link:
    """What was decided of a pair of originals, and all that speaks for it, the decisive first."""

    article: ArticleId  # the greater id
    other: ArticleId
    relation: Relation
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Witness:
    """One article of a cluster, as far as it matters who it has its knowledge from."""

    text: int  # the same number: one text
    source: str  # registrable domain; "" when unknown, which is nobody's
    agency: str = ""  # as newsloom.duplicates.syndication says it; "" for the source's own
    feeds: tuple[str, ...] = ()  # addresses of those that carry it; none: not asked


@dataclass(frozen=True, slots=True)
class IncomingArticle:
    """A parsed article made ready to be judged and stored."""

    parsed: ParsedArticle
    copy: Copy
    keys: tuple[tuple[str, str], ...]  # (layer, key)
    origin: str = ""  # an address of who published it, where its link is only a forwarding one
    private: str = ""  # how its keys begin, where it is compared with nobody else's articles
    detected: str = ""  # the language of its text

    @property
    def language(self) -> str:
        """The detected language, else what its feed declares."""
        return self.detected or self.parsed.language


@dataclass(frozen=True, slots=True)
class JudgedArticle:
    incoming: IncomingArticle
    judgement: Judgement


# `seed` has the values the project was asked for; `measured` those that did best on the development
# data, each with its figure in docs/work/quality.md.


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares are 0..1; each is the least (distance and times: the most) that still counts."""

    title_jaccard: float = 0.85  # common words of two titles, of all their words
    short_title_jaccard: float = 0.95  # for titles of fewer than SHORT_TITLE words
    title_levenshtein: float = 0.9  # common letters
    simhash_distance: int = 3  # bits of 64
    minhash_jaccard: float = 0.7  # common pairs of following words, of all
    containment: float = 0.5  # the same, of those of the shorter text
    shared_sentences: int = 2  # of the first three long ones
    event_probability: float = 0.9  # that two articles report the same event
    event_with_names: float = 0.7  # the same, where their names agree
    entity_overlap: float = 0.8  # common names, of those of the article with fewer
    entity_common: int = 3  # common names, dates among them
    entity_title_words: int = 0  # common words of the titles, "the" and "says" apart
    entity_span: timedelta = timedelta(hours=24)
    window: timedelta = timedelta(days=30)


SHORT_TITLE = 5  # words

PROFILES: Mapping[str, Thresholds] = MappingProxyType(
    {"seed": Thresholds(), "measured": Thresholds(entity_overlap=0.6, entity_title_words=2)}
)
