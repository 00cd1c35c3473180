"""The schema: what migrations make is what the code expects, and a kill leaves one or the other."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, make_url, text

from newsloom.store import migrations, tables
from newsloom.store.drivers import choose
from newsloom.store.engine import PATIENCE, SqliteDatabase
from newsloom.types import EventKind, ListQuery, Rows, StreamQuery

from .builders import HALF_LIVES, HOUR, NOW, TEXT, add, read_texts
from .conftest import PROCESS

pytestmark = pytest.mark.each_sqlite


def ours(name, kind, _parents):
    """A table that is declared; of the others SQLAlchemy need not know the types."""
    made = (
        "texts_search",
        "alembic",
        "vector_log",
        "neighbours",
        "unread_counts",
        "unread_clusters",
        "article_counts",
        "reader_changes",
    )
    return not (kind == "table" and name.startswith(made))


# Of pgvector, which SQLAlchemy does not know; the table is one of those left out.
HALFVEC = pytest.mark.filterwarnings("ignore:Did not recognize type 'halfvec'")

# The day of a state; test_indexes_are_made_as_the_code_declares_them compares it.
BY_DAY = pytest.mark.filterwarnings(
    "ignore:Skipped unsupported reflection of expression-based index",
    "ignore:autogenerate skipping metadata-specified expression-based index",
)


@BY_DAY
@HALFVEC
def test_migrations_make_the_tables_the_code_expects(store):
    with looking(store) as connection:
        context = MigrationContext.configure(connection, opts={"include_name": ours})
        assert compare_metadata(context, tables.metadata) == []


@contextmanager
def looking(store):
    """A connection that SQLAlchemy can look at the schema by.

    On PostgreSQL the store's own give JSON as text, which is not what it expects of the catalogue.
    """
    with store.database.read() as connection:
        if connection.dialect.name == "sqlite":
            yield connection
            return
        url = make_url(store.database.place).set(drivername="postgresql+psycopg")
    engine = create_engine(url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def test_indexes_are_made_as_the_code_declares_them(sqlite, store):
    """Autogeneration does not compare the order of keys and the conditions of partial indexes."""
    with store.database.read() as connection:
        rows = connection.execute(
            text(
                "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql <> ''"
                " AND tbl_name <> 'unread_clusters'"
            )
        )
        made = {name: plain(sql) for name, sql in rows}
        declared = {
            str(index.name): plain(str(tables_sql(index, connection)))
            for table in tables.metadata.tables.values()
            for index in table.indexes
        }
    assert made == declared


def tables_sql(index, connection):
    from sqlalchemy.schema import CreateIndex

    return CreateIndex(index).compile(connection)


def plain(sql):
    return re.sub(r"[\s\"]+|\w+\.(?=\w)", "", sql)


def test_head_is_the_last_step_there_is():
    config = Config()
    config.set_main_option("script_location", str(migrations.FOLDER))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == migrations.HEAD


def test_opening_an_up_to_date_database_loads_no_alembic(sqlite, path):
    """It would double the start of every command."""
    program = (
        "import sys, pathlib, datetime; from newsloom.store import open_store;"
        f"open_store(pathlib.Path({str(path)!r}), now=lambda: None).close();"
        "assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


KILLED = """
import os, pathlib, signal, sys
from sqlalchemy import event
from newsloom.store import engine, migrations
from newsloom.store.drivers import choose
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


@pytest.mark.parametrize("after", [5, 40])
def test_a_migration_killed_on_its_way_leaves_no_half_schema(sqlite, tmp_path, after):
    path = tmp_path / "newsloom.db"
    command = [sys.executable, "-c", KILLED, *sqlite.words(path), str(after)]
    killed = subprocess.run(command, capture_output=True, text=True)
    assert killed.returncode == -9, killed.stderr
    with closing(sqlite.open(path)) as store:
        assert store.check() == ()
        feed, _ = store.reading.subscribe(
            store.users.user("reader", NOW), "https://first.test/feed", NOW
        )
        assert add(store, feed, "a") == [1]


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


def test_what_was_listed_before_gets_its_language(sqlite, tmp_path):
    """States of the schema before had none: what articles say fills it in."""
    path = tmp_path / "old.db"
    tags = {"en-GB": "en", "DEU": "de", "": "", "no tag at all": ""}
    with closing(sqlite.open(path)) as store:
        reader = store.users.user("reader", NOW)
        feed, _ = store.reading.subscribe(reader, "https://first.test/feed", NOW)
        for number, tag in enumerate(tags):
            add(store, feed, f"{number}", language=tag)
        query = "SELECT article_id, language FROM states ORDER BY article_id"
        with store.database.write() as connection:
            made = connection.exec_driver_sql(query).all()
            for name in ("language", "newest", "unread", "important", "days"):
                connection.exec_driver_sql(f"DROP INDEX ix_states_{name}")
            connection.exec_driver_sql("ALTER TABLE states DROP COLUMN language")
            connection.exec_driver_sql(
                "CREATE INDEX ix_states_newest ON states (user_id, read, dated_at DESC)"
            )
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0003'")
            step(connection, "0004")
            assert connection.exec_driver_sql(query).all() == made
    assert [language for _article, language in made] == list(tags.values())


