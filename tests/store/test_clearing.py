"""Whole lists marked read, and large steps taken back: in batches, as one step."""

from __future__ import annotations

import pytest

from newsloom.reading.store.undoing import BATCH
from newsloom.reading.values.reading import EventKind, ListQuery, Rows

from .builders import HALF_LIVES, NOW, add

MANY = 2 * BATCH + 100


@pytest.fixture
def many(store, reader, feed):
    return add(store, feed, *(str(number) for number in range(MANY)))


EVERYTHING = ListQuery()


def clear(store, user, query=EVERYTHING, **options):
    return store.reading.clear(user, query, NOW, "test", HALF_LIVES, **options)


def undo(store, user):
    return store.reading.undo(user, NOW, "test")


def test_all_of_it_is_one_step(store, reader, many):
    rows = []
    assert clear(store, reader, heard=lambda *how_far: rows.append(how_far) or True) == MANY
    assert rows == [(BATCH, MANY), (2 * BATCH, MANY), (MANY, MANY)]
    assert store.lists.unread(reader) == 0
    assert store.models.labels(reader) == ()
    undone = undo(store, reader)
    assert sorted(event.article_id for event in undone) == sorted(many)
    assert {event.kind for event in undone} == {EventKind.BULK_READ}
    assert store.lists.unread(reader) == MANY
    assert undo(store, reader) == ()


def test_what_others_do_meanwhile_stands(store, reader, feed, many):
    """They are not held up, what arrives stays unread, and each step is taken back by itself."""
    rated = many[0]  # the oldest, so the last batch has it

    def meanwhile(done, _of):
        if done == BATCH:
            add(store, feed, "late")
            store.reading.mark(reader, [rated], EventKind.LIKE, NOW, "test")
        return True

    assert clear(store, reader, heard=meanwhile) == MANY - 1
    assert [one.title for one in store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)] == [
        "Title of late"
    ]
    assert [event.article_id for event in undo(store, reader)] == [rated]
    assert len(undo(store, reader)) == MANY - 1
    assert store.lists.unread(reader) == MANY + 1


def test_it_ends_when_nobody_wants_it_any_more(store, reader, many):
    assert clear(store, reader, heard=lambda _done, _of: False) == BATCH
    assert store.lists.unread(reader) == MANY - BATCH
    assert len(undo(store, reader)) == BATCH
    assert store.lists.unread(reader) == MANY


def test_it_ends_when_it_is_taken_back(store, reader, many):
    assert clear(store, reader, heard=lambda *_how_far: bool(undo(store, reader))) == BATCH
    assert store.lists.unread(reader) == MANY
    assert undo(store, reader) == ()


@pytest.mark.parametrize(
    ("narrowed", "left"),
    [
        ({}, set()),
        ({"feed": 1}, {"other", "another"}),
        ({"feed": 99}, {"one", "starred", "other", "another"}),
        ({"starred_only": True}, {"one", "other", "another"}),
        ({"language": "de"}, {"one", "starred", "another"}),
        ({"score": 99.0}, {"one", "starred", "other", "another"}),
    ],
)
def test_only_what_the_list_shows_is_read(store, reader, subscribe, narrowed, left):
    _one, starred = add(store, subscribe("first"), "one", "starred")
    second = subscribe("second")
    add(store, second, "other", language="de")
    add(store, second, "another")
    store.reading.mark(reader, [starred], EventKind.STAR, NOW, "test")
    clear(store, reader, ListQuery(**narrowed))
    unread = store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)
    assert {one.title.removeprefix("Title of ") for one in unread} == left
    assert len(store.lists.page(reader, ListQuery(unread_only=False), NOW, HALF_LIVES)) == 4


def test_the_rest_of_a_row_goes_with_it(store, reader, subscribe):
    """A filter may let only some articles of a row through."""
    from newsloom.duplicates.values import Relation

    from .builders import relate

    first, second = subscribe("first"), subscribe("second")
    (a,), (b,) = add(store, first, "a"), add(store, second, "b")
    relate(store, Relation.SAME_EVENT, (a, b))
    query = ListQuery(feed=first)
    assert clear(store, reader, query) == 1
    assert store.lists.unread(reader, Rows.CLUSTER) == 1
    undo(store, reader)
    assert clear(store, reader, query, read_together=True) == 1, "row"
    assert store.lists.unread(reader, Rows.CLUSTER) == 0
    undo(store, reader)
    assert store.lists.unread(reader) == 2
