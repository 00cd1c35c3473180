"""What headers say about coming back, in every form servers write it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.response_headers import (
    LONGEST_FRESH,
    LONGEST_RETRY,
    fresh_for,
    http_date,
    retry_after,
)

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DATE = "Sat, 21 Nov 2026 12:00:00 GMT"


def seconds(wait: timedelta | None) -> float | None:
    return None if wait is None else wait.total_seconds()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["120"], 120),
        (["0"], 0),
        ([" 3600 "], 3600),
        (["1000000000000"], LONGEST_RETRY.total_seconds()),
        (["9" * 5000], LONGEST_RETRY.total_seconds()),
        (["-5"], None),
        (["+5"], None),
        (["1.5"], None),
        (["1e12"], None),
        (["abc"], None),
        ([""], None),
        (["120, 240"], None),
        (["٣"], None),
        (["Sat, 21 Nov 2026 13:00:00 GMT"], 3600),
        (["Sat, 21 Nov 2026 11:00:00 GMT"], 0),
        (["Saturday, 21-Nov-26 13:00:00 GMT"], 3600),
        (["Sat Nov 21 13:00:00 2026"], 3600),
        (["Fri, 31 Dec 9999 23:59:59 GMT"], LONGEST_RETRY.total_seconds()),
        (["Sat, 99 Nov 2026 13:00:00 GMT"], None),
        (["120", "7200"], 7200),
        (["abc", "60"], 60),
        ([], None),
    ],
)
def test_retry_after(values, expected):
    headers = [("date", DATE), *(("retry-after", value) for value in values)]
    assert seconds(retry_after(headers, NOW)) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"cache-control": "max-age=3600"}, 3600),
        ({"cache-control": 'public, max-age="3600"'}, 3600),
        ({"cache-control": "Max-Age = 3600 , public"}, 3600),
        ({"cache-control": "max-age=3600, max-age=60"}, 3600),
        ({"cache-control": 'no-transform="a, max-age=5", max-age=60'}, 60),
        ({"cache-control": "s-maxage=3600"}, None),
        ({"cache-control": "s-maxage=9999, max-age=60"}, 60),
        ({"cache-control": "max-age=0"}, None),
        ({"cache-control": "max-age=-1"}, None),
        ({"cache-control": "max-age=1e9"}, None),
        ({"cache-control": "max-age"}, None),
        ({"cache-control": "no-cache, max-age=3600"}, None),
        ({"cache-control": "no-store, max-age=3600"}, None),
        ({"cache-control": "max-age=31536000"}, LONGEST_FRESH.total_seconds()),
        ({"cache-control": "max-age=" + "9" * 5000}, LONGEST_FRESH.total_seconds()),
        ({"cache-control": "max-age=3600", "age": "600"}, 3000),
        ({"cache-control": "max-age=3600", "age": "3600"}, None),
        ({"cache-control": "max-age=3600", "age": "-7"}, 3600),
        ({"cache-control": "max-age=3600", "age": "x"}, 3600),
        ({"cache-control": "max-age=31536000", "age": "864000"}, LONGEST_FRESH.total_seconds()),
        ({"expires": "Sat, 21 Nov 2026 14:00:00 GMT"}, 7200),
        ({"expires": "Sat, 21 Nov 2026 14:00:00 GMT", "age": "600"}, 6600),
        ({"expires": "0"}, None),
        ({"expires": "-1"}, None),
        ({"expires": "Thu, 01 Jan 1970 00:00:00 GMT"}, None),
        ({"expires": "Sat, 21 Nov 2026 14:00:00 GMT", "cache-control": "max-age=60"}, 60),
        ({"expires": "Sat, 21 Nov 2026 14:00:00 GMT", "cache-control": "public"}, 7200),
        ({"expires": "Sat, 21 Nov 2026 14:00:00 GMT", "cache-control": "no-cache"}, None),
    ],
)
def test_fresh_for(headers, expected):
    assert seconds(fresh_for([("date", DATE), *headers.items()], NOW)) == expected


def test_two_headers_of_a_name():
    headers = [("cache-control", "public"), ("cache-control", "max-age=60")]
    assert seconds(fresh_for(headers, NOW)) == 60


@pytest.mark.parametrize("wrong", [timedelta(days=-2), timedelta(0), timedelta(days=2)])
def test_the_servers_clock_may_be_wrong(wrong):
    clock = NOW + wrong
    form = "%a, %d %b %Y %H:%M:%S GMT"
    date = clock.strftime(form)
    later = (clock + timedelta(hours=3)).strftime(form)
    assert retry_after([("date", date), ("retry-after", later)], NOW) == timedelta(hours=3)
    assert fresh_for([("date", date), ("expires", later)], NOW) == timedelta(hours=3)


@pytest.mark.parametrize("date", [[], [("date", "banana")]])
def test_without_a_date_the_receipt_counts(date):
    later = "Sat, 21 Nov 2026 13:00:00 GMT"
    assert retry_after([*date, ("retry-after", later)], NOW) == timedelta(hours=1)
    assert fresh_for([*date, ("expires", later)], NOW) == timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (DATE, NOW),
        ("Sat, 21 Nov 2026 13:00:00 +0100", NOW),
        ("Sat, 21 Nov 2026 12:00:00 -0000", NOW),
        ("", None),
        ("banana", None),
        ("Sat, 21 Nov 99999 12:00:00 GMT", None),
        ("Fri, 31 Dec 9999 23:59:59 -2300", None),
        ("Sat, 21 Nov 2026 12:00:00 GMT" + " " * 100, None),
    ],
)
def test_http_date(text, expected):
    assert http_date(text) == expected


NAMES = ("cache-control", "expires", "age", "date", "retry-after")
VALUES = st.one_of(
    st.text(max_size=60),
    st.sampled_from([DATE, "max-age=60", "Fri, 31 Dec 9999 23:59:59 -2300", "0", "-1", "9" * 400]),
    st.integers(-(10**20), 10**20).map(str),
    st.integers().map(lambda n: f"max-age={n}"),
)


@given(st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=6))
def test_anything_is_read(headers):
    fresh = fresh_for(headers, NOW)
    assert fresh is None or timedelta(0) < fresh <= LONGEST_FRESH
    wait = retry_after(headers, NOW)
    assert wait is None or timedelta(0) <= wait <= LONGEST_RETRY


@given(st.text(alphabet='a=,"\\ \t', max_size=4000))
def test_no_header_takes_long(value):
    """A pattern that backtracks would not come back from these at all."""
    assert fresh_for([("cache-control", value * 4)], NOW) is None
