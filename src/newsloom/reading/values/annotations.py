"""What a reader adds to articles: tags, notes, highlights."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from newsloom.kernel.ids import ArticleId

HighlightId = NewType("HighlightId", int)


@dataclass(frozen=True, slots=True)
class Tag:
    """A name that a reader gave to articles."""

    name: str
    articles: int
    unread: int


@dataclass(frozen=True, slots=True)
class Note:
    """A reader's own words about an article."""

    article_id: ArticleId
    text: str
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Selector:
    """Words of a text and where they stand, as a TextQuoteSelector of the W3C's Web Annotation
    model says it, with their position as a hint."""

    exact: str
    prefix: str = ""  # what stands before them
    suffix: str = ""
    start: int = 0  # characters before them


@dataclass(frozen=True, slots=True)
class Highlight:
    """Words of an article that a reader highlighted."""

    id: HighlightId
    article_id: ArticleId
    words: Selector
    note: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class SavedList:
    """A list or a search, as its address says it."""

    id: int
    name: str
    place: str  # what web.list_view reads
    token: str = ""  # of its feed's secret address; empty: it has none
