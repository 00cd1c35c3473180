"""When training again is worth it, and when the daily training is due."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classify.readers import NOW, label
from newsloom.kernel.ids import ModelId
from newsloom.ranking.training import retraining_policy
from newsloom.ranking.training.dataset import TrainingSet
from newsloom.ranking.training.train import much_gone
from newsloom.ranking.values.models import StoredModel

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
DAY = timedelta(days=1)


def utc(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


DUE = {
    "later the same day": ("01:00", "2026-11-21T13:00", BERLIN, "2026-11-21T00:00"),
    "at the minute": ("01:00", "2026-11-21T00:00", BERLIN, "2026-11-21T00:00"),
    "a minute before: yesterday's": ("01:00", "2026-11-20T23:59", BERLIN, "2026-11-20T00:00"),
    "its own day, not UTC's": ("01:00", "2026-11-20T23:30", BERLIN, "2026-11-20T00:00"),
    "west of UTC": ("22:00", "2026-11-21T02:30", NEW_YORK, "2026-11-20T03:00"),
    "slept for hours": ("01:00", "2026-11-21T07:15", BERLIN, "2026-11-21T00:00"),
    # 29 March 2026, 02:00 to 03:00 is left out in Berlin: due an hour later by the clock.
    "a time left out": ("02:30", "2026-03-29T12:00", BERLIN, "2026-03-29T01:30"),
    "the day after one left out": ("02:30", "2026-03-30T12:00", BERLIN, "2026-03-30T00:30"),
    "before one left out": ("02:30", "2026-03-29T00:59", BERLIN, "2026-03-28T01:30"),
    # 25 October 2026, 02:00 to 03:00 comes twice: due the first time.
    "a time that comes twice": ("02:30", "2026-10-25T12:00", BERLIN, "2026-10-25T00:30"),
    "its second coming": ("02:30", "2026-10-25T01:30", BERLIN, "2026-10-25T00:30"),
    "midnight": ("00:00", "2026-11-21T12:00", UTC, "2026-11-21T00:00"),
    "one to midnight": ("23:59", "2026-11-21T12:00", UTC, "2026-11-20T23:59"),
}


@pytest.mark.parametrize(("at", "now", "zone", "due"), DUE.values(), ids=DUE)
def test_when_the_daily_training_was_last_due(at, now, zone, due):
    assert retraining_policy.last_due(at, utc(now), zone) == utc(due)


@given(
    st.integers(0, 3 * 365 * 24 * 60).map(lambda minutes: NOW + timedelta(minutes=minutes)),
    st.times(),
    st.sampled_from([BERLIN, NEW_YORK, ZoneInfo("Australia/Lord_Howe"), UTC, None]),
)
def test_it_is_due_once_a_day_wherever_and_whenever(now, at, zone):
    """Also on days of 23 and 25 hours, and on the machine's own clock (None)."""
    clock = at.strftime("%H:%M")
    due = retraining_policy.last_due(clock, now, zone)
    assert due <= now < due + timedelta(hours=26)
    later = retraining_policy.last_due(clock, now + timedelta(hours=26), zone)
    assert due < later
    assert retraining_policy.last_due(clock, due, zone) == due


def stored(**more):
    metrics = (("positives", 50.0), ("negatives", 50.0))
    return replace(StoredModel("m", "relevance", b"", "", NOW, metrics, id=ModelId(1)), **more)


def labels(old, new):
    before = [label(True, number=number) for number in range(old)]
    return before + [replace(one, at=NOW + DAY) for one in before[:1] * new]


@pytest.mark.parametrize(
    ("old", "new", "changed", "many"),
    [
        (100, 0, 0, False),
        (100, 5, 5, False),
        (100, 6, 6, True),
        (94, 0, 6, True),
        (98, 2, 4, False),
        (0, 0, 100, True),
        pytest.param(180, 0, 80, True, id="imported, of long ago"),
    ],
)
def test_labels_new_and_gone_both_count(old, new, changed, many):
    assert retraining_policy.changed(labels(old, new), stored()) == changed
    assert retraining_policy.many_changed(labels(old, new), stored()) is many


@pytest.mark.parametrize(
    ("old", "new", "much"), [(100, 0, False), (96, 0, False), (94, 0, True), (70, 40, True)]
)
def test_a_model_that_learned_what_was_taken_back_is_no_standard(old, new, much):
    dataset = TrainingSet(labels(old, new), np.empty((old + new, 0), np.float32), "")
    assert much_gone(dataset, stored()) is much


def test_what_only_judges_was_known_too():
    held_out = stored(metrics=(("labels", 100.0), ("positives", 40.0), ("negatives", 40.0)))
    assert held_out.labels_known == 100
    assert stored().labels_known == 100, "as models were kept before"


GOOD = stored(promoted=NOW - 3 * DAY, id=ModelId(1), trained=NOW - 3 * DAY)
LEFT = stored(promoted=NOW - DAY, withdrawn=NOW, id=ModelId(2))

PAUSES = {
    "never gone back": ([replace(GOOD, active=True)], 0, None),
    "just gone back": ([LEFT, replace(GOOD, active=True)], 0, 11),
    "to no model at all": ([LEFT], 0, 11),
    "some labels since": ([LEFT, replace(GOOD, active=True)], 8, 3),
    "enough labels since": ([LEFT, replace(GOOD, active=True)], 12, None),
    "another promoted since": ([stored(promoted=NOW + DAY, active=True), LEFT, GOOD], 0, None),
    "refused since": ([stored(), LEFT, replace(GOOD, active=True)], 0, 11),
    "gone back twice": (
        [LEFT, replace(GOOD, withdrawn=NOW + DAY), replace(GOOD, active=True)],
        0,
        11,
    ),
}


@pytest.mark.parametrize(("history", "new", "left"), PAUSES.values(), ids=PAUSES)
def test_training_rests_after_going_back(history, new, left):
    pause = retraining_policy.pause_after_going_back(labels(100, new), history)
    assert (pause and pause.left) == left


def test_the_prior_changes_less_often_the_more_labels_there_are():
    made_of = [retraining_policy.labels_for_prior(count) for count in range(1_001)]
    assert made_of[:40] == list(range(40)), "at first every like counts"
    assert made_of == sorted(made_of)
    assert all(count >= 0.95 * whole for whole, count in enumerate(made_of))
    assert len(set(made_of[: 300 + 1])) - 1 == 89
    assert made_of[1_000] == 1_000
