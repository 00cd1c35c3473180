"""What kind of feed it is by how often it has news, and how often each kind is asked. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Kind:
    """Feeds with at least so many new articles a day, asked so often."""

    name: str
    words: str  # how often it has news, for a reader who asks why
    per_day: float
    shortest: timedelta
    longest: timedelta


# Seed 001's table of intervals where a publisher says nothing. Which rates make a kind is ours: on
# three of the polled feeds of docs/work/figures.md 3 to 20 a day were tried for "major", 40 to 100
# for "breaking", and judged on the four others too; none was better on both. The busiest first.
KINDS = (
    Kind("breaking", "all day long", 60.0, 15 * MINUTE, 15 * MINUTE),
    Kind("major", "every hour or two", 10.0, 30 * MINUTE, 30 * MINUTE),
    Kind("blog", "every day or two", 1 / 3, 2 * HOUR, 4 * HOUR),
    Kind("weekly", "about once a week", 1 / 20, 12 * HOUR, 24 * HOUR),
    Kind("dormant", "hardly ever", 0.0, 24 * HOUR, 24 * HOUR),
)

# Before anything is known of a feed.
UNKNOWN = HOUR

# Kinds whose publishers may ask to be asked more often than hourly.
BUSY = ("breaking", "major")


def kind_of(per_day: float | None) -> Kind | None:
    """The kind of a feed with that many new articles a day; None while that is not known."""
    if per_day is None:
        return None
    return next(kind for kind in KINDS if per_day >= kind.per_day)


def usual(per_day: float | None) -> timedelta:
    """How often such a feed is asked where its publisher says nothing.

    Within a kind the interval shrinks evenly as the rate multiplies.
    """
    kind = kind_of(per_day)
    if kind is None:
        return UNKNOWN
    if kind.shortest == kind.longest or per_day is None:
        return kind.longest
    above = KINDS[KINDS.index(kind) - 1].per_day
    share = math.log(per_day / kind.per_day) / math.log(above / kind.per_day)
    return kind.longest + share * (kind.shortest - kind.longest)
