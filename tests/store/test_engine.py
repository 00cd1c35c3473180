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
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from newsloom import ports
from newsloom.errors import StoreBusy, StoreError, StoreFull
from newsloom.store import migrations, open_store
from newsloom.store.drivers import choose, safest_journal
from newsloom.types import (
    Account,
    AccountId,
    ArticleId,
    EventKind,
    FeedId,
    ListQuery,
    ModelCall,
    ModelId,
    PlainText,
    Rating,
    RemoteAccount,
    RemoteFeed,
    RemoteWrite,
    Score,
    StoredModel,
    UserId,
)

from .builders import HALF_LIVES, HOUR, NOW, add, article, claim, new, poll

AT_ONCE = timedelta(milliseconds=20)
ONE, FEED, USER = ArticleId(1), FeedId(1), UserId(1)
MODEL = StoredModel("m", "relevance", b"x", "sha", NOW)
REMOTE = RemoteAccount("1", "ann")
ACCOUNT = Account(AccountId(1), "test", REMOTE, UserId(2))
WRITE = RemoteWrite(1, "score", "5")
VECTOR = np.ones((1, 4), dtype=np.float32) / 2


def ingest(store):
    with store.ingest():
        pass


def importing(store):
    with store.importing(USER):
        pass


def bridging(store):
    with store.bridging(ACCOUNT):
        pass


