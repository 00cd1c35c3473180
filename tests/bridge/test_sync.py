"""Both ways over a bridge, with the other program in memory and a real store."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bridge.conftest import World
from bridge.ranking import HALF_LIVES
from newsloom.accounts.store.tables import users
from newsloom.articles.store.reader_tables import events
from newsloom.bridges.plan import Mapped
from newsloom.kernel.ids import UserId
from newsloom.reading.values.reading import EventKind, ListQuery

HALF_HOUR = timedelta(minutes=30)
SOON = datetime(2026, 11, 2, 11, tzinfo=UTC)


def user(world: World, login: str) -> UserId:
    return next(one for one, name in world.store.users.users() if name == f"test/{login}")


def told(world: World, login: str = "ann") -> list[tuple[str, str]]:
    """The label events of a reader: kind, and the title they are about."""
    with world.store.database.read() as connection:
        rows = connection.execute(
            events.select().where(events.c.user_id == user(world, login)).order_by(events.c.id)
        ).all()
    titles = {
        one.id: one.title for one in world.store.articles.texts([row.article_id for row in rows])
    }
    assert {row.via for row in rows} <= {"test"}
    return [(row.kind, titles[row.article_id]) for row in rows]


def listed(world: World, login: str = "ann") -> list[str]:
    page = world.store.lists.page(
        user(world, login), ListQuery(limit=1000), world.now(), HALF_LIVES
    )
    return [one.title for one in page]


def there(world: World, login: str = "ann") -> list[str]:
    """The titles of the unread there, best first."""
    entries = world.program.readers[login].entries
    return [entries[key].article.title for key in world.program.order(login)]


def some(world: World, login: str = "ann", count: int = 8) -> None:
    for key in range(1, count + 1):
        world.program.publish(login, key, f"Story number {key * 37 % 100}")


def test_the_unread_come_back_in_the_order_of_the_list(world: World) -> None:
    some(world)
    report = world.synchroniser().sync()
    (ann,) = report.accounts
    assert (ann.login, ann.user, ann.new, ann.unread) == ("ann", "test/ann", 8, 8)
    assert (ann.written, ann.waiting, ann.problem) == (8, 0, "")
    assert there(world) == listed(world)
    assert len(listed(world)) == 8


def test_a_second_run_does_nothing(world: World) -> None:
    some(world)
    world.program.label("ann", 3, read=True, read_at=SOON)
    world.synchroniser().sync()
    before = told(world), list(world.program.pulled)
    world.program.told.clear()
    (ann,) = world.synchroniser().sync().accounts
    assert (ann.entries, ann.written, dict(ann.marks)) == (0, 0, {})
    assert (told(world), world.program.pulled, world.program.told) == (*before, [])


def test_feeds_keep_their_titles_and_categories_and_are_never_polled(world: World) -> None:
    some(world)
    world.synchroniser().sync()
    world.program.readers["ann"].feeds["1"] = replace(
        world.program.readers["ann"].feeds["1"], title="Renamed", category="World / Europe"
    )
    world.synchroniser().sync()
    (feed,) = world.store.lists.subscriptions(user(world, "ann"))
    assert (feed.title, feed.category, feed.articles) == ("Renamed", "World / Europe", 8)
    assert feed.next_poll_at is None
    assert not feed.dead
    assert world.store.feeds.next_due() is None
    claimed = world.store.feeds.claim_due(
        world.now(), owner="x", lease_for=timedelta(hours=1), limit=9, feeds=[feed.feed_id]
    )
    assert claimed == ()


def test_a_feed_that_is_left_takes_its_unread_along(world: World) -> None:
    some(world)
    world.program.publish("ann", 50, "Elsewhere 70", feed="2")
    world.program.label("ann", 2, starred=True, starred_at=SOON)
    world.synchroniser().sync()
    del world.program.readers["ann"].feeds["1"]
    for key in range(1, 9):
        world.program.drop("ann", key)
    world.synchroniser().sync()
    assert [one.title for one in world.store.lists.subscriptions(user(world, "ann"))] == ["Feed 2"]
    assert listed(world) == ["Story number 74", "Elsewhere 70"]  # the starred one stays
    assert there(world) == ["Elsewhere 70"]


READ = {"read": True, "read_at": SOON}


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        pytest.param(READ, ["finished"], id="read"),
        pytest.param({**READ, "in_bulk": True}, ["bulk read"], id="read-in-bulk"),
        pytest.param({"disliked": True}, ["dislike"], id="disliked-unread"),
        pytest.param({**READ, "disliked": True}, ["read", "dislike"], id="read-and-disliked"),
        pytest.param({"starred": True}, ["star"], id="starred-unread"),
        pytest.param({**READ, "starred": True}, ["finished", "star"], id="read-and-starred"),
    ],
)
def test_marks_there_become_label_events_once(
    world: World, marks: dict[str, object], expected: list[str]
) -> None:
    world.program.publish("ann", 1, "Story 40")
    world.program.label("ann", 1, **marks)
    for _ in range(3):
        world.synchroniser().sync()
    assert [kind for kind, _title in told(world)] == expected


def test_a_mark_taken_back_there_is_taken_back_here(world: World) -> None:
    world.program.publish("ann", 1, "Story 40")
    world.program.label("ann", 1, **READ, starred=True, disliked=True)
    world.synchroniser().sync()
    world.later(minutes=30)
    world.program.label("ann", 1, read=False, starred=False, disliked=False)
    world.synchroniser().sync()
    kinds = [kind for kind, _title in told(world)]
    assert sorted(kinds[:3]) == ["dislike", "read", "star"]
    assert sorted(kinds[3:]) == ["unrate", "unread", "unstar"]
    assert world.store.models.labels(user(world, "ann")) == ()
    assert listed(world) == ["Story 40"]


def test_what_was_said_here_stands(world: World) -> None:
    world.program.publish("ann", 1, "Story 40")
    world.program.label("ann", 1, disliked=True, starred=True)
    world.synchroniser().sync()
    ann = user(world, "ann")
    (article,) = world.store.lists.page(ann, ListQuery(), world.now(), HALF_LIVES)
    world.store.reading.mark(ann, [article.id], EventKind.LIKE, world.now(), "test")
    world.store.reading.mark(ann, [article.id], EventKind.UNSTAR, world.now(), "test")
    world.later(minutes=30)
    world.program.label("ann", 1, disliked=False, starred=False)
    world.synchroniser().sync()
    (after,) = world.store.lists.page(ann, ListQuery(unread_only=False), world.now(), HALF_LIVES)
    assert (after.state.rating, after.state.starred) == (1, False)


def test_nothing_counts_that_is_not_mapped(world: World) -> None:
    world.program.publish("ann", 1, "Story 40")
    world.program.label("ann", 1, **READ, starred=True, disliked=True)
    world.synchroniser(Mapped(read=False, rated=False, starred=False)).sync()
    assert told(world) == [("read", "Story 40")]


def test_nothing_of_one_reader_reaches_another(world: World) -> None:
    """The same private feed's article, fuller for one of them, stays two articles."""
    world.program.publish("ann", 1, "The same 40", text="secret " * 80, url="https://x.org/same")
    world.program.publish("bob", 2, "The same 40", text="short", url="https://x.org/same")
    world.program.label("ann", 1, disliked=True)
    (ann, bob) = world.synchroniser().sync().accounts
    assert (ann.new, bob.new, bob.duplicates) == (1, 1, 0)
    assert told(world, "bob") == []
    assert there(world, "bob") == listed(world, "bob") == ["The same 40"]
    (article,) = world.store.lists.page(user(world, "bob"), ListQuery(), world.now(), HALF_LIVES)
    full = world.store.reading.article(user(world, "bob"), article.id, world.now(), HALF_LIVES)
    assert full is not None
    assert "secret" not in full.html
    assert full.copies == ()


