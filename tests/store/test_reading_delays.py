"""When a reader read what was published, and what language models rated."""

from __future__ import annotations

from datetime import timedelta

import numpy as np

from newsloom.ranking.values.models import Rating
from newsloom.reading.values.reading import EventKind, Reading

from .builders import DIMENSIONS, HOUR, NOW, VECTORS, add, embed, read_texts

DAY = timedelta(days=1)
SINCE, UNTIL = NOW - 30 * DAY, NOW + 2 * DAY


def test_each_article_once_with_the_first_that_says_it_was_read(store, reader, feed):
    opened, unread, bulk, both = add(store, feed, "a", "b", "c", "d")
    store.reading.mark(reader, [opened], EventKind.OPENED, NOW + HOUR, "web")
    store.reading.mark(reader, [opened], EventKind.READ, NOW + 5 * HOUR, "web")
    store.reading.mark(reader, [bulk], EventKind.BULK_READ, NOW + 2 * HOUR, "web")
    store.reading.mark(reader, [both], EventKind.READ, NOW + 3 * HOUR, "web")
    store.reading.mark(reader, [both], EventKind.BULK_READ, NOW + 4 * HOUR, "web")
    assert store.models.readings(reader, SINCE, UNTIL) == (
        Reading(feed, NOW, NOW + HOUR),
        Reading(feed, NOW),
        Reading(feed, NOW, NOW + 2 * HOUR, in_bulk=True),
        Reading(feed, NOW, NOW + 3 * HOUR),
    )
    assert unread


def test_what_was_taken_back_was_not_read(store, reader, feed):
    (one,) = add(store, feed, "a")
    store.reading.mark(reader, [one], EventKind.READ, NOW + HOUR, "web")
    store.reading.undo(reader, NOW + 2 * HOUR, "web")
    assert store.models.readings(reader, SINCE, UNTIL) == (Reading(feed, NOW),)


def test_what_happened_after_is_not_known_yet(store, reader, feed):
    (one,) = add(store, feed, "a")
    store.reading.mark(reader, [one], EventKind.READ, NOW + 3 * HOUR, "web")
    assert store.models.readings(reader, SINCE, NOW + HOUR) == (Reading(feed, NOW),)


def test_old_news_of_a_feed_just_followed_is_left_out(store, reader, feed):
    add(store, feed, "backlog", dated=NOW - 3 * DAY)
    add(store, feed, "fresh", dated=NOW - HOUR)
    assert [one.published for one in store.models.readings(reader, SINCE, UNTIL)] == [NOW - HOUR]


def test_each_reader_has_their_own(store, reader, subscribe):
    other = store.users.user("other", NOW)
    shared = subscribe("shared", user=other)
    assert subscribe("shared") == shared
    (one,) = add(store, shared, "a")
    store.reading.mark(reader, [one], EventKind.READ, NOW + HOUR, "web")
    assert store.models.readings(other, SINCE, UNTIL) == (Reading(shared, NOW),)


def test_who_rated_is_found_by_the_beginning_of_the_name(store, feed):
    ids = add(store, feed, "a", "b", "c")
    read_texts(store)
    for producer, count in (("chat/small/1", 1), ("chat/large_x/1", 3), ("chatter@1", 2)):
        store.articles.put_ratings(producer, ids[:count], [Rating(3, 1.0)] * count, NOW)
    assert store.articles.rating_makers("chat/") == (
        ("chat/large_x/1", 3),
        ("chat/small/1", 1),
    )
    assert store.articles.rating_makers("chat/large%") == ()


def test_rated_articles_come_with_their_vectors(store, feed):
    ids = add(store, feed, "a", "b", "c")
    read_texts(store)
    embed(store)
    store.articles.put_ratings("chat/m/1", ids[1:], [Rating(2, 1.0), Rating(5, 1.0)], NOW)
    articles, vectors, ratings = store.articles.rated_articles("chat/m/1", VECTORS)
    assert [one.id for one in articles] == ids[1:]
    assert ratings == (2, 5)
    assert np.array_equal(vectors, [store.articles.vectors(VECTORS, ids)[one] for one in ids[1:]])
    assert vectors.shape == (2, DIMENSIONS)


def test_what_has_no_vector_of_that_encoder_is_left_out(store, feed):
    ids = add(store, feed, "a")
    store.articles.put_ratings("chat/m/1", ids, [Rating(2, 1.0)], NOW)
    assert store.articles.rated_articles("chat/m/1", VECTORS)[2] == ()
    assert store.articles.rated_articles("nobody", VECTORS)[0] == ()
