"""Dates as feeds write them, a row each, and the law that nothing raises."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.parse.dates import parse_date

from .dates import DATES


@pytest.mark.parametrize(("text", "expected"), DATES)
def test_dates_of_feeds(text: str, expected: str) -> None:
    assert parse_date(text) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        None, "", "  ", "yesterday", "0000-00-00 00:00:00", "-0001-11-30", "31 Jun 2004",
        "2024-13-01", "170000000", "hace 3 horas", "99999999999",
        "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00", "x" * 10_000, "12:30", "May",
        "31 کانون 2026",
    ],
)  # fmt: skip
def test_what_is_no_date_is_none(text: str | None) -> None:
    assert parse_date(text) is None


@given(st.text(max_size=120))
def test_never_raises(text: str) -> None:
    found = parse_date(text)
    assert found is None or found.utcoffset() == timedelta(0)


_PIECES = [
    "Mon,",
    "31",
    "Feb",
    "Mai",
    "2024",
    "24:00:60",
    "+2500",
    "GMT",
    "-",
    "T",
    "Z",
    "99",
    "年",
    ":",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=8), st.sampled_from(["", " ", "-"]))
def test_never_raises_on_what_looks_like_dates(pieces: list[str], between: str) -> None:
    found = parse_date(between.join(pieces))
    assert found is None or found.tzinfo is UTC


@given(st.datetimes(min_value=datetime(1900, 1, 2), max_value=datetime(2200, 1, 1)))  # noqa: DTZ001
def test_both_standards_round_trip(moment: datetime) -> None:
    whole = moment.replace(microsecond=0, tzinfo=UTC)
    assert parse_date(whole.strftime("%a, %d %b %Y %H:%M:%S +0000")) == whole
    assert parse_date(whole.isoformat()) == whole
    assert parse_date(moment.replace(tzinfo=UTC).isoformat()) == moment.replace(tzinfo=UTC)