# Every method of ports.Store, with a call that reaches the database. A new one belongs here.
CALLS = {
    "claim_due": lambda s: s.claim_due(NOW, owner="x", lease_for=HOUR, limit=1),
    "release": lambda s: s.release("x"),
    "ingest": ingest,
    "next_due": lambda s: s.next_due(),
    "pending_texts": lambda s: s.pending_texts("v", 1),
    "put_texts": lambda s: s.put_texts("v", [PlainText(ONE, "t", "x")]),
    "pending_vectors": lambda s: s.pending_vectors("m", 1),
    "put_vectors": lambda s: s.put_vectors("m", [ONE], VECTOR),
    "pending_ratings": lambda s: s.pending_ratings("m", "v", 1),
    "put_ratings": lambda s: s.put_ratings("m", [ONE], [Rating(1, 1.0)], NOW),
    "pending_scores": lambda s: s.pending_scores(
        USER, scored_by="m", sensitivity_model="s", vector_model="v", limit=1
    ),
    "put_scores": lambda s: s.put_scores(USER, "m", [Score(ONE, 1.0, 1)], HALF_LIVES),
    "user": lambda s: s.user("new", NOW),
    "users": lambda s: s.users(),
    "subscribe": lambda s: s.subscribe(USER, "https://x.test/", NOW),
    "unsubscribe": lambda s: s.unsubscribe(USER, FEED),
    "edit_subscription": lambda s: s.edit_subscription(USER, FEED, title="x"),
    "subscriptions": lambda s: s.subscriptions(USER),
    "unread": lambda s: s.unread(USER),
    "unscored": lambda s: s.unscored(USER),
    "page": lambda s: s.page(USER, ListQuery(), NOW, HALF_LIVES),
    "listed": lambda s: s.listed(USER, [ONE], NOW, HALF_LIVES),
    "article": lambda s: s.article(USER, ONE, NOW, HALF_LIVES),
    "search": lambda s: s.search(USER, "x", 1, NOW, HALF_LIVES),
    "mark": lambda s: s.mark(USER, [ONE], EventKind.READ, NOW, "x"),
    "undo": lambda s: s.undo(USER, NOW, "x"),
    "interests": lambda s: s.interests(USER),
    "add_interest": lambda s: s.add_interest(USER, "x", NOW),
    "remove_interest": lambda s: s.remove_interest(USER, 1),
    "labels": lambda s: s.labels(USER),
    "forget": lambda s: s.forget(USER, NOW, NOW + HOUR, NOW),
    "forgettings": lambda s: s.forgettings(USER),
    "lift_forgetting": lambda s: s.lift_forgetting(USER, 1, NOW),
    "importing": importing,
    "whole": lambda s: s.whole([ONE]),
    "vectors": lambda s: s.vectors("m", [ONE]),
    "texts": lambda s: s.texts([ONE]),
    "rating": lambda s: s.rating("m", ONE),
    "labels_mark": lambda s: s.labels_mark(USER),
    "promote_model": lambda s: s.promote_model(USER, MODEL, instead_of=None),
    "keep_model": lambda s: s.keep_model(USER, MODEL),
    "withdraw_model": lambda s: s.withdraw_model(USER, "relevance", ModelId(9), NOW, to=None),
    "active_model": lambda s: s.active_model(USER, "relevance"),
    "model_in_force": lambda s: s.model_in_force(USER, "relevance"),
    "model": lambda s: s.model(USER, ModelId(1)),
    "models": lambda s: s.models(USER, "relevance"),
    "claim_training": lambda s: s.claim_training(USER, NOW, NOW),
    "tell_training": lambda s: s.tell_training(USER, "Not yet."),
    "last_training": lambda s: s.last_training(USER),
    "add_evaluation": lambda s: s.add_evaluation(USER, NOW, "m", "folds", {"roc_auc": 0.9}),
    "evaluations": lambda s: s.evaluations(USER),
    "facts": lambda s: s.facts(),
    "service": lambda s: s.service("judge"),
    "reserve_tokens": lambda s: s.reserve_tokens("judge", 1, 10, 100),
    "pending_questions": lambda s: s.pending_questions("m", since=NOW, lately=NOW, limit=1),
    "settle_call": lambda s: s.settle_call(
        ModelCall("judge", NOW, "sensitivity", "m", "ok"),
        day=1,
        returned=0,
        after=lambda state: state,
    ),
    "asked": lambda s: s.asked("m", NOW),
    "subscribe_all": lambda s: s.subscribe_all(USER, [("https://y.test/", "", "")], NOW),
    "languages": lambda s: s.languages(USER),
    "half_lives": lambda s: s.half_lives(USER),
    "set_half_lives": lambda s: s.set_half_lives(USER, (9.0, 8.0, 7.0, 6.0, 5.0), HALF_LIVES),
    "readings": lambda s: s.readings(USER, NOW - HOUR, NOW),
    "rating_makers": lambda s: s.rating_makers("m"),
    "rated_articles": lambda s: s.rated_articles("m", "v"),
    "bridge_account": lambda s: s.bridge_account("test", REMOTE, NOW),
    "bridge_accounts": lambda s: s.bridge_accounts("test"),
    "put_remote_feeds": lambda s: s.put_remote_feeds(ACCOUNT, [RemoteFeed("1", "t")], NOW),
    "known_entries": lambda s: s.known_entries(ACCOUNT, [1]),
    "unread_entries": lambda s: s.unread_entries(ACCOUNT),
    "starred_entries": lambda s: s.starred_entries(ACCOUNT),
    "bridging": bridging,
    "standings": lambda s: s.standings(ACCOUNT, NOW, HALF_LIVES, "s"),
    "remote_present": lambda s: s.remote_present(ACCOUNT),
    "want": lambda s: s.want(ACCOUNT, [WRITE], NOW),
    "pending_writes": lambda s: s.pending_writes(ACCOUNT, NOW, 1),
    "waiting_writes": lambda s: s.waiting_writes(ACCOUNT),
    "writes_done": lambda s: s.writes_done(ACCOUNT, [WRITE]),
    "put_off": lambda s: s.put_off(ACCOUNT, [(WRITE, NOW)], "why"),
    "drop_writes": lambda s: s.drop_writes(ACCOUNT, [WRITE]),
    "bridge_synced": lambda s: s.bridge_synced(ACCOUNT, NOW),
    "bridge_failed": lambda s: s.bridge_failed(ACCOUNT, "why", NOW),
}
READS = {
    "next_due pending_texts pending_vectors pending_ratings pending_scores users subscriptions"
    " unread unscored page listed article search interests labels forgettings whole vectors texts"
    " rating"
    " labels_mark active_model model_in_force model models last_training evaluations facts"
    " service pending_questions asked languages half_lives readings rating_makers rated_articles"
    " bridge_accounts known_entries unread_entries starred_entries standings remote_present"
    " pending_writes waiting_writes"
}
READS = set(" ".join(READS).split())


def methods(protocol):
    return {
        name
        for one in protocol.__mro__
        if one.__module__.startswith(f"{ports.__name__}.")
        for name in vars(one)
        if not name.startswith("_")
    }


def test_every_method_of_the_store_is_called_below():
    assert set(CALLS) == methods(ports.Store) - {"close"}


