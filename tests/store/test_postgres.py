"""A PostgreSQL server and what can be wrong with it; what two connections may do at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

import postgres
from newsloom.kernel.db.dialects import tsvector
from newsloom.kernel.db.postgres_engine import LEAST_VERSION
from newsloom.kernel.errors import StoreBusy, StoreError
from newsloom.store import Store, open_store

from .builders import NOW, TEXT, add
from .conftest import Postgres, started

pytestmark = pytest.mark.postgres

SOON = timedelta(seconds=0.2)


@pytest.fixture
def server() -> Postgres:
    return started()


@pytest.fixture
def other(server: Postgres, folder: Path) -> Iterator[Store]:
    with closing(server.open(folder / "other.db", SOON)) as opened:
        yield opened


def opening(url: str) -> str:
    with pytest.raises(StoreError) as raised:
        open_store(url, now=lambda: NOW)
    return str(raised.value)


def test_a_server_that_is_not_there() -> None:
    words = opening("postgresql://ann:secret@127.0.0.1:1/news")
    assert "postgresql://ann:***@127.0.0.1:1/news cannot be reached" in words
    assert "secret" not in words


@pytest.mark.parametrize("url", ["mysql://host/name", "postgresql+psycopg2://host/name"])
def test_another_kind_of_database(url: str) -> None:
    assert "only postgresql:// is known" in opening(url)


def test_a_database_that_is_not_there(server: Postgres) -> None:
    words = opening(f"{server.server}/nowhere")
    assert "does not exist" in words


def test_a_password_in_the_options_is_not_shown(server: Postgres) -> None:
    assert "secret" not in opening(f"{server.server}/nowhere?password=secret")


def test_a_database_of_someone_else(server: Postgres) -> None:
    words = opening_of(server, "photos", "CREATE TABLE photos (id INTEGER)")
    assert "is not a Newsloom database. It contains photos" in words


def test_a_database_of_another_encoding(server: Postgres) -> None:
    run(server, "postgres", "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    assert "ENCODING 'UTF8'" in opening(f"{server.server}/latin")


def test_a_role_without_rights(server: Postgres) -> None:
    run(server, "postgres", "CREATE ROLE guest LOGIN", 'CREATE DATABASE "owned"')
    guest = server.server.replace("newsloom@", "guest@")
    assert "does not allow that" in opening(f"{guest}/owned")


def opening_of(server: Postgres, name: str, statement: str) -> str:
    run(server, "postgres", f'CREATE DATABASE "{name}"')
    run(server, name, statement)
    return opening(f"{server.server}/{name}")


def run(server: Postgres, name: str, *statements: str) -> None:
    with psycopg.connect(f"{server.server}/{name}", autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)  # type: ignore[arg-type]


WITHOUT = """
import sys
sys.modules["psycopg"] = None
from newsloom.store import open_store
try:
    open_store("postgresql://host/name", now=lambda: None)
except Exception as error:
    print(type(error).__name__, error)
