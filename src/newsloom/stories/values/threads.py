"""Values of threads as they are kept and shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from newsloom.kernel.ids import UserId
from newsloom.stories.values.pages import CALIBRATED, StoryChoice, StoryId, ThreadId


class ThreadKind(StrEnum):
    """What holds the stories of a thread together."""

    NARRATIVE = ""
    SERIES = "series"  # one title again and again: a column, a weekly figure
    SUBJECT = "subject"  # too little: they are only about the same


@dataclass(frozen=True, slots=True)
class ThreadHead:
    """A thread without its stories."""

    id: ThreadId
    began: datetime
    latest: datetime
    kind: ThreadKind
    size: int
    merged_into: ThreadId | None


@dataclass(frozen=True, slots=True)
class ThreadCandidate:
    """A thread that a story might have joined."""

    thread: ThreadId
    link: float
    best: float  # the score of its nearest story


@dataclass(frozen=True, slots=True)
class ThreadDecision:
    """One row of the audit."""

    at: datetime
    choice: StoryChoice
    story: StoryId
    thread: ThreadId
    other: ThreadId | None = None  # that the story left
    candidates: tuple[ThreadCandidate, ...] = ()
    reason: str = ""
    judge: str = CALIBRATED
    confidence: float = 0.0
    relation: str = ""
    prompt: str = ""  # the version of the prompt, of a language model


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A story as its thread was found by it."""

    story: StoryId
    thread: ThreadId | None
    thread_by: str
    began: datetime
    latest: datetime
    total: bytes  # sum of its vectors, float32
    terms: bytes | None


@dataclass(frozen=True, slots=True)
class ThreadAsk:
    """That a language model is to be asked about a story, and what it may choose among."""

    story: StoryId
    offered: tuple[ThreadCandidate, ...]
    control: bool = False  # it is clear: to see whether the model may be believed


@dataclass(frozen=True, slots=True)
class OfferedThread:
    """A thread as a language model is shown it."""

    thread: ThreadId
    title: str  # of its largest story
    first: str
    latest: tuple[str, ...]
    began: datetime
    ended: datetime
    size: int


@dataclass(frozen=True, slots=True)
class ThreadQuestion:
    """A decision that a language model is asked about."""

    story: StoryId
    title: str
    lead: str
    dated: datetime
    thread: ThreadId | None  # of those offered, where the story is; None: in one of its own
    offered: tuple[OfferedThread, ...]
    candidates: tuple[ThreadCandidate, ...]
    control: bool = False


@dataclass(frozen=True, slots=True)
class ThreadAnswer:
    """What a language model said."""

    choice: StoryChoice  # assign, new or abstain
    thread: ThreadId | None
    reason: str
    confidence: float
    relation: str


@dataclass(frozen=True, slots=True)
class ThreadChanges:
    """What one batch comes to, to be kept in one transaction."""

    generation: int  # of the threads that it was decided on
    decisions: tuple[ThreadDecision, ...]
    kinds: dict[ThreadId, ThreadKind]
    questions: tuple[ThreadAsk, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadCorrection:
    """A story that a reader moved to another thread."""

    act: int  # rows of one act are undone together
    user: UserId
    at: datetime
    kind: str  # "split" or "merge"
    story: StoryId
    thread: ThreadId
    before: ThreadId
    undone: datetime | None
