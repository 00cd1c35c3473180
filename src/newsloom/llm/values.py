"""A service outside that is asked, such as a language model: how it does, and what it was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from newsloom.ranking.values.models import ArticleText

# What verdicts begin with. A question whose answers were unusable is not asked for ever; one that
# got no answer is.
OK = "ok"
REUSED = "reused"  # nobody was asked: the same question had been answered before
UNUSABLE = "unusable: "
UNANSWERED = "no answer: "


@dataclass(frozen=True, slots=True)
class ServiceState:
    """How one service does, as kept over restarts."""

    name: str
    ok_at: datetime | None = None
    failed_at: datetime | None = None
    failures: int = 0  # in a row
    open_until: datetime | None = None  # not asked before
    problem: str = ""  # of the last failure; of an answer that was used, what was odd about it
    day: int = 0  # the one `tokens` counts, in days since 1970 (UTC)
    tokens: int = 0  # spent that day, with those of questions under way


@dataclass(frozen=True, slots=True)
class Spent:
    """The tokens of one service on one day, with those of questions under way."""

    total: int = 0
    by_purpose: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArticleQuestion:
    """An article to ask about; `digest` tells the text it has now."""

    article: ArticleText
    digest: int


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One question put to a language model, and what came of it."""

    service: str
    at: datetime
    purpose: str  # "sensitivity"
    prompt_version: str  # "rubric@1"
    maker: str  # model and version of the prompt
    verdict: str  # OK, REUSED, or UNUSABLE or UNANSWERED and why
    subject_kind: str = ""  # what it was about: "article", "17"
    subject_id: str = ""
    question_hash: str = ""  # the same for the same question
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    answer: str = ""  # as it came, cut


@dataclass(frozen=True, slots=True)
class CallTotals:
    """What the calls of one maker came to since some time."""

    calls: int = 0
    used: int = 0  # answers that were used
    alike: int = 0  # the newest so many used answers are letter by letter the same


@dataclass(frozen=True, slots=True)
class Completion:
    """What one call of a language model came to: the words of its answer, or why there are none."""

    verdict: str  # OK, or UNUSABLE or UNANSWERED and why
    content: str = ""
    status: int = 0
    tokens: tuple[int, int] | None = None  # in and out, as the server says
    seconds: float = 0.0
    answered_by: str = ""  # the model that the server names
    raw: str = ""  # the body as it came, cut
    wait: timedelta | None = None  # how long the server asks to be left alone
    again: bool = False  # the same question may be answered in a moment
    rejected: bool = False  # perhaps only for the form that the answer was to have
    too_long: bool = False  # with a shorter prompt it may be answered
    free: bool = False  # it was not computed, and cost nothing


@dataclass(frozen=True, slots=True)
class AskReport:
    """What a round of questions came to."""

    asked: int = 0
    stored_by_purpose: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    more: bool = False  # there is more to ask, and nothing in the way
    problem: str = ""

    @property
    def stored(self) -> int:
        """How many answers were kept."""
        return sum(self.stored_by_purpose.values())

    def __add__(self, later: AskReport) -> AskReport:
        return AskReport(
            self.asked + later.asked,
            Counter(self.stored_by_purpose) + Counter(later.stored_by_purpose),
            self.seconds + later.seconds,
            later.more,
            later.problem,
        )


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """How a service does, in a sentence."""

    well: bool
    words: str
    spent: bool = False  # the day's tokens are