@pytest.fixture
def filled(backend, path):
    """A store that gives up waiting at once, with an article in it."""
    store = backend.open(path, patience=AT_ONCE)
    user = store.user("reader", NOW)
    feed, _ = store.subscribe(user, "https://first.test/feed", NOW)
    add(store, feed, "a")
    store.bridge_account("test", REMOTE, NOW)
    yield store
    store.close()


def outcome(call, store):
    try:
        call(store)
    except StoreError as error:
        return type(error)
    return None


def test_a_locked_database_is_busy_and_unchanged(filled, backend, path):
    """A writer stops writers. A reader it stops only where there is no write-ahead log."""
    before = dict(filled.facts())
    other = choose(backend.driver).module.connect(str(path), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        came = {name: outcome(call, filled) for name, call in CALLS.items()}
    finally:
        other.close()
    free = READS if backend.journal == "wal" else set()
    assert came == {name: None if name in free else StoreBusy for name in CALLS}
    assert filled.facts() == before


def test_busy_says_what_to_do(filled, backend, path):
    other = choose(backend.driver).module.connect(str(path), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreBusy, match="held by another process; try again"):
        filled.release("x")
    other.close()


def test_every_call_works_when_nothing_is_locked(filled):
    assert {outcome(call, filled) for call in CALLS.values()} == {None}


def test_what_is_called_a_read_writes_nothing(filled):
    with filled.database.read() as connection:
        connection.exec_driver_sql("PRAGMA query_only = ON")
    assert {outcome(CALLS[name], filled) for name in READS} == {None}


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


def test_connections_are_set_up_for_safety(backend, store):
    with store.database.read() as connection:
        asked = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "mmap_size")
        }
    assert asked == {
        "journal_mode": backend.journal,
        "synchronous": 2,  # FULL
        "foreign_keys": 1,
        "mmap_size": 0,
    }


def test_the_folder_is_made_for_its_owner_only(backend, tmp_path):
    path = tmp_path / "new" / "folder" / "newsloom.db"
    backend.open(path).close()
    assert path.exists()
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be made"):
        open_store(tmp_path / "file" / "newsloom.db", now=lambda: NOW)


def test_a_folder_in_the_place_of_the_file(tmp_path):
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path, now=lambda: NOW)


def test_two_libraries_never_open_one_file_in_one_process(backend, path):
    other = {"pysqlite3": "sqlite3", "sqlite3": "pysqlite3"}[backend.driver]
    try:
        choose(other)
    except StoreError:
        pytest.skip("there is one library only")
    with backend_open(backend, path) as store:
        with pytest.raises(StoreError, match="already open in this process"):
            open_store(path, now=lambda: NOW, driver=other, journal=backend.journal)
        second = backend.open(path)  # the same library may
        second.close()
        assert store.users() == ()
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
        assert store.users() == ()


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
            old.user("reader", NOW)
        other.communicate(b"\n")
    old.close()
    reopened = open_store(path, now=lambda: NOW, driver="sqlite3", journal="truncate")
    reopened.user("reader", NOW)
    reopened.close()


