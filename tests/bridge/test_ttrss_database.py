"""Tiny Tiny RSS's database: what is read of it, whose it is, and how gently it is written to."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

import tiny
from bridge.ranking import HALF_LIVES
from bridge.rows import NOW, THERE, Rows, listed, place, sync, synchroniser, user
from newsloom.articles.store.reader_tables import events
from newsloom.bridges.ttrss import restore_titles
from newsloom.bridges.ttrss.check import role_sql
from newsloom.reading.values.reading import ListQuery
from newsloom.store import Store, open_store
from tiny import Cluster

pytestmark = pytest.mark.ttrss

AGO = THERE - timedelta(hours=1, microseconds=-7)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    if tiny.missing():
        pytest.skip(tiny.missing())
    with tiny.postgres() as one:
        one.sql("empty", role_sql(titles=True, sensitivity=True))
        yield one


@pytest.fixture
def rows(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[Rows]:
    name = f"rows_{abs(hash(request.node.name))}"
    cluster.make(name, "empty")
    yield Rows(cluster, name)
    cluster.drop(name)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    one = open_store(place(tmp_path), now=lambda: NOW)
    yield one
    one.close()


@pytest.fixture
def ann(rows: Rows) -> int:
    return rows.user("ann")


def told(store: Store, login: str) -> list[str]:
    with store.database.read() as connection:
        query = events.select().where(events.c.user_id == user(store, login)).order_by(events.c.id)
        return [row.kind for row in connection.execute(query)]


READS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "read-one-by-one": ({"unread": False, "last_read": AGO}, ["finished"]),
    "nobody-knows-when": ({"unread": False}, ["bulk read"]),
    "by-a-filter": (
        {"unread": False, "last_read": THERE.replace(hour=10, minute=1)},
        ["bulk read"],
    ),
    "on-the-minute-later": ({"unread": False, "last_read": THERE.replace(minute=0)}, ["finished"]),
    "published": ({"published": True, "last_published": AGO}, ["dislike"]),
    "read-and-published": (
        {"unread": False, "last_read": AGO, "published": True, "last_published": AGO},
        ["read", "dislike"],
    ),
    "starred": ({"marked": True, "last_marked": AGO}, ["star"]),
    "read-too-long-ago": ({"unread": False, "last_read": AGO - timedelta(days=366)}, []),
}


@pytest.mark.parametrize(("marks", "expected"), READS.values(), ids=READS)
def test_marks_are_labels(
    rows: Rows, store: Store, ann: int, marks: dict[str, Any], expected: list[str]
) -> None:
    feed = rows.feed(ann, "A feed")
    old = THERE - timedelta(days=400) if not expected else THERE - timedelta(hours=2)
    rows.give(ann, feed, rows.entry("Story 40", date_entered=old), **marks)
    for _ in range(2):
        sync(store, rows.settings(), "ann")
    assert told(store, "ann") == expected


@pytest.mark.parametrize(("count", "expected"), [(2, "finished"), (3, "bulk read")])
def test_marked_by_one_statement_is_marked_in_bulk(
    rows: Rows, store: Store, ann: int, count: int, expected: str
) -> None:
    feed = rows.feed(ann, "A feed")
    for number in range(count):
        entry = rows.entry(f"Story {number}")
        rows.give(ann, feed, entry, unread=False, last_read=AGO)
    sync(store, rows.settings(), "ann")
    assert told(store, "ann") == [expected] * count


def test_a_mark_may_come_and_go(rows: Rows, store: Store, ann: int) -> None:
    key = rows.give(ann, rows.feed(ann, "A feed"), rows.entry("Story 40"))
    sync(store, rows.settings(), "ann")
    steps = (
        "unread = false, last_read = now()",
        "unread = true",  # it keeps no time of that
        "marked = true, last_marked = now()",
        "marked = false, last_marked = now()",
        "published = true, last_published = now()",
        "published = false, last_published = now()",
    )
    for step in steps:
        rows.sql(f"UPDATE ttrss_user_entries SET {step} WHERE int_id = %s", key)
        sync(store, rows.settings(), "ann")
    assert told(store, "ann") == ["finished", "unread", "star", "unstar", "dislike", "unrate"]
    assert listed(store, "ann") == ["Story 40"]


def test_all_that_an_article_is_comes_along(rows: Rows, store: Store, ann: int) -> None:
    world = rows.category(ann, "World")
    feed = rows.feed(ann, "A feed", rows.category(ann, "Asia", world))
    entry = rows.entry("Story 40", author="A. Writer", lang="en", comments="https://x.org/talk")
    key = rows.give(ann, feed, entry)
    bob = rows.user("bob")
    for owner, caption in ((ann, "to keep"), (bob, "of another")):
        label = rows.sql(
            "INSERT INTO ttrss_labels2 (owner_uid, caption) VALUES (%s, %s) RETURNING id",
            owner,
            caption,
        )[0][0]
        rows.sql("INSERT INTO ttrss_user_labels2 VALUES (%s, %s)", label, entry)
    rows.sql(
        "INSERT INTO ttrss_tags (tag_name, owner_uid, post_int_id) VALUES ('tag', %s, %s)", ann, key
    )
    rows.sql(
        "INSERT INTO ttrss_enclosures (content_url, content_type, title, duration, post_id)"
        " VALUES ('https://x.org/a b.mp3', 'audio/mpeg', '', '', %s)",
        entry,
    )
    sync(store, rows.settings(), "ann")
    (one,) = store.lists.page(user(store, "ann"), ListQuery(), NOW, HALF_LIVES)
    full = store.reading.article(user(store, "ann"), one.id, NOW, HALF_LIVES)
    assert full is not None
    assert (one.title, one.author, one.language, one.source) == (
        "Story 40",
        "A. Writer",
        "en",
        "x.org",
    )
    assert one.dated == NOW - timedelta(hours=3)
    assert full.categories == ("to keep", "tag")
    assert full.comments_url == "https://x.org/talk"
    assert [(e.url, e.type) for e in full.enclosures] == [("https://x.org/a b.mp3", "audio/mpeg")]
    assert "what happened" in full.html
    (followed,) = store.lists.subscriptions(user(store, "ann"))
    assert (followed.title, followed.category) == ("A feed", "World / Asia")


def test_archived_articles_and_rings_of_categories(rows: Rows, store: Store, ann: int) -> None:
    ring = rows.category(ann, "One")
    other = rows.category(ann, "Two", ring)
    rows.sql("UPDATE ttrss_feed_categories SET parent_cat = %s WHERE id = %s", other, ring)
    rows.feed(ann, "A feed", ring)
    rows.give(ann, None, rows.entry("Kept 40"), marked=True, last_marked=AGO)
    sync(store, rows.settings(), "ann")
    assert listed(store, "ann") == rows.shown(ann) == ["Kept 40"]
    feeds = {one.title: one.category for one in store.lists.subscriptions(user(store, "ann"))}
    assert feeds == {"A feed": "Two / One", "Archived articles": ""}


def test_only_the_owners_unread_are_written_by_their_own_number(
    rows: Rows, store: Store, ann: int
) -> None:
    """An entry's id and a user's int_id of it are two numbers: here each is another's."""
    bob = rows.user("bob")
    feed, his = rows.feed(ann, "A feed"), rows.feed(bob, "His feed")
    shared = [rows.entry(f"Shared {worth}") for worth in (10, 90)]
    rows.give(bob, his, shared[1])
    rows.give(bob, his, shared[0], unread=False, last_read=AGO, score=-7)
    rows.give(ann, feed, shared[0])
    rows.give(ann, feed, shared[1])
    rows.give(ann, feed, rows.entry("Read 99"), unread=False, last_read=AGO, score=-8)
    settings = rows.settings(users=("ann",), mark_titles=True)
    sync(store, settings, "ann")
    assert rows.shown(ann) == listed(store, "ann") == ["Shared 90", "Shared 10"]
    assert set(rows.scores(bob).values()) == {0}
    held = rows.sql("SELECT score FROM ttrss_user_entries WHERE NOT unread ORDER BY int_id")
    assert held == [(-7,), (-8,)]
    # A title that two users see is not marked with what one of them thinks.
    assert rows.sql("SELECT count(*) FROM ttrss_entries WHERE title LIKE '[%'") == [(0,)]


