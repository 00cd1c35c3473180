"""What a search asks for, as values: nothing of what was typed is left to be misread."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from newsloom.kernel.db.phrases import Words
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.values.reading import Listed


class NameOf(StrEnum):
    """Whose name is asked for."""

    AUTHOR = "author"
    FEED = "feed"
    CATEGORY = "category"
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Named:
    """A name that has this text in it; a feed also by its number."""

    of: NameOf
    text: str


class Flag(StrEnum):
    """What a reader did to an article, or did not."""

    STARRED = "starred"
    UNREAD = "unread"
    READ = "read"
    LIKED = "liked"
    DISLIKED = "disliked"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class Flagged:
    flag: Flag


@dataclass(frozen=True, slots=True)
class Dated:
    """Since a time, or before it."""

    since: bool
    when: datetime | Ago


class Compared(StrEnum):
    ABOVE = ">"
    AT_LEAST = ">="
    BELOW = "<"
    AT_MOST = "<="


@dataclass(frozen=True, slots=True)
class Scored:
    """By the score now, 0 to 100."""

    compared: Compared
    score: float


@dataclass(frozen=True, slots=True)
class InLanguage:
    code: str  # "" for articles that name none


@dataclass(frozen=True, slots=True)
class OfStory:
    """In a story, or in what that went into."""

    number: int


class AnnotationKind(StrEnum):
    """What a reader can add to an article."""

    TAG = "tag"
    NOTE = "note"
    HIGHLIGHT = "highlight"


@dataclass(frozen=True, slots=True)
class HasAnnotation:
    """It has any of that kind."""

    what: AnnotationKind


@dataclass(frozen=True, slots=True)
class Tagged:
    """It has the tag of that name."""

    name: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Those words stand in its note, in words highlighted of it or in a note to those."""

    text: str


Condition = (
    Words | Named | Flagged | Dated | Scored | InLanguage | OfStory | HasAnnotation | Tagged | Noted
)


@dataclass(frozen=True, slots=True)
class Term:
    """A condition, or its opposite."""

    condition: Condition
    negated: bool = False


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """Every clause must hold; a clause holds when one of its terms does."""

    clauses: tuple[tuple[Term, ...], ...]
    notes: tuple[str, ...] = ()  # sentences about what was typed

    @property
    def of_one_story(self) -> bool:
        """Whether it asks for the articles of one story: that is no one row then."""
        return any(
            len(clause) == 1 and isinstance(clause[0].condition, OfStory) and not clause[0].negated
            for clause in self.clauses
        )


class SearchOrder(StrEnum):
    BEST = "best"  # match, of words
    NEWEST = "newest"
    SCORE = "score"
    OLDEST = "oldest"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Found:
    """One page of what a search found."""

    rows: tuple[Listed, ...] = ()
    count: int = 0  # rows in all
    more: bool = False  # there are more than that: they were not counted any further
    order: SearchOrder = SearchOrder.BEST
    after: Cursor | None = None  # None: this is the last page
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ago:
    """A time before now; of whole days, the midnight before that; of a weekday, the last one's.

    Midnight is of the zone that now is told in.
    """

    span: timedelta
    whole_days: bool = False
    weekday: int | None = None  # 0 is Monday; never today's


class Position(NamedTuple):
    """A place in the order of a list: the higher comes first. Equal keys go by article."""

    sort_key: int
    article: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """What one page of a list hands to the next, so that it continues exactly.

    A position is a place in the order, not an article: it stays good when what stood there is
    read meanwhile, or gone.
    """

    at: datetime  # the moment by whose scores the whole list is ordered
    last: Position  # the lowest row shown so far
    # Of each feed that variety moved down, its first row above `last` that is still to come.
    waiting: tuple[tuple[FeedId, Position], ...] = ()
    recent: tuple[FeedId, ...] = ()  # of the rows shown last, nine at most, the newest last
    before: ArticleId | None = None  # the row shown last
