"""What a feed says about polling: sensible values are taken, the rest is as if it were absent."""

from __future__ import annotations

from datetime import timedelta

import pytest

from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.published import PollHints

from .builders import URL

SY = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'


def hints(head: str) -> PollHints:
    return parse_feed(f"<rss {SY}><channel>{head}</channel></rss>".encode(), URL).hints


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("60", timedelta(hours=1)),
        (" 5 ", timedelta(minutes=5)),
        ("0", None),
        ("-60", None),
        ("soon", None),
        ("1e3", None),
        ("", None),
        ("99999999999999", None),
        ("9999999", None),
        ("٦٠", None),
    ],
)
def test_ttl(written: str, expected: timedelta | None) -> None:
    assert hints(f"<ttl>{written}</ttl>").ttl == expected


def test_skipping_every_hour_or_day_means_nothing() -> None:
    hours = "".join(f"<hour>{hour}</hour>" for hour in range(24))
    days = "".join(f"<day>{day}day</day>" for day in ("Mon", "Tues", "Wednes", "Thurs", "Fri"))
    assert hints(f"<skipHours>{hours}</skipHours>").skip_hours == frozenset()
    assert hints(f"<skipDays>{days}</skipDays>").skip_days == frozenset(range(5))
    every = f"{days}<day>SATURDAY</day><day> sunday </day>"
    assert hints(f"<skipDays>{every}</skipDays>").skip_days == frozenset()


@pytest.mark.parametrize(
    ("period", "frequency", "expected"),
    [
        ("hourly", "1", timedelta(hours=1)),
        ("daily", "", timedelta(days=1)),
        ("Weekly", "7", timedelta(days=1)),
        ("daily", "0", timedelta(days=1)),
        ("daily", "-3", timedelta(days=1)),
        ("often", "1", None),
    ],
)
def test_update_period(period: str, frequency: str, expected: timedelta | None) -> None:
    head = f"<sy:updatePeriod>{period}</sy:updatePeriod>"
    head += f"<sy:updateFrequency>{frequency}</sy:updateFrequency>"
    assert hints(head).update_every == expected


def test_a_hub_that_is_no_web_address_is_none() -> None:
    link = '<link xmlns="http://www.w3.org/2005/Atom" rel="hub" href="javascript:x"/>'
    assert hints(link).hub == ""