@contextmanager
def session(rows: Rows) -> Iterator[psycopg.Connection]:
    """Tiny Tiny RSS at work: a transaction of its own."""
    with psycopg.connect(rows.cluster.address(rows.name)) as connection:
        yield connection
        connection.rollback()


def test_a_row_in_use_is_passed_over_and_told_later(rows: Rows, store: Store, ann: int) -> None:
    rows.many(ann, rows.feed(ann, "A feed"), 500)
    with session(rows) as busy:
        busy.execute("UPDATE ttrss_user_entries SET note = 'mine' WHERE int_id IN (7, 8, 250)")
        report = sync(store, rows.settings(), "ann")
        assert (report.written, report.waiting, report.problem) == (497, 3, "")
    later = NOW + timedelta(minutes=3)
    report = sync(store, rows.settings(), "ann", later)
    assert report.waiting == 0
    assert rows.shown(ann) == listed(store, "ann", later)


def test_a_whole_table_in_use_costs_nothing_but_time(rows: Rows, store: Store, ann: int) -> None:
    rows.many(ann, rows.feed(ann, "A feed"), 500)
    with session(rows) as busy:
        busy.execute("LOCK TABLE ttrss_user_entries IN SHARE ROW EXCLUSIVE MODE")
        report = sync(store, rows.settings(), "ann")
        assert (report.written, report.waiting) == (0, 500)
    later = NOW + timedelta(minutes=3)
    assert sync(store, rows.settings(), "ann", later).waiting == 0
    assert rows.shown(ann) == listed(store, "ann", later)


