"""When a feed is asked again: pure, from facts, `now` and a jitter."""

from newsloom.feeds.schedule.by_hand import CLOCK_SLACK, Held, by_hand
from newsloom.feeds.schedule.kinds import KINDS, Kind, kind_of, usual
from newsloom.feeds.schedule.pace import learned, pace_words, per_day
from newsloom.feeds.schedule.pauses import (
    FAILING_FEEDS,
    FAILING_WITHIN,
    host_of,
    may_pause,
    pause,
    requested_pause,
)
from newsloom.feeds.schedule.plan import FURTHEST, LADDER, MOST_JITTER, facts, plan
from newsloom.feeds.schedule.validators import trusted, validators

__all__ = [
    "CLOCK_SLACK",
    "FAILING_FEEDS",
    "FAILING_WITHIN",
    "FURTHEST",
    "KINDS",
    "LADDER",
    "MOST_JITTER",
    "Held",
    "Kind",
    "by_hand",
    "facts",
    "host_of",
    "kind_of",
    "learned",
    "may_pause",
    "pace_words",
    "pause",
    "per_day",
    "plan",
    "requested_pause",
    "trusted",
    "usual",
    "validators",
]
