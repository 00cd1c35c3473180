"""The schema: one step makes it, an old store gets it too, and a kill leaves one or the other."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing

import pytest
from sqlalchemy import inspect

from newsloom.kernel.db.drivers import choose
from newsloom.kernel.db.engine import LIMITS, PATIENCE, SqliteDatabase
from newsloom.kernel.db.postgres_engine import PostgresDatabase
from newsloom.kernel.errors import StoreError
from newsloom.reading.values.reading import ListQuery, Rows
from newsloom.reading.values.syncing import StreamQuery
from newsloom.store.migrations import HEAD, current
from newsloom.store.tables import metadata

from .builders import HALF_LIVES, HOUR, NOW, TEXT, add, pending_texts
from .conftest import PROCESS, Backend
from .old_store import described, old_store
from .searching import ids, search
from .test_crash import assert_searchable

pytestmark = pytest.mark.each_sqlite


@pytest.fixture
def old(backend, tmp_path):
    return old_store(backend, tmp_path / "old.db")


def database(backend, path):
    """A database as it is: nothing is upgraded."""
    if isinstance(backend, Backend):
        return SqliteDatabase(path, choose(backend.driver), backend.journal, PATIENCE)
    return PostgresDatabase(backend.address(path), PATIENCE, LIMITS)


def schema(store):
    with store.database.read() as connection:
        return described(connection)


def test_an_old_store_gets_the_schema_of_a_new_one(backend, old, tmp_path):
    with closing(backend.open(old)) as upgraded, closing(backend.open(tmp_path / "n.db")) as new:
        assert upgraded.check() == ()
        assert upgraded.schema() == new.schema() == HEAD
        made, wanted = schema(upgraded), schema(new)
    assert (made - wanted, wanted - made) == (set(), set())


def test_indexes_of_states_are_made_in_the_same_order(sqlite, tmp_path):
    """Of two indexes that cost the same SQLite takes the one that was made last."""
    made = []
    for path in (old_store(sqlite, tmp_path / "old.db"), tmp_path / "new.db"):
        with closing(sqlite.open(path)) as store, store.database.read() as connection:
            named = "SELECT name FROM sqlite_master WHERE tbl_name = 'states' AND type = 'index'"
            made.append([name for (name,) in connection.exec_driver_sql(f"{named} ORDER BY rowid")])
    assert made[0] == made[1]


# What each row of these is about is tested below.
REWRITTEN = {
    "articles",
    "article_notes",
    "article_tags",
    "events",
    "states",
    "texts",
}


def test_an_old_store_keeps_its_rows(backend, old):
    """What its readers did, made and had made is there, and as it was."""
    with closing(database(backend, old)) as opened:
        before = rows(opened)
    with closing(backend.open(old)) as store:
        after = rows(store.database, before)
    # Parents of stories became threads: the one column of another name is told below.
    assert {name for name in before if before[name] != after[name]} == REWRITTEN | {"stories"}
    filled = {name for name, (_columns, found) in before.items() if found}
    for feature in ("accounts app_passwords", "digests digest_schedules", "briefs brief_schedules",
        "stories story_members story_readers", "rules rule_effects muted_articles", "interests",
        "article_notes article_tags highlights", "embeddings importances polls"):  # fmt: skip
        assert set(feature.split()) <= filled


def test_parents_of_an_old_store_become_threads(backend, old):
    with closing(database(backend, old)) as opened, opened.write() as connection:
        connection.exec_driver_sql(
            "INSERT INTO story_parents (id, title, made_at, latest) VALUES (7, 'Old', 1, 1)"
        )
        connection.exec_driver_sql("UPDATE stories SET parent_id = 7")
        connection.exec_driver_sql("UPDATE stories SET title = title")
        many = connection.exec_driver_sql("SELECT COUNT(*) FROM stories").scalar()
    with closing(backend.open(old)) as store:
        head = store.stories.thread(7)
        assert head is not None
        assert len(store.stories.thread_stories([7], 100)[7]) == head.size <= many
        assert head.began < head.latest


def rows(opened, columns=None):
    """Of each table the columns, those named or all, and the rows."""
    found = {}
    with opened.read() as connection:
        there = set(inspect(connection).get_table_names())
        for name in columns or metadata.tables:
            if name not in there:
                continue
            held = connection.exec_driver_sql(f"SELECT * FROM {name} LIMIT 0").keys()
            chosen = ", ".join(one for one in columns[name][0] if one in held) if columns else "*"
            result = connection.exec_driver_sql(f"SELECT {chosen} FROM {name}")
            found[name] = tuple(result.keys()), sorted(map(repr, result))
    return found


def test_a_copy_in_another_feed_becomes_an_article_of_its_own(backend, old):
    """Its readers keep what they marked and wrote, and each feed's readers see its own text."""
    with closing(backend.open(old)) as store:
        reader, ben, both = (store.users.user(name, NOW) for name in ("reader", "ben", "both"))
        ((original, *_),) = [one for one in listed(store, both) if one[2]]
        (copy,) = {one for one, *_ in listed(store, ben)}
        assert original < copy
        assert (original, "alpha", False, 0) in listed(store, reader)
        assert listed(store, ben) == {(copy, "delta", False, 1)}
        assert {(original, "alpha", True, 0), (copy, "delta", False, 0)} <= listed(store, both)
        assert store.annotations.note(ben, copy).text == "Ben's note."
        assert store.annotations.note(ben, original) is None
        assert [one.article.id for one in store.models.labels(ben)] == [copy]
        full = store.reading.article(reader, original, NOW, HALF_LIVES)
        assert "student opened it by mistake" not in full.html
        assert not search(store, reader, "supervisor").rows  # a word of the copy
        assert original in {one.id for one in pending_texts(store, TEXT, 9)}


