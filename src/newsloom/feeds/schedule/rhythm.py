"""A feed's own rhythm: its kind, what its last polls found, and the hours it has news in. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from newsloom.feeds.schedule.kinds import usual
from newsloom.feeds.schedule.pace import per_day
from newsloom.feeds.values.polling import PollFacts, PollOutcome, PublishingRate

# Polls in a row without news after which the interval doubles, and with news after which it halves.
QUIET_POLLS = 5
NEWSY_POLLS = 5

# How many articles have to be missing for a silence to count as one doubling, and how many
# doublings are left out at most where none were to be expected. In the replay of
# docs/work/figures.md 1, 2, 3 and 5 come to the same on the whole; without it feeds of one or two
# articles a day, silent every night, wait half as long again.
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
    if doublings and facts.pace.watched and facts.pace.at is not None:
        enough = doublings * MISSING
        missing = int(_expected(facts.pace, facts.pace.at, now, enough) / MISSING)
        doublings = max(min(doublings, missing), doublings - LONG_SILENCE)
    # 2**20 floors of a minute are two years; the power itself must not grow without bound.
    return min(doublings, 20)


def _expected(pace: PublishingRate, since: datetime, until: datetime, enough: float) -> float:
    """Articles that were to be expected in a span, by its hours and days where they are known; it
    counts up to `enough`."""
    whole = max(until - since, timedelta(0))
    if not _known(pace) or whole > LONGEST_COUNTED:
        return pace.per_day * (whole / DAY)
    at, expected = since.astimezone(UTC), 0.0
    for _ in range(whole // HOUR):
        if expected >= enough:
            break
        expected += pace.per_day * weight(pace, at.hour, at.weekday()) / DAY_HOURS
        at += HOUR
    return expected


def best_wait(
    every: timedelta, pace: PublishingRate, now: datetime, floor: timedelta, ceiling: timedelta
) -> timedelta:
    """How long to wait so that polls come at `every` on the whole, and more often when there is
    news: the less is to be expected in an hour, the less of the wait is over with it.

    At equal requests the mean delay is least when the interval goes with one over the square root
    of how much is to be expected.
    """
    if not _known(pace):
        return max(floor, every)
    left, waited = every / HOUR, 0.0
    at = now.astimezone(UTC)
    hour, day = at.hour, at.weekday()
    until_full = 1 - (at.minute * 60 + at.second) / 3600
    longest = ceiling / HOUR
    while left > 0 and waited < longest:
        speed = weight(pace, hour, day) ** 0.5
        step = min(until_full, left / speed)
        left -= step * speed if step == until_full else left
        waited += step
        until_full, hour = 1.0, (hour + 1) % DAY_HOURS
        day = (day + (hour == 0)) % WEEK_DAYS
    return max(floor, min(waited * HOUR, ceiling))


def weight(pace: PublishingRate, hour: int, day: int) -> float:
    """By how much an hour of a day of the week differs from the mean, as far as is known.

    Each hour with a share of its neighbours: an article at 8:01 could have come at 7:59. Counted
    when asked for: most waits need two or three of the week's hours.
    """
    if not _known(pace):
        return 1.0
    known = pace.per_day * pace.watched
    hours = pace.hours
    near = hours[hour - 1] / 4 + hours[hour] / 2 + hours[(hour + 1) % DAY_HOURS] / 4
    of_hour = (near * known + IMAGINED / DAY_HOURS) * DAY_HOURS / (known + IMAGINED)
    of_day = (pace.days[day] * known + IMAGINED / WEEK_DAYS) * WEEK_DAYS / (known + IMAGINED)
    return of_hour * of_day


def _known(pace: PublishingRate) -> bool:
    """Whether enough is known that any hour is better than another."""
    enough = pace.per_day * pace.watched >= KNOWN_ENOUGH
    return enough and len(pace.hours) == DAY_HOURS and len(pace.days) == WEEK_DAYS
