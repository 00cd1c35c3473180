"""How far a language model is believed about stories. Pure.

It is asked about borderline cases, where the calibrated judge is little better than chance, and
about clear ones, as controls, whose answers move nothing. Who gets clear cases wrong is not
believed in the others; nor is who mostly contradicts the calibrated judge in them, which is right
more often than not even there.
"""

from __future__ import annotations

from collections.abc import Sequence

from newsloom.stories.values.pages import StoryAnswer, StoryChoice
from newsloom.stories.values.threads import ThreadAnswer

# The last controls that count; how many of each kind are needed before anything is taken (cases
# that are clearly of a story, and clearly of none: who always says the same is right in one kind),
# and how many of each must be right: not all, for the calibrated judge errs in clear cases too, by
# parting what is one story (of 26 such controls of allsides_fulltext in 4).
CONTROLS, FEWEST, RIGHT = 60, 10, 0.75
# Answers in borderline cases that count; how many are needed before any is taken, and how many of
# them must say what the calibrated judge says. With ten candidates a perfect model says so in .61
# (undated roundups) to .83, one that answers the controls right and all else wrong in .08 to .22.
BORDERLINES, FEWEST_BORDERLINES, LIKE_THE_CALIBRATED = 60, 15, 0.5
# Less sure answers are kept in the audit and move nothing.
LEAST_CONFIDENCE = 0.5


def agrees(placed: int | None, choice: StoryChoice, picked: int | None) -> bool:
    """Whether a model says what the scores say: `placed` is where they put a case, None where it
    begins something new. Abstaining is no agreement: a model that always abstains would be
    believed."""
    if placed is None:
        return choice is StoryChoice.NEW
    return choice is StoryChoice.ASSIGN and picked == placed


def agreement(
    placed: int | None, choice: StoryChoice, picked: int | None, *, control: bool
) -> bool | None:
    """What counts of an answer; None where a model abstains in a borderline case, which harms
    nobody."""
    if choice is StoryChoice.ABSTAIN and not control:
        return None
    return agrees(placed, choice, picked)


def trusted(controls: Sequence[tuple[bool, bool]], leanings: Sequence[bool]) -> bool:
    """Whether a model is believed, by its last controls (whether each was of no story, and whether
    the model said so) and by its last answers in borderline cases."""
    if len(leanings) < FEWEST_BORDERLINES or sum(leanings) < LIKE_THE_CALIBRATED * len(leanings):
        return False
    for kind in (True, False):
        right = [agreed for begins, agreed in controls if begins is kind]
        if len(right) < FEWEST or sum(right) < RIGHT * len(right):
            return False
    return True


def taken(answer: StoryAnswer | ThreadAnswer) -> bool:
    """Whether an answer of a model that is believed moves an article, or a story."""
    if answer.choice is StoryChoice.ABSTAIN or answer.confidence < LEAST_CONFIDENCE:
        return False
    return answer.choice is StoryChoice.NEW or answer.relation != "none"
