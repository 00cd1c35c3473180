"""What fetches and decisions came to, told to whoever keeps the quality of domains.

In the same transaction as the hit's new state: a kill leaves both or neither, and a step that is
done again finds nobody waiting and tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from newsloom.related.failures import FailureKind, Outcome
from newsloom.store import Aggregates
from newsloom.types import CoverageAnswer

Record = Callable[[Aggregates, Sequence[Outcome]], None]


def judged(
    url: str, at: datetime, answer: CoverageAnswer, *, accepted: bool, model: bool
) -> Outcome:
    """What a decision says of the publisher; an answer that abstains blames nobody's page."""
    if accepted:
        return Outcome(url, at, None, answer.score)
    kind = FailureKind.REJECTED_BY_MODEL if model else FailureKind.LOW_RELEVANCE
    return Outcome(url, at, kind, None if answer.abstain else answer.score)
