"""A small day of publishers with habits: everything is asked in time, and nothing is left open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newsloom.kernel.http.values import Request
from newsloom_lab.bench import publishers, soak, soak_workers

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
FEEDS = 90  # enough for every answer


@pytest.fixture(scope="module")
def day() -> soak.SoakBench:
    return soak.run(FEEDS, 24, workers=0, step=timedelta(minutes=10))


def test_a_day_leaves_nothing_open(day: soak.SoakBench) -> None:
    # What ran in this process before may close what it had open.
    assert day.descriptors_end <= day.descriptors_start


def test_feeds_are_asked_when_they_were_to_be() -> None:
    # The rest are one more try a minute after a timeout, which a step of the clock may pass by.
    assert soak.run(20, 24, workers=0).punctual_share > 0.98


def test_no_feed_waits_longer_than_the_clock_jumps(day: soak.SoakBench) -> None:
    assert day.latest_seconds <= 600


def test_every_habit_was_met_and_most_answers_say_that_nothing_changed(day: soak.SoakBench) -> None:
    assert set(day.answers) == {"304", "200", "timeout", "connect", "500", "404", "503", "429"}
    assert day.answers["304"] > day.requests / 2
    assert day.articles > FEEDS * publishers.ARTICLES * 0.8


def test_feeds_without_news_are_left_alone_more_and_more(day: soak.SoakBench) -> None:
    assert day.requests < FEEDS * 12, "half of what asking every hour would make"


@pytest.mark.parametrize("habit", publishers.HABITS, ids=lambda habit: habit.name)
def test_a_publisher_answers_by_its_habit(habit: publishers.Habit) -> None:
    number = next(number for number in range(10_000) if publishers.habit(number) == habit)
    request = Request(publishers.address(number))
    first = publishers.answer(request, NOW, 1)
    again = Request(request.url, etag=first.header("etag"))
    soon = publishers.answer(again, NOW + timedelta(seconds=1), 2)
    changing = habit.touches or habit.edits or habit.renames or habit.page
    if habit.failure or habit.status != 200:
        assert (soon.status, soon.failure) == (first.status, first.failure)
    elif not habit.validators:
        assert soon.body == first.body
        assert not first.header("etag")
    else:
        assert (soon.status == 304) == (not changing or habit.page)


def test_several_processes_share_a_day_in_which_they_are_killed() -> None:
    found = soak_workers.run("", 60, 2.5, 2, step=timedelta(minutes=5))
    assert (found.kills, found.doubles, found.never_polled) == (2, 0, 0)
    assert found.articles > 60
    assert found.earliest_seconds <= 0
    assert found.latest_seconds < 600
