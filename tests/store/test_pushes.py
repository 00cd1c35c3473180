"""What is agreed with hubs, and what they delivered: who may change it, and what comes with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select, update

from newsloom.feeds.store.tables import feeds
from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.polling import Announced, Delivery, MostDeliveries, Push
from newsloom.kernel.ids import FeedId, UserId
from newsloom.store import Store

from .builders import HOUR, NOW

BASE, HUB, TOPIC = "https://reader.test", "https://hub.test/", "https://first.test/self"
DAY = timedelta(days=1)
MOST = MostDeliveries(waiting=2, megabytes=1.0, an_hour=5)


@pytest.fixture
def hubbed(store: Store, feed: FeedId) -> FeedId:
    """A feed that names a hub, polled an hour ago and due in a day."""
    hints = {"hub": HUB, "topic": TOPIC}
    with store.database.write() as connection:
        connection.execute(
            update(feeds).values(hints=hints, polled_at=NOW - HOUR, next_poll_at=NOW + DAY)
        )
    return feed


def begin(store: Store, feed: FeedId, **how: object) -> Push:
    made = Push(feed, "token", "secret", BASE, HUB, TOPIC, next_at=NOW)
    (announced,) = store.feeds.announced(BASE, 9)
    assert store.feeds.begin_pushes([replace(made, **how)], [announced], NOW, HOUR) == 1
    return store.feeds.pushes()[feed]


def active(store: Store, feed: FeedId) -> Push:
    begin(store, feed)
    store.feeds.claim_pushes(NOW, NOW + HOUR, 9, 9)
    assert store.feeds.confirm_push("token", NOW, NOW + 10 * DAY, NOW + 6 * DAY)
    return store.feeds.pushes()[feed]


def next_poll(store: Store, feed: FeedId) -> datetime | None:
    with store.database.read() as connection:
        return connection.scalar(select(feeds.c.next_poll_at).where(feeds.c.id == feed))


def test_a_feed_is_announced_until_it_is_agreed_on(store: Store, hubbed: FeedId) -> None:
    assert store.feeds.announced(BASE, 9) == (Announced(hubbed, HUB, TOPIC),)
    begin(store, hubbed)
    assert store.feeds.announced(BASE, 9) == ()
    assert store.feeds.announced("https://moved.test", 9) == (
        Announced(hubbed, HUB, TOPIC, "token"),
    )


@pytest.mark.parametrize(
    ("hints", "topic"),
    [
        ({"hub": HUB}, "https://first.test/feed"),
        ({"hub": HUB, "topic": ""}, "https://first.test/feed"),
        ({"hub": HUB, "topic": TOPIC}, TOPIC),
    ],
)
def test_the_topic_is_what_the_feed_calls_itself_or_where_it_is(
    store: Store, hubbed: FeedId, hints: dict[str, str], topic: str
) -> None:
    with store.database.write() as connection:
        connection.execute(update(feeds).values(hints=hints))
    assert [one.topic for one in store.feeds.announced(BASE, 9)] == [topic]


@pytest.mark.parametrize(
    "values", [{"hints": None}, {"hints": {}}, {"next_poll_at": None}], ids=str
)
def test_what_has_no_hub_or_is_over_is_not_announced(
    store: Store, hubbed: FeedId, values: dict[str, object]
) -> None:
    with store.database.write() as connection:
        connection.execute(update(feeds).values(**values))
    assert store.feeds.announced(BASE, 9) == ()


def test_what_nobody_follows_is_not_announced(store: Store, reader: UserId, hubbed: FeedId) -> None:
    store.reading.unsubscribe(reader, hubbed)
    assert store.feeds.announced(BASE, 9) == ()


def test_of_two_processes_that_begin_one_does(store: Store, hubbed: FeedId) -> None:
    """Also in place of the same row: who comes second changes nothing."""
    (announced,) = store.feeds.announced(BASE, 9)
    for expected in (1, 0):
        made = Push(hubbed, f"token {expected}", "secret", BASE, HUB, TOPIC)
        assert store.feeds.begin_pushes([made], [announced], NOW, HOUR) == expected
    (again,) = store.feeds.announced("https://moved.test", 9)
    for expected in (1, 0):
        made = Push(hubbed, f"new {expected}", "secret", "https://moved.test", HUB, TOPIC)
        assert store.feeds.begin_pushes([made], [again], NOW, HOUR) == expected
    assert store.feeds.pushes()[hubbed].token == "new 1"


def test_a_row_is_claimed_once_and_again_when_its_claim_is_over(
    store: Store, hubbed: FeedId
) -> None:
    begin(store, hubbed)
    (claimed,) = store.feeds.claim_pushes(NOW, NOW + HOUR, 9, 9)
    assert (claimed.tries, claimed.asked_at) == (1, NOW)
    assert claimed == store.feeds.pushes()[hubbed]
    assert store.feeds.claim_pushes(NOW, NOW + HOUR, 9, 9) == ()
    assert [one.tries for one in store.feeds.claim_pushes(NOW + HOUR, NOW + DAY, 9, 9)] == [2]


def test_no_hub_takes_the_turn_of_another(
    store: Store, reader: UserId, subscribe: Callable[..., FeedId]
) -> None:
    for place, hub in enumerate("aaaabb"):
        feed = subscribe(f"feed{place}")
        hints = {"hub": f"https://{hub}.test/"}
        with store.database.write() as connection:
            connection.execute(update(feeds).where(feeds.c.id == feed).values(hints=hints))
    announced = store.feeds.announced(BASE, 9)
    rows = [
        Push(one.feed, str(one.feed), "", BASE, one.hub, one.topic, next_at=NOW + one.feed * HOUR)
        for one in announced
    ]
    store.feeds.begin_pushes(rows, announced, NOW, HOUR)
    later = NOW + 99 * HOUR
    claimed = store.feeds.claim_pushes(later, later + HOUR, 3, 2)
    assert [one.hub[8] for one in claimed] == ["a", "a", "b"]
    assert [one.hub[8] for one in store.feeds.claim_pushes(later, later + HOUR, 3, 2)] == [
        "a",
        "a",
        "b",
    ]


def test_an_answer_does_not_undo_what_the_hub_called_about(store: Store, hubbed: FeedId) -> None:
    """It may call back before its answer is out."""
    begin(store, hubbed)
    (claimed,) = store.feeds.claim_pushes(NOW, NOW + HOUR, 9, 9)
    assert store.feeds.confirm_push("token", NOW, NOW + 10 * DAY, NOW + 6 * DAY)
    assert not store.feeds.settle_push(claimed, state=PushState.ASKED, next_at=NOW + HOUR)
    found = store.feeds.pushes()[hubbed]
    assert (found.state, found.next_at, found.tries) == (PushState.ACTIVE, NOW + 6 * DAY, 0)


def test_what_was_not_asked_for_cannot_be_confirmed(store: Store, hubbed: FeedId) -> None:
    begin(store, hubbed)
    assert not store.feeds.confirm_push("token", NOW, NOW + DAY, NOW)
    assert not store.feeds.confirm_push("other", NOW, NOW + DAY, NOW)
    (claimed,) = store.feeds.claim_pushes(NOW, NOW + HOUR, 9, 9)
    assert store.feeds.settle_push(claimed, state=PushState.DENIED, next_at=NOW, awaits=False)
    assert not store.feeds.confirm_push("token", NOW, NOW + DAY, NOW)


def test_a_renewal_keeps_since_when_it_tells(store: Store, hubbed: FeedId) -> None:
    active(store, hubbed)
    store.feeds.claim_pushes(NOW + 6 * DAY, NOW + 7 * DAY, 9, 9)
    assert store.feeds.confirm_push("token", NOW + 6 * DAY, NOW + 16 * DAY, NOW + 12 * DAY)
    found = store.feeds.pushes()[hubbed]
    assert (found.active_at, found.until) == (NOW, NOW + 16 * DAY)


def test_only_what_is_to_end_can_be_forgotten(store: Store, reader: UserId, hubbed: FeedId) -> None:
    active(store, hubbed)
    assert not store.feeds.forget_push("token")
    store.reading.unsubscribe(reader, hubbed)
    assert store.feeds.end_pushes(NOW, HOUR) == 1
    assert store.feeds.pushes()[hubbed].state is PushState.ENDING
    assert store.feeds.end_pushes(NOW, HOUR) == 0
    assert store.feeds.forget_push("token")
    assert store.feeds.pushes() == {}


def test_what_no_hub_agreed_to_ends_without_a_word(
    store: Store, reader: UserId, hubbed: FeedId
) -> None:
    begin(store, hubbed)
    store.reading.unsubscribe(reader, hubbed)
    store.feeds.end_pushes(NOW, HOUR)
    assert store.feeds.pushes() == {}


POLITE = [
    ("the floor", {"polled_at": NOW - HOUR}, NOW),
    ("its own floor", {"floor": 4 * HOUR}, NOW + 3 * HOUR),
    ("asked just now", {"polled_at": NOW}, NOW + HOUR),
    ("told to wait", {"not_before": NOW + 5 * HOUR}, NOW + 5 * HOUR),
    ("due before", {"next_poll_at": NOW - HOUR}, NOW - HOUR),
    ("failing", {"failures": 1}, NOW + DAY),
    ("over", {"next_poll_at": None}, None),
]


@pytest.mark.parametrize(
    ("values", "due"), [one[1:] for one in POLITE], ids=[one[0] for one in POLITE]
)
def test_a_feed_goes_back_to_its_polls_as_soon_as_it_is_polite(
    store: Store, hubbed: FeedId, values: dict[str, object], due: datetime | None
) -> None:
    active(store, hubbed)
    with store.database.write() as connection:
        connection.execute(update(feeds).values(**values))
    store.feeds.fall_back(
        [hubbed], now=NOW, floor=HOUR, state=PushState.DENIED, problem="no", next_at=NOW + DAY
    )
    assert next_poll(store, hubbed) == due
    found = store.feeds.pushes()[hubbed]
    assert (found.state, found.until, found.problem) == (PushState.DENIED, None, "no")


def test_a_lease_that_is_over_is_found(store: Store, hubbed: FeedId) -> None:
    active(store, hubbed)
    assert store.feeds.fallen(NOW + 9 * DAY, HOUR) == ()
    assert [one.feed for one in store.feeds.fallen(NOW + 10 * DAY, HOUR)] == [hubbed]


def delivery(feed: FeedId, number: int = 1, at: datetime = NOW, size: int = 10) -> Delivery:
    return Delivery(feed, at, "text/xml", f"digest {number}", b"x" * size)


def test_a_delivery_waits_until_it_is_taken_in(store: Store, hubbed: FeedId) -> None:
    active(store, hubbed)
    sent = delivery(hubbed)
    assert store.feeds.deliver(sent, MOST)
    assert store.feeds.deliver(sent, MOST)  # the same again is kept once
    ((number, feed),) = store.feeds.waiting_deliveries(9)
    found = store.feeds.delivery(number)
    assert found == replace(sent, id=number)
    assert feed == hubbed
    store.feeds.taken_in(found, ignored=False, now=NOW, floor=HOUR)
    assert store.feeds.waiting_deliveries(9) == ()
    known = store.feeds.pushes()[hubbed]
    assert (known.received, known.ignored, known.pushed_at) == (1, 0, NOW)
    assert next_poll(store, hubbed) == NOW + DAY


def test_what_was_ignored_is_counted_and_makes_a_poll_due(store: Store, hubbed: FeedId) -> None:
    active(store, hubbed)
    store.feeds.deliver(delivery(hubbed), MOST)
    found = store.feeds.delivery(store.feeds.waiting_deliveries(1)[0][0])
    for _twice in range(2):
        store.feeds.taken_in(found, ignored=True, now=NOW, floor=HOUR)
    assert store.feeds.pushes()[hubbed].ignored == 1
    assert next_poll(store, hubbed) == NOW


def test_another_delivery_with_the_same_number_stays(store: Store, hubbed: FeedId) -> None:
    active(store, hubbed)
    store.feeds.deliver(delivery(hubbed, 1), MOST)
    first = store.feeds.delivery(store.feeds.waiting_deliveries(1)[0][0])
    store.feeds.taken_in(first, ignored=False, now=NOW, floor=HOUR)
    store.feeds.deliver(delivery(hubbed, 2), MOST)
    ((number, _feed),) = store.feeds.waiting_deliveries(9)
    store.feeds.taken_in(replace(first, id=number), ignored=False, now=NOW, floor=HOUR)
    assert len(store.feeds.waiting_deliveries(9)) == 1


def test_there_is_an_end_to_what_is_kept(store: Store, hubbed: FeedId) -> None:
    active(store, hubbed)
    assert not store.feeds.deliver(delivery(hubbed, 0, size=1_000_001), MOST)
    assert [store.feeds.deliver(delivery(hubbed, n), MOST) for n in range(3)] == [True, True, False]
    taken = 2
    for hours, most in ((0, 5), (1, 10)):
        for n in range(9):
            for number, _feed in store.feeds.waiting_deliveries(9):
                found = store.feeds.delivery(number)
                store.feeds.taken_in(found, ignored=False, now=NOW, floor=HOUR)
            sent = delivery(hubbed, 100 * hours + 10 + n, NOW + hours * HOUR)
            taken += store.feeds.deliver(sent, MOST)
        assert store.feeds.pushes()[hubbed].received == taken == most
    assert not store.feeds.deliver(delivery(FeedId(99)), MOST)


def test_deliveries_that_nobody_waits_for_are_dropped(
    store: Store, reader: UserId, hubbed: FeedId
) -> None:
    active(store, hubbed)
    store.feeds.deliver(delivery(hubbed), MOST)
    store.feeds.end_pushes(NOW, HOUR)
    assert len(store.feeds.waiting_deliveries(9)) == 1
    store.reading.unsubscribe(reader, hubbed)
    store.feeds.end_pushes(NOW, HOUR)
    assert store.feeds.waiting_deliveries(9) == ()


def test_a_forgery_is_counted_and_makes_a_poll_due(store: Store, hubbed: FeedId) -> None:
    active(store, hubbed)
    store.feeds.refuse_push(hubbed, NOW, HOUR)
    assert store.feeds.pushes()[hubbed].refused == 1
    assert next_poll(store, hubbed) == NOW


def test_all_can_be_dropped(store: Store, hubbed: FeedId) -> None:
    active(store, hubbed)
    store.feeds.deliver(delivery(hubbed), MOST)
    assert store.feeds.drop_pushes(NOW, HOUR) == 1
    assert (store.feeds.pushes(), store.feeds.waiting_deliveries(9)) == ({}, ())
    assert next_poll(store, hubbed) == NOW


def test_what_is_secret_is_not_shown() -> None:
    shown = repr(Push(FeedId(1), "the token", "the secret", BASE, HUB, TOPIC))
    assert "the token" not in shown
    assert "the secret" not in shown
