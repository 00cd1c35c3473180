"""Whose turn it is: hosts that are paused or have many feeds, polls by hand, clocks that jump."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from newsloom.feeds.store.tables import feeds as feeds_table
from newsloom.feeds.store.tables import pushes
from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.polling import Pause, PollOutcome, PollPlan, PublishingRate

from .builders import HOUR, NOW, claim, poll, publish

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
FURTHEST, SLACK = timedelta(days=40), 3 * HOUR


@pytest.fixture
def many(store, reader):
    """Feeds of hosts, so many of each: their ids by host."""

    def follow(**numbers: int):
        urls = {
            name: [f"https://{name}.test/{place}" for place in range(number)]
            for name, number in numbers.items()
        }
        store.reading.subscribe_all(
            reader, [(url, "", "") for of in urls.values() for url in of], NOW
        )
        ids = {one.url: one.feed_id for one in store.lists.subscriptions(reader)}
        return {name: [ids[url] for url in of] for name, of in urls.items()}

    return follow


def hosts(due) -> list[str]:
    return sorted(one.host for one in due)


def take(store, limit=100, **how):
    return store.feeds.claim_due(NOW, owner="test", lease_for=HOUR, limit=limit, **how)


def pause(store, feed, until, **record):
    """A poll of the feed that says its host is to be left alone."""
    (due,) = claim(store, feed)
    record = {"outcome": PollOutcome.FAILED, "status": 429, "feed": None} | record
    because = Pause(due.host, NOW, until, "it asked for time")
    with store.feeds.ingest() as ingest:
        assert ingest.record(poll(due, pause=because, **record))


def put_ahead(store, feed, **columns):
    with store.database.write() as connection:
        connection.execute(update(feeds_table).where(feeds_table.c.id == feed).values(**columns))


# --- so many of each host ---


def test_a_host_with_many_feeds_leaves_room_for_the_others(store, many):
    many(large=50, one=1, two=2)
    due = take(store, per_host=3)
    assert hosts(due) == ["large.test"] * 3 + ["one.test"] + ["two.test"] * 2
    assert hosts(take(store, limit=5, per_host=3)) == ["large.test"] * 3


def test_hosts_that_have_had_enough_are_passed_over(store, many):
    many(large=300, late=2)
    # So many stand before them that a look at the oldest finds no others.
    due = take(store, limit=4, per_host=2)
    assert hosts(due) == ["large.test"] * 2
    assert hosts(take(store, limit=4, per_host=2, full=["large.test"])) == ["late.test"] * 2
    assert take(store, full=["large.test"]) == ()


def test_a_feed_is_claimed_once_however_many_claim(store, many):
    many(a=7, b=7, c=7)
    claimed = [one.id for _ in range(20) for one in take(store, limit=4, per_host=2)]
    assert len(claimed) == len(set(claimed)) == 21


# --- pauses ---


def test_a_paused_host_is_left_alone_until_its_time(store, many):
    feeds = many(tired=3, well=1)
    pause(store, feeds["tired"][0], NOW + 2 * HOUR)
    assert hosts(take(store)) == ["well.test"]
    store.feeds.release("test")
    later = store.feeds.claim_due(NOW + 2 * HOUR, owner="test", lease_for=HOUR, limit=9)
    assert hosts(later) == ["tired.test"] * 3 + ["well.test"]


def test_the_longer_pause_holds(store, many):
    first, second, _third = many(tired=3)["tired"]
    pause(store, first, NOW + 5 * HOUR)
    pause(store, second, NOW + HOUR)
    assert store.feeds.claim_due(NOW + 4 * HOUR, owner="test", lease_for=HOUR, limit=9) == ()


def test_the_end_of_a_pause_is_when_something_is_due(store, many):
    feeds = many(tired=2)["tired"]
    pause(store, feeds[0], NOW + 2 * HOUR, plan=PollPlan(NOW + 5 * HOUR, HOUR, ""))
    assert store.feeds.next_due() == NOW + 2 * HOUR


def test_a_named_feed_of_a_paused_host_is_claimed_unless_by_hand(store, many):
    feeds = many(tired=2)["tired"]
    pause(store, feeds[0], NOW + 2 * HOUR)
    assert take(store, feeds=[feeds[1]], asked_before=NOW) == ()
    assert len(take(store, feeds=[feeds[1]])) == 1


@pytest.mark.parametrize(
    ("status", "failed", "counted"),
    [
        pytest.param(503, PollOutcome.FAILED, 1, id="its server fails"),
        pytest.param(0, PollOutcome.FAILED, 1, id="no answer"),
        pytest.param(404, PollOutcome.FAILED, 0, id="not found"),
        pytest.param(200, PollOutcome.CHANGED, 0, id="well"),
    ],
)
def test_which_feeds_of_a_host_are_failing(store, many, status, failed, counted):
    first, second, third = many(ill=3)["ill"]
    publish(store, first, outcome=failed, status=status)
    since = NOW - HOUR
    for besides in (second, first):
        expected = counted if besides == second else 0
        with store.feeds.ingest() as ingest:
            assert ingest.failing("ill.test", besides, since, 2) == expected
    (due,) = claim(store, second)
    with store.feeds.ingest() as ingest:  # and those recorded a moment ago count too
        assert ingest.record(poll(due, outcome=PollOutcome.FAILED, status=500))
        assert ingest.failing("ill.test", third, since, 9) == counted + 1
        assert ingest.failing("ill.test", third, since, 1) == 1
        assert ingest.failing("other.test", third, since, 9) == 0


# --- by hand ---


def test_by_hand_a_feed_is_asked_once_in_a_while(store, feed):
    publish(store, feed)
    assert take(store, feeds=[feed], asked_before=NOW - MINUTE) == ()
    assert len(take(store, feeds=[feed], asked_before=NOW)) == 1


@pytest.mark.parametrize(
    ("outcome", "asked_under", "under", "excused"),
    [
        pytest.param(PollOutcome.FAILED, "a", "b", True, id="failed under other settings"),
        pytest.param(PollOutcome.UNREADABLE, "a", "b", True, id="unreadable under other settings"),
        pytest.param(PollOutcome.FAILED, "a", "a", False, id="failed under the same"),
        pytest.param(PollOutcome.FAILED, "", "a", True, id="reached no server"),
        pytest.param(PollOutcome.FAILED, "", None, False, id="no settings are told"),
        pytest.param(PollOutcome.UNCHANGED, "a", "b", False, id="it did not fail"),
    ],
)
def test_by_hand_what_burdened_no_server_is_no_reason_to_wait(
    store, feed, outcome, asked_under, under, excused
):
    publish(store, feed, outcome=outcome, settings_fingerprint=asked_under)
    hand = {"asked_before": NOW - MINUTE, "under": under}
    (waiting,) = store.feeds.hasten([feed], NOW, **hand)
    assert waiting.excused is excused
    assert bool(claim(store)) is excused, "it is due"
    store.feeds.release("test")
    assert len(take(store, feeds=[feed], **hand)) == excused


def test_the_pause_of_a_host_holds_for_what_is_excused(store, many):
    feeds = many(tired=2)["tired"]
    publish(store, feeds[1], outcome=PollOutcome.FAILED)
    pause(store, feeds[0], NOW + HOUR)
    assert take(store, feeds=[feeds[1]], asked_before=NOW - MINUTE, under="a") == ()


def test_by_hand_nothing_is_asked_before_its_servers_time(store, feed):
    plan = PollPlan(NOW + DAY, HOUR, "asked for time", not_before=NOW + DAY)
    publish(store, feed, plan=plan)
    (waiting,) = store.feeds.hasten([feed], NOW, asked_before=NOW)
    assert (waiting.polled_at, waiting.not_before, waiting.pause) == (NOW, NOW + DAY, None)
    assert take(store, feeds=[feed], asked_before=NOW) == ()
    assert store.feeds.next_due() == NOW + DAY


def test_what_is_hastened_is_due(store, feed):
    publish(store, feed)
    assert claim(store) == ()
    store.feeds.hasten([feed], NOW, asked_before=NOW - MINUTE)
    assert claim(store) == ()
    store.feeds.hasten([feed], NOW, asked_before=NOW)
    assert [due.id for due in claim(store)] == [feed]


def test_a_pause_is_told_to_who_wants_to_hasten(store, many):
    feeds = many(tired=2)["tired"]
    pause(store, feeds[0], NOW + HOUR)
    (waiting,) = store.feeds.hasten([feeds[1]], NOW, asked_before=NOW)
    assert waiting.pause == Pause("tired.test", NOW, NOW + HOUR, "it asked for time")


def test_a_feed_that_is_gone_is_not_hastened(store, feed):
    publish(store, feed, outcome=PollOutcome.GONE, plan=PollPlan(None, HOUR, "gone"))
    (waiting,) = store.feeds.hasten([feed], NOW, asked_before=NOW)
    assert waiting.dead
    assert take(store, feeds=[feed], asked_before=NOW) == ()


# --- clocks ---


def wake(store, now=NOW):
    store.sites.wake(now, furthest=now + FURTHEST, slack=now + SLACK)


@pytest.mark.parametrize(
    ("polled", "next_poll", "due"),
    [
        pytest.param(-HOUR, DAY, False, id="nothing is wrong"),
        pytest.param(-HOUR, timedelta(days=39), False, id="a month was asked for"),
        pytest.param(-HOUR, timedelta(days=365), True, id="further than any rule"),
        pytest.param(DAY, timedelta(days=2), True, id="the clock was a day ahead"),
        pytest.param(HOUR, 2 * HOUR, False, id="summer time"),
    ],
)
def test_what_a_wrong_clock_put_off_is_due(store, feed, polled, next_poll, due):
    publish(store, feed, at=NOW + polled, plan=PollPlan(NOW + next_poll, HOUR, ""))
    wake(store)
    assert bool(claim(store)) is due


def test_what_is_due_once_by_a_jump_is_not_due_again(store, feed):
    publish(store, feed, at=NOW + 365 * DAY, plan=PollPlan(NOW + 366 * DAY, HOUR, ""))
    wake(store)
    publish(store, feed)
    wake(store)
    assert claim(store) == ()


def test_a_pause_of_a_wrong_clock_is_over(store, many):
    feeds = many(tired=2)["tired"]
    pause(store, feeds[0], NOW + 400 * DAY)
    wake(store)
    assert {due.id for due in claim(store)} == {feeds[1]}


def test_a_feed_given_up_stays_so_whatever_the_clock(store, feed):
    plan = PollPlan(None, HOUR, "gone")
    publish(store, feed, outcome=PollOutcome.GONE, at=NOW + 365 * DAY, plan=plan)
    wake(store)
    assert claim(store) == ()


# --- hubs ---


@pytest.mark.parametrize(
    ("state", "until", "pushed"),
    [
        pytest.param(PushState.ACTIVE, DAY, True, id="it tells"),
        pytest.param(PushState.ACTIVE, -DAY, False, id="the lease is over"),
        pytest.param(PushState.ASKED, DAY, False, id="not agreed yet"),
        pytest.param(PushState.DENIED, None, False, id="refused"),
    ],
)
def test_a_feed_that_a_hub_tells_of(store, feed, state, until, pushed):
    with store.database.write() as connection:
        row = {"feed_id": feed, "token": "t", "state": state.value}
        connection.execute(insert(pushes), row | {"until": until and NOW + until})
    (due,) = claim(store)
    assert due.pushed is pushed


# --- what comes back ---


def test_a_readers_floor_comes_with_the_claim(store, feed):
    put_ahead(store, feed, floor=timedelta(minutes=20))
    (due,) = claim(store)
    assert due.floor == timedelta(minutes=20)


def test_a_pace_comes_back_as_it_was_learned(store, feed):
    pace = PublishingRate(9, 1.25, (0.5, 0.5, *[0.0] * 22), (0.0,) * 7, NOW, 12.5)
    publish(store, feed, pace=pace)
    publish(store, feed)  # which learned nothing
    (due,) = claim(store, feed)
    assert due.pace == pace


def test_paused_hosts_are_named(store, many):
    feeds = many(tired=1)["tired"]
    hosts = ["tired.test", "well.test"]
    assert store.sites.paused_hosts(hosts, NOW) == frozenset()
    pause(store, feeds[0], NOW + HOUR)
    assert store.sites.paused_hosts(hosts, NOW) == {"tired.test"}
    assert store.sites.paused_hosts(hosts, NOW + HOUR) == frozenset()
