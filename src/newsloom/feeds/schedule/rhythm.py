"""A feed's own rhythm: its kind, what its last polls found, and the hours it has news in. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from newsloom.feeds.values.polling import PollFacts, PollOutcome, PublishingRate

# What kind of feed it is by how often it has news, and how often each kind is asked. Pure.

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


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


# How often a feed has news, and when: learned from its articles. Pure.
# Older days weigh less: a feed is what it was in the last weeks.

# After so long a day counts half. Four weeks hold four posts of a weekly feed, and few enough of
# them that one which falls asleep is noticed in a month.
HALF_LIFE = timedelta(days=28)

# What a document says of longer ago says nothing of how a feed is now.
LONGEST_AGO = timedelta(days=365)

# A document whose articles all claim to be younger than this is dated by its software.
SHORTEST_SPAN = timedelta(hours=1)

# The hour of an article without a usable date is that of the poll that found it, if the one before
# was so recent.
CLOSE = timedelta(hours=2)

# After so long without news it is as likely that the clock was wrong, and the pace stays as it was.
WRONG_CLOCK = timedelta(days=300)

_LONG_RUN = HALF_LIFE / DAY / math.log(2)  # what endless watching weighs, in days


def learned(
    pace: PublishingRate, at: datetime, new: int, dates: Sequence[datetime], polls: int = 1
) -> PublishingRate:
    """The pace after a poll that found `new` articles, of which some bear `dates`.

    `polls` are this one and those without news before it, which need not have been learned from.
    What the first document's dates tell counts at once.
    """
    if pace.at is None:
        return _of_document(at, dates)
    gone = at - pace.at if timedelta(0) <= at - pace.at < WRONG_CLOCK else timedelta(0)
    kept = _kept(gone)
    watched = _watched(pace, gone)
    before = pace.per_day * pace.watched * kept
    moments = [_moment(date, pace.at, at) for date in dates]
    undated = [at] * (new - len(dates)) if gone <= CLOSE else []
    known = [one for one in (*moments, *undated) if one is not None]
    return PublishingRate(
        polls=pace.polls + polls,
        per_day=(before + new) / watched if watched else 0.0,
        hours=_shares(pace.hours, before, [one.hour for one in known], 24),
        days=_shares(pace.days, before, [one.weekday() for one in known], 7),
        at=at,
        watched=watched,
    )


def per_day(pace: PublishingRate, now: datetime) -> float | None:
    """New articles a day by all that is known, the silence since then too; None: not known."""
    if pace.at is None:
        return None
    gone = max(now - pace.at, timedelta(0))
    watched = _watched(pace, gone)
    # A first document without dates, and nothing seen since: nothing can be said.
    if watched < SHORTEST_SPAN / DAY or (not pace.watched and gone < DAY):
        return None
    return pace.per_day * pace.watched * _kept(gone) / watched


def _of_document(at: datetime, dates: Sequence[datetime]) -> PublishingRate:
    recent = sorted(
        (one.astimezone(UTC) for one in dates if at - LONGEST_AGO <= one <= at), reverse=True
    )
    # The oldest tenth may be pinned; the oldest of the others is where the watching begins.
    first = len(recent) - 1 - len(recent) // 10
    if first < 0 or at - recent[first] < SHORTEST_SPAN:
        return PublishingRate(polls=1, at=at)
    span = at - recent[first]
    watched = _LONG_RUN * (1 - _kept(span))
    # A lone article began the span, and may have ended a silence twice as long.
    counted = recent[:first] if first else recent[:1]
    articles = sum(_kept(at - one) for one in counted) * (1.0 if first else 0.5)
    return PublishingRate(
        polls=1,
        per_day=articles / watched,
        hours=_shares((), 0.0, [one.hour for one in counted], 24),
        days=_shares((), 0.0, [one.weekday() for one in counted], 7),
        at=at,
        watched=watched,
    )


def _moment(date: datetime, since: datetime, at: datetime) -> datetime | None:
    """When an article came out; None when its date does not lie between the two polls."""
    if since < date <= at:
        return date.astimezone(UTC)
    return at if at - since <= CLOSE else None


def _shares(
    shares: tuple[float, ...], weight: float, seen: Sequence[int], size: int
) -> tuple[float, ...]:
    """Shares of `weight` articles and of those seen; rounded, for they are stored."""
    total = weight * bool(shares) + len(seen)
    if not total:
        return shares
    counts = [share * weight for share in shares] or [0.0] * size
    for one in seen:
        counts[one] += 1
    return tuple(round(count / total, 4) for count in counts)


def _kept(span: timedelta) -> float:
    return float(0.5 ** (span / HALF_LIFE))


def _watched(pace: PublishingRate, gone: timedelta) -> float:
    kept = _kept(gone)
    return pace.watched * kept + _LONG_RUN * (1 - kept)


# Units of time for how often something comes, and their names.
_UNITS = ((1.0, "day"), (7.0, "week"), (30.44, "month"), (365.25, "year"))


def pace_words(daily: float) -> str:
    """How often there is news, in the shortest time that has a few of them: "3 a week"."""
    if daily <= 0:
        return "none"
    for days, name in _UNITS:
        count = round(daily * days)
        if count >= 2 or (count == 1 and abs(daily * days - 1) < 0.05):
            return f"{count:,} a {name}"
    return "less than 2 a year"
