"""Times: in the browser's zone where it is known, else in UTC, which is said."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote

import pytest

from newsloom.feeds.schedule import pace_words
from newsloom.web.site import ZONE_COOKIE, zone_named
from newsloom.web.wording import clock_words, date_words
from web.conftest import Visitor
from web.world import NEWS, World

MOMENT = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "long", "short"),
    [
        ("", "Friday, 20 November 2026, 23:30 UTC", "2026-11-20 23:30 UTC"),
        ("UTC", "Friday, 20 November 2026, 23:30 UTC", "2026-11-20 23:30 UTC"),
        ("Europe/Berlin", "Saturday, 21 November 2026, 00:30", "2026-11-21 00:30"),
        ("Asia/Kathmandu", "Saturday, 21 November 2026, 05:15", "2026-11-21 05:15"),
        ("America/St_Johns", "Friday, 20 November 2026, 20:00", "2026-11-20 20:00"),
    ],
)
def test_a_time_in_a_zone(zone: str, long: str, short: str) -> None:
    assert date_words(MOMENT, zone_named(zone)) == long
    assert clock_words(MOMENT, zone_named(zone)) == short


@pytest.mark.parametrize(
    "name",
    [
        "Nowhere/Land",
        "../../etc/passwd",
        "/etc/passwd",
        "Europe",
        "posix",
        "x" * 1000,
        "\0",
        "A\nB",
    ],
)
def test_what_names_no_zone_is_utc(name: str) -> None:
    assert zone_named(name) is UTC


def test_summer_is_told_in_summer_time() -> None:
    july = datetime(2026, 7, 1, 12, tzinfo=UTC)
    assert clock_words(july, zone_named("Europe/Berlin")) == "2026-07-01 14:00"


@pytest.mark.parametrize(
    ("path", "words", "local"),
    [
        ("/", "06:30 UTC", "07:30"),
        ("/articles/{first}", "06:30 UTC", "07:30"),
        ("/feeds/1", "09:30 UTC", "10:30"),
    ],
)
def test_every_page_tells_its_times_in_the_zone_of_the_cookie(
    world: World, visitor: Visitor, path: str, words: str, local: str
) -> None:
    path = path.format(first=world.named(NEWS[0]["title"]))
    assert words in visitor.get(path).text
    page = visitor.get(path, cookie=f"{ZONE_COOKIE}={quote('Europe/Berlin', safe='')}").text
    assert local in page
    assert "UTC" not in page


@pytest.mark.parametrize(
    ("daily", "words"),
    [
        (0.0, "none"),
        (0.0001, "less than 2 a year"),
        (0.01, "4 a year"),
        (0.07, "2 a month"),
        (0.4, "3 a week"),
        (1.0, "1 a day"),
        (1.3, "9 a week"),
        (12.4, "12 a day"),
        (5_335.0, "5,335 a day"),
    ],
)
def test_how_often_there_is_news(daily: float, words: str) -> None:
    assert pace_words(daily) == words
