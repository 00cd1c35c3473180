"""Lists as of a moment: what a reader does in a list, one by one, moves nothing in it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.duplicates.values import Relation
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Rows
from quick import quick_folder

from .builders import HALF_LIVES, NOW, add, relate
from .library import moments, queries, states, stocked

LEAVING = (
    EventKind.READ,
    EventKind.SKIPPED,
    EventKind.FINISHED,
    EventKind.DISLIKE,
    EventKind.UNSTAR,
)


@pytest.fixture(scope="module")
def library(backend):
    with quick_folder() as folder, closing(backend.open(folder / "as_of.db")) as store:
        yield stocked(store)


def ids(store, user, now=NOW, **query):
    return list(store.lists.page_ids(user, ListQuery(**{"limit": 1000, **query}), now, HALF_LIVES))


@settings(max_examples=60)
@given(data=st.data(), query=queries, now=moments)
def test_marks_made_since_leave_every_list_as_it_was(library, data, query, now):
    store = library.store
    known = data.draw(st.lists(st.sampled_from(sorted(library.carried)), unique=True))
    user = library.reader({one: data.draw(states) for one in known})
    liked = data.draw(st.lists(st.sampled_from(known), unique=True)) if known else []
    store.reading.mark(user, liked, EventKind.LIKE, NOW, "test")
    store.reading.mark(user, liked[::2], EventKind.UNREAD, NOW, "test")
    query = replace(query, liked_only=data.draw(st.booleans()), as_of=store.lists.as_of(user))
    before = store.lists.page(user, query, now, HALF_LIVES)
    for one in data.draw(st.lists(st.sampled_from(known), unique=True)) if known else []:
        store.reading.mark(user, [one], data.draw(st.sampled_from(LEAVING)), NOW, "test")
    after = store.lists.page(user, query, now, HALF_LIVES)
    assert [(one.id, one.score) for one in after] == [(one.id, one.score) for one in before]
    again = store.lists.listed(user, [one.id for one in after], now, HALF_LIVES, query)
    assert again == after, "and a row by itself is as the list has it"


@pytest.mark.parametrize("order", Order)
def test_what_came_since_is_not_in_it_but_can_be_asked_for(store, reader, feed, order):
    old = add(store, feed, "a", "b")
    moment = store.lists.as_of(reader)
    new = add(store, feed, "c", "d")
    assert set(ids(store, reader, order=order, as_of=moment)) == set(old)
    assert set(ids(store, reader, order=order, arrived_after=moment.arrival)) == set(new)
    store.reading.mark(reader, new[:1], EventKind.READ, NOW, "test")
    assert ids(store, reader, order=order, arrived_after=moment.arrival) == new[1:]


@pytest.mark.parametrize("order", Order)
def test_old_articles_of_a_feed_followed_since_are_not_in_it(store, reader, feed, subscribe, order):
    """Others followed it before: the store has its articles, this reader gets them now."""
    other = store.users.user("other", NOW)
    old = add(store, subscribe("second", user=other), "x", "y")
    mine = add(store, feed, "a", "b")
    moment = store.lists.as_of(reader)
    subscribe("second")
    assert set(ids(store, reader, order=order)) == {*old, *mine}
    assert set(ids(store, reader, order=order, as_of=moment)) == set(mine)
    assert set(ids(store, reader, order=order, arrived_after=moment.arrival)) == set(old)
    store.reading.clear(reader, ListQuery(order=order, as_of=moment), NOW, "test", HALF_LIVES)
    assert set(ids(store, reader, order=order)) == set(old), "nobody has seen them"


def test_what_was_cleared_away_with_others_is_gone(store, reader, feed):
    a, b, c = add(store, feed, "a", "b", "c")
    moment = store.lists.as_of(reader)
    store.reading.mark(reader, [a], EventKind.READ, NOW, "test")
    store.reading.mark(reader, [b], EventKind.BULK_READ, NOW, "test")
    assert set(ids(store, reader, as_of=moment)) == {a, c}
    store.reading.clear(reader, ListQuery(), NOW, "test", HALF_LIVES)
    assert ids(store, reader, as_of=moment) == [a]


def test_what_was_taken_back_stands_once(store, reader, feed):
    a, b = add(store, feed, "a", "b")
    moment = store.lists.as_of(reader)
    store.reading.mark(reader, [a], EventKind.LIKE, NOW, "test")
    store.reading.undo(reader, NOW, "test")
    assert sorted(ids(store, reader, as_of=moment)) == [a, b]


def test_a_row_of_several_stays_what_it_was(store, reader, subscribe):
    (a,) = add(store, subscribe("first"), "a", content="<p>Short.</p>")
    (b,) = add(store, subscribe("second"), "b", content="<p>The longer one of the two.</p>")
    relate(store, Relation.SAME_EVENT, (a, b))
    query = ListQuery(as_of=store.lists.as_of(reader))
    (before,) = store.lists.page(reader, query, NOW, HALF_LIVES)
    store.reading.mark(
        reader, [a], EventKind.READ, NOW, "test", rows=Rows.CLUSTER, read_together=True
    )
    assert store.lists.page(reader, ListQuery(), NOW, HALF_LIVES) == ()
    (after,) = store.lists.page(reader, query, NOW, HALF_LIVES)
    assert (after.id, after.score, after.state.read) == (before.id, before.score, True)


def test_another_readers_marks_keep_nothing(store, reader, feed, subscribe):
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    a, b = add(store, feed, "a", "b")
    store.reading.mark(reader, [a], EventKind.READ, NOW, "test")
    moment = store.lists.as_of(reader)
    store.reading.mark(other, [a], EventKind.READ, NOW, "test")
    assert ids(store, reader, as_of=moment) == [b]
