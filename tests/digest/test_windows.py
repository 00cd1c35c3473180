"""When a schedule falls due, in time zones with daylight saving, and what its digest covers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.digests.service.schedules import LONGEST, occurrence, window
from newsloom.digests.values import DigestKind, Schedule
from newsloom.kernel.ids import ScheduleId, UserId

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Asia/Tokyo")


def schedule(
    at: str, zone: str = "Europe/Berlin", kind: DigestKind = DigestKind.MORNING, weekday: int = 6
) -> Schedule:
    hours, minutes = map(int, at.split(":"))
    none = datetime(2026, 1, 1, tzinfo=UTC)
    return Schedule(ScheduleId(1), UserId(1), kind, 60 * hours + minutes, weekday, zone, (), none)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "moment", "last", "following"),
    [
        ("07:00", "2026-01-10 12:00", "2026-01-10 06:00", "2026-01-11 06:00"),
        ("07:00", "2026-07-10 12:00", "2026-07-10 05:00", "2026-07-11 05:00"),
        ("07:00", "2026-01-10 06:00", "2026-01-10 06:00", "2026-01-11 06:00"),
        # The clock goes from 02:00 to 03:00 on 29 March 2026 at 01:00 UTC.
        ("02:30", "2026-03-28 12:00", "2026-03-28 01:30", "2026-03-29 01:30"),
        ("02:30", "2026-03-29 12:00", "2026-03-29 01:30", "2026-03-30 00:30"),
        # And back from 03:00 to 02:00 on 25 October at 01:00 UTC: 02:30 comes twice.
        ("02:30", "2026-10-24 12:00", "2026-10-24 00:30", "2026-10-25 00:30"),
        ("02:30", "2026-10-25 01:00", "2026-10-25 00:30", "2026-10-26 01:30"),
    ],
)
def test_a_time_of_day_is_local(at: str, moment: str, last: str, following: str) -> None:
    assert occurrence(schedule(at), utc(moment), after=False) == utc(last)
    assert occurrence(schedule(at), utc(moment), after=True) == utc(following)


def test_a_weekly_one_falls_due_on_its_day() -> None:
    weekly = schedule("08:00", "UTC", DigestKind.WEEKLY, weekday=6)
    assert occurrence(weekly, utc("2026-11-23 10:00"), after=False) == utc("2026-11-22 08:00")
    assert occurrence(weekly, utc("2026-11-23 10:00"), after=True) == utc("2026-11-29 08:00")


@given(
    st.sampled_from(ZONES),
    st.integers(0, 24 * 60 - 1),
    st.integers(0, 6 * 366 * 24 * 60),
    st.sampled_from([DigestKind.MORNING, DigestKind.WEEKLY]),
    st.integers(0, 6),
)
def test_there_is_one_for_each_local_day(
    zone: str, at: int, minutes: int, kind: DigestKind, weekday: int
) -> None:
    """Following the next occurrences skips no day and repeats none."""
    made = schedule(f"{at // 60}:{at % 60}", zone, kind, weekday)
    now = utc("2024-01-03") + timedelta(minutes=minutes)
    first = occurrence(made, now, after=True)
    second = occurrence(made, first, after=True)
    assert occurrence(made, now, after=False) <= now < first < second
    assert occurrence(made, second - timedelta(microseconds=1), after=False) == first
    days = (second.astimezone(ZoneInfo(zone)).date() - first.astimezone(ZoneInfo(zone)).date()).days
    assert days == (7 if kind is DigestKind.WEEKLY else 1)


def test_a_window_begins_where_the_last_one_ended() -> None:
    end = utc("2026-11-23 07:00")
    assert window(DigestKind.MORNING, end, None) == (end - timedelta(hours=14), end)
    evening = utc("2026-11-22 18:00")
    assert window(DigestKind.MORNING, end, evening) == (evening, end)


def test_after_a_long_break_a_window_is_bounded() -> None:
    end = utc("2026-11-23 07:00")
    assert window(DigestKind.MORNING, end, utc("2026-08-01 07:00")) == (end - LONGEST, end)


def test_a_week_is_a_week() -> None:
    end = utc("2026-11-22 08:00")
    week = (end - timedelta(days=7), end)
    assert window(DigestKind.WEEKLY, end, utc("2026-11-15 08:00")) == week
    assert window(DigestKind.WEEKLY, end, None) == week
