"""A service outside that is asked, such as a language model: how it does, and what it was asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from newsloom.types.ids import ArticleId
from newsloom.types.models import ArticleText

# What verdicts begin with. An article whose answers were unusable is not asked about for ever; one
# that got no answer is.
OK = "ok"
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
class Question:
    """An article to ask about; `digest` tells the text it has now."""

    article: ArticleText
    digest: int


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One question put to a language model, and what came of it."""

    service: str
    at: datetime
    purpose: str  # "sensitivity"
    maker: str  # model and version of the prompt
    verdict: str  # OK, or UNUSABLE or UNANSWERED and why
    article_id: ArticleId | None = None
    text_hash: str = ""  # the digest of the text it was shown
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    answer: str = ""  # as it came, cut


@dataclass(frozen=True, slots=True)
class Asked:
    """What the calls of one maker came to since some time."""

    calls: int = 0
    used: int = 0  # answers that became ratings
    alike: int = 0  # the newest so many used answers are letter by letter the same
