"""How long a story is active. Pure: times come as arguments.

The spans are those of seed 002 (seed_systems.md, section 3: active 3 days, cooling until 14). It
could revive nothing that was archived, though its documents said so; here an article joins an
archived story that is at most 90 days old, which makes it active again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime, timedelta

ACTIVE = timedelta(days=3)
COOLING = timedelta(days=14)
REVIVABLE = timedelta(days=90)


def revivable(latest: datetime, dated: datetime) -> bool:
    """Whether an article may bring a story back that is quiet for longer."""
    return COOLING < dated - latest <= REVIVABLE


# heat = sum of w e^(-0.3 days) over its articles, w = 3, 2 or 1 by importance (seed 002, section
# 3 of seed_systems.md: must read, worth reading, optional; dots at 1, 4 and 8). An article counts
# half after 2.3 days.

COOLS = 0.3  # a day
# Points of importance (0 to 100) from which an article counts three times and twice.
MUST_READ, WORTH_READING = 60.0, 35.0
# From which heat a story is hot, developing; what is below is quiet.
HOT, DEVELOPING = 4.0, 1.0
DAY = timedelta(days=1)


def weight(points: float) -> int:
    """How much an article counts by its importance, 0 to 100."""
    if points >= MUST_READ:
        return 3
    return 2 if points >= WORTH_READING else 1


def heat(articles: Iterable[tuple[datetime, float]], now: datetime) -> float:
    """Of the dates and points of importance of a story's articles."""
    return sum(
        weight(points) * math.exp(-COOLS * max((now - dated) / DAY, 0.0))
        for dated, points in articles
    )


def band(value: float) -> str:
    """hot, developing or quiet."""
    if value >= HOT:
        return "hot"
    return "developing" if value >= DEVELOPING else "quiet"
