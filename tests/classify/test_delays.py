"""Observed delays, on readers made up to have habits."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.kernel.ids import FeedId
from newsloom.ranking.learning.delays import HORIZON, LEAST_READS, MOST_A_SECOND, Delays, observed
from newsloom.reading.values.reading import Reading

NOW = datetime(2026, 11, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
LIVE, DAILY, SLOW = FeedId(1), FeedId(2), FeedId(3)
HABITS = {LIVE: 1.0, DAILY: 20.0, SLOW: 240.0}  # hours until half of what will be read is read


def habitual(habits=HABITS, *, articles=120, share=0.6, spread=0.8, seed=0):
    """Readings of three months: each article with that share is read after about those hours."""
    draw = np.random.default_rng(seed)
    made = []
    for feed, hours in habits.items():
        for _ in range(articles):
            published = NOW - timedelta(days=float(draw.uniform(0, 90)))
            delay = timedelta(hours=float(hours * np.exp(spread * draw.standard_normal())))
            seen = draw.random() < share and published + delay < NOW
            made.append(Reading(feed, published, published + delay if seen else None))
    return made


def test_a_feed_read_at_once_expires_faster_and_one_read_late_slower():
    found = observed(habitual(), NOW)
    assert {feed: one.shift for feed, one in found.feeds.items()} == {LIVE: 1, SLOW: -1}
    assert found.explained > 0.6
    assert [found.shifted(feed, 3) for feed in HABITS] == [4, 3, 2]
    assert found.words(LIVE).startswith("moved one class faster: you read this feed")
    assert found.words(DAILY) == ""


def test_a_rating_never_leaves_the_scale():
    found = observed(habitual(), NOW)
    assert (found.shifted(LIVE, 5), found.shifted(SLOW, 1)) == (5, 1)


@pytest.mark.parametrize(
    "habits",
    [
        pytest.param(dict.fromkeys(HABITS, 20.0), id="alike"),
        pytest.param({LIVE: 15.0, DAILY: 20.0, SLOW: 25.0}, id="nearly alike"),
        pytest.param({LIVE: 1.0}, id="one feed"),
    ],
)
def test_nothing_moves_where_feeds_do_not_explain_the_delays(habits):
    found = observed(habitual(habits, spread=1.5), NOW)
    assert found.feeds == {}
    assert found.name() == ""


def test_who_reads_at_whim_moves_nothing_whatever_the_draw():
    for seed in range(20):
        whim = habitual(dict.fromkeys(HABITS, 20.0), spread=2.0, seed=seed)
        assert observed(whim, NOW).feeds == {}


def marked_in_bulk(feed, count, at):
    return [Reading(feed, at - HOUR - one * timedelta(minutes=1), at) for one in range(count)]


def test_marking_a_list_read_in_one_second_moves_nothing():
    usual = habitual({DAILY: 20.0, SLOW: 20.0})
    burst = marked_in_bulk(LIVE, 5 * MOST_A_SECOND, NOW - HOUR)
    assert observed(usual + burst, NOW).feeds == {}


def test_reading_as_fast_over_minutes_is_reading():
    usual = habitual({DAILY: 20.0, SLOW: 20.0})
    burst = marked_in_bulk(LIVE, 5 * MOST_A_SECOND, NOW - HOUR)
    apart = [
        replace(one, read_at=one.read_at + number * timedelta(seconds=20))
        for number, one in enumerate(burst)
    ]
    assert observed(usual + apart, NOW).feeds.keys() == {LIVE}


def test_what_was_marked_in_bulk_moves_nothing_however_slowly():
    usual = habitual({DAILY: 20.0, SLOW: 20.0})
    marked = [
        Reading(LIVE, NOW - timedelta(days=one), NOW - timedelta(days=one) + HOUR / 4, in_bulk=True)
        for one in range(1, 60)
    ]
    assert observed(usual + marked, NOW).feeds == {}


def test_bulk_marks_beside_real_reading_change_no_shift():
    readings = habitual()
    unread = [one for one in readings if one.read_at is None]
    at = NOW - timedelta(days=1)
    marked = [
        replace(one, read_at=at, in_bulk=True) if one in unread and one.published < at else one
        for one in readings
    ]
    shifts = {feed: one.shift for feed, one in observed(readings, NOW).feeds.items()}
    assert {feed: one.shift for feed, one in observed(marked, NOW).feeds.items()} == shifts


def test_a_young_feed_does_not_look_quick():
    """All that could be read of it so far was read soon: the rest is still waiting."""
    draw = np.random.default_rng(3)
    old = habitual({DAILY: 20.0, SLOW: 240.0}, articles=200, share=0.9)
    young = []
    for _ in range(400):
        published = NOW - timedelta(hours=float(draw.uniform(0, 48)))
        delay = timedelta(hours=float(60 * np.exp(0.8 * draw.standard_normal())))
        seen = published + delay < NOW
        young.append(Reading(LIVE, published, published + delay if seen else None))
    assert sum(one.read_at is not None for one in young) >= LEAST_READS
    assert LIVE not in observed(old + young, NOW).feeds


def test_too_few_reads_move_nothing():
    few = habitual({LIVE: 1.0}, articles=LEAST_READS - 1, share=1.0)
    assert LIVE not in observed(habitual({DAILY: 20.0, SLOW: 240.0}) + few, NOW).feeds


def test_the_name_changes_with_the_shifts_and_only_with_them():
    found = observed(habitual(), NOW)
    assert found.name() == observed(habitual(), NOW).name() != ""
    other = observed(habitual({LIVE: 1.0, DAILY: 1.0, SLOW: 240.0}), NOW)
    assert other.name() != found.name()


moments = st.integers(0, 60 * 24 * 60).map(lambda minutes: NOW - timedelta(minutes=minutes))
any_reading = st.builds(
    Reading,
    st.integers(1, 4).map(FeedId),
    moments,
    st.none() | moments,
    st.booleans(),
)


@settings(max_examples=50)
@given(st.lists(any_reading, max_size=60))
def test_any_facts_give_a_correction_of_a_class_at_most(readings):
    found = observed(readings, NOW)
    assert 0.0 <= found.explained <= 1.0
    for one in found.feeds.values():
        assert abs(one.shift) == 1
        assert timedelta(0) < one.median <= HORIZON


def test_no_readings_say_nothing():
    assert observed([], NOW) == Delays()