def test_a_file_that_is_no_database(backend, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, this is a letter and no database. " * 50)
    with pytest.raises(StoreError, match=r"letter\.txt is not a Newsloom database"):
        backend.open(path)
    assert path.read_text().startswith("Dear reader")


def test_a_database_of_someone_else(backend, tmp_path):
    path = tmp_path / "photos.db"
    made = sqlite3.connect(path)
    made.execute("CREATE TABLE photos (id INTEGER)")
    made.commit()
    made.close()
    with pytest.raises(StoreError, match="is not a Newsloom database: it holds photos"):
        backend.open(path)
    made = sqlite3.connect(path)
    assert made.execute("SELECT name FROM sqlite_master").fetchall() == [("photos",)]
    made.close()


def test_a_database_of_a_newer_newsloom(backend, path):
    changed = choose(backend.driver).module.connect(str(path))
    changed.execute("UPDATE alembic_version SET version_num = '9999'")
    changed.commit()
    changed.close()
    with pytest.raises(StoreError, match="written by a newer Newsloom: its schema is 9999"):
        backend.open(path)


def call_everything(backend, path):
    with backend_open(backend, path) as store:
        for call in CALLS.values():
            call(store)


def test_a_damaged_database(backend, path):
    with backend_open(backend, path) as store:
        feed, _ = store.subscribe(store.user("reader", NOW), "https://first.test/feed", NOW)
        add(store, feed, *(str(number) for number in range(300)))
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(os.urandom(size - 8192))
    with pytest.raises(StoreError, match="is damaged"):
        call_everything(backend, path)


def test_check_finds_nothing_in_a_sound_file(store, feed):
    add(store, feed, "a", "b")
    assert store.check() == ()
    assert store.facts()["integrity"] == "ok"


def test_facts_say_what_doctor_shows(backend, store, feed):
    add(store, feed, "a")
    facts = store.facts()
    assert facts["driver"] == backend.driver
    assert facts["journal"] == backend.journal
    assert facts["sqlite"] == choose(backend.driver).version_text
    assert (facts["file"], facts["schema"]) == (str(store.database.path), migrations.HEAD)
    assert (facts["users"], facts["feeds"], facts["articles"]) == ("1", "1", "1")


# --- no more room ---


def fill_up(backend, path, results):
    """Write until no more is taken, then say what was acknowledged and what can still be read."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = backend.open(path)
    user = store.user("reader", NOW)
    feed, _ = store.subscribe(user, "https://first.test/feed", NOW)
    present = max(one.stat().st_size for one in path.parent.iterdir())
    limit = present + 400_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    acknowledged = 0
    try:
        for number in range(10_000):
            add(store, feed, str(number), content="<p>" + "x" * 3000)
            acknowledged = number + 1
    except StoreFull as error:
        results.put((acknowledged, str(error), store.unread(user)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        store.close()


def test_a_limit_on_the_size_of_files_loses_nothing(backend, path):
    forking = multiprocessing.get_context("fork")
    results = forking.Queue()
    process = forking.Process(target=fill_up, args=(backend, path, results))
    process.start()
    acknowledged, words, readable = results.get(timeout=60)
    process.join()
    assert process.exitcode == 0
    assert "refused to hold more" in words
    assert acknowledged > 0
    assert readable == acknowledged  # reads go on
    with backend_open(backend, path) as store:
        user = store.user("reader", NOW)
        assert store.check() == ()
        assert store.unread(user) == acknowledged
        store.release("test")
        add(store, FEED, "room again")
        assert store.unread(user) == acknowledged + 1


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


def test_a_full_disk_loses_nothing(backend, small_disk):
    path = small_disk / "newsloom.db"
    with backend_open(backend, path) as store:
        user = store.user("reader", NOW)
        feed, _ = store.subscribe(user, "https://first.test/feed", NOW)
        acknowledged = add_until_full(store, feed)
        assert store.unread(user) == acknowledged > 0
    with backend_open(backend, path) as store:
        assert store.check() == ()
        assert store.unread(user) == acknowledged


def record(store, polled):
    with store.ingest() as ingest:
        ingest.record(polled)


def test_the_most_pages_reached_is_full_too(backend, path):
    with backend_open(backend, path) as store:
        feed, _ = store.subscribe(store.user("reader", NOW), "https://first.test/feed", NOW)
        (due,) = claim(store, feed)
        big = article(feed, "big", content="x" * 10_000_000)

        with store.database.write() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 200")
        with pytest.raises(StoreFull, match="Nothing was changed"):
            record(store, poll(due, new(big)))
        assert store.facts()["articles"] == "0"


# --- not ours to write ---


def open_as_nobody(backend, path, results):
    os.setuid(65534)
    try:
        store = backend.open(path, patience=AT_ONCE)
        store.user("reader", NOW)
        results.put("written")
    except StoreError as error:
        results.put(str(error))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become someone else")
@pytest.mark.parametrize("folder_mode", [0o555, 0o777], ids=["folder too", "file only"])
def test_a_read_only_file_is_named_so(backend, empty, folder_mode):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "newsloom.db"
        path.write_bytes(empty.read_bytes())
        path.chmod(0o444)
        Path(folder).chmod(folder_mode)
        forking = multiprocessing.get_context("fork")
        results = forking.Queue()
        process = forking.Process(target=open_as_nobody, args=(backend, path, results))
        process.start()
        words = results.get(timeout=60)
        process.join()
        assert "read-only" in words or "cannot be opened" in words
        assert path.read_bytes() == empty.read_bytes()