TROUBLE = {
    "read-only": (
        "ALTER ROLE newsloom SET default_transaction_read_only = on",
        "ALTER ROLE newsloom RESET default_transaction_read_only",
        "its database is read-only",
    ),
    "another-schema": (
        "ALTER TABLE ttrss_user_entries RENAME last_read TO read_at",
        "ALTER TABLE ttrss_user_entries RENAME read_at TO last_read",
        "not those of a known version of Tiny Tiny RSS",
    ),
    "no-right-to-write": (
        "REVOKE UPDATE (score) ON ttrss_user_entries FROM newsloom",
        "GRANT UPDATE (score) ON ttrss_user_entries TO newsloom",
        "see `newsloom ttrss check`",
    ),
    "no-right-to-enter": (
        "ALTER ROLE newsloom NOLOGIN",
        "ALTER ROLE newsloom LOGIN",
        "does not respond",
    ),
    "a-failing-trigger": (
        "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS"
        " $$BEGIN RAISE 'not today'; END$$;"
        " CREATE TRIGGER no BEFORE UPDATE ON ttrss_user_entries EXECUTE FUNCTION no()",
        "DROP TRIGGER no ON ttrss_user_entries",
        "reported an error (not today)",
    ),
}


@pytest.mark.parametrize(("make", "mend", "words"), TROUBLE.values(), ids=TROUBLE)
def test_trouble_loses_nothing(
    rows: Rows, store: Store, ann: int, make: str, mend: str, words: str
) -> None:
    feed = rows.feed(ann, "A feed")
    rows.many(ann, feed, 40)
    sync(store, rows.settings(), "ann")
    rows.many(ann, feed, 40, first=41)
    rows.sql(
        "UPDATE ttrss_user_entries SET published = true, last_published = now() WHERE int_id = 3"
    )
    one = synchroniser(store, rows.settings())
    rows.sql(make)
    report = one.sync()
    one.remote.close()
    assert words in (report.problem or next(a for a in report.accounts if a.login == "ann").problem)
    assert "secret" not in str(report)
    rows.sql(mend)
    assert sync(store, rows.settings(), "ann").waiting == 0
    assert told(store, "ann") == ["dislike"]
    assert len(listed(store, "ann")) == 80
    assert rows.shown(ann) == listed(store, "ann")


def test_a_write_that_takes_too_long_is_given_up(rows: Rows, store: Store, ann: int) -> None:
    rows.many(ann, rows.feed(ann, "A feed"), 30)
    rows.sql(
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
        " $$BEGIN PERFORM pg_sleep(CASE WHEN NEW.int_id = 5 THEN 9 ELSE 0 END); RETURN NEW; END$$;"
        " CREATE TRIGGER slow BEFORE UPDATE ON ttrss_user_entries FOR EACH ROW"
        " EXECUTE FUNCTION slow()"
    )
    report = sync(store, rows.settings(), "ann")
    assert (report.written, report.waiting) == (29, 1)
    assert rows.scores(ann)[5] == 0


