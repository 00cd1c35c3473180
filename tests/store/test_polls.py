"""Leases: what is due, who has it, when it comes back."""

from __future__ import annotations

import os
import socket
from datetime import timedelta
from functools import partial

import pytest

from newsloom.feeds.values.polling import PollOutcome, PollPlan
from newsloom.feeds.values.published import ParsedFeed, PollHints
from newsloom.kernel.db.leases import alive
from newsloom.kernel.errors import StoreError
from newsloom.store import owner_name

from .builders import HOUR, NOW, add, article, claim, new, poll, publish

LATER = NOW + timedelta(days=1)


def test_a_new_subscription_is_due_at_once(store, feed):
    (due,) = claim(store)
    assert (due.id, due.url, due.new) == (feed, "https://first.test/feed", True)


def test_a_feed_is_leased_once(store, feed):
    assert len(claim(store, owner="one")) == 1
    assert claim(store, owner="two") == ()
    assert claim(store, feed, owner="two") == ()


def test_a_lease_ends_at_its_time(store, feed):
    claim(store, owner="one")
    again = store.feeds.claim_due(NOW + HOUR, owner="two", lease_for=HOUR, limit=1)
    assert [due.id for due in again] == [feed]


def test_a_lease_kept_holds_and_one_that_ran_out_is_not_its_owners_again(store, feed):
    claim(store, owner="one")
    later, moment = NOW + HOUR, timedelta(minutes=1)
    store.feeds.keep("another", later + moment)
    store.feeds.keep("one", later + moment)
    claim_one = partial(store.feeds.claim_due, lease_for=HOUR, limit=1)
    assert claim_one(later, owner="two") == ()
    assert claim_one(later + moment, owner="one") == (), "it has that feed in its queue still"
    assert [due.id for due in claim_one(later + moment, owner="two")] == [feed]


def test_release_gives_back_only_the_owners_own(store, subscribe):
    first, second = subscribe("first"), subscribe("second")
    claim(store, first, owner="one")
    claim(store, second, owner="two")
    store.feeds.release("one")
    assert [due.id for due in claim(store, owner="three")] == [first]


def test_feeds_come_oldest_first_and_no_more_than_asked(store, subscribe):
    feeds = [subscribe(name) for name in "abc"]
    for hours, feed in zip((3, 1, 2), feeds, strict=True):
        publish(store, feed, plan=PollPlan(NOW + hours * HOUR, HOUR, ""))
    due = store.feeds.claim_due(LATER, owner="test", lease_for=HOUR, limit=2)
    assert [one.id for one in due] == [feeds[1], feeds[2]]


def test_a_named_feed_is_claimed_due_or_not(store, feed):
    publish(store, feed)
    assert claim(store) == ()
    assert [due.id for due in claim(store, feed)] == [feed]


def test_a_feed_without_subscribers_is_never_claimed(store, reader, feed):
    store.reading.unsubscribe(reader, feed)
    assert claim(store) == ()
    assert claim(store, feed) == ()
    assert store.feeds.next_due() is None


def test_a_feed_given_up_is_not_due(store, feed):
    publish(store, feed, outcome=PollOutcome.GONE, plan=PollPlan(None, HOUR, "410 gone"))
    assert store.feeds.claim_due(LATER, owner="test", lease_for=HOUR, limit=9) == ()
    assert store.feeds.next_due() is None
    assert store.lists.subscriptions(store.users.user("reader", NOW))[0].dead


def test_next_due_waits_for_leases(store, subscribe):
    subscribe("first")
    assert store.feeds.next_due() == NOW
    claim(store)
    assert store.feeds.next_due() == NOW + HOUR


def test_a_record_with_a_lost_lease_stores_nothing(store, reader, feed):
    (lost,) = claim(store, owner="slow")
    (held,) = store.feeds.claim_due(NOW + HOUR, owner="quick", lease_for=HOUR, limit=1)
    with store.feeds.ingest() as ingest:
        assert not ingest.record(poll(lost, new(article(feed, "late")), etag='"late"'))
        assert ingest.record(poll(held, new(article(feed, "kept")), etag='"kept"'))
        assert not ingest.record(poll(held, new(article(feed, "twice"))))
    assert store.lists.unread(reader) == 1
    assert claim(store, feed)[0].etag == '"kept"'


