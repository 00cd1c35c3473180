"""How far a language model is believed about stories. Pure.

It is asked about borderline cases, where the calibrated judge is little better than chance, and
about clear ones, as controls, whose answers move nothing. Who gets clear cases wrong is not
believed in the others.
"""

from __future__ import annotations

from newsloom.types import StoryAnswer, StoryChoice, StoryQuestion

# The last controls that count, how many are needed before anything is taken, and how many of them
# must be right: with 20 a model that guesses among "assign" and "new" passes once in 50,000 times.
CONTROLS, FEWEST, RIGHT = 40, 20, 0.9
# Less sure answers are kept in the audit and move nothing.
LEAST_CONFIDENCE = 0.5


def agrees(question: StoryQuestion, answer: StoryAnswer) -> bool:
    """Whether a model says of a clear case what is clear. Abstaining is no agreement: a model that
    always abstains would be believed."""
    if question.story is None:
        return answer.choice is StoryChoice.NEW
    return answer.choice is StoryChoice.ASSIGN and answer.story == question.story


def trusted(asked: int, right: int) -> bool:
    """Whether a model is believed, by its last controls."""
    return asked >= FEWEST and right >= RIGHT * asked


def taken(answer: StoryAnswer) -> bool:
    """Whether an answer of a model that is believed moves an article."""
    if answer.choice is StoryChoice.ABSTAIN or answer.confidence < LEAST_CONFIDENCE:
        return False
    return answer.choice is StoryChoice.NEW or answer.relation != "none"