def test_duplicates_among_a_readers_feeds_are_one_article_and_stand_together(world: World) -> None:
    world.program.publish("ann", 1, "Once 90", url="https://x.org/once")
    world.program.publish("ann", 2, "Between 50")
    world.program.publish("ann", 3, "Once 90", feed="2", url="https://x.org/once")
    (ann,) = world.synchroniser().sync().accounts
    assert (ann.new, ann.duplicates) == (2, 1)
    assert listed(world) == ["Once 90", "Between 50"]
    assert set(world.program.order("ann")[:2]) == {1, 3}


def test_the_same_text_twice_in_a_feed_is_ranked_twice_and_listed_once(world: World) -> None:
    world.program.publish("ann", 1, "Twice 90", url="https://x.org/twice")
    world.program.publish("ann", 2, "Twice 90", url="https://x.org/twice")
    world.synchroniser().sync()
    assert listed(world) == ["Twice 90"]
    assert world.program.order("ann") == [1, 2]
    world.synchroniser().sync()
    assert sorted(world.program.pulled) == [1, 2]  # neither is asked for again


def test_a_changed_text_is_a_revision(world: World) -> None:
    world.program.publish("ann", 1, "Story 40", text="First words of it.")
    world.synchroniser().sync()
    world.program.publish("ann", 1, "Story 95", text="Quite other words, and more of them.")
    (ann,) = world.synchroniser().sync().accounts
    assert (ann.entries, ann.new, ann.revised) == (1, 0, 1)
    assert listed(world) == ["Story 95"]


def test_what_is_gone_there_is_forgotten_and_its_label_kept(world: World) -> None:
    some(world)
    world.program.label("ann", 1, disliked=True)
    world.synchroniser().sync()
    world.program.drop("ann", 1)
    (ann,) = world.synchroniser().sync().accounts
    assert (ann.gone, ann.unread) == (1, 7)
    assert [one.positive for one in world.store.models.labels(user(world, "ann"))] == [False]


def test_a_score_that_was_reset_there_is_written_again(world: World) -> None:
    some(world)
    world.synchroniser().sync()
    world.program.readers["ann"].scores[4] = "0"
    (ann,) = world.synchroniser().sync().accounts
    assert ann.written == 1
    assert there(world) == listed(world)