def test_what_a_poll_learned_comes_back_with_the_next_claim(store, feed):
    hints = PollHints(
        ttl=timedelta(minutes=90),
        skip_hours=frozenset({0, 5}),
        skip_days=frozenset({6}),
        update_every=timedelta(0),
        hub="https://hub.test/",
        topic="https://first.test/feed",
    )
    publish(
        store,
        feed,
        plan=PollPlan(NOW, 2 * HOUR, "said so"),
        etag='W/"é"',
        last_modified="yesterday",
        validated_url="https://first.test/moved",
        body_hash="abc",
        feed=ParsedFeed("rss 2.0", title="T", hints=hints),
    )
    (due,) = claim(store)
    assert (due.etag, due.last_modified, due.body_hash) == ('W/"é"', "yesterday", "abc")
    assert due.validated_url == "https://first.test/moved"
    assert (due.interval, due.hints, due.new) == (2 * HOUR, hints, False)


def test_none_keeps_validators_and_an_empty_text_forgets_them(store, feed):
    publish(store, feed, etag="a", last_modified="b", body_hash="c")
    publish(store, feed, outcome=PollOutcome.UNCHANGED, feed=None, etag=None, last_modified="")
    (due,) = claim(store, feed)
    assert (due.etag, due.last_modified, due.body_hash) == ("a", "", "c")


@pytest.mark.parametrize(
    ("outcomes", "failures", "unchanged"),
    [
        ("failed failed", 2, 0),
        ("failed unreadable gone", 3, 0),
        ("failed unchanged", 0, 1),
        ("unchanged unchanged", 0, 2),
        ("unchanged failed", 1, 1),
        ("unchanged changed", 0, 0),
    ],
)
def test_runs_of_outcomes_are_counted(store, feed, outcomes, failures, unchanged):
    for outcome in outcomes.split():
        publish(store, feed, outcome=PollOutcome(outcome), feed=None)
    (due,) = claim(store, feed)
    assert (due.failures, due.unchanged) == (failures, unchanged)


def test_a_document_that_lost_its_title_keeps_the_known_one(store, reader, feed):
    publish(store, feed, feed=ParsedFeed("rss 2.0", title="Known"))
    publish(store, feed, feed=ParsedFeed("rss 2.0", title=""))
    assert store.lists.subscriptions(reader)[0].title == "Known"


def test_only_the_last_polls_are_remembered(store, feed):
    for _ in range(105):
        publish(store, feed, feed=None, outcome=PollOutcome.UNCHANGED)
    with store.database.read() as connection:
        kept = connection.exec_driver_sql("SELECT count(*) FROM polls").scalar_one()
    assert kept == 100


def test_an_error_inside_ingest_leaves_nothing(store, reader, feed):
    (due,) = claim(store)

    def fail():
        with store.feeds.ingest() as ingest:
            assert ingest.record(poll(due, new(article(feed, "lost"))))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert store.lists.unread(reader) == 0
    assert claim(store, owner="other") == ()  # and the lease stands


def test_after_an_error_in_ingest_nothing_more_is_taken(store, reader, feed, subscribe):
    """Even by a caller that goes on: SQLite may have rolled back all there was."""
    other = subscribe("second")
    first, second = claim(store)

    def go_on():
        with store.feeds.ingest() as ingest:
            assert ingest.record(poll(first, new(article(feed, "a"))))
            with pytest.raises(StoreError):
                ingest.record(poll(second, new(article(other, "b", title="\ud800"))))
            with pytest.raises(StoreError):
                ingest.candidates([("guid", "x")])

    with pytest.raises(StoreError):
        go_on()
    assert store.lists.unread(reader) == 0
    assert claim(store, owner="other") == ()


def test_leases_of_dead_processes_of_this_machine_come_back(store, feed):
    host = socket.gethostname()
    living = owner_name(host, os.getpid())
    dead = living.rsplit(":", 1)[0] + ":1"  # this process number, of a process begun long ago
    claim(store, owner=dead)
    assert [due.id for due in claim(store, owner=living)] == [feed]
    assert claim(store, owner="another") == ()


@pytest.mark.parametrize(
    ("owner", "expected"),
    [
        (owner_name(socket.gethostname(), os.getpid()), True),
        (owner_name(socket.gethostname(), os.getpid()) + ":a part of it", True),
        (owner_name(socket.gethostname(), 2**22 + 1)[:-1] + ":123", False),
        ("another host:1:2", True),
        ("not a name", True),
    ],
    ids=["this process", "with a suffix", "no such process", "another machine", "unreadable"],
)
def test_alive(owner, expected):
    assert alive(owner) is expected


def test_adding_nothing_new_stores_nothing(store, reader, feed):
    add(store, feed, "a", "b")
    before = dict(store.facts())
    publish(store, feed, outcome=PollOutcome.UNCHANGED)
    assert store.facts()["articles"] == before["articles"] == "2"
