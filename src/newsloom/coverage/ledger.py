"""What decisions say of publishers. Pure."""

from __future__ import annotations

from newsloom.coverage.values import CoverageJudgement
from newsloom.feeds.page_failures import FailureKind, Outcome


def judged(url: str, judgement: CoverageJudgement, *, model: bool) -> Outcome:
    """What a decision on the page at `url` comes to; one that abstains gives no score."""
    said = judgement.answer
    score = None if said.abstain or not model else said.score
    if judgement.accepted:
        return Outcome(url, judgement.at, None, score)
    kind = FailureKind.REJECTED_BY_MODEL if model else FailureKind.LOW_RELEVANCE
    return Outcome(url, judgement.at, kind, score)
