"""What the use cases answer with, and what the process around them lends. Holds no logic."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsloom.feeds.parse.opml import LeftOut
    from newsloom.feeds.schedule import Held
    from newsloom.feeds.values.polling import PassReport
    from newsloom.kernel.ids import FeedId
    from newsloom.ranking.values.models import Evaluation, Learned, StoredModel


@dataclass(frozen=True, slots=True)
class Added:
    """What became of an address someone gave."""

    feed_id: FeedId
    url: str
    title: str
    new: bool  # False: already subscribed
    articles: int = 0  # that the reader has of it now
    choices: tuple[tuple[str, str], ...] = ()  # other feeds of the page: (URL, title)


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a list of feeds."""

    new: int
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Activity:
    """What the process around the reader is doing; commands that only ask have none."""

    running: bool = False  # a pass is under way
    last_pass: PassReport | None = None
    sample: bool = False  # the feeds are the built-in sample
    behind: bool = False  # something changed that the order does not follow yet


@dataclass(frozen=True, slots=True)
class ModelActions:
    """What there is to see of one reader's own model, and to do to it; a process that only reads
    has none. Each step says in words what it came to."""

    history: Callable[[], tuple[StoredModel, ...]] = tuple  # newest first
    evaluations: Callable[[], tuple[Evaluation, ...]] = tuple  # newest first
    last_training: Callable[[], tuple[datetime | None, str]] = lambda: (None, "")
    language_model: Callable[[], str] = str  # whether one is asked, and how it does
    encoder: Callable[[], str] = str  # how far a newly chosen encoder is; empty: nothing to say
    rests: Callable[[], str] = str  # why training would teach nothing now; empty: it may
    quick: Callable[[], bool] = lambda: (
        True
    )  # a training takes seconds, and also comes in the middle of the day
    daily: str = ""  # when the daily training comes, as HH:MM; empty: never
    train: Callable[[], str] | None = None  # unless it would teach nothing
    train_anyway: Callable[[], str] | None = None
    back: Callable[[], str] | None = None
    measure: Callable[[], str] | None = None  # judge anew on the reader's labels, with curves


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
    learned: Learned | None = None  # what the model that ranks was made from, if it is their own
    language_model: str = ""  # why it gives no ratings, when one is named that should
    passed_over: int = 0  # articles that stand in for dislikes; 0: dislikes alone count

    @property
    def enough(self) -> bool:
        """Whether there is enough to train a model of their own."""
        disliked = self.dislikes >= self.needed_dislikes or self.passed_over > 0
        return self.likes >= self.needed_likes and disliked


@dataclass(frozen=True, slots=True)
class FeedActions:
    """What the process around the reader does for it."""

    admit: Callable[[FeedId], Awaitable[int]]  # releases held articles; how many are new
    headlines: Callable[[FeedId], Awaitable[tuple[str, ...]]]  # of the held ones
    # Makes feeds due now, unless they must wait.
    refresh: Callable[[Sequence[FeedId]], Mapping[FeedId, Held | None]]
    # What each would have to wait for, were it asked now.
    waiting: Callable[[Sequence[FeedId]], Mapping[FeedId, Held | None]]
    # How it stands with the hubs of feeds, in words, where there are any.
    hubs: Callable[[Sequence[FeedId]], Mapping[FeedId, str]]
