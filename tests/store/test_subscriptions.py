"""Users and subscriptions: who follows what, and what they find when they start or stop."""

from __future__ import annotations

from datetime import timedelta

import pytest

from newsloom.feeds.values.polling import PollOutcome, PollPlan
from newsloom.reading.store.states import BACKLOG, BACKLOG_LEAST
from newsloom.reading.values.reading import EventKind, ListQuery

from .builders import HALF_LIVES, HOUR, NOW, add, article, claim, duplicate, publish


def test_a_user_is_made_once(store):
    assert store.users.user("one", NOW) == store.users.user("one", NOW)
    second = store.users.user("two", NOW)
    assert store.users.users() == ((1, "one"), (second, "two"))


def test_subscribing_twice_changes_nothing(store, reader):
    feed, is_new = store.reading.subscribe(
        reader, "https://a.test/", NOW, title="Mine", category="News"
    )
    again = store.reading.subscribe(reader, "https://a.test/", NOW, title="Other", category="Other")
    assert (is_new, again) == (True, (feed, False))
    (one,) = store.lists.subscriptions(reader)
    assert (one.title, one.category) == ("Mine", "News")


def test_many_are_subscribed_to_at_once(store, reader, feed):
    wanted = [(f"https://{name}.test/", name, "Many") for name in ("a", "b", "a")]
    wanted.append(("https://first.test/feed", "known", "Many"))
    assert store.reading.subscribe_all(reader, wanted, NOW) == 2
    assert store.reading.subscribe_all(reader, wanted, NOW) == 0
    named = {one.title: one.category for one in store.lists.subscriptions(reader)}
    assert (named["a"], named["b"]) == ("Many", "Many")
    assert len(named) == 3


def test_many_are_subscribed_to_or_none(store, reader):
    wanted = [("https://a.test/", "a", ""), ("https://b.test/", None, "")]
    with pytest.raises(Exception, match=r"(?i)not[ -]null"):
        store.reading.subscribe_all(reader, wanted, NOW)
    assert store.lists.subscriptions(reader) == ()


def test_a_feed_is_shared_between_readers(store, reader, feed):
    other = store.users.user("other", NOW)
    assert store.reading.subscribe(other, "https://first.test/feed", NOW) == (feed, True)
    assert store.facts()["feeds"] == "1"


def test_subscriptions_stand_by_category_then_title(store, reader, subscribe):
    for name, category in (("z", "b"), ("Y", "b"), ("x", "A"), ("w", "")):
        subscribe(name, category)
    assert [one.url[8] for one in store.lists.subscriptions(reader)] == ["w", "x", "Y", "z"]


def test_a_feed_is_called_by_the_readers_name_then_its_own_then_its_address(store, reader, feed):
    title = lambda: store.lists.subscriptions(reader)[0].title  # noqa: E731
    assert title() == "https://first.test/feed"
    publish(store, feed)
    assert title() == f"Feed {feed}"
    store.reading.edit_subscription(reader, feed, title="Mine")
    assert title() == "Mine"
    store.reading.edit_subscription(reader, feed, category="Else")
    assert (title(), store.lists.subscriptions(reader)[0].category) == ("Mine", "Else")
    store.reading.edit_subscription(reader, feed, title="")
    assert title() == f"Feed {feed}"


def test_a_subscription_tells_how_its_feed_fares(store, reader, feed):
    add(store, feed, "a", "b")
    (due,) = claim(store, feed)
    del due
    store.feeds.release("test")
    publish(
        store,
        feed,
        outcome=PollOutcome.FAILED,
        problem="no answer",
        feed=None,
        plan=PollPlan(NOW + 2 * HOUR, 2 * HOUR, ""),
    )
    (one,) = store.lists.subscriptions(reader)
    assert (one.problem, one.failures, one.dead) == ("no answer", 1, False)
    assert (one.polled_at, one.next_poll_at) == (NOW, NOW + 2 * HOUR)
    assert (one.articles, one.unread) == (2, 2)


