"""Notes, highlights and reading later: one reader's, searchable, kept when feeds go or articles
become one."""

from __future__ import annotations

import pytest

from newsloom.reading.search_language import parse
from newsloom.reading.values.annotations import Note, Selector, Tag
from newsloom.reading.values.reading import ArticleState, EventKind, ListQuery
from newsloom.reading.values.searching import SearchOrder

from .builders import HALF_LIVES, HOUR, NOW, add, read_texts

QUOTE = Selector("warm water", "the ", " of", 12)


def listed(store, reader, **query):
    found = store.lists.page(reader, ListQuery(unread_only=False, **query), NOW, HALF_LIVES)
    return {one.id for one in found}


def searched(store, reader, words):
    found = store.lists.search(reader, parse(words), SearchOrder.BEST, 50, NOW, HALF_LIVES)
    return {one.id for one in found.rows}


def test_notes_and_highlights_are_kept_changed_and_taken_away(store, reader, feed, subscribe):
    a, b, _ = add(store, feed, "a", "b", "c")
    kept = store.annotations
    assert kept.put_note(reader, a, "Ask Müller.", NOW)
    assert kept.put_note(reader, a, "Ask Müller again.", NOW + HOUR)
    assert not kept.put_note(reader, 99, "Nothing", NOW)
    assert kept.note(reader, a) == Note(a, "Ask Müller again.", NOW + HOUR)
    assert kept.notes(reader) == (Note(a, "Ask Müller again.", NOW + HOUR),)
    number = kept.add_highlight(reader, b, QUOTE, "So warm?", NOW)
    assert kept.add_highlight(reader, 99, QUOTE, "", NOW) is None
    (highlight,) = kept.highlights(reader)
    assert (highlight.id, highlight.article_id, highlight.words) == (number, b, QUOTE)
    assert kept.note_highlight(reader, number, "Warm.")
    assert [one.note for one in kept.highlights(reader, b)] == ["Warm."]
    assert kept.highlights(reader, a) == ()
    # Of one reader, whatever another asks.
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    store.reading.mark(other, [a, b], EventKind.READ, NOW, "test")
    assert kept.note(other, a) is None
    assert kept.notes(other) == kept.highlights(other) == kept.highlights(other, b) == ()
    assert not kept.note_highlight(other, number, "mine")
    assert not kept.drop_highlight(other, number)
    assert not kept.put_note(other, a, "", NOW)
    rows = store.lists.listed(reader, [a, b], NOW, HALF_LIVES)
    assert [one.noted for one in rows] == [True, True]
    assert not any(one.noted for one in store.lists.listed(other, [a, b], NOW, HALF_LIVES))
    assert kept.put_note(reader, a, "", NOW)
    assert kept.note(reader, a) is None
    assert kept.drop_highlight(reader, number)
    assert kept.highlights(reader) == ()


def test_lists_and_searches_by_what_was_added(store, reader, feed):
    a, b, c, d = add(store, feed, "a", "b", "c", "d")
    read_texts(store)
    kept = store.annotations
    kept.add_tags(reader, [a, b], ["To cook"], NOW)
    kept.put_note(reader, a, "Ask Müller.", NOW)
    kept.add_highlight(reader, c, QUOTE, "", NOW)
    store.reading.mark(reader, [d], EventKind.LATER, NOW, "test")
    assert listed(store, reader, tag="TO COOK") == {a, b}
    assert listed(store, reader, tag="none") == set()
    assert listed(store, reader, later_only=True) == {d}
    for words, found in {
        'tag:"to cook"': {a, b},
        "-tag:none": {a, b, c, d},
        "content tag:#none": set(),
        "content -has:tag": {c, d},
        "has:note": {a},
        "has:highlight OR has:note": {a, c},
        "note:muller": {a},
        'note:"warm water"': {c},
        "content note:absent": set(),
        "is:later": {d},
    }.items():
        assert searched(store, reader, words) == found, words


@pytest.mark.parametrize("as_of", [False, True])
def test_reading_later_outlasts_everything_but_its_own_word(store, reader, feed, as_of):
    a, b = add(store, feed, "a", "b")
    mark = store.reading.mark
    moment = store.lists.as_of(reader)
    mark(reader, [a], EventKind.LATER, NOW, "test")
    moment = store.lists.as_of(reader) if as_of else moment
    store.reading.clear(reader, ListQuery(), NOW, "test", HALF_LIVES)
    state = store.lists.listed(reader, [a], NOW, HALF_LIVES)[0].state
    assert state == ArticleState(read=True, later=True)
    store.reading.undo(reader, NOW, "test")
    mark(reader, [a], EventKind.LIKE, NOW, "test")
    mark(reader, [a], EventKind.NOT_LATER, NOW, "test")
    query = {"later_only": True, "as_of": moment if as_of else None}
    assert listed(store, reader, **query) == ({a} if as_of else set())
    store.reading.undo(reader, NOW, "test")
    state = store.lists.listed(reader, [a], NOW, HALF_LIVES)[0].state
    assert state == ArticleState(read=True, rating=1, later=True)
    store.reading.unsubscribe(reader, feed)
    assert listed(store, reader) == {a}
    assert store.lists.listed(reader, [b], NOW, HALF_LIVES) == ()


def test_what_was_added_to_stays_when_its_feed_is_left(store, reader, feed):
    a, b, c, _ = add(store, feed, "a", "b", "c", "d")
    store.annotations.add_tags(reader, [a], ["sea"], NOW)
    store.annotations.put_note(reader, b, "Mine.", NOW)
    store.annotations.add_highlight(reader, c, QUOTE, "", NOW)
    store.reading.unsubscribe(reader, feed)
    assert listed(store, reader) == {a, b, c}
    assert store.annotations.tags(reader) == (Tag("sea", 1, 1),)