def test_calls_made_before_there_were_purposes_keep_what_they_were_about(sqlite, tmp_path):
    path = tmp_path / "old.db"
    before_purposes(sqlite, path)
    with closing(sqlite3.connect(path)) as old:  # which minds no missing article
        old.execute("INSERT INTO services (name, day, tokens) VALUES ('judge', 20000, 660)")
        old.executemany(
            "INSERT INTO model_calls (service, at, article_id, purpose, maker, text_hash,"
            " tokens_in, seconds, verdict, answer) VALUES ('judge', 5, ?, 'sensitivity',"
            " 'chat/judge/rubric@1', '123', 300, 0.5, 'ok', '{}')",
            [(17,), (None,)],
        )
        old.commit()
    with closing(sqlite.open(path)) as store, store.database.read() as connection:
        query = (
            "SELECT purpose, prompt_version, maker, subject_kind, subject_id, question_hash,"
            " tokens_in, verdict, answer FROM model_calls ORDER BY id"
        )
        found = [tuple(row) for row in connection.exec_driver_sql(query)]
        spent = [tuple(row) for row in connection.exec_driver_sql("SELECT * FROM spending")]
        assert store.models.service("judge").tokens == 660
    named = ("sensitivity", "rubric@1", "chat/judge/rubric@1")
    assert found == [
        (*named, "article", "17", "", 300, "ok", "{}"),
        (*named, "", "", "", 300, "ok", "{}"),
    ]
    assert spent == [("judge", "sensitivity", 20000, 660)]


def before_purposes(backend, path):
    """An empty database as it was before revision 0012."""
    from alembic import command

    driver = choose(backend.driver)
    database = SqliteDatabase(path, driver, driver.journal, PATIENCE)
    with database.write() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(migrations.FOLDER))
        config.set_main_option("path_separator", "os")
        command.upgrade(config, "0010")
    database.close()


def step(connection, revision):
    """Run one step, as Alembic would."""
    from alembic.operations import Operations

    context = MigrationContext.configure(connection)
    with Operations.context(context):
        script = ScriptDirectory(str(migrations.FOLDER)).get_revision(revision)
        script.module.upgrade()


def test_numbers_that_apps_hold_go_on_naming_the_same_articles(backend, tmp_path):
    """Fever gave articles' own numbers before there were arrivals; new ones are above them all."""
    path = tmp_path / "old.db"
    with closing(backend.open(path)) as store:
        ann, bob = store.users.user("ann", NOW), store.users.user("bob", NOW)
        feeds = [f"https://{name}.test/feed" for name in ("first", "second")]
        first, _ = store.reading.subscribe(ann, feeds[0], NOW)
        second, _ = store.reading.subscribe(bob, feeds[1], NOW)
        held = [*add(store, second, "a", "b"), *add(store, first, "c", "d")][2:]
        with store.database.write() as connection:
            connection.exec_driver_sql("DROP INDEX ix_states_arrival")
            connection.exec_driver_sql("ALTER TABLE feeds DROP COLUMN left_out")
            for table, column in (("states", "arrival"), ("users", "arrivals")):
                connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column}")
                connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN arrived_at")
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0042'")
    with closing(backend.open(path)) as store:
        assert store.check() == ()
        assert store.syncing.arrived(ann, held) == dict(zip(held, held, strict=True))
        (last, *_) = store.syncing.stream(ann, StreamQuery(limit=1)).refs
        assert (last.arrival, last.came) == (held[-1], NOW)
        store.reading.subscribe(ann, feeds[1], NOW + HOUR)
        new = store.syncing.stream(ann, StreamQuery(after=last.arrival, oldest_first=True)).refs
        assert [one.id for one in new] == [1, 2]
        assert {one.came for one in new} == {NOW + HOUR}
        assert max(held) < new[0].arrival < new[1].arrival


def test_copies_in_other_feeds_become_articles_of_their_own(store, reader):
    """As the schema before had them: one state, and the fullest text for the readers of both."""
    ben = store.users.user("ben", NOW)
    first, _ = store.reading.subscribe(reader, "https://first.test/feed", NOW)
    second, _ = store.reading.subscribe(ben, "https://second.test/feed", NOW)
    both = store.users.user("both", NOW)
    for feed in ("first", "second"):
        store.reading.subscribe(both, f"https://{feed}.test/feed", NOW)
    (original,) = add(store, first, "a", content="<p>honest</p>")
    (copy,) = add(store, second, "b", content="<p>longer, and of somebody else</p>")
    read_texts(store)
    with store.database.write() as connection:
        for statement in (
            f"UPDATE articles SET original_id = {original} WHERE id = {copy}",
            f"UPDATE articles SET fullest_id = {copy} WHERE id = {original}",
            f"UPDATE states SET article_id = {original}, feed_id = {first}"
            f" WHERE article_id = {copy} AND user_id = {ben}",
            f"DELETE FROM states WHERE article_id = {copy}",
            f"UPDATE texts SET title = 'Title of b', lead = 'of somebody else'"
            f" WHERE article_id = {original}",
        ):
            connection.exec_driver_sql(statement)
    store.reading.mark(ben, [original], EventKind.LIKE, NOW, "test")
    store.annotations.put_note(ben, original, "Mine.", NOW)
    store.reading.mark(both, [original], EventKind.STAR, NOW, "test")
    with store.database.write() as connection:
        step(connection, "0044")
        migrations._make_what_follows(connection)

    def listed(user):
        query = ListQuery(unread_only=False, rows=Rows.ARTICLE)
        found = store.lists.page(user, query, NOW, HALF_LIVES)
        return {(one.id, one.title, one.state.starred, one.state.rating) for one in found}

    assert listed(reader) == {(original, "Title of a", False, 0)}
    assert listed(ben) == {(copy, "Title of b", False, 1)}
    assert listed(both) == {
        (original, "Title of a", True, 0),
        (copy, "Title of b", False, 0),
    }
    assert store.annotations.note(ben, copy).text == "Mine."
    assert [one.article.title for one in store.models.labels(ben)] == ["Title of b"]
    full = store.reading.article(reader, original, NOW, HALF_LIVES)
    assert (full.html, full.listed.excerpt) == ("<p>honest</p>", "")
    assert original in {one.id for one in store.articles.pending_texts(TEXT, 9)}
