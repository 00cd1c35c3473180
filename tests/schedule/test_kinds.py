"""What kind of feed it is, how often each is asked, and how that is learned."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.schedule import KINDS, kind_of, learned, per_day, plan, usual
from newsloom.feeds.schedule.rhythm import weight
from newsloom.feeds.values.polling import PollFacts, PollOutcome, PublishingRate

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)  # a Saturday
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
CEILING = DAY


def every(gap: timedelta, number: int, until: datetime = NOW) -> list[datetime]:
    """Dates so far apart, the last of them `gap` ago."""
    return [until - gap * place for place in range(1, number + 1)]


def of(gap: timedelta, number: int = 20) -> PublishingRate:
    dates = every(gap, number)
    return learned(PublishingRate(), NOW, len(dates), dates)


@pytest.mark.parametrize(
    ("gap", "number", "name"),
    [
        pytest.param(10 * MINUTE, 40, "breaking", id="six an hour"),
        pytest.param(HOUR, 40, "major", id="one an hour"),
        pytest.param(DAY, 20, "blog", id="daily"),
        pytest.param(7 * DAY, 10, "weekly", id="weekly"),
        pytest.param(60 * DAY, 5, "dormant", id="every other month"),
    ],
)
def test_the_first_document_tells_the_kind(gap, number, name):
    kind = kind_of(per_day(of(gap, number), NOW))
    assert kind is not None
    assert kind.name == name


@pytest.mark.parametrize(
    ("per_day", "floor", "wait"),
    [
        pytest.param(100, 15, (15 * MINUTE, 15 * MINUTE), id="breaking"),
        pytest.param(100, 60, (HOUR, HOUR), id="breaking at the usual floor"),
        pytest.param(24, 15, (30 * MINUTE, 30 * MINUTE), id="major"),
        pytest.param(24, 60, (HOUR, HOUR), id="major at the usual floor"),
        pytest.param(1, 60, (2 * HOUR, 4 * HOUR), id="blog"),
        pytest.param(1 / 7, 60, (12 * HOUR, 24 * HOUR), id="weekly"),
        pytest.param(1 / 60, 60, (24 * HOUR, 24 * HOUR), id="dormant"),
        pytest.param(1, 360, (6 * HOUR, 6 * HOUR), id="a floor above the kind's"),
    ],
)
def test_how_often_a_kind_is_asked(per_day, floor, wait):
    pace = PublishingRate(polls=9, per_day=per_day, at=NOW, watched=30.0)
    known = PollFacts(PollOutcome.UNCHANGED, HOUR, pace=pace)
    moment = plan(known, NOW, floor * MINUTE, CEILING, 0).next_poll
    assert moment is not None
    assert wait[0] <= moment - NOW <= wait[1]


def test_nothing_known_is_asked_hourly():
    assert usual(None) == HOUR
    assert kind_of(per_day(PublishingRate(), NOW)) is None
    assert kind_of(per_day(learned(PublishingRate(), NOW, 12, []), NOW)) is None


@pytest.mark.parametrize(
    "dates",
    [
        pytest.param([], id="none"),
        pytest.param([NOW] * 30, id="all now"),
        pytest.param([NOW - MINUTE * place for place in range(30)], id="all of this half hour"),
        pytest.param([NOW + DAY] * 30, id="to come"),
        pytest.param([datetime(1970, 1, 1, tzinfo=UTC)] * 30, id="1970"),
    ],
)
def test_dates_that_say_nothing(dates):
    pace = learned(PublishingRate(), NOW, len(dates), dates)
    assert per_day(pace, NOW) is None
    assert pace.at == NOW


def test_an_old_article_that_stays_on_top_does_not_make_a_feed_slow():
    dates = [*every(HOUR, 20), NOW - 300 * DAY]
    rate = per_day(learned(PublishingRate(), NOW, len(dates), dates), NOW)
    assert rate is not None
    assert rate > 10


def test_polls_teach_what_the_first_document_could_not():
    pace = learned(PublishingRate(), NOW, 5, [])
    now = NOW
    for _ in range(60):
        now += 12 * HOUR
        pace = learned(pace, now, 1, [])
    rate = per_day(pace, now)
    assert rate is not None
    assert 1.5 < rate < 2.5
    assert pace.polls == 61


def test_polls_without_news_count_when_news_comes():
    pace = learned(of(DAY), NOW + 5 * HOUR, 1, [NOW], polls=6)
    assert pace.polls == 7


def test_a_silence_is_seen_without_being_told():
    pace = of(DAY)
    rates = [per_day(pace, NOW + days * DAY) for days in (0, 10, 30, 90, 400)]
    assert None not in rates
    assert rates == sorted(rates, reverse=True)
    names = [kind.name for rate in rates if (kind := kind_of(rate))]
    assert (names[0], names[-1]) == ("blog", "dormant")


@pytest.mark.parametrize("years", [-60, -1, 60])
def test_a_clock_that_is_years_wrong_forgets_nothing(years):
    pace = of(HOUR)
    wrong = learned(pace, NOW + years * 365 * DAY, 1, [])
    right = learned(wrong, NOW + HOUR, 1, [NOW])
    kind = kind_of(per_day(right, NOW + HOUR))
    assert kind is not None
    assert kind.name == "major"


def test_the_hours_of_news_are_learned():
    dates = [NOW.replace(hour=9) - DAY * place for place in range(1, 40)]
    pace = learned(PublishingRate(), NOW, len(dates), dates)
    assert max(range(24), key=lambda hour: weight(pace, hour, 0)) == 9
    week = sum(weight(pace, hour, day) for hour in range(24) for day in range(7))
    assert week == pytest.approx(24 * 7, rel=0.01)


def test_the_days_of_news_are_learned():
    dates = [NOW - timedelta(days=2, weeks=week) for week in range(8)]  # Thursdays
    pace = learned(PublishingRate(), NOW, len(dates), dates)
    assert max(range(7), key=lambda day: weight(pace, 12, day)) == 3


def test_polls_come_more_often_in_the_hours_of_news():
    hours = tuple(1 / 8 if 8 <= hour < 16 else 0.0 for hour in range(24))
    pace = PublishingRate(
        polls=99, per_day=24.0, hours=hours, days=(1 / 7,) * 7, at=NOW, watched=30.0
    )
    known = PollFacts(PollOutcome.UNCHANGED, HOUR, pace=pace)

    def wait(at):
        moment = plan(replace(known, pace=replace(pace, at=at)), at, 15 * MINUTE, CEILING, 0)
        return moment.next_poll - at

    assert wait(NOW.replace(hour=10)) < 30 * MINUTE < wait(NOW.replace(hour=22))


def test_too_few_articles_make_no_hour_better():
    pace = of(DAY, 3)
    assert {weight(pace, hour, day) for hour in range(24) for day in range(7)} == {1.0}


# --- laws ---

rates = st.floats(0, 10_000, allow_nan=False)
moments = st.timedeltas(-11_000 * DAY, 20_000 * DAY).map(NOW.__add__)


@given(rates, rates)
def test_more_news_is_never_asked_for_less_often(one, other):
    more, less = max(one, other), min(one, other)
    assert usual(more) <= usual(less)


@given(rates)
def test_each_kind_keeps_to_its_span(rate):
    kind = kind_of(rate)
    assert kind is not None
    assert kind.shortest <= usual(rate) <= kind.longest


def test_kinds_go_from_busy_to_quiet_without_a_gap():
    rates = [kind.per_day for kind in KINDS]
    spans = [span for kind in KINDS for span in (kind.shortest, kind.longest)]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] == 0
    assert spans == sorted(spans)


@given(st.lists(moments, max_size=40), moments, st.lists(moments, max_size=20), moments)
def test_learning_holds_whatever_the_dates(first, at, more, later):
    pace = learned(PublishingRate(), at, len(first), first)
    pace = learned(pace, later, len(more), more)
    rate = per_day(pace, later)
    assert rate is None or 0 <= rate < 100_000
    assert not pace.hours or sum(pace.hours) == pytest.approx(1, abs=0.01)
    assert not pace.days or sum(pace.days) == pytest.approx(1, abs=0.01)
