"""Whether a page reports what an article reports, from what was said of the two. Pure.

Fails closed: no answer, an unsure one and one that abstains accept nothing.
"""

from __future__ import annotations

from newsloom.coverage.values import CoverageAnswer, CoverageJudgement
from newsloom.feeds.page_failures import FailureKind, Outcome

# Seed 002: the same event, or 7 of 10; and texts that have nothing in common are not even asked.
LEAST_SCORE = 7.0
LEAST_LIKENESS = 0.25
LEAST_CONFIDENCE = 0.5
# A page of this quality is not shown, whatever it reports: 0 means that nothing was said.
WORST_QUALITY = 2

# Without a model: the probability of the same event. On pairs that a search for one of them finds,
# .5 is right as often as seed 002's cosine of .73 and finds more: precision .88 and recall .62 in
# place of .88 and .51 on allsides_val, .62 and .46 in place of .65 and .43 on allsides_fulltext,
# where one pair in sixteen is right (lab/scripts/coverage_threshold.py).
ACCEPTED = 0.5

# Characters of the page's text that are compared.
COMPARED = 800


def accepts(answer: CoverageAnswer) -> bool:
    """What a language model's answer comes to."""
    if answer.abstain or answer.confidence < LEAST_CONFIDENCE:
        return False
    if 0 < answer.quality <= WORST_QUALITY:
        return False
    return answer.same_event or answer.score >= LEAST_SCORE


def by_probability(probability: float) -> CoverageAnswer:
    """What the same-event probability of the texts comes to."""
    sure = min(max(probability, 0.0), 1.0)
    words = f"the same event with a probability of {sure:.2f}; {ACCEPTED} is needed"
    return CoverageAnswer(10 * sure, sure >= ACCEPTED, sure, reason=words)


def hopeless(similarity: float) -> bool:
    """Whether nobody need be asked."""
    return similarity < LEAST_LIKENESS


def sureness(answer: CoverageAnswer) -> float:
    """One number to show and to order by, 0..1."""
    if answer.same_event:
        return max(answer.confidence, answer.score / 10)
    return answer.score / 10


def judged(url: str, judgement: CoverageJudgement, *, model: bool) -> Outcome:
    """What a decision on the page at `url` comes to; one that abstains gives no score."""
    said = judgement.answer
    score = None if said.abstain or not model else said.score
    if judgement.accepted:
        return Outcome(url, judgement.at, None, score)
    kind = FailureKind.REJECTED_BY_MODEL if model else FailureKind.LOW_RELEVANCE
    return Outcome(url, judgement.at, kind, score)