"""


def test_without_the_driver_it_says_what_to_install() -> None:
    ran = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert "StoreError" in ran.stdout
    assert "newsloom[postgres]" in ran.stdout


def test_the_driver_is_loaded_for_a_url_alone(folder: Path) -> None:
    """A database that is up to date."""
    path = folder / "x.db"
    open_store(path, now=lambda: NOW).close()
    program = (
        "import sys, pathlib; from newsloom.store import open_store;"
        f"open_store(pathlib.Path({str(path)!r}), now=lambda: None).close();"
        "loaded = {'psycopg', 'sqlalchemy.dialects.postgresql'} & sys.modules.keys();"
        "assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_oldest_server_is_the_one_the_documents_name() -> None:
    page = Path(__file__).parents[2] / "docs" / "run" / "postgresql.md"
    assert f"PostgreSQL {LEAST_VERSION} or newer" in page.read_text()


def test_one_writes_at_a_time(other: Store, server: Postgres, folder: Path) -> None:
    """A second writer waits for the first, as long as it has patience; readers never do."""
    with closing(server.open(folder / "other.db", SOON)) as second:
        with other.database.write() as connection:
            connection.execute(text("INSERT INTO users (name, made_at) VALUES ('a', 0)"))
            with pytest.raises(StoreBusy, match=r"Another process has locked .* Try again"):
                second.users.user("b", NOW)
            assert second.users.users() == ()
        assert second.users.user("b", NOW) == 2


def test_what_a_writer_reads_is_newer_than_what_it_waited_for(
    server: Postgres, folder: Path
) -> None:
    """Decisions are made of what the writer before left: here both want to be the first."""
    path = folder / "two.db"
    with closing(server.open(path)) as one, closing(server.open(path)) as two:
        came: list[int] = []
        with one.database.write() as connection:
            waiting = threading.Thread(target=lambda: came.append(two.users.user("reader", NOW)))
            waiting.start()
            connection.execute(text("INSERT INTO users (name, made_at) VALUES ('reader', 0)"))
        waiting.join()
        assert came == [1]


def test_what_is_read_in_a_block_is_of_one_moment(
    other: Store, server: Postgres, folder: Path
) -> None:
    count = text("SELECT COUNT(*) FROM users")
    with (
        closing(server.open(folder / "other.db")) as second,
        other.database.read() as connection,
    ):
        assert connection.scalar(count) == 0
        second.users.user("reader", NOW)
        assert connection.scalar(count) == 0
    assert other.database.sizes("users") == (1,)


@pytest.fixture
def own() -> Iterator[postgres.Cluster]:
    """A server that a test may kill."""
    programs = postgres.programs()
    if programs is None:
        pytest.skip("there is no PostgreSQL on this machine")
    with postgres.running(programs) as cluster:
        yield cluster


def test_a_server_that_was_killed_is_used_again(own: postgres.Cluster) -> None:
    own.make("news")
    with closing(open_store(own.address("news"), now=lambda: NOW)) as store:
        reader = store.users.user("reader", NOW)
        feed, _ = store.reading.subscribe(reader, "https://first.test/", NOW)
        add(store, feed, "a")
        own.kill()
        with pytest.raises(StoreError, match="cannot be reached"):
            store.lists.unread(reader)
        own.start()
        assert store.lists.unread(reader) == 1
        assert add(store, feed, "b") == [2]


def test_a_transaction_whose_server_is_killed_leaves_nothing(own: postgres.Cluster) -> None:
    own.make("news")
    with closing(open_store(own.address("news"), now=lambda: NOW)) as store:
        with pytest.raises(StoreError, match="cannot be reached"):
            write_and_kill(store, own)
        own.start()
        assert store.users.users() == ()


def write_and_kill(store: Store, own: postgres.Cluster) -> None:
    with store.database.write() as connection:
        connection.execute(text("INSERT INTO users (name, made_at) VALUES ('a', 0)"))
        own.kill()
        connection.execute(text("INSERT INTO users (name, made_at) VALUES ('b', 0)"))


def test_a_very_long_text_is_found_by_its_words(other: Store) -> None:
    """A tsvector ends at a megabyte and knows 16,383 places."""
    reader = other.users.user("reader", NOW)
    feed, _ = other.reading.subscribe(reader, "https://first.test/", NOW)
    add(other, feed, "long")
    from newsloom.kernel.ids import ArticleId
    from newsloom.ranking.values.models import PlainText

    many = " ".join(f"w{number}x" * 3 for number in range(200_000))
    other.articles.put_texts(
        TEXT, [PlainText(ArticleId(1), "Long", f"beginning {many} {'x' * 5000}")]
    )
    with other.database.read() as connection:
        for word in ("beginning", "w9x" * 3, "w16999x" * 3):
            assert tsvector.count(connection, f"'{word}'", 9) == 1


def test_short_and_long_texts_are_made_findable_alike() -> None:
    """A short text has a way of its own; what stands before the last part is the same in both."""
    row = {"title": "Naïve naïve words", "lead": "", "rest": "words, and others" + " x" * 99}
    short, long = tsvector.vector(row), tsvector.vector(row | {"rest": row["rest"] + " " * 20_000})
    assert short == long
    assert short.startswith("'naive':1A,2A 'words':3A,6D 'and':7D ")


def test_a_killed_process_leaves_no_lock(server: Postgres, folder: Path) -> None:
    path = folder / "killed.db"
    program = (
        "import sys; from newsloom.store import open_store;"
        "store = open_store(sys.argv[1], now=lambda: None);"
        "w = store.database.write(); w.__enter__(); print(flush=True); sys.stdin.readline()"
    )
    command = [sys.executable, "-c", program, server.address(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        os.kill(other.pid, signal.SIGKILL)
    with closing(server.open(path)) as store:
        assert store.users.user("reader", NOW) == 1


def test_the_clock_is_the_servers(server: Postgres, folder: Path) -> None:
    """Leases end by it, and another machine's clock may be wrong."""
    libraries = [*Path("/usr/lib").glob("*/faketime/libfaketime.so.1")]
    if not libraries:
        pytest.skip("libfaketime is not installed")
    url = server.address(folder / "clock.db")
    program = (
        "import sys; from datetime import datetime; from newsloom.app import utc_now; "
        "from newsloom.store import open_store; store = open_store(sys.argv[1]); "
        "print(utc_now().timestamp(), store.database.now().timestamp())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program, url],
        env=os.environ | {"LD_PRELOAD": str(libraries[0]), "FAKETIME": "-5m"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    wrong, right = map(float, printed.split())
    with closing(open_store(url)) as store:
        assert abs(store.database.now().timestamp() - right) < 60 < right - wrong
