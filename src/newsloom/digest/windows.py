"""When a schedule falls due, and which window its digest covers. Pure; times are aware.

A schedule names a local time of day. Where daylight saving skips that time, the digest comes as
late as the clock jumped; where it comes twice, the first one counts. So there is one each day.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from newsloom.digest.select import kind_of
from newsloom.types import DigestKind, Schedule

DAY, WEEK = timedelta(days=1), timedelta(days=7)
# A digest after a longer break covers so much and not all of it.
LONGEST = WEEK


def occurrence(schedule: Schedule, moment: datetime, *, after: bool) -> datetime:
    """In UTC: the first time it falls due after a moment, or the last time until then."""
    zone = ZoneInfo(schedule.zone)
    local = moment.astimezone(zone)
    days = (1 if schedule.kind is not DigestKind.WEEKLY else 7) + 1
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None, fold=0)
    around = (_at(midnight + timedelta(days=one), schedule, zone) for one in range(-days, days + 1))
    fitting = [one for one in around if one is not None]
    if after:
        return min(one for one in fitting if one > moment)
    return max(one for one in fitting if one <= moment)


def _at(day: datetime, schedule: Schedule, zone: ZoneInfo) -> datetime | None:
    """When it falls due on a local day; None on other days than its own."""
    if schedule.kind is DigestKind.WEEKLY and day.weekday() != schedule.weekday:
        return None
    local = day + timedelta(minutes=schedule.at)
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def window(kind: DigestKind, end: datetime, last_end: datetime | None) -> tuple[datetime, datetime]:
    """What a digest covers: from the end of the one before, so that nothing falls between two.

    A week's digest covers the week. What was missed is made up by the next one, up to a week of it.
    """
    usual = end - kind_of(kind).span
    if kind is DigestKind.WEEKLY or last_end is None or last_end >= end:
        return usual, end
    return max(last_end, end - LONGEST), end
