"""Stories: what an article is to them, which it may belong to, and how stories are repaired."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from newsloom.kernel.ids import ArticleId

StoryId = NewType("StoryId", int)
ThreadId = NewType("ThreadId", int)

# Characters of an article's text whose terms tell to which story it belongs; the encoder reads 600.
# Of 300, 600, 1,000, 1,500, 2,500 and 5,000 these are best.
STORY_LEAD = 1500
# Those that count where copies and reports of one event are found.
REPORT_LEAD = 600


@dataclass(frozen=True, slots=True)
class Piece:
    """An article as stories see it."""

    id: ArticleId
    title: str
    lead: str  # the first characters of the text; "" for titles only
    dated: datetime | None
    source: str  # registrable domain; "" unknown
    language: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A story an article may belong to."""

    story: StoryId
    probability: float  # that the article reports the story's event, 0..1, calibrated
    cosine: float  # of the member most likely to report the same event
    nearest: ArticleId  # that member


@dataclass(frozen=True, slots=True)
class StoryMerge:
    """Two stories that report one event. `kept` stays, `gone` gives it all its articles."""

    kept: StoryId
    gone: StoryId
    probability: float


@dataclass(frozen=True, slots=True)
class StoryMove:
    """An article that belongs to another story more than to its own."""

    article: ArticleId
    source: StoryId
    target: StoryId
    probability: float  # that it belongs to `target`


@dataclass(frozen=True, slots=True)
class StoryEject:
    """An article that belongs to its story no longer, and to no other: it begins one."""

    article: ArticleId
    source: StoryId
    probability: float  # that it belongs to `source`


StoryRepair = StoryMerge | StoryMove | StoryEject
