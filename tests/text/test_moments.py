"""Times as people type them: a weekday is the last one, and days are of the zone now is told in."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from newsloom.reading import moments

MONDAY = datetime(2026, 11, 23, 10, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tuesday", "2026-11-17T00:00:00+00:00"),
        ("Sunday", "2026-11-22T00:00:00+00:00"),
        ("monday", "2026-11-16T00:00:00+00:00"),
        ("yesterday", "2026-11-22T00:00:00+00:00"),
        ("today", "2026-11-23T00:00:00+00:00"),
        ("6h", "2026-11-23T04:30:00+00:00"),
        ("2026-11-20", "2026-11-20T00:00:00+00:00"),
    ],
)
def test_a_time_as_it_is_typed(text: str, expected: str) -> None:
    assert moments.at(moments.parse(text), MONDAY).isoformat() == expected


def test_days_are_of_the_zone_that_now_is_told_in() -> None:
    there = datetime(2026, 11, 23, 0, 30, tzinfo=ZoneInfo("Asia/Tokyo"))  # Sunday in UTC
    assert moments.at(moments.parse("today"), there).isoformat() == "2026-11-23T00:00:00+09:00"
    assert moments.at(moments.parse("sunday"), there).isoformat() == "2026-11-22T00:00:00+09:00"
