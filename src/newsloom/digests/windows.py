"""When a schedule of digests falls due, and which window its digest covers. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from newsloom.digests.select import kind_of
from newsloom.digests.values import DigestKind, Schedule
from newsloom.kernel.delivery.schedules import EVERY_DAY, next_occurrence

DAY, WEEK = timedelta(days=1), timedelta(days=7)
# A digest after a longer break covers so much and not all of it.
LONGEST = WEEK


def occurrence(schedule: Schedule, moment: datetime, *, after: bool) -> datetime:
    """In UTC: the first time it falls due after a moment, or the last time until then."""
    weekly = schedule.kind is DigestKind.WEEKLY
    weekdays = (schedule.weekday,) if weekly else EVERY_DAY
    return next_occurrence(schedule.at, weekdays, schedule.zone, moment, after=after)


def window(kind: DigestKind, end: datetime, last_end: datetime | None) -> tuple[datetime, datetime]:
    """What a digest covers: from the end of the one before, so that nothing falls between two.

    A week's digest covers the week. What was missed is made up by the next one, up to a week of it.
    """
    usual = end - kind_of(kind).span
    if kind is DigestKind.WEEKLY or last_end is None or last_end >= end:
        return usual, end
    return max(last_end, end - LONGEST), end
