"""The date that a program is told of an article. Pure.

Programs put articles in the order of their dates and know no other. Where the settings say so, the
date tells the rank instead: an article of score 100 is dated now, and with every halving of the
score a day back. So at each moment the order of dates is that of the scores; and an article whose
score halves within a day, as most news does, keeps its date.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from newsloom.reading.values.reading import Listed

HALVING = timedelta(days=1)
# What scores less is as far back as this: ten days and a little.
LEAST_SCORE = 0.1


def shown_date(one: Listed, now: datetime, *, ranked: bool) -> datetime:
    """When an article is said to have been published."""
    if not ranked:
        return one.dated
    halvings = math.log2(100 / min(max(one.score, LEAST_SCORE), 100.0))
    return now - HALVING * halvings