def test_known_articles_of_the_last_month_become_unread(store, reader, feed):
    for number in range(BACKLOG_LEAST + 5):
        add(store, feed, f"young {number}", dated=NOW - number * HOUR)
        add(store, feed, f"old {number}", dated=NOW - BACKLOG - (number + 1) * HOUR)
    other = store.users.user("other", NOW)
    store.reading.subscribe(other, "https://first.test/feed", NOW)
    assert store.lists.unread(other) == BACKLOG_LEAST + 5


def test_of_a_feed_that_writes_little_the_newest_become_unread(store, reader, feed):
    for number in range(BACKLOG_LEAST + 5):
        add(store, feed, str(number), dated=NOW - timedelta(days=100 + number))
    other = store.users.user("other", NOW)
    store.reading.subscribe(other, "https://first.test/feed", NOW)
    page = store.lists.page(other, ListQuery(), NOW, HALF_LIVES)
    assert len(page) == BACKLOG_LEAST
    assert min(one.dated for one in page) == NOW - timedelta(days=100 + BACKLOG_LEAST - 1)


def test_a_feed_that_others_follow_keeps_its_time(store, reader, feed):
    publish(store, feed, plan=PollPlan(NOW + 5 * HOUR, HOUR, "asked for"))
    store.reading.subscribe(store.users.user("other", NOW), "https://first.test/feed", NOW)
    assert store.feeds.next_due() == NOW + 5 * HOUR


def test_a_feed_that_was_left_or_given_up_is_due_when_followed_again(store, reader, feed):
    publish(store, feed, plan=PollPlan(NOW + 5 * HOUR, HOUR, ""))
    store.reading.unsubscribe(reader, feed)
    store.reading.subscribe(reader, "https://first.test/feed", NOW)
    assert store.feeds.next_due() == NOW
    publish(store, feed, outcome=PollOutcome.GONE, plan=PollPlan(None, HOUR, "gone"))
    store.reading.subscribe(store.users.user("other", NOW), "https://first.test/feed", NOW)
    assert store.feeds.next_due() == NOW
    assert not store.lists.subscriptions(reader)[0].dead


def test_leaving_a_feed_takes_away_what_nobody_touched(store, reader, feed):
    names = ["untouched", "read", "starred", "liked"]
    ids = dict(zip(names, add(store, feed, *names), strict=True))
    for name, kind in (("read", "read"), ("starred", "star"), ("liked", "like")):
        store.reading.mark(reader, [ids[name]], EventKind(kind), NOW, "test")
    store.reading.unsubscribe(reader, feed)
    assert store.lists.subscriptions(reader) == ()
    left = store.lists.page(reader, ListQuery(unread_only=False), NOW, HALF_LIVES)
    assert {one.id for one in left} == {ids["read"], ids["starred"], ids["liked"]}


def test_leaving_a_feed_keeps_what_another_carries(store, reader, feed, subscribe):
    second = subscribe("second")
    original, _alone = add(store, feed, "a", "alone")
    publish(store, second, duplicate(article(second, "a2"), original))
    store.reading.unsubscribe(reader, feed)
    (listed,) = store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)
    assert (listed.title, listed.feed_id) == ("Title of a2", second)


def test_leaving_a_feed_is_the_readers_own_affair(store, reader, feed, subscribe):
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    add(store, feed, "a")
    store.reading.unsubscribe(reader, feed)
    assert (store.lists.unread(reader), store.lists.unread(other)) == (0, 1)


def test_a_read_article_does_not_come_back_unread(store, reader, feed):
    (one,) = add(store, feed, "a")
    store.reading.mark(reader, [one], EventKind.READ, NOW, "test")
    store.reading.unsubscribe(reader, feed)
    store.reading.subscribe(reader, "https://first.test/feed", NOW)
    assert store.lists.unread(reader) == 0
