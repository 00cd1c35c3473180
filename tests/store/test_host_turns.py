"""Whose turn hosts are: one owner at a time, who waits goes first, the dead hold nothing."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta

import pytest

from newsloom.store import owner_name

from .builders import HOUR, NOW, publish

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
HOST = "news.test"


def take(store, owner="one", host=HOST, now=NOW, *, wish=10 * SECOND):
    return store.sites.take_host(host, owner=owner, now=now, until=now + MINUTE, wish=wish)


def give_back(store, owner="one", host=HOST, asked=NOW, now=NOW):
    store.sites.give_back_hosts(owner, {host: asked}, now=now, long_ago=now - SECOND)


def claim(store, turns="one", now=NOW, **how):
    how = {"limit": 100, "owner": f"poller {turns}", "lease_for": HOUR} | how
    due = store.feeds.claim_due(now, turns=turns, turns_for=MINUTE, **how)
    return sorted(one.host for one in due)


@pytest.fixture
def follow(store, reader):
    def urls(*hosts):
        rows = [(f"https://{host}.test/{n}", "", "") for n, host in enumerate(hosts)]
        store.reading.subscribe_all(reader, rows, NOW)

    return urls


def rows(store):
    with store.database.read() as connection:
        return connection.exec_driver_sql("SELECT COUNT(*) FROM host_turns").scalar()


# --- one by one ---


def test_a_host_is_one_owners_at_a_time(store):
    assert take(store).mine
    assert take(store).mine, "who has it may take it again"
    assert not take(store, "two").mine
    assert take(store, "two", "other.test").mine


def test_it_is_told_when_another_asked_it(store):
    take(store)
    give_back(store, asked=NOW - SECOND / 2)
    assert take(store, "two").asked_at == NOW - SECOND / 2


def test_nobody_needs_to_know_what_was_long_ago(store):
    take(store)
    give_back(store, asked=NOW - MINUTE)
    assert rows(store) == 0
    assert take(store, "two").asked_at is None


def test_who_asked_nothing_leaves_what_was_known(store):
    take(store)
    give_back(store, asked=NOW - SECOND / 2)
    take(store, "two")
    give_back(store, "two", asked=None)
    assert take(store, "three").asked_at == NOW - SECOND / 2


def test_only_its_owner_gives_a_host_back(store):
    take(store)
    give_back(store, "two")
    assert not take(store, "two").mine


def test_a_host_is_free_when_its_time_is_over(store):
    take(store)
    assert not take(store, "two", now=NOW + MINUTE / 2).mine
    assert take(store, "two", now=NOW + MINUTE).mine


def test_all_hosts_of_an_owner_are_kept_on(store):
    take(store)
    take(store, "one", "other.test")
    take(store, "two", "third.test")
    assert store.sites.keep_hosts("one", NOW + HOUR) == {HOST, "other.test"}
    assert not take(store, "three", now=NOW + 2 * MINUTE).mine
    assert take(store, "three", "third.test", now=NOW + 2 * MINUTE).mine


def test_hosts_of_a_dead_process_are_free_as_if_just_asked(store):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        dying = f"{owner_name('x', other.pid)}:hosts"
        dying = dying.replace("x/", f"{_this_host()}/", 1)
        take(store, dying)
        assert not take(store, "one").mine
        other.communicate(b"\n")
    turn = take(store, "one", now=NOW + SECOND)
    assert (turn.mine, turn.asked_at) == (True, NOW + SECOND)


def _this_host():
    import socket

    return socket.gethostname()


def test_the_turns_of_a_wrong_clock_are_over(store):
    ahead = NOW + timedelta(days=365)
    take(store, now=ahead)
    take(store, "one", "other.test", now=ahead)
    give_back(store, host="other.test", asked=ahead, now=ahead)
    store.sites.wake(NOW, furthest=NOW + timedelta(days=40), slack=NOW + 3 * HOUR)
    assert rows(store) == 0


# --- who waits ---


def test_who_waits_goes_before_who_does_not(store):
    take(store)
    assert store.sites.wanted_hosts("one", NOW) == frozenset()
    take(store, "two")
    assert store.sites.wanted_hosts("one", NOW) == {HOST}
    give_back(store)
    assert not take(store, "three").mine
    assert not take(store, "one").mine
    assert take(store, "two").mine
    assert store.sites.wanted_hosts("two", NOW) == frozenset()


def test_a_wish_ends_unless_it_is_repeated(store):
    take(store)
    take(store, "two")
    later = NOW + 11 * SECOND
    assert store.sites.wanted_hosts("one", later) == frozenset()
    give_back(store, now=later)
    assert take(store, "three", now=later).mine


def test_a_wish_is_repeated_before_it_ends(store):
    take(store)
    for seconds in (0, 6, 12, 18):
        take(store, "two", now=NOW + seconds * SECOND)
    assert store.sites.wanted_hosts("one", NOW + 20 * SECOND) == {HOST}


def test_two_who_wait_go_one_after_the_other(store):
    take(store)
    take(store, "two")
    take(store, "three")
    give_back(store)
    assert not take(store, "three").mine
    take(store, "two")
    take(store, "three")
    give_back(store, "two")
    assert not take(store, "one").mine
    assert take(store, "three").mine


def test_who_does_not_wish_keeps_nobody_back(store):
    take(store)
    assert not take(store, "two", wish=timedelta(0)).mine
    assert store.sites.wanted_hosts("one", NOW) == frozenset()


# --- with what is due ---


def test_hosts_come_with_the_feeds_that_are_claimed(store, follow):
    follow("a", "a", "b")
    assert claim(store, limit=2, per_host=2) == ["a.test", "a.test"]
    assert not take(store, "two", "a.test").mine
    assert take(store, "two", "b.test").mine


def test_nothing_is_due_of_hosts_that_others_have_or_wait_for(store, follow):
    follow("a", "b", "c")
    take(store, "two", "a.test")
    take(store, "three", "b.test")
    take(store, "two", "b.test")
    give_back(store, "three", "b.test")
    assert claim(store) == ["c.test"]
    assert claim(store, "two") == ["a.test", "b.test"]


def test_a_claim_tells_when_others_asked_a_host(store, follow):
    follow("a", "b")
    take(store, "two", "a.test")
    give_back(store, "two", "a.test", asked=NOW - SECOND / 4)
    due = store.feeds.claim_due(
        NOW, owner="p", lease_for=HOUR, limit=9, turns="one", turns_for=MINUTE
    )
    asked = {one.host: one.host_asked_at for one in due}
    assert asked == {"a.test": NOW - SECOND / 4, "b.test": None}


def test_named_feeds_leave_hosts_as_they_are(store, subscribe):
    feed = subscribe("first")
    take(store, "two", "first.test")
    due = store.feeds.claim_due(
        NOW, owner="p", lease_for=HOUR, limit=9, feeds=[feed], turns="one", turns_for=MINUTE
    )
    assert [one.id for one in due] == [feed]
    assert not take(store, "one", "first.test").mine


def test_what_others_ask_is_not_due_for_us(store, follow):
    follow("a")
    take(store, "host:1:x:hosts", "a.test")
    assert store.feeds.next_due("host:1:x:") == NOW
    assert store.feeds.next_due("host:2:x:") == NOW + MINUTE
    assert store.feeds.polled_elsewhere(NOW, "host:1:x:") == 0
    assert store.feeds.polled_elsewhere(NOW, "host:2:x:") == 1
    assert store.feeds.polled_elsewhere(NOW + 2 * MINUTE, "host:2:x:") == 0


def test_a_feed_under_way_elsewhere_is_counted(store, subscribe):
    feed, other = subscribe("first"), subscribe("second")
    store.feeds.claim_due(NOW, owner="host:1:x:a", lease_for=HOUR, limit=1, feeds=[feed])
    assert store.feeds.polled_elsewhere(NOW, "host:2:x:") == 1
    assert store.feeds.polled_elsewhere(NOW, "host:2:x:", [other]) == 0
    assert store.feeds.polled_elsewhere(NOW, "host:1:x:") == 0
    publish(store, other)
    store.feeds.release("host:1:x:a")
    assert store.feeds.polled_elsewhere(NOW, "host:2:x:") == 0
