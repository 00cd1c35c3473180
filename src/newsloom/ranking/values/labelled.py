"""Articles labelled elsewhere, on their way in or out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from newsloom.feeds.values.published import ParsedArticle
from newsloom.reading.values.reading import EventKind


@dataclass(frozen=True, slots=True)
class LabelledCopy:
    """One article with what a reader said of it."""

    article: ParsedArticle  # its guid is unique within the source
    source: str  # who published it, as the file calls them
    marks: tuple[tuple[EventKind, datetime], ...]


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """What became of labelled articles that were read in."""

    articles: int = 0  # new here
    labels: int = 0  # given now
    known: int = 0  # labels that were there, or that a later word of the reader overrules
