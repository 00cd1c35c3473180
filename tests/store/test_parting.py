"""A merged copy taken out of its original, and put back: nothing of the reader's is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from newsloom.dedup.arrival import keys
from newsloom.dedup.decide import judge_document
from newsloom.store.tables import articles
from newsloom.text.search import parse
from newsloom.types import (
    Action,
    ArticleId,
    EventKind,
    ListQuery,
    Relation,
    Rows,
    SearchOrder,
)

from .builders import (
    HALF_LIVES,
    NOW,
    add,
    article,
    duplicate,
    embed,
    ids_of,
    publish,
    rate,
    read_texts,
    relate,
    score,
)

SHARED = "https://site.test/shared"


@pytest.fixture
def feeds(store, reader, subscribe):
    return subscribe("first"), subscribe("second")


@pytest.fixture
def merged(store, feeds):
    """An article and its copy in another feed, which is fuller and shown."""
    (one,) = add(store, feeds[0], "one", url=SHARED)
    full = article(feeds[1], "copy", url=SHARED, content=f"<p>{'Fuller. ' * 60}</p>")
    publish(store, feeds[1], duplicate(full, one, shown=True))
    (copy,) = ids_of(store, feeds[1], "copy")
    return one, copy


def listed(store, reader):
    query = ListQuery(unread_only=False, limit=10, rows=Rows.ARTICLE)
    return {one.id: one for one in store.lists.page(reader, query, NOW, HALF_LIVES)}


@pytest.mark.parametrize(
    "kind",
    [None, EventKind.READ, EventKind.STAR, EventKind.LIKE],
    ids=["untouched", "read", "starred", "liked"],
)
def test_a_parted_copy_stands_alone_as_the_reader_left_it(store, reader, feeds, merged, kind):
    one, copy = merged
    if kind is not None:
        store.reading.mark(reader, [one], kind, NOW, "test")
    before = listed(store, reader)[one]
    assert store.duplicates.has(reader, copy)
    assert store.duplicates.separate(reader, copy, NOW) == 1
    apart = listed(store, reader)
    assert {one, copy} == set(apart)
    assert apart[one].state == apart[copy].state == before.state
    assert (apart[one].also_in, apart[one].title) == (0, "Title of one")
    assert (apart[copy].feed_id, apart[copy].title) == (feeds[1], "Title of copy")
    assert read_texts(store) == 2, "both texts are to be read again"
    assert len(store.models.labels(reader)) == (kind is not None and kind is not EventKind.READ)


def test_it_is_put_back(store, reader, merged):
    one, copy = merged
    before = listed(store, reader)
    read_texts(store)
    store.duplicates.separate(reader, copy, NOW)
    read_texts(store)
    relate(store, Relation.SAME_TEXT, (copy, one))
    assert store.duplicates.cluster(copy) == (copy,), "what the text says does not join them"
    store.reading.mark(reader, [copy], EventKind.STAR, NOW, "test")
    assert store.duplicates.rejoin(reader, copy) == 1
    again = listed(store, reader)
    assert set(again) == {one}
    assert again[one].state.starred
    assert (again[one].title, again[one].also_in) == (before[one].title, before[one].also_in)
    read_texts(store)
    found = store.lists.search(reader, parse("Fuller"), SearchOrder.BEST, 5, NOW, HALF_LIVES)
    assert [row.id for row in found.rows] == [one]


def test_whoever_had_it_by_the_copy_alone_has_the_copy(store, feeds, merged):
    one, copy = merged
    another = store.users.user("another", NOW)
    store.reading.subscribe(another, "https://second.test/feed", NOW)
    assert set(listed(store, another)) == {one}
    store.reading.mark(another, [one], EventKind.READ, NOW, "test")
    store.duplicates.separate(another, copy, NOW)
    (kept,) = listed(store, another).values()
    assert (kept.id, kept.state.read) == (copy, True)
    store.duplicates.rejoin(another, copy)
    (kept,) = listed(store, another).values()
    assert (kept.id, kept.state.read) == (one, True)


def test_later_polls_leave_a_parted_copy_alone(store, reader, feeds, merged):
    """What a feed was seen to carry is its own; only what is new is ever merged."""
    _one, copy = merged
    store.duplicates.separate(reader, copy, NOW)
    incoming = article(feeds[1], "copy", url=SHARED, content=f"<p>{'Fuller. ' * 60}</p>")
    changed = article(feeds[1], "copy", url=SHARED, title="Another title")
    for version, action in ((incoming, Action.UNCHANGED), (changed, Action.REVISED)):
        known = [("guid", f"{feeds[1]} copy"), ("url", SHARED)]
        with store.feeds.ingest() as ingest:
            candidates = ingest.candidates(known)
        assert {found.id for found in candidates["url", SHARED]} == set(merged)
        found = {key: candidates[name] for key, name in _same_names(version, known).items()}
        (judged,) = judge_document([_with_keys(version)], found)
        assert (judged.judgement.action, judged.judgement.target) == (action, copy)


def _with_keys(incoming):
    return replace(incoming, keys=keys(incoming.copy))


def _same_names(incoming, known):
    """The keys that layers make, with what the builders call them."""
    return {key: name for key in keys(incoming.copy) for name in known if key[0] == name[0]}


def test_only_what_was_a_copy_is_put_under_an_original(store, reader, feeds):
    one, other = (add(store, feed, name)[0] for feed, name in zip(feeds, "ab", strict=True))
    relate(store, Relation.SAME_EVENT, (one, other))
    store.duplicates.separate(reader, other, NOW)
    assert store.duplicates.rejoin(reader, one) == 1
    assert set(listed(store, reader)) == {one, other}
    with store.database.read() as connection:
        originals = {row.id: row.original_id for row in connection.execute(articles.select())}
    assert originals == {one: one, other: other}
    assert not store.duplicates.has(reader, ArticleId(999))


def test_a_parted_copy_is_scored_anew(store, reader, merged):
    _one, copy = merged
    store.duplicates.separate(reader, copy, NOW)
    read_texts(store)
    embed(store)
    rate(store)
    assert score(store, reader) == 2
    assert listed(store, reader)[copy].scored
