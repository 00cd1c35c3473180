"""How feeds are, as kept: states, history, moves, merges, quarantine, and all of it taken back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from newsloom.articles.store.reader_tables import states
from newsloom.articles.store.tables import articles
from newsloom.feeds.health import tally
from newsloom.feeds.store.quarantine import MOST_BYTES, MOST_DOCUMENTS
from newsloom.feeds.store.tables import feeds, holds
from newsloom.feeds.values.health import FeedIdentity, FeedState, HeldDocument, Moving
from newsloom.feeds.values.polling import FeedHealth, PollOutcome, PollPlan, Verdict
from newsloom.feeds.values.published import ParsedFeed
from newsloom.kernel.ids import FeedId, UserId
from newsloom.reading.values.reading import ArticleState, EventKind, ListQuery, Order
from newsloom.store import Store

from .builders import HALF_LIVES, HOUR, NOW, add, article, claim, ids_of, new, poll

Subscribe = Callable[..., FeedId]
FIRST, SECOND, NEW = (f"https://{name}.test/feed" for name in ("first", "second", "new"))


def health(store: Store, user: UserId, feed: FeedId) -> FeedHealth:
    (found,) = store.feeds.health(user, [feed])
    return found


def polled(store: Store, feed: FeedId, **record: object) -> None:
    """A poll without articles, with what it left behind."""
    (due,) = claim(store, feed)
    with store.feeds.ingest() as ingest:
        assert ingest.record(poll(due, **{"feed": None, **record}))


def move(store: Store, feed: FeedId, to: str, **record: object) -> None:
    polled(store, feed, state=FeedState.MOVED, move_to=to, move_because="three times", **record)


def shown(store: Store, user: UserId, **query: object) -> dict[str, ArticleState]:
    wanted = ListQuery(order=Order.NEWEST, unread_only=False, **query)
    return {one.title: one.state for one in store.lists.page(user, wanted, NOW, HALF_LIVES)}


def row(store: Store, feed: FeedId, *columns: str) -> tuple[object, ...]:
    query = select(*(feeds.c[name] for name in columns)).where(feeds.c.id == feed)
    with store.database.read() as connection:
        return tuple(connection.execute(query).one())


# --- states and history ---


def test_what_a_poll_says_of_a_feed_is_kept(store, reader, feed):
    polled(store, feed, state=FeedState.SLOW, outcome=PollOutcome.FAILED, problem="no answer")
    found = health(store, reader, feed)
    assert (found.state, found.since, found.seen) == (FeedState.SLOW, NOW, False)
    assert (found.problem, found.failures) == ("no answer", 1)
    polled(store, feed, state=FeedState.SLOW, at=NOW + HOUR, outcome=PollOutcome.FAILED)
    assert health(store, reader, feed).since == NOW, "it has been so since the first"


def test_the_tally_is_that_of_the_polls(store, reader, feed):
    for outcome, seen, misdated, problem in (
        (PollOutcome.CHANGED, 20, 3, ""),
        (PollOutcome.CHANGED, 20, 0, "cut short"),
        (PollOutcome.UNCHANGED, 0, 0, ""),
        (PollOutcome.UNREADABLE, 0, 0, "HTML"),
        (PollOutcome.FAILED, 0, 0, "no answer"),
    ):
        polled(store, feed, outcome=outcome, seen=seen, misdated=misdated, problem=problem)
    past = store.feeds.past_polls(reader, feed)
    assert past[0].outcome is PollOutcome.FAILED, "the newest first"
    assert health(store, reader, feed).tally == tally(past)
    assert (tally(past).documents, tally(past).sound) == (3, 1)


def test_a_reader_sees_only_their_own_feeds(store, reader, feed):
    other = store.users.user("other", NOW)
    move(store, feed, NEW)
    assert store.feeds.health(other) == ()
    assert store.feeds.past_polls(other, feed) == ()
    assert store.feeds.moves(other) == ()
    assert store.feeds.unseen_health(other, list(FeedState)) == ()
    assert not store.feeds.take_back_move(other, store.feeds.moves(reader)[0].id, NOW)


def test_alerts_end_when_they_are_seen_and_come_with_the_next_change(store, reader, feed):
    told = (FeedState.DEAD, FeedState.UNHEALTHY)
    polled(store, feed, state=FeedState.UNHEALTHY)
    assert store.feeds.unseen_health(reader, told) == (feed,)
    store.feeds.see_health(reader, feed, NOW + HOUR)
    assert store.feeds.unseen_health(reader, told) == ()
    assert health(store, reader, feed).seen
    polled(store, feed, state=FeedState.DEAD, at=NOW + 2 * HOUR)
    assert store.feeds.unseen_health(reader, told) == (feed,)
    assert store.feeds.unseen_health(reader, [FeedState.HELD]) == ()


def test_a_floor_of_its_own_makes_a_feed_due_sooner_and_never_later(store, reader, feed):
    polled(store, feed)
    store.feeds.set_floor(feed, HOUR / 4, NOW + HOUR / 4)
    found = health(store, reader, feed)
    assert (found.floor, found.next_poll_at) == (HOUR / 4, NOW + HOUR / 4)
    store.feeds.set_floor(feed, 5 * HOUR, NOW + 5 * HOUR)
    assert health(store, reader, feed).next_poll_at == NOW + HOUR / 4
    store.feeds.set_floor(feed, None, None)
    assert health(store, reader, feed).floor is None


# --- moves ---


def test_a_move_keeps_only_validators_of_the_new_address(store, reader, feed):
    move(store, feed, NEW, etag="mine", last_modified="then", validated_url=NEW)
    assert row(store, feed, "url", "host", "etag", "last_modified") == (
        NEW,
        "new.test",
        "mine",
        "then",
    )
    elsewhere = "https://elsewhere.test/feed"
    move(store, feed, elsewhere, etag="theirs", validated_url=NEW)
    assert row(store, feed, "url", "host", "etag", "validated_url") == (
        elsewhere,
        "elsewhere.test",
        "",
        "",
    )


def test_a_move_is_told_until_it_is_seen(store, reader, feed):
    move(store, feed, NEW)
    polled(store, feed, state=FeedState.HEALTHY, at=NOW + HOUR)
    found = health(store, reader, feed)
    assert (found.state, found.since, found.seen) == (FeedState.MOVED, NOW, False)
    assert store.feeds.unseen_health(reader, []) == (feed,)
    store.feeds.see_health(reader, None, NOW + 2 * HOUR)
    assert health(store, reader, feed).state is FeedState.HEALTHY
    assert store.feeds.unseen_health(reader, []) == ()


def test_a_move_is_taken_back_once_and_refused_for_good(store, reader, feed):
    polled(store, feed, moving=Moving(NEW, NOW, 2))
    move(store, feed, NEW, etag="new", validated_url=NEW)
    (made,) = store.feeds.moves(reader)
    assert (made.from_url, made.to_url, made.because) == (FIRST, NEW, "three times")
    assert store.feeds.take_back_move(reader, made.id, NOW)
    assert row(store, feed, "url", "host", "etag", "declined", "moved_to", "moved_times") == (
        FIRST,
        "first.test",
        "",
        NEW,
        "",
        0,
    )
    assert not store.feeds.take_back_move(reader, made.id, NOW)
    assert claim(store, feed)[0].declined == NEW


def test_a_move_stays_where_another_feed_has_the_address_by_now(store, reader, feed, subscribe):
    move(store, feed, NEW)
    subscribe("first")
    assert not store.feeds.take_back_move(reader, store.feeds.moves(reader)[0].id, NOW)
    assert row(store, feed, "url") == (NEW,)


def test_a_poll_under_way_brings_nothing_to_a_feed_that_was_taken_back(store, reader, feed):
    move(store, feed, NEW)
    (due,) = claim(store, feed)
    store.feeds.take_back_move(reader, store.feeds.moves(reader)[0].id, NOW)
    with store.feeds.ingest() as ingest:
        assert not ingest.record(poll(due, new(article(feed, "late"))))
    assert shown(store, reader) == {}


# --- merges ---


@pytest.fixture
def two(store: Store, reader: UserId, feed: FeedId, subscribe: Subscribe) -> FeedId:
    """A second feed. "both" has one id in both feeds, and no address that says it is one."""
    second = subscribe("second", "Other")
    add(store, feed, "both", title="Both", url="https://a.test/x")
    add(store, feed, "only")
    add(store, second, "both", title="Both", url="https://b.test/y")
    add(store, second, "theirs")
    return second


def mark(store: Store, user: UserId, feed: FeedId, name: str, *kinds: EventKind) -> None:
    for kind in kinds:
        store.reading.mark(user, ids_of(store, feed, name), kind, NOW, "test")


def test_a_merge_loses_and_doubles_nothing(store, reader, feed, two):
    mark(store, reader, feed, "both", EventKind.STAR, EventKind.LIKE)
    mark(store, reader, two, "both", EventKind.READ)
    mark(store, reader, feed, "only", EventKind.READ)
    move(store, feed, SECOND)
    assert [one.feed_id for one in store.lists.subscriptions(reader)] == [two]
    assert shown(store, reader, feed=two) == {
        "Both": ArticleState(read=True, starred=True, rating=1),
        "Title of only": ArticleState(read=True),
        "Title of theirs": ArticleState(),
    }
    assert shown(store, reader) == shown(store, reader, feed=two)
    assert store.lists.unread(reader) == store.lists.subscriptions(reader)[0].unread == 1
    assert row(store, feed, "next_poll_at", "state") == (None, "moved")


def test_no_feed_becomes_part_of_one_in_quarantine(store, reader, feed, two):
    hold(store, two, document(1))
    move(store, feed, SECOND)
    assert {one.feed_id for one in store.lists.subscriptions(reader)} == {feed, two}
    assert row(store, feed, "url") == (FIRST,)


def test_a_feed_that_was_dead_is_asked_again_once_another_became_part_of_it(
    store, reader, feed, two
):
    polled(store, two, plan=PollPlan(None, HOUR, "gone"), state=FeedState.DEAD)
    move(store, feed, SECOND)
    assert row(store, two, "next_poll_at", "dead") == (NOW, False)


def test_after_a_merge_the_ids_of_the_one_are_ids_of_the_other(store, reader, feed, two):
    (only,) = ids_of(store, feed, "only")
    move(store, feed, SECOND)
    assert ids_of(store, two, "only") == [only]
    assert not known(store, feed, "only")


def test_everyone_follows_the_other_under_their_own_name_for_it(store, reader, feed, two):
    friend = store.users.user("friend", NOW)
    store.reading.subscribe(friend, FIRST, NOW, title="Mine", category="Daily")
    before = shown(store, friend)
    move(store, feed, SECOND)
    (found,) = store.lists.subscriptions(friend)
    assert (found.feed_id, found.title, found.category) == (two, "Mine", "Daily")
    assert shown(store, friend) == before
    (kept,) = store.lists.subscriptions(reader)
    assert (kept.category, kept.feed_id) == ("Other", two)


def known(store: Store, feed: FeedId, name: str) -> bool:
    with store.feeds.ingest() as ingest:
        return bool(ingest.candidates([("guid", f"{feed} {name}")]))


def everything(store: Store) -> object:
    """All that a merge may touch, but for who was told what."""
    with store.database.read() as connection:
        return (
            connection.execute(
                select(
                    states.c.user_id,
                    states.c.article_id,
                    states.c.feed_id,
                    states.c.read,
                    states.c.starred,
                    states.c.rating,
                ).order_by(states.c.user_id, states.c.article_id)
            ).all(),
            connection.execute(
                select(articles.c.id, articles.c.feed_id, articles.c.original_id).order_by(
                    articles.c.id
                )
            ).all(),
        )


def test_a_merge_is_taken_back_whole(store, reader, feed, two):
    friend = store.users.user("friend", NOW)
    store.reading.subscribe(friend, FIRST, NOW, title="Mine", category="Daily")
    mark(store, reader, feed, "both", EventKind.STAR)
    before, lists = everything(store), [shown(store, one) for one in (reader, friend)]
    follow = {user: store.lists.subscriptions(user) for user in (reader, friend)}
    move(store, feed, SECOND)
    assert everything(store) != before
    (made,) = store.feeds.moves(friend)
    assert made.merged_id == two
    assert store.feeds.take_back_move(friend, made.id, NOW)
    for user, found in follow.items():
        kept = store.lists.subscriptions(user)
        assert [(s.feed_id, s.title, s.category, s.unread) for s in kept] == [
            (s.feed_id, s.title, s.category, s.unread) for s in found
        ]
    assert known(store, feed, "only")
    assert not known(store, two, "only")
    assert shown(store, friend) == lists[1]
    # What the reader came to have of the joined article in the other feed stays theirs.
    assert shown(store, reader).keys() == lists[0].keys()
    assert row(store, feed, "url", "next_poll_at", "declined") == (FIRST, NOW, SECOND)


# --- quarantine ---


def document(place: int, size: int = 10) -> HeldDocument:
    return HeldDocument(NOW + place * HOUR, FIRST, "text/xml", bytes(size))


def hold(store: Store, feed: FeedId, *documents: HeldDocument) -> None:
    for one in documents:
        polled(
            store,
            feed,
            hold=one,
            at=one.at,
            state=FeedState.HELD,
            held_because="Another title.",
            outcome=PollOutcome.UNCHANGED,
        )


def test_the_newest_documents_are_kept(store, reader, feed):
    hold(store, feed, *map(document, range(MOST_DOCUMENTS + 5)))
    kept = store.feeds.held(feed)
    assert [one.at for one in kept] == [
        NOW + place * HOUR for place in range(5, MOST_DOCUMENTS + 5)
    ]
    assert health(store, reader, feed).held == MOST_DOCUMENTS
    third = MOST_BYTES // 3 + 1
    hold(store, feed, *(document(place, third) for place in (40, 41, 42)))
    assert [one.at for one in store.feeds.held(feed)] == [NOW + place * HOUR for place in (41, 42)]
    hold(store, feed, document(43, MOST_BYTES + 1))
    assert len(store.feeds.held(feed)) == 1, "the newest stays whatever its size"


def let_in(store: Store, feed: FeedId, *names: str) -> None:
    with store.feeds.letting_in(feed, NOW) as letting:
        judged = [new(article(feed, name)) for name in names]
        found = ParsedFeed("rss 2.0", "Other", "https://other.test/", language="de")
        letting.take_in(found, judged, FeedIdentity(("ann",)), NOW)


def test_what_is_let_in_is_had_and_can_be_taken_out_again(store, reader, feed):
    add(store, feed, "before")
    old = row(store, feed, "title", "site_url", "language", "face")
    hold(store, feed, document(1), document(2))
    let_in(store, feed, "a", "b")
    assert list(shown(store, reader)) == ["Title of b", "Title of a", "Title of before"]
    found = health(store, reader, feed)
    assert (found.state, found.held_at, found.title) == (FeedState.HEALTHY, None, "Other")
    assert found.verdict == Verdict(NOW, same=True)
    mark(store, reader, feed, "a", EventKind.STAR)

    assert store.feeds.take_back_verdict(feed, NOW + HOUR)
    assert list(shown(store, reader)) == ["Title of a", "Title of before"], "the star keeps it"
    found = health(store, reader, feed)
    assert (found.state, found.held_because, found.held) == (FeedState.HELD, "Another title.", 2)
    assert found.held_at == NOW + HOUR, "since it began"
    assert row(store, feed, "title", "site_url", "language", "face") == old
    assert not store.feeds.take_back_verdict(feed, NOW), "there is nothing more to take back"

    let_in(store, feed)
    assert len(shown(store, reader)) == 3, "they are there again"


def test_letting_in_that_fails_changes_nothing(store, reader, feed):
    hold(store, feed, document(1))
    with suppress(ZeroDivisionError), store.feeds.letting_in(feed, NOW) as letting:
        letting.take_in(ParsedFeed("rss 2.0"), [new(article(feed, "a"))], FeedIdentity(), NOW)
        raise ZeroDivisionError
    assert health(store, reader, feed).state is FeedState.HELD
    assert shown(store, reader) == {}


def test_a_feed_kept_out_is_not_due(store, reader, feed):
    hold(store, feed, document(1))
    store.feeds.keep_out(feed, NOW + HOUR)
    found = health(store, reader, feed)
    assert (found.next_poll_at, found.seen, found.state) == (None, True, FeedState.HELD)
    assert found.verdict == Verdict(NOW + HOUR, same=False)
    assert store.feeds.take_back_verdict(feed, NOW + HOUR)
    assert health(store, reader, feed).next_poll_at == NOW + HOUR


def test_what_nobody_follows_any_more_begins_afresh_with_the_next_follower(
    store, reader, feed, subscribe
):
    add(store, feed, "before")
    hold(store, feed, document(1))
    store.reading.unsubscribe(reader, feed)
    subscribe("first")
    (due,) = claim(store, feed)
    assert (due.held, due.identity, due.title) == (False, None, "")
    with store.database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(holds)) == 0


def test_a_feed_that_others_follow_stays_in_quarantine(store, reader, feed, subscribe):
    hold(store, feed, document(1))
    subscribe("first", user=store.users.user("friend", NOW))
    assert claim(store, feed)[0].held


def test_dates_are_in_utc_to_the_microsecond(store, reader, feed):
    at = NOW + timedelta(microseconds=7)
    polled(store, feed, at=at)
    assert store.feeds.past_polls(reader, feed)[0].at == at
