"""Stretches that teach nothing: forgotten, listed, lifted. No event is lost."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsloom.reading.values.reading import EventKind

from .builders import HOUR, NOW, add


def mark(store, user, article, kind, at=NOW):
    store.reading.mark(user, [article], EventKind(kind), at, "test")


def kinds(store, user):
    return [one.kind.value for one in store.models.labels(user)]


@pytest.mark.parametrize(
    ("hours", "left"),
    [
        ((-1, 0), ["like", "star"]),  # until: not included
        ((0, 1), ["star"]),
        ((0, 2), ["star"]),
        ((1, 3), ["like"]),
        ((-9, 9), []),
        ((3, 9), ["like", "star"]),
    ],
)
def test_a_stretch_teaches_nothing(store, reader, feed, hours, left):
    a, b = add(store, feed, "a", "b")
    mark(store, reader, a, "like")
    mark(store, reader, b, "star", NOW + 2 * HOUR)
    since, until = (NOW + hour * HOUR for hour in hours)
    made = store.models.exclude_period(reader, since, until, NOW)
    assert kinds(store, reader) == left
    assert (made.since, made.until, made.at, made.lifted) == (since, until, NOW, None)
    assert made.events == 2 - len(left)
    assert store.models.forgettings(reader) == (made,)


def test_lifting_brings_everything_back(store, reader, feed):
    (one,) = add(store, feed, "a")
    mark(store, reader, one, "like")
    made = store.models.exclude_period(reader, NOW, NOW + HOUR, NOW)
    before = store.models.labels_mark(reader)
    assert store.models.lift_forgetting(reader, made.id, NOW + HOUR)
    assert store.models.labels_mark(reader) != before
    assert kinds(store, reader) == ["like"]
    assert not store.models.lift_forgetting(reader, made.id, NOW + HOUR)
    (lifted,) = store.models.forgettings(reader)
    assert lifted.lifted == NOW + HOUR


def test_what_was_said_before_the_stretch_teaches_again(store, reader, feed):
    (one,) = add(store, feed, "a")
    mark(store, reader, one, "like")
    mark(store, reader, one, "dislike", NOW + 2 * HOUR)
    store.models.exclude_period(reader, NOW + HOUR, NOW + 3 * HOUR, NOW)
    assert kinds(store, reader) == ["like"]


def test_what_was_withdrawn_within_it_stays_withdrawn(store, reader, feed):
    (one,) = add(store, feed, "a")
    mark(store, reader, one, "like")
    mark(store, reader, one, "unrate", NOW + 2 * HOUR)
    store.models.exclude_period(reader, NOW + HOUR, NOW + 3 * HOUR, NOW)
    assert kinds(store, reader) == []


def test_what_one_reader_forgets_another_remembers(store, reader, feed, subscribe):
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    (one,) = add(store, feed, "a")
    mark(store, reader, one, "like")
    mark(store, other, one, "like")
    made = store.models.exclude_period(reader, NOW, NOW + HOUR, NOW)
    assert kinds(store, other) == ["like"]
    assert store.models.forgettings(other) == ()
    assert not store.models.lift_forgetting(other, made.id, NOW)
    assert kinds(store, reader) == []


@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    moments=st.lists(st.integers(0, 20), min_size=1, max_size=8),
    stretches=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=3),
    lifted=st.sets(st.integers(0, 2)),
)
def test_exactly_the_stretches_in_force_are_left_out(store, subscribe, moments, stretches, lifted):
    reader = store.users.user(f"reader {len(store.users.users())}", NOW)
    feed = subscribe(f"feed-{reader}", user=reader)
    ids = add(store, feed, *(f"n{number}" for number in range(len(moments))))
    for article, hour in zip(ids, moments, strict=True):
        mark(store, reader, article, "dislike", NOW + hour * HOUR)
    for number, (since, until) in enumerate(stretches):
        made = store.models.exclude_period(reader, NOW + since * HOUR, NOW + until * HOUR, NOW)
        if number in lifted:
            store.models.lift_forgetting(reader, made.id, NOW)
    in_force = [one for number, one in enumerate(stretches) if number not in lifted]
    remembered = [
        article
        for article, hour in zip(ids, moments, strict=True)
        if not any(since <= hour < until for since, until in in_force)
    ]
    assert [one.article.id for one in store.models.labels(reader)] == remembered
    store.reading.undo(reader, NOW, "test")
    assert [one.article.id for one in store.models.labels(reader)] == [
        one for one in remembered if one != ids[-1]
    ]
