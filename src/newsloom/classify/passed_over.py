"""Articles that a reader passed over without a word: how surely they were shown, and what they are
worth beside likes. Pure. docs/decisions/positive-unlabelled.md has the measurements.

Where nobody can dislike, a model is trained from likes and from what was shown and not liked. That
is no dislike: of what a reader would like, they say so of a part. So passed-over articles are never
counted or told as dislikes, and each weighs as much as it was surely shown.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from newsloom.classify.lbfgs import Floats
from newsloom.types import Label, PassedOver

# The model of likes and dislikes takes over from this many dislikes for each like on. Made-up
# readers of the seeds 11 and 12, `newsloom eval pu`: below, likes and passed-over articles order
# better.
DISLIKES_PER_LIKE = 0.5

# At least so many passed-over articles for a model of them, as dislikes for one of dislikes; and at
# most the newest so many: ROC AUC moved by less than .002 from 1,000 to 2,000.
LEAST, MOST = 50, 1_000

# Examination of a list by place: half of those who come to a list look at the place this far down.
REACH = 50
# What is looked at is passed over for good or for lack of time: half each visit.
EACH_VISIT = 0.5
VISITS = 14  # days with the reader there after it came; later it is not at the top of any list
READ_TOGETHER = 0.7  # marked read with others: its title stood there
SHOWN = 0.05  # less surely shown than this is never shown


def takes_over(likes: int, dislikes: int, passed: int, needed: tuple[int, int]) -> bool:
    """Whether likes and passed-over articles train the model, for want of dislikes."""
    enough = likes >= needed[0] and passed >= LEAST
    return enough and dislikes < max(needed[1], DISLIKES_PER_LIKE * likes)


def exposures(passed: Sequence[PassedOver], visits: Sequence[datetime]) -> Floats:
    """How surely each was shown, 0 to 1, given when the reader was there, in order of time.

    Of lists that Newsloom does not see, as of its own, it is told by what was done: marked read, it
    was seen; unread, it lay among what came before each visit, the newer on top of it.
    """
    came = sorted(one.came for one in passed)
    return np.array([_exposure(one, came, visits) for one in passed], np.float64)


def _exposure(one: PassedOver, came: Sequence[datetime], visits: Sequence[datetime]) -> float:
    if one.alone:
        return 1.0
    if one.read:
        return READ_TOGETHER
    first = bisect_left(visits, one.came)
    unseen = 1.0
    for visit in visits[first : first + VISITS]:
        above = bisect_right(came, visit) - bisect_right(came, one.came)
        unseen *= 1.0 - EACH_VISIT / (1.0 + above / REACH)
    return 1.0 - unseen


def weighed(passed: Sequence[PassedOver], visits: Sequence[datetime]) -> list[Label]:
    """The newest of what was probably shown, oldest first, each with how surely as its weight."""
    shown = [
        Label(one.article, one.category, positive=False, at=one.came, weight=float(weight))
        for one, weight in zip(passed, exposures(passed, visits), strict=True)
        if weight >= SHOWN
    ]
    shown.sort(key=lambda one: (one.at, one.article.id))
    return shown[-MOST:]
