"""When the probability that two articles report the same event is enough. Computes none.

The names both have (duplicates/entities.py) make up for some of it, and are shown beside it.
"""

from __future__ import annotations

from newsloom.duplicates.thresholds import Thresholds
from newsloom.duplicates.values import Evidence

NAME = "event"


def likely(event: Evidence | None, thresholds: Thresholds) -> bool:
    """Whether it is enough where the names agree; None is not."""
    return event is not None and event.score >= thresholds.event_with_names


def holds(event: Evidence | None, names: Evidence | None, thresholds: Thresholds) -> bool:
    """Whether two articles are held to report the same event."""
    if event is None or not likely(event, thresholds):
        return False
    return event.score >= thresholds.event_probability or names is not None
