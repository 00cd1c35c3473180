"""Articles that a reader passed over without a word: how surely they were shown, and what they are
worth beside likes. Pure. docs/work/decisions/ranking.md has the measurements.

Where nobody can dislike, a model is trained from likes and from what was shown and not liked. That
is no dislike: of what a reader would like, they say so of a part. So passed-over articles are never
counted or told as dislikes, and each weighs as much as it was surely shown.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.values.models import ImplicitNegative, Label

# The model of likes and dislikes takes over from this many dislikes for each like on. Development
# readers (seed 11): with a quarter, passed-over articles beside them add up to .025 of ROC AUC at
# 20 and 50 likes; with half, at most .006.
DISLIKES_PER_LIKE = 0.5

# At least so many passed-over articles, a bound not measured; and the newest so many, which bounds
# the time of a training to some seconds.
LEAST, MOST = 50, 1_000

# Examination of a list by place: half of those who come to a list look at the place this far down.
# This and the next three are not measured: no log of what people looked at could be had.
REACH = 50
# What is looked at is passed over for good or for lack of time: half each visit.
EACH_VISIT = 0.5
VISITS = 14  # days with the reader there after it came; later it is not at the top of any list
READ_TOGETHER = 0.7  # marked read with others: its title stood there

# What lay in the list while the reader was there weighs at least this, however far down.
# Development readers (seed 11, half of the rest never shown): with it, with 0 and with 1 the ROC
# AUC lies within .02, mostly .005; the calibration error is .11 to .15, .09 to .15 and .15 to .20.
# What came since the last visit is not learned from: it would be pushed down for being new.
LEAST_WEIGHT = 0.3


def takes_over(likes: int, dislikes: int, passed: int, needed: tuple[int, int]) -> bool:
    """Whether likes and passed-over articles train the model, for want of dislikes."""
    enough = likes >= needed[0] and passed >= LEAST
    return enough and dislikes < max(needed[1], DISLIKES_PER_LIKE * likes)


def exposures(passed: Sequence[ImplicitNegative], visits: Sequence[datetime]) -> Floats:
    """How surely each was shown, 0 to 1, given when the reader was there, in order of time.

    Of lists that Newsloom does not see, as of its own, it is told by what was done: marked read, it
    was seen; unread, it lay among what came before each visit, the newer on top of it.
    """
    came = sorted(one.came for one in passed)
    return np.array([_exposure(one, came, visits) for one in passed], np.float64)


def _exposure(one: ImplicitNegative, came: Sequence[datetime], visits: Sequence[datetime]) -> float:
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


def weighted(passed: Sequence[ImplicitNegative], visits: Sequence[datetime]) -> list[Label]:
    """The newest of what lay in the list while the reader was there, oldest first; each weighs as
    surely as it was shown."""
    shown = [
        Label(
            one.article,
            one.category,
            positive=False,
            at=one.came,
            weight=max(float(weight), LEAST_WEIGHT),
        )
        for one, weight in zip(passed, exposures(passed, visits), strict=True)
        if weight > 0.0
    ]
    shown.sort(key=lambda one: (one.at, one.article.id))
    return shown[-MOST:]
