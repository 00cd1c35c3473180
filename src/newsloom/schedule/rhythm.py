"""A feed's own rhythm: its kind, what its last polls found, and the hours it has news in. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from newsloom.schedule.kinds import usual
from newsloom.schedule.pace import per_day
from newsloom.types import Pace, PollFacts, PollOutcome

# Polls in a row without news after which the interval doubles, and with news after which it halves.
QUIET_POLLS = 5
NEWSY_POLLS = 5

# How many articles have to be missing for a silence to count as one doubling, and how many
# doublings are left out at most where none were to be expected. In the replay of docs/polling.md 1,
# 2, 3 and 5 come to the same on the whole; without it feeds of one or two articles a day, silent
# every night, wait half as long again.
MISSING = 2.0
LONG_SILENCE = 4

# Articles whose hours have to be known before any hour is held to be better than another, and how
# many are imagined, spread evenly, beside those known. Of 12, 24 and 48 the replay likes 24 best: a
# weekly column is met sooner, and busy feeds lose nothing.
KNOWN_ENOUGH = 3.0
IMAGINED = 24.0

# Of a longer silence its hours make no difference.
LONGEST_COUNTED = timedelta(days=7)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DAY_HOURS, WEEK_DAYS = 24, 7


def interval(
    facts: PollFacts, now: datetime, floor: timedelta, ceiling: timedelta
) -> tuple[timedelta, timedelta]:
    """How often the feed is asked by its kind and its last polls, whatever the hour; and the same
    as its hours make the best of it, which may lie below the floor.

    Counted from what is stored, not multiplied from the last interval, so a changed floor holds at
    once and nothing drifts.
    """
    base = usual(per_day(facts.pace, now))
    if facts.outcome is PollOutcome.CHANGED:
        # It woke: more may follow, whatever the hour.
        if facts.unchanged >= QUIET_POLLS:
            return floor, timedelta(0)
        base /= 1 << min((facts.newsy + 1) // NEWSY_POLLS, 20)
        return max(floor, min(base, ceiling)), base
    doublings = _doublings(facts, now)
    every = min(max(base, floor) * (1 << doublings), ceiling)
    return every, every if doublings else base


def _doublings(facts: PollFacts, now: datetime) -> int:
    """One for every QUIET_POLLS in a row without news; but a silence says little while no article
    was to be expected, unless it is a long one."""
    doublings = (facts.unchanged + 1) // QUIET_POLLS
    if facts.pace.watched and facts.pace.at is not None:
        missing = int(_expected(facts.pace, facts.pace.at, now) / MISSING)
        doublings = max(min(doublings, missing), doublings - LONG_SILENCE)
    # 2**20 floors of a minute are two years; the power itself must not grow without bound.
    return min(doublings, 20)


def _expected(pace: Pace, since: datetime, until: datetime) -> float:
    """Articles that were to be expected in a span, by its hours and days where they are known."""
    whole = max(until - since, timedelta(0))
    hours, days = weights(pace)
    if not hours or whole > LONGEST_COUNTED:
        return pace.per_day * (whole / DAY)
    at, weight = since.astimezone(UTC), 0.0
    for _ in range(whole // HOUR):
        weight += hours[at.hour] * days[at.weekday()]
        at += HOUR
    return pace.per_day * weight / DAY_HOURS


def best_wait(
    every: timedelta, pace: Pace, now: datetime, floor: timedelta, ceiling: timedelta
) -> timedelta:
    """How long to wait so that polls come at `every` on the whole, and more often when there is
    news: the less is to be expected in an hour, the less of the wait is over with it.

    At equal requests the mean delay is least when the interval goes with one over the square root
    of how much is to be expected.
    """
    hours, days = weights(pace)
    if not hours:
        return max(floor, every)
    left = every / HOUR
    at = now.astimezone(UTC)
    waited = timedelta(0)
    while left > 0 and waited < ceiling:
        until_full = HOUR - timedelta(
            minutes=at.minute, seconds=at.second, microseconds=at.microsecond
        )
        speed = (hours[at.hour] * days[at.weekday()]) ** 0.5
        needed = HOUR * (left / speed)
        step = min(until_full, needed)
        left = 0.0 if needed <= until_full else left - speed * (step / HOUR)
        waited += step
        at += step
    return max(floor, min(waited, ceiling))


def weights(pace: Pace) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """By how much the hours of the day and the days of the week differ from the mean; empty while
    too little is known."""
    known = pace.per_day * pace.watched
    if known < KNOWN_ENOUGH or len(pace.hours) != DAY_HOURS or len(pace.days) != WEEK_DAYS:
        return (), ()
    return (
        _smooth(_weighed(pace.hours, known)),
        _weighed(pace.days, known),
    )


def _weighed(shares: tuple[float, ...], known: float) -> tuple[float, ...]:
    even = 1 / len(shares)
    return tuple(
        (share * known + even * IMAGINED) / (known + IMAGINED) * len(shares) for share in shares
    )


def _smooth(values: tuple[float, ...]) -> tuple[float, ...]:
    """Each hour with a share of its neighbours: an article at 8:01 could have come at 7:59."""
    return tuple(
        values[hour - 1] / 4 + value / 2 + values[(hour + 1) % len(values)] / 4
        for hour, value in enumerate(values)
    )
