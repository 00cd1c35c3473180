"""Marking and taking back: events are only added, states come back exactly."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsloom.reading.store.marks import BITS, RATING, pack
from newsloom.reading.values.reading import ArticleState, EventKind, ListQuery

from .builders import HALF_LIVES, NOW, add

KINDS = [kind for kind in EventKind if kind is not EventKind.UNDO]


def mark(store, user, ids, kind):
    return store.reading.mark(user, ids, kind, NOW, "test")


def states(store, user, ids):
    return [one.state for one in store.lists.listed(user, ids, NOW, HALF_LIVES)]


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ("read", ArticleState(read=True)),
        ("read unread", ArticleState()),
        ("like", ArticleState(read=True, rating=1)),
        ("like dislike", ArticleState(read=True, rating=-1)),
        ("like unread", ArticleState(rating=1)),
        ("dislike unrate", ArticleState()),
        ("like dislike unrate", ArticleState()),
        ("like unrate dislike unrate", ArticleState()),
        ("read like unrate", ArticleState(read=True)),
        ("like read unrate", ArticleState(read=True)),
        ("like unread read unrate", ArticleState(read=True)),
        ("like opened unrate", ArticleState(read=True)),
        ("like finished unrate", ArticleState(read=True)),
        ("unrate", ArticleState()),
        ("read unrate", ArticleState(read=True)),
        ("star read like", ArticleState(read=True, starred=True, rating=1)),
        ("star unstar", ArticleState()),
        ("opened", ArticleState()),
        ("skipped", ArticleState(read=True)),
        ("finished", ArticleState(read=True)),
    ],
)
def test_what_marks_come_to(store, reader, feed, kinds, expected):
    (one,) = add(store, feed, "a")
    for kind in kinds.split():
        mark(store, reader, [one], EventKind(kind))
    assert states(store, reader, [one]) == [expected]


def test_a_mark_tells_what_it_did(store, reader, feed):
    a, b = add(store, feed, "a", "b")
    step = store.reading.mark(reader, [b, 99, a, b], EventKind.READ, NOW, "cli")
    events = store.reading.events(step)
    assert [one.id for one in events] == list(step)
    assert [(one.article_id, one.kind, one.via, one.at, one.title) for one in events] == [
        (b, EventKind.READ, "cli", NOW, "Title of b"),
        (a, EventKind.READ, "cli", NOW, "Title of a"),
    ]


def test_marks_of_one_reader_are_not_anothers(store, reader, feed, subscribe):
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    (one,) = add(store, feed, "a")
    mark(store, reader, [one], EventKind.READ)
    assert (store.lists.unread(reader), store.lists.unread(other)) == (0, 1)
    assert store.reading.undo(other, NOW, "test") == ()
    stranger = store.users.user("stranger", NOW)
    assert mark(store, stranger, [one], EventKind.READ) == ()


def test_undo_takes_back_a_whole_step(store, reader, feed):
    a, b, c = add(store, feed, "a", "b", "c")
    mark(store, reader, [b], EventKind.READ)
    mark(store, reader, [a, b, c], EventKind.READ)
    undone = store.reading.undo(reader, NOW, "test")
    assert [(one.article_id, one.kind) for one in undone] == [
        (one, EventKind.READ) for one in (a, b, c)
    ]
    assert [one.read for one in states(store, reader, [a, b, c])] == [False, True, False]
    assert [one.article_id for one in store.reading.undo(reader, NOW, "test")] == [b]
    assert store.reading.undo(reader, NOW, "test") == ()


def test_undo_passes_over_what_changed_nothing(store, reader, feed):
    (one,) = add(store, feed, "a")
    mark(store, reader, [one], EventKind.LIKE)
    mark(store, reader, [one], EventKind.OPENED)
    assert [event.kind for event in store.reading.undo(reader, NOW, "test")] == [EventKind.LIKE]
    assert states(store, reader, [one]) == [ArticleState()]


def test_events_are_only_ever_added(store, reader, feed):
    (one,) = add(store, feed, "a")
    mark(store, reader, [one], EventKind.LIKE)
    store.reading.undo(reader, NOW, "web")
    mark(store, reader, [one], EventKind.STAR)
    with store.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT kind, via, undone_by FROM events ORDER BY id")
        assert rows.all() == [("like", "test", 2), ("undo", "web", None), ("star", "test", None)]


def test_undo_after_unsubscribing_does_no_harm(store, reader, feed):
    a, b = add(store, feed, "a", "b")
    mark(store, reader, [a, b], EventKind.READ)
    store.reading.undo(reader, NOW, "test")
    mark(store, reader, [b], EventKind.UNREAD)
    store.reading.unsubscribe(reader, feed)
    assert [one.article_id for one in store.reading.undo(reader, NOW, "test")] == [b]
    assert store.lists.unread(reader) == 0


def changes_something(kind, places, before):
    """Whether undo stops there: at what set a state, and at finishing only what was unread."""
    if kind is EventKind.FINISHED:
        return any(not before[place].read for place in places)
    return kind is not EventKind.OPENED


@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(KINDS), st.lists(st.integers(0, 3), min_size=1, unique=True)),
        max_size=8,
    )
)
def test_undoing_everything_goes_back_through_every_state(store, reader, feed, steps):
    ids = add(store, feed, "a", "b", "c", "d") if store.lists.unread(reader) == 0 else None
    ids = ids or [one.id for one in store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)]
    trail = [states(store, reader, ids)]
    for kind, places in steps:
        mark(store, reader, [ids[place] for place in places], kind)
        if changes_something(kind, places, trail[-1]):
            trail.append(states(store, reader, ids))
    while trail:
        assert states(store, reader, ids) == trail.pop()
        undone = store.reading.undo(reader, NOW, "test")
        assert bool(undone) == bool(trail)


@pytest.mark.parametrize("rating", [-1, 0, 1])
@pytest.mark.parametrize("starred", [False, True])
@pytest.mark.parametrize("read", [False, True])
def test_a_state_packs_into_a_number_with_all_of_it(read, starred, rating):
    packed = pack(ArticleState(read, starred, rating))
    marks = {name: bool(packed & bit) for name, bit in BITS.items()}
    assert marks == {"read": read, "starred": starred, "later": False}
    assert (packed >> RATING & 3) - 1 == rating


def test_marking_many_at_once_is_one_step(store, reader, feed):
    ids = add(store, feed, *(str(number) for number in range(1100)))
    assert len(mark(store, reader, ids, EventKind.READ)) == 1100
    assert store.lists.unread(reader) == 0
    assert len(store.reading.undo(reader, NOW, "test")) == 1100
    assert store.lists.unread(reader) == 1100


def test_finishing_an_open_article_is_no_step_of_its_own(store, reader, feed):
    a, b = add(store, feed, "a", "b")
    mark(store, reader, [a], EventKind.LIKE)
    mark(store, reader, [b], EventKind.READ)
    mark(store, reader, [b], EventKind.FINISHED)
    assert [one.kind for one in store.models.labels(reader)] == [
        EventKind.LIKE,
        EventKind.FINISHED,
    ]
    assert [event.kind for event in store.reading.undo(reader, NOW, "test")] == [EventKind.READ]
    assert states(store, reader, [b]) == [ArticleState()]
    assert [one.kind for one in store.models.labels(reader)] == [EventKind.LIKE]
    assert [event.kind for event in store.reading.undo(reader, NOW, "test")] == [EventKind.LIKE]


def test_taking_back_a_like_leaves_the_reading(store, reader, feed):
    (one,) = add(store, feed, "a")
    for kind in (EventKind.READ, EventKind.LIKE, EventKind.FINISHED):
        mark(store, reader, [one], kind)
    store.reading.undo(reader, NOW, "test")
    assert [one.kind for one in store.models.labels(reader)] == [EventKind.FINISHED]


@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    steps=st.lists(
        st.one_of(
            st.none(),  # undo
            st.tuples(st.sampled_from(KINDS), st.lists(st.integers(0, 2), min_size=1, unique=True)),
        ),
        max_size=10,
    )
)
def test_ratings_and_stars_that_stand_are_the_labels(store, subscribe, steps):
    """What teaches is read from the events, what is shown from the states: they always agree."""
    reader = store.users.user(f"reader {len(store.users.users())}", NOW)
    ids = add(store, subscribe(f"feed-{reader}", user=reader), "a", "b", "c")
    for step in steps:
        if step is None:
            store.reading.undo(reader, NOW, "test")
        else:
            kind, places = step
            mark(store, reader, [ids[place] for place in places], kind)
    shown = {
        (article, kind)
        for article, state in zip(ids, states(store, reader, ids), strict=True)
        for kind, holds in (
            (EventKind.LIKE, state.rating == 1),
            (EventKind.DISLIKE, state.rating == -1),
            (EventKind.STAR, state.starred),
        )
        if holds
    }
    told = {(one.article.id, one.kind) for one in store.models.labels(reader)}
    noticed = {EventKind.FINISHED, EventKind.SKIPPED}
    assert {one for one in told if one[1] not in noticed} == shown