def listed(store, user):
    query = ListQuery(unread_only=False, rows=Rows.ARTICLE)
    found = store.lists.page(user, query, NOW, HALF_LIVES)
    return {(one.id, one.feed_title, one.state.starred, one.state.rating) for one in found}


def test_numbers_that_apps_hold_go_on_naming_the_same_articles(backend, old):
    """Fever gave articles' own numbers before there were arrivals; new ones are above them all."""
    with closing(backend.open(old)) as store:
        reader, ben = store.users.user("reader", NOW), store.users.user("ben", NOW)
        held = sorted(one for one, *_ in listed(store, reader))
        assert store.syncing.arrived(reader, held) == dict(zip(held, held, strict=True))
        (last, *_) = store.syncing.stream(reader, StreamQuery(limit=1)).refs
        assert last.arrival == held[-1]
        (delta,) = (one.url for one in store.lists.subscriptions(ben) if one.title == "delta")
        store.reading.subscribe(reader, delta, last.came + HOUR)
        new = store.syncing.stream(reader, StreamQuery(after=last.arrival, oldest_first=True)).refs
        assert {one.came for one in new} == {last.came + HOUR}
        assert [one.arrival for one in new] > [max(held)]


def test_an_old_store_is_searched_in_any_spelling(backend, old):
    with closing(backend.open(old)) as store:
        reader = store.users.user("reader", NOW)
        for typed in ("lodz", "STRASSE", "快乐", '"email reopening"'):
            assert len(ids(search(store, reader, typed))) == 1
        with store.database.write() as connection:
            assert_searchable(connection)


@pytest.mark.parametrize("revision", ["0012", "0044", "other"])
def test_what_cannot_be_upgraded_is_refused_as_it_is(backend, old, revision):
    with closing(database(backend, old)) as opened:
        with opened.write() as connection:
            connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
        before = rows(opened)
    with pytest.raises(StoreError, match=f"schema {revision}, .* of commit 7bf6d561 first"):
        backend.open(old)
    with closing(database(backend, old)) as opened:
        assert rows(opened) == before


KILLED = """
import os, pathlib, signal, sys
from sqlalchemy import event
from newsloom.kernel.db import engine
from newsloom.store import migrations
from newsloom.kernel.db.drivers import choose
path, driver, after = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
chosen = choose(driver)
database = engine.SqliteDatabase(path, chosen, chosen.journal, engine.PATIENCE)
statements = 0
with database.write() as connection:
    @event.listens_for(connection, "after_cursor_execute")
    def count(*_):
        global statements
        statements += 1
        if statements == after:
            os.kill(os.getpid(), signal.SIGKILL)
    migrations.upgrade(connection, str(path))
"""


@pytest.mark.parametrize(("begun", "after"), [("", 5), ("", 40), ("old", 9), ("old", 60)])
def test_a_migration_killed_on_its_way_leaves_no_half_schema(sqlite, tmp_path, begun, after):
    path = tmp_path / "newsloom.db"
    if begun:
        old_store(sqlite, path)
    command = [sys.executable, "-c", KILLED, *sqlite.words(path), str(after)]
    killed = subprocess.run(command, capture_output=True, text=True)
    assert killed.returncode == -9, killed.stderr
    with closing(database(sqlite, path)) as opened, opened.read() as connection:
        tables = connection.exec_driver_sql("SELECT name FROM sqlite_master").all()
        assert bool(tables) == bool(begun)
        if begun:
            assert current(connection, "") == "0042"
    with closing(sqlite.open(path)) as store:
        assert store.check() == ()
        feed, _ = store.reading.subscribe(
            store.users.user("another", NOW), "https://first.test/feed", NOW
        )
        assert len(add(store, feed, "a")) == 1


def test_many_processes_may_be_the_first(backend, tmp_path):
    program = PROCESS + (
        "from datetime import UTC, datetime;"
        "print(opened(lambda: None).users.user('reader', datetime(2026, 11, 1, tzinfo=UTC)))"
    )
    command = [sys.executable, "-c", program, *backend.words(tmp_path / "n" / "newsloom.db")]
    processes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in processes:
        output, errors = process.communicate(timeout=60)
        assert (output, errors) == ("1\n", "")
