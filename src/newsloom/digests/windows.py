"""When a schedule falls due, and which window its digest covers. Pure; times are aware.

A schedule names a local time of day. Where daylight saving skips that time, the digest comes as
late as the clock jumped; where it comes twice, the first one counts. So there is one each day.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from newsloom.digests.select import kind_of
from newsloom.digests.values import DigestKind, Schedule

DAY, WEEK = timedelta(days=1), timedelta(days=7)
# A digest after a longer break covers so much and not all of it.
LONGEST = WEEK
EVERY_DAY = tuple(range(7))


def occurrence(schedule: Schedule, moment: datetime, *, after: bool) -> datetime:
    """In UTC: the first time it falls due after a moment, or the last time until then."""
    weekly = schedule.kind is DigestKind.WEEKLY
    weekdays = (schedule.weekday,) if weekly else EVERY_DAY
    return turn(schedule.at, weekdays, schedule.zone, moment, after=after)


def turn(
    at: int, weekdays: Collection[int], zone: str, moment: datetime, *, after: bool
) -> datetime:
    """In UTC: the first such time of day on one of some weekdays after a moment, or the last until
    then. `at` is in minutes after midnight; 0 is Monday."""
    here = ZoneInfo(zone)
    local = moment.astimezone(here)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None, fold=0)
    days = (midnight + timedelta(days=one) for one in range(-8, 9))
    fitting = [_at(one, at, here) for one in days if one.weekday() in weekdays]
    if after:
        return min(one for one in fitting if one > moment)
    return max(one for one in fitting if one <= moment)


def _at(day: datetime, minutes: int, zone: ZoneInfo) -> datetime:
    """A time of a local day."""
    local = day + timedelta(minutes=minutes)
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def window(kind: DigestKind, end: datetime, last_end: datetime | None) -> tuple[datetime, datetime]:
    """What a digest covers: from the end of the one before, so that nothing falls between two.

    A week's digest covers the week. What was missed is made up by the next one, up to a week of it.
    """
    usual = end - kind_of(kind).span
    if kind is DigestKind.WEEKLY or last_end is None or last_end >= end:
        return usual, end
    return max(last_end, end - LONGEST), end