def test_time_that_passes_rewrites_little(rows: Rows, store: Store, ann: int) -> None:
    rows.many(ann, rows.feed(ann, "A feed"), 400)
    sync(store, rows.settings(), "ann")
    written = []
    for minutes in range(30, 181, 30):
        later = NOW + timedelta(minutes=minutes)
        written.append(sync(store, rows.settings(), "ann", later).written)
        assert rows.shown(ann) == listed(store, "ann", later)
    assert max(written) == 0, "three hours of a half-life of a month are less than half a point"
    later = NOW + timedelta(days=30)
    assert sync(store, rows.settings(), "ann", later).written > 300
    assert rows.shown(ann) == listed(store, "ann", later)


def test_titles_are_marked_and_restored_exactly(rows: Rows, store: Store, ann: int) -> None:
    feed = rows.feed(ann, "A feed")
    written = [
        "[2024] in review 40",
        "[85] title (TS: 4)",
        "Plain 30",
        "  spaces  ",
        "% _ \\ 20",
    ]
    for number, title in enumerate(written):
        rows.give(ann, feed, rows.entry(title, guid=str(number)))
    settings = rows.settings(mark_titles=True)
    sync(store, settings, "ann")
    assert sync(store, settings, "ann").entries == 0  # marks are no change of the text
    titles = "SELECT title FROM ttrss_entries ORDER BY id"
    assert [title for (title,) in rows.sql(titles)] == [
        "[40]\u2063 [2024] in review 40\u2063 (TS: 3)",
        "[50]\u2063 [85] title (TS: 4)\u2063 (TS: 3)",
        "[30]\u2063 Plain 30\u2063 (TS: 3)",
        "[50]\u2063   spaces  \u2063 (TS: 3)",
        "[20]\u2063 % _ \\ 20\u2063 (TS: 3)",
    ]
    assert restore_titles(settings) == len(written)
    assert [title for (title,) in rows.sql(titles)] == written


def test_an_old_backlog_is_read_once(rows: Rows, store: Store, ann: int) -> None:
    """Unread articles of any age are ranked; read ones of the days set are labels."""
    feed = rows.feed(ann, "A feed")
    ages = {1: "unread", 200: "unread", 4000: "unread", 10: "read", 500: "read"}
    for days, state in ages.items():
        dated: datetime = THERE - timedelta(days=days, hours=1, microseconds=3)
        entry = rows.entry(f"{days} days, worth 60", date_entered=dated, updated=dated)
        read = {"unread": False, "last_read": dated + timedelta(hours=2)} if state == "read" else {}
        rows.give(ann, feed, entry, **read)
    report = sync(store, rows.settings(days=90), "ann")
    assert (report.new, report.unread, dict(report.marks)) == (4, 3, {"finished": 1})
    assert rows.shown(ann) == [f"{days} days, worth 60" for days in (1, 200, 4000)]


def test_serve_keeps_it_in_step(rows: Rows, ann: int, tmp_path: Path) -> None:
    rows.many(ann, rows.feed(ann, "A feed"), 12)
    serving = subprocess.Popen(
        [sys.executable, "-m", "newsloom", "serve", "--port", "0"],
        env={
            **os.environ,
            "NEWSLOOM_STORE_PATH": str(place(tmp_path)),
            "NEWSLOOM_TTRSS_DATABASE": rows.settings().database,
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        give_up = time.monotonic() + 60
        while 0 in rows.scores(ann).values() and time.monotonic() < give_up:
            time.sleep(0.2)
    finally:
        serving.terminate()
        _, said = serving.communicate(timeout=30)
    assert serving.returncode == 0, said
    assert len({score for score in rows.scores(ann).values() if score > 0}) == 12
    with closing(open_store(place(tmp_path), now=lambda: NOW)) as store:
        (account,) = (
            one for one in store.bridges.bridge_accounts("ttrss") if one.remote.login == "ann"
        )
        assert account.problem == ""
        assert account.synced is not None


@pytest.mark.parametrize("dated", ["0044-03-15 BC", "-infinity", "infinity", "9999-12-31"])
def test_dates_that_cannot_be_stop_nothing(rows: Rows, store: Store, ann: int, dated: str) -> None:
    feed = rows.feed(ann, "A feed")
    rows.give(ann, feed, rows.entry("Story 40", updated=dated, date_entered=dated))
    rows.give(ann, feed, rows.entry("Story 30", updated=dated))
    (report, again) = (sync(store, rows.settings(), "ann") for _ in range(2))
    assert (report.new, again.entries) == (2, 0)
    assert rows.shown(ann) == listed(store, "ann")
