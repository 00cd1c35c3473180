"""Dates as feeds write them, a row each, and the law that nothing raises."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.parse.dates import parse_date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wed, 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00"),
        ("Wed, 02 Oct 2002 15:00:00 +0200", "2002-10-02T13:00:00"),
        ("2 Oct 2002 13:00 EST", "2002-10-02T18:00:00"),
        ("02 Oct 02 15:00 PDT", "2002-10-02T22:00:00"),
        ("Thu, 01 Jan 98 19:48:21 GMT", "1998-01-01T19:48:21"),
        ("Wed, 2 Oct 2002 23:59:60 GMT", "2002-10-03T00:00:00"),
        ("Wed, 2 Oct 2002 24:00:00 GMT", "2002-10-03T00:00:00"),
        ("Wednesday, 02 October 2002 13:00:00 Z", "2002-10-02T13:00:00"),
        ("Wed, 02 Sept 2002 13:00:00 +02:00", "2002-09-02T11:00:00"),
        ("Mon, 26 Jan 2004 16:31:00 GMT-05:00", "2004-01-26T21:31:00"),
        ("Mon, 26 Jan 2004 16:31:00 UTC+2", "2004-01-26T14:31:00"),
        ("Mon, 26 Jan 2004 16:31:00 CEST", "2004-01-26T14:31:00"),
        ("Mon, 26 Jan 2004 16:31:00 XYZ", "2004-01-26T16:31:00"),
        ("Mon, 26 Jan 2004 16:31:00 +9900", "2004-01-26T16:31:00"),
        ("Sat, 07 Sep 2002 00:00:01 GMT (Greenwich)", "2002-09-07T00:00:01"),
        ("Mon, 26 Jan 2004", "2004-01-26T00:00:00"),
        ("2002-10-02T13:00:00Z", "2002-10-02T13:00:00"),
        ("2002-10-02T13:00:00.123456789+02:00", "2002-10-02T11:00:00.123456"),
        ("2002-10-02T13:00:60Z", "2002-10-02T13:01:00"),
        ("2002-10-02T24:00:00Z", "2002-10-03T00:00:00"),
        ("2002-10-02T13:00+0530", "2002-10-02T07:30:00"),
        ("2002-10-02 13:00:00", "2002-10-02T13:00:00"),
        ("2002-10-02 13:00:00 EST", "2002-10-02T18:00:00"),
        ("2002-10-02", "2002-10-02T00:00:00"),
        ("2002-1-2 3:04:05", "2002-01-02T03:04:05"),
        ("2002-10", "2002-10-01T00:00:00"),
        ("2002", "2002-01-01T00:00:00"),
        ("20021002", "2002-10-02T00:00:00"),
        ("20021002T130000Z", "2002-10-02T13:00:00"),
        ("Sun Jan  4 16:29:06 PST 2004", "2004-01-05T00:29:06"),
        ("Sun Jan  4 16:29:06 2004", "2004-01-04T16:29:06"),
        ("January 2nd, 2024", "2024-01-02T00:00:00"),
        ("Jan 2, 2024 3:04 pm", "2024-01-02T15:04:00"),
        ("Tue, 31 Oct 2023 12:00:00 AM GMT", "2023-10-31T00:00:00"),
        ("Fri, 2006/09/15 08:19:53 EDT", "2006-09-15T12:19:53"),
        ("03/04/2024", "2024-03-04T00:00:00"),
        ("25/04/2024 10:00", "2024-04-25T10:00:00"),
        ("25.04.2024 10:00", "2024-04-25T10:00:00"),
        ("mar. 02 oct. 2002 13:00:00 +0200", "2002-10-02T11:00:00"),
        ("2. März 2024, 15.30 Uhr", "2024-03-02T15:30:00"),
        ("2 de marzo de 2024 10:20", "2024-03-02T10:20:00"),
        ("12 stycznia 2024 r. 10:05", "2024-01-12T10:05:00"),
        ("Пн, 26 янв 2024 16:31:00 +0300", "2024-01-26T13:31:00"),
        ("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00"),
        ("2004-július-13T9:15-05:00", "2004-07-13T14:15:00"),
        ("2004년 05월 28일  01:31:15", "2004-05-28T01:31:15"),
        ("2004-05-25 오후 11:23:17", "2004-05-25T23:23:17"),
        ("2024年5月28日 13:31", "2024-05-28T13:31:00"),
        ("\n 2002-10-02T13:00:00Z \n", "2002-10-02T13:00:00"),
    ],
)
def test_dates_of_feeds(text: str, expected: str) -> None:
    assert parse_date(text) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        None, "", "  ", "yesterday", "0000-00-00 00:00:00", "-0001-11-30", "31 Jun 2004",
        "2024-13-01", "1700000000", "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00",
        "x" * 10_000, "12:30", "May", "１２３４-01-01",
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