@pytest.mark.parametrize("method", ["accounts", "feeds", "pull", "push"])
def test_a_dead_program_loses_nothing_and_is_tried_again(world: World, method: str) -> None:
    some(world)
    world.synchroniser().sync()
    world.program.publish("ann", 9, "Better than all 99")
    world.program.label("ann", 1, disliked=True)
    world.program.fails[method] = "it is not there"
    for _ in range(3):
        report = world.synchroniser().sync()
        problem = report.problem or report.accounts[0].problem
        assert problem == "it is not there"
    (account,) = world.store.bridges.bridge_accounts("test")
    assert account.failures == 3
    assert account.next_try is not None
    assert account.next_try - world.now() == timedelta(minutes=4)
    assert world.synchroniser().sync(every=HALF_HOUR).accounts == ()
    world.program.fails.clear()
    world.later(minutes=5)
    world.synchroniser().sync(every=HALF_HOUR)
    assert there(world) == listed(world)
    assert there(world)[0] == "Better than all 99"
    assert [kind for kind, _title in told(world)] == ["dislike"]
    (account,) = world.store.bridges.bridge_accounts("test")
    assert (account.failures, account.next_try, account.problem) == (0, None, "")


def test_a_locked_entry_waits_alone(world: World) -> None:
    some(world)
    world.program.locked = {3}
    (ann,) = world.synchroniser().sync().accounts
    assert (ann.written, ann.waiting) == (7, 1)
    (ann,) = world.synchroniser().sync().accounts
    assert (ann.written, ann.waiting) == (0, 1)  # not before its time
    world.program.locked = set()
    world.later(minutes=2)
    (ann,) = world.synchroniser().sync().accounts
    assert ann.waiting == 0
    assert there(world) == listed(world)


def test_a_write_to_what_has_gone_since_is_dropped(world: World) -> None:
    some(world)
    rank = world.rank

    def gone_meanwhile() -> None:
        rank()
        world.program.drop("ann", 5)

    (ann,) = replace(world.synchroniser(), rank=gone_meanwhile).sync().accounts
    assert (ann.written, ann.waiting) == (7, 0)


def test_a_feed_followed_between_two_questions_is_not_lost(world: World) -> None:
    some(world, count=4)
    feeds = world.program.feeds
    world.program.feeds = (
        lambda account: (  # type: ignore[method-assign]
            feeds(account)[:0] if not world.program.pulled else feeds(account)
        )
    )
    (ann,) = world.synchroniser().sync().accounts
    assert (ann.new, ann.unread) == (4, 4)


def test_a_look_changes_nothing_and_says_what_would_be(world: World) -> None:
    some(world)
    world.program.label("ann", 1, disliked=True)
    (ann,) = world.synchroniser().look().accounts
    assert (ann.new, dict(ann.marks), ann.written) == (8, {"dislike": 1}, 0)
    with world.store.database.read() as connection:
        assert connection.execute(users.select()).all() == []
    assert world.program.told == []
    world.synchroniser().sync()
    world.program.readers["ann"].scores[4] = "0"
    (ann,) = world.synchroniser().look().accounts
    assert (ann.new, dict(ann.marks), ann.waiting, ann.unread) == (0, {}, 0, 8)


def test_a_reader_is_synchronised_again_when_the_time_has_come(world: World) -> None:
    some(world, "ann")
    sync = world.synchroniser().sync
    assert len(sync(every=HALF_HOUR).accounts) == 1
    some(world, "bob")
    world.later(minutes=29)
    assert sync(every=HALF_HOUR).accounts == ()  # who is new there is met with the others
    world.later(minutes=1)
    assert [one.login for one in sync(every=HALF_HOUR).accounts] == ["ann", "bob"]
    world.later(minutes=1)
    assert sync(every=HALF_HOUR).accounts == ()


def test_two_at_once_double_nothing(world: World) -> None:
    """`serve` and cron: one runs whole between the pages of the other."""
    some(world)
    for key in (1, 4, 7):
        world.program.label("ann", key, read=True, starred=True, read_at=SOON, starred_at=SOON)
    left = iter(range(2))

    def other() -> None:
        if next(left, None) is not None:
            world.synchroniser().sync()

    world.program.meanwhile = other
    world.synchroniser().sync()
    assert sorted(told(world)) == sorted(
        (kind, f"Story number {key * 37 % 100}")
        for key in (1, 4, 7)
        for kind in ("finished", "star")
    )
    assert len(listed(world)) == 5
    assert there(world) == listed(world)


def test_an_entry_that_cannot_be_stored_stops_no_other(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    some(world)
    world.program.publish("ann", 5, "Half a character \ud800")
    world.program.label("ann", 6, disliked=True)
    (ann,) = world.synchroniser().sync().accounts
    assert (ann.new, ann.unread, ann.problem) == (7, 7, "")
    assert "entry 5 was left out" in caplog.text
    assert [kind for kind, _title in told(world)] == ["dislike"]
