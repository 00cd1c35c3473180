"""What the use cases answer with, and what the process around them lends. Holds no logic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from newsloom.types import Evaluation, FeedId, PassReport, StoredModel


@dataclass(frozen=True, slots=True)
class Added:
    """What became of an address someone gave."""

    feed_id: FeedId
    url: str
    title: str
    new: bool  # False: already subscribed
    articles: int = 0
    choices: tuple[tuple[str, str], ...] = ()  # other feeds of the page: (URL, title)


@dataclass(frozen=True, slots=True)
class Activity:
    """What the process around the reader is doing; commands that only ask have none."""

    running: bool = False  # a pass is under way
    last_pass: PassReport | None = None
    sample: bool = False  # the feeds are the built-in sample
    behind: bool = False  # something changed that the order does not follow yet


@dataclass(frozen=True, slots=True)
class Desk:
    """What there is to see of one reader's own model, and to do to it; a process that only reads
    has none. Each step says in words what it came to."""

    history: Callable[[], tuple[StoredModel, ...]] = tuple  # newest first
    evaluations: Callable[[], tuple[Evaluation, ...]] = tuple  # newest first
    last_training: Callable[[], tuple[datetime | None, str]] = lambda: (None, "")
    language_model: Callable[[], str] = str  # whether one is asked, and how it does
    train: Callable[[], str] | None = None  # unless it would teach nothing
    train_anyway: Callable[[], str] | None = None
    back: Callable[[], str] | None = None
    measure: Callable[[], str] | None = None  # judge anew on the reader's labels, with curves


NO_DESK = Desk()


@dataclass(frozen=True, slots=True)
class ReaderStatus:
    """How far the reader is from a model of their own, and what is going on."""

    personal: bool
    likes: int
    dislikes: int
    needed_likes: int
    needed_dislikes: int
    scoring_left: int  # articles listed but not scored yet
    sample: bool = False
    running: bool = False
    behind: bool = False  # the order does not follow yet what was done last
    last_pass: PassReport | None = None
    problem: str = ""  # why the model in force cannot be used, when another answers for it
    made_by: str = ""  # whose scores they are
    language_model: str = ""  # why it gives no ratings, when one is named that should
