"""How often a feed has news, and when: learned from its articles. Pure.

Older days weigh less: a feed is what it was in the last weeks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from newsloom.feeds.values.polling import PublishingRate

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

DAY = timedelta(days=1)
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
