"""Threads in the store: what the stage puts there, what readers do, and what they undo."""

from __future__ import annotations

from datetime import timedelta

import pytest

from newsloom.stories.stages.threads import ThreadBuilder
from newsloom.stories.values.pages import READER, StoryChoice, StoryId, ThreadId
from newsloom.stories.values.threads import ThreadChanges, ThreadDecision, ThreadKind
from newsloom.topics.tfidf import EMPTY

from .builders import NOW, VECTORS, add, embed, read_texts
from .test_stories import ONE, TWO, put

DAY = timedelta(days=1)
FIRST, SECOND = ThreadId(1), ThreadId(2)


@pytest.fixture
def told(store, reader):
    feed, _ = store.reading.subscribe(reader, "https://one.test/feed", NOW)
    ids = add(store, feed, *"abcde")
    read_texts(store)
    embed(store)
    put(store, {ids[0]: ONE, ids[1]: ONE, ids[2]: ONE, ids[3]: TWO, ids[4]: TWO}, (ONE, TWO))
    return ids


def decided(store, places, kinds=None):
    generation, _last = store.stories.thread_generation()
    decisions = [
        ThreadDecision(
            NOW,
            StoryChoice.ASSIGN if before is None else StoryChoice.MOVE,
            story,
            thread,
            before,
        )
        for story, thread in places.items()
        for before in [store.stories.story(story).thread]
    ]
    return store.stories.put_threads(ThreadChanges(generation, tuple(decisions), kinds or {}), NOW)


def thread_of(store, story):
    return store.stories.story(story).thread


def builder(store):
    return ThreadBuilder(store, lambda: NOW, lambda: VECTORS, lambda: EMPTY)


def test_a_pass_puts_every_story_into_a_thread_once(store, told):
    assert builder(store).build() == 2
    generation = store.stories.thread_generation()
    assert builder(store).build() == 0
    assert store.stories.thread_generation() == generation
    threads = {thread_of(store, ONE), thread_of(store, TWO)}
    assert None not in threads
    for one in threads:
        assert store.stories.thread_decisions(one, 9)


def test_a_later_pass_thinks_of_them_again_and_leaves_what_a_reader_did(store, told, reader):
    builder(store).build()
    store.stories.move_stories(reader, [TWO], None, NOW)
    mine = thread_of(store, TWO)
    later = ThreadBuilder(store, lambda: NOW + DAY, lambda: VECTORS, lambda: EMPTY)
    later.build()
    assert thread_of(store, TWO) == mine
    assert store.stories.unchecked(VECTORS, since=NOW - DAY, before=NOW + DAY, limit=9) == ()


def test_nothing_is_kept_when_others_decided_meanwhile(store, told):
    generation, _last = store.stories.thread_generation()
    assert decided(store, {ONE: FIRST})
    late = ThreadDecision(NOW, StoryChoice.ASSIGN, TWO, FIRST)
    assert not store.stories.put_threads(ThreadChanges(generation, (late,), {}), NOW)
    assert thread_of(store, TWO) is None


def test_size_and_dates_are_those_of_the_stories(store, told):
    decided(store, {ONE: FIRST, TWO: FIRST}, {FIRST: ThreadKind.SERIES})
    head = store.stories.thread(FIRST)
    assert (head.size, head.kind) == (2, ThreadKind.SERIES)
    assert store.stories.thread_heads(since=NOW - DAY, limit=9) == (), "a series is no narrative"
    decided(store, {ONE: FIRST}, {FIRST: ThreadKind.NARRATIVE})
    assert [one.id for one in store.stories.thread_heads(since=NOW - DAY, limit=9)] == [FIRST]


def test_a_story_subscriptions_as_its_thread_until_it_leaves(store, told, reader):
    decided(store, {ONE: FIRST})
    store.stories.set_thread_subscription(reader, FIRST, 1)
    decided(store, {TWO: FIRST})
    subscriptions = store.stories.story_subscriptions(reader)
    assert (subscriptions[ONE].stand, subscriptions[TWO].stand) == (1, 1)
    decided(store, {TWO: SECOND})
    assert store.stories.story_subscriptions(reader)[TWO].stand == 0
    store.stories.set_story_subscription(reader, TWO, -1)
    decided(store, {TWO: FIRST})
    assert store.stories.story_subscriptions(reader)[TWO].stand == -1, (
        "what the reader said of it stays"
    )


def test_a_merge_hands_on_followers_and_is_undone(store, told, reader):
    decided(store, {ONE: FIRST, TWO: SECOND})
    store.stories.set_thread_subscription(reader, SECOND, 1)
    assert store.stories.move_stories(reader, [TWO], FIRST, NOW) == FIRST
    assert store.stories.thread(SECOND).id == FIRST
    assert store.stories.thread_subscriptions(reader)[FIRST] == 1
    assert store.stories.thread_decisions(FIRST, 1)[0].judge == READER
    (said,) = store.stories.thread_corrections(FIRST)
    assert (said.kind, said.before) == ("merge", SECOND)
    assert store.stories.undo_thread_act(reader, said.act, NOW) == SECOND
    assert store.stories.thread(SECOND).id == SECOND
    assert thread_of(store, TWO) == SECOND
    assert store.stories.undo_thread_act(reader, said.act, NOW) is None


def test_what_is_compared_goes_when_a_story_is_long_over(store, told):
    builder(store).build()
    assert store.stories.drop_event_terms(NOW - DAY, 9) == 0
    assert store.stories.drop_event_terms(NOW + 90 * DAY, 9) == 2
    assert all(one.terms is None for one in store.stories.stored_events(VECTORS, [ONE, TWO]))
    assert StoryId(1) in store.stories.first_titles([ONE])
