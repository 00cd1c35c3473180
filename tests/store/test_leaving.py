"""Feeds left and followed again: everything is as it was."""

from __future__ import annotations

from datetime import timedelta

import pytest

from newsloom.ranking.values.models import Score
from newsloom.reading.store.arranging import KEPT
from newsloom.reading.values.reading import EventKind, ListQuery

from .builders import HALF_LIVES, NOW, add, claim, duplicate, publish


@pytest.fixture
def followed(store, reader, feed):
    """A feed with a name and a category, whose articles are scored, and read or rated in part."""
    store.reading.edit_subscription(reader, feed, title="Mine", category="Mornings")
    ids = add(store, feed, *"abcd")
    store.articles.put_scores(
        reader, "made", [Score(one, 60.0 + one, 2) for one in ids], HALF_LIVES
    )
    store.reading.mark(reader, ids[:1], EventKind.READ, NOW, "test")
    store.reading.mark(reader, ids[1:2], EventKind.STAR, NOW, "test")
    return feed


def everything(store, reader):
    return (
        store.lists.subscriptions(reader),
        store.lists.page(reader, ListQuery(unread_only=False), NOW, HALF_LIVES),
        store.models.labels(reader),
    )


def test_leaving_is_taken_back_whole(store, reader, followed):
    before = everything(store, reader)
    store.reading.unsubscribe(reader, followed)
    assert store.lists.subscriptions(reader) == ()
    assert store.lists.unread(reader) == 1, "what is starred stays"
    (left,) = store.reading.left(reader, NOW)
    assert (left.feed_id, left.title, left.category, left.unread) == (
        followed,
        "Mine",
        "Mornings",
        2,
    )
    assert store.reading.follow_again(reader, followed)
    assert everything(store, reader) == before
    assert store.reading.left(reader, NOW) == ()
    assert not store.reading.follow_again(reader, followed)


def test_what_came_meanwhile_for_others_comes_too(store, reader, followed, subscribe):
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    store.reading.unsubscribe(reader, followed)
    (late,) = add(store, followed, "late")
    assert late not in [one.id for one in store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)]
    store.reading.follow_again(reader, followed)
    assert late in [one.id for one in store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)]
    assert store.lists.unread(reader) == 4


def test_what_another_feed_carries_too_stays(store, reader, followed, subscribe):
    from .builders import article

    second = subscribe("second")
    (a, *_rest) = [one.id for one in store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)]
    publish(store, second, duplicate(article(second, "copy"), a))
    store.reading.unsubscribe(reader, followed)
    left = store.lists.page(reader, ListQuery(feed=second), NOW, HALF_LIVES)
    assert [(one.title, one.feed_title) for one in left] == [("Title of copy", f"Feed {second}")]


def test_leaving_is_nobody_elses_and_not_of_a_feed_never_followed(store, reader, followed):
    other = store.users.user("other", NOW)
    store.reading.unsubscribe(reader, followed)
    assert store.reading.left(other, NOW) == ()
    assert not store.reading.follow_again(other, followed)
    store.reading.unsubscribe(other, followed)
    assert store.reading.left(other, NOW) == ()


def test_it_is_not_asked_at_once_because_of_that(store, reader, followed):
    """Leaving and coming back is no way to ask a feed more often than it wants."""
    store.reading.unsubscribe(reader, followed)
    store.reading.follow_again(reader, followed)
    assert claim(store) == ()


def test_following_it_anew_begins_anew(store, reader, followed):
    store.reading.unsubscribe(reader, followed)
    again, new = store.reading.subscribe(reader, "https://first.test/feed", NOW)
    assert (again, new) == (followed, True)
    assert store.reading.left(reader, NOW) == ()
    assert not store.reading.follow_again(reader, followed)


def test_after_a_month_it_is_forgotten(backend, path):
    from contextlib import closing

    now = [NOW]
    with closing(backend.open(path, now=lambda: now[0])) as store:
        user = store.users.user("reader", NOW)
        feeds = [store.reading.subscribe(user, f"https://{name}.test/", NOW)[0] for name in "ab"]
        store.reading.unsubscribe(user, feeds[0])
        now[0] += KEPT + timedelta(seconds=1)
        assert store.reading.left(user, now[0]) == ()
        assert not store.reading.follow_again(user, feeds[0])
        store.reading.unsubscribe(user, feeds[1])
        with store.database.read() as connection:
            rows = connection.exec_driver_sql("SELECT feed_id FROM left_feeds").all()
        assert rows == [(feeds[1],)]
