"""One file and what can be wrong with it: locked, full, read-only, damaged, foreign, newer."""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from newsloom.kernel.db.drivers import choose, safest_journal
from newsloom.kernel.errors import StoreBusy, StoreError, StoreFull
from newsloom.store import migrations, open_store

from .builders import NOW, add, article, claim, new, poll
from .calls import AT_ONCE, CALLS, FEED

pytestmark = pytest.mark.each_sqlite


@pytest.mark.parametrize(
    ("version", "journal"),
    [
        ((3, 40, 1), "truncate"),
        ((3, 51, 2), "truncate"),
        ((3, 51, 3), "wal"),
        ((3, 52, 0), "truncate"),
        ((3, 52, 1), "wal"),
        ((3, 53, 0), "wal"),
        ((4, 0, 0), "wal"),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else value,
)
def test_the_write_ahead_log_only_where_it_is_sound(version, journal):
    assert safest_journal(version) == journal


def test_connections_are_set_up_for_safety(sqlite, store):
    with store.database.read() as connection:
        data = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "mmap_size")
        }
    assert data == {
        "journal_mode": sqlite.journal,
        "synchronous": 2,  # FULL
        "foreign_keys": 1,
        "mmap_size": 0,
    }


def test_the_folder_is_made_for_its_owner_only(sqlite, tmp_path):
    path = tmp_path / "new" / "folder" / "newsloom.db"
    sqlite.open(path).close()
    assert path.exists()
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be made"):
        open_store(tmp_path / "file" / "newsloom.db", now=lambda: NOW)


def test_a_folder_in_the_place_of_the_file(tmp_path):
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path, now=lambda: NOW)


def test_two_libraries_never_open_one_file_in_one_process(sqlite, path):
    other = {"pysqlite3": "sqlite3", "sqlite3": "pysqlite3"}[sqlite.driver]
    try:
        choose(other)
    except StoreError:
        pytest.skip("there is one library only")
    with backend_open(sqlite, path) as store:
        with pytest.raises(StoreError, match="already open in this process"):
            open_store(path, now=lambda: NOW, driver=other, journal=sqlite.journal)
        second = sqlite.open(path)  # the same library may
        second.close()
        assert store.users.users() == ()
    open_store(path, now=lambda: NOW, driver=other).close()


def test_refusing_a_second_library_leaves_the_locks_of_the_first(path):
    pytest.importorskip("pysqlite3")
    other = (
        f"import sqlite3; c = sqlite3.connect({str(path)!r}, timeout=0, isolation_level=None);"
        "c.execute('BEGIN IMMEDIATE')"
    )
    with closing(open_store(path, now=lambda: NOW, driver="sqlite3")) as store:
        with store.database.write():
            with pytest.raises(StoreError, match="already open in this process"):
                open_store(path, now=lambda: NOW, driver="pysqlite3", journal="truncate")
            tried = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True)
        assert "database is locked" in tried.stderr
        assert store.users.users() == ()


def backend_open(backend, path, **more):
    return closing(backend.open(path, **more))


def test_an_old_library_refuses_to_write_beside_the_write_ahead_log(tmp_path):
    """Two installations on one file: the newer turned it to a log the older would corrupt."""
    pytest.importorskip("pysqlite3")
    path = tmp_path / "newsloom.db"
    old = open_store(path, now=lambda: NOW, driver="sqlite3", journal="truncate", patience=AT_ONCE)
    turn = f"import pysqlite3.dbapi2 as d; c = d.connect({str(path)!r})"
    keep = "; print(c.execute('PRAGMA journal_mode = wal').fetchone(), flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", turn + keep], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert b"wal" in other.stdout.readline()
        with pytest.raises(StoreBusy, match="must use truncate"):
            old.users.user("reader", NOW)
        other.communicate(b"\n")
    old.close()
    reopened = open_store(path, now=lambda: NOW, driver="sqlite3", journal="truncate")
    reopened.users.user("reader", NOW)
    reopened.close()


