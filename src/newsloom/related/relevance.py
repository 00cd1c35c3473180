"""Whether a page reports what an article reports, from what was said of the two. Pure.

Fails closed: no answer, an unsure one and one that abstains accept nothing.
"""

from __future__ import annotations

from newsloom.types import CoverageAnswer

# Seed 002: the same event, or 7 of 10; and texts that have nothing in common are not even asked.
LEAST_SCORE = 7.0
LEAST_LIKENESS = 0.25
LEAST_CONFIDENCE = 0.5
# A page of this quality is not shown, whatever it reports: 0 means that nothing was said.
WORST_QUALITY = 2

# Without a model: cosine of the texts' vectors. Seed 002 measured .9155 ROC AUC for the shipped
# encoder on such pairs, and 92% right at .73.
ACCEPTED = 0.73

# Characters of the page's text that are compared.
COMPARED = 800


def accepts(answer: CoverageAnswer) -> bool:
    """What a language model's answer comes to."""
    if answer.abstain or answer.confidence < LEAST_CONFIDENCE:
        return False
    if 0 < answer.quality <= WORST_QUALITY:
        return False
    return answer.same_event or answer.score >= LEAST_SCORE


def by_likeness(similarity: float) -> CoverageAnswer:
    """What the encoder says: as sure as the texts are alike."""
    same = similarity >= ACCEPTED
    sure = min(max(similarity, 0.0), 1.0)
    words = f"the texts are alike by {similarity:.2f}, {ACCEPTED} is needed"
    return CoverageAnswer(score=10 * sure, same_event=same, confidence=sure, reason=words)


def hopeless(similarity: float) -> bool:
    """Whether nobody need be asked."""
    return similarity < LEAST_LIKENESS


def sureness(answer: CoverageAnswer) -> float:
    """One number to show and to order by, 0..1."""
    if answer.same_event:
        return max(answer.confidence, answer.score / 10)
    return answer.score / 10