def test_a_file_that_is_no_database(sqlite, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, this is a letter and no database. " * 50)
    with pytest.raises(StoreError, match=r"letter\.txt is not a Newsloom database"):
        sqlite.open(path)
    assert path.read_text().startswith("Dear reader")


def test_a_database_of_someone_else(sqlite, tmp_path):
    path = tmp_path / "photos.db"
    made = sqlite3.connect(path)
    made.execute("CREATE TABLE photos (id INTEGER)")
    made.commit()
    made.close()
    with pytest.raises(StoreError, match=r"is not a Newsloom database\. It contains photos"):
        sqlite.open(path)
    made = sqlite3.connect(path)
    assert made.execute("SELECT name FROM sqlite_master").fetchall() == [("photos",)]
    made.close()


def test_a_database_of_a_newer_newsloom(sqlite, path):
    changed = choose(sqlite.driver).module.connect(str(path))
    changed.execute("UPDATE alembic_version SET version_num = '9999', least = '9999'")
    changed.commit()
    changed.close()
    with pytest.raises(StoreError, match="written by a newer Newsloom: its schema is 9999"):
        sqlite.open(path)


def call_everything(backend, path):
    with backend_open(backend, path) as store:
        for call in CALLS.values():
            call(store)


def test_a_damaged_database(sqlite, path):
    with backend_open(sqlite, path) as store:
        feed, _ = store.reading.subscribe(
            store.users.user("reader", NOW), "https://first.test/feed", NOW
        )
        add(store, feed, *(str(number) for number in range(300)))
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(os.urandom(size - 8192))
    with pytest.raises(StoreError, match="is damaged"):
        call_everything(sqlite, path)


def test_check_finds_nothing_in_a_sound_file(store, feed):
    add(store, feed, "a", "b")
    assert store.check() == ()
    assert store.facts()["integrity"] == "ok"


def test_a_rollback_journal_lets_others_write_while_it_is_copied(folder):
    """A copy in one step would keep the writer waiting to its end, and lack its row."""
    path, copy = folder / "news.db", folder / "copy.db"
    with closing(open_store(path, now=lambda: NOW, driver="sqlite3", journal="truncate")) as store:
        with store.database.write() as connection:
            connection.exec_driver_sql("CREATE TABLE ballast AS SELECT zeroblob(60000000) AS bytes")
        copying = threading.Thread(target=store.database.copy_to, args=(copy,))
        copying.start()
        # SQLite holds the first pages that it read in memory: a longer file is a copy under way.
        while copying.is_alive() and not (copy.exists() and copy.stat().st_size):
            copying.join(0.001)
        store.users.user("somebody", NOW)
        copying.join()
    with closing(sqlite3.connect(copy)) as copied:
        assert copied.execute("SELECT name FROM users").fetchall() == [("somebody",)]


def test_facts_say_what_doctor_shows(sqlite, store, feed):
    add(store, feed, "a")
    facts = store.facts()
    assert facts["driver"] == sqlite.driver
    assert facts["journal"] == sqlite.journal
    assert facts["sqlite"] == choose(sqlite.driver).version_text
    assert (facts["file"], facts["schema"]) == (str(store.database.path), migrations.HEAD)
    assert (facts["users"], facts["feeds"], facts["articles"]) == ("1", "1", "1")


# --- no more room ---


def fill_up(backend, path, results):
    """Write until no more is taken, then say what was acknowledged and what can still be read."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = backend.open(path)
    user = store.users.user("reader", NOW)
    feed, _ = store.reading.subscribe(user, "https://first.test/feed", NOW)
    present = max(one.stat().st_size for one in path.parent.iterdir())
    limit = present + 400_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    acknowledged = 0
    try:
        for number in range(10_000):
            add(store, feed, str(number), content="<p>" + "x" * 3000)
            acknowledged = number + 1
    except StoreFull as error:
        results.put((acknowledged, str(error), store.lists.unread(user)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        store.close()


def test_a_limit_on_the_size_of_files_loses_nothing(sqlite, path):
    forking = multiprocessing.get_context("fork")
    results = forking.Queue()
    process = forking.Process(target=fill_up, args=(sqlite, path, results))
    process.start()
    acknowledged, words, readable = results.get(timeout=60)
    process.join()
    assert process.exitcode == 0
    assert "refused to hold more" in words
    assert acknowledged > 0
    assert readable == acknowledged  # reads go on
    with backend_open(sqlite, path) as store:
        user = store.users.user("reader", NOW)
        assert store.check() == ()
        assert store.lists.unread(user) == acknowledged
        store.feeds.release("test")
        add(store, FEED, "room again")
        assert store.lists.unread(user) == acknowledged + 1


@pytest.fixture
def small_disk(tmp_path):
    """A disk of one and a half megabytes, where a test may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1500k", "newsloom-test", str(place)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("needs the right to mount a small disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def add_until_full(store, feed):
    for number in range(10_000):
        try:
            add(store, feed, str(number), content="x" * 3000)
        except StoreFull as error:
            assert "refused to hold more" in str(error)  # noqa: PT017 - the count is what is wanted
            return number
    pytest.fail("the disk held more than it has")


def test_a_full_disk_loses_nothing(sqlite, small_disk):
    path = small_disk / "newsloom.db"
    with backend_open(sqlite, path) as store:
        user = store.users.user("reader", NOW)
        feed, _ = store.reading.subscribe(user, "https://first.test/feed", NOW)
        acknowledged = add_until_full(store, feed)
        assert store.lists.unread(user) == acknowledged > 0
    with backend_open(sqlite, path) as store:
        assert store.check() == ()
        assert store.lists.unread(user) == acknowledged


def record(store, polled):
    with store.feeds.ingest() as ingest:
        ingest.record(polled)


def test_the_most_pages_reached_is_full_too(sqlite, path):
    with backend_open(sqlite, path) as store:
        feed, _ = store.reading.subscribe(
            store.users.user("reader", NOW), "https://first.test/feed", NOW
        )
        (due,) = claim(store, feed)
        big = article(feed, "big", content="x" * 10_000_000)

        with store.database.write() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 200")
        with pytest.raises(StoreFull, match="left out; what was stored before"):
            record(store, poll(due, new(big)))
        assert store.facts()["articles"] == "0"


# --- not ours to write ---


def open_as_nobody(backend, path, results):
    os.setuid(65534)
    try:
        store = backend.open(path, patience=AT_ONCE)
        store.users.user("reader", NOW)
        results.put("written")
    except StoreError as error:
        results.put(str(error))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become someone else")
@pytest.mark.parametrize("folder_mode", [0o555, 0o777], ids=["folder too", "file only"])
def test_a_read_only_file_is_named_so(sqlite, empty, folder_mode):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "newsloom.db"
        path.write_bytes(empty.read_bytes())
        path.chmod(0o444)
        Path(folder).chmod(folder_mode)
        forking = multiprocessing.get_context("fork")
        results = forking.Queue()
        process = forking.Process(target=open_as_nobody, args=(sqlite, path, results))
        process.start()
        words = results.get(timeout=60)
        process.join()
        assert "read-only" in words or "cannot be opened" in words
        assert path.read_bytes() == empty.read_bytes()
