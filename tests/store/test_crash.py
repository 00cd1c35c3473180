"""kill -9 at random moments: what was acknowledged is there, whole, once, and the file is sound.

Two processes write to one file and are killed, again and again, on the file the last ones left.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import socket
import time
from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import select, text

import postgres
import preloaded
from kills import kill_count
from newsloom.articles.store.tables import texts
from newsloom.feeds.values.health import HeldDocument, Moving
from newsloom.feeds.values.polling import Pause
from newsloom.kernel.db.dialects import tsvector
from newsloom.kernel.errors import StoreError
from newsloom.ranking.values.models import PlainText
from newsloom.reading.values.reading import EventKind
from newsloom.store import owner_name

from .builders import HOUR, NOW, TEXT, article, duplicate, new, pending_texts, poll, revised
from .conftest import Backend, Postgres

pytestmark = pytest.mark.each_sqlite

ROUNDS = {
    "pysqlite3-wal": kill_count(200),
    "sqlite3-truncate": kill_count(50),
    "postgres": kill_count(200),
}
SERVER_KILLS = kill_count(50)
WRITERS = 2
BATCH = 5
SECOND = timedelta(seconds=1)
MOST_BATCHES = 2  # that a writer has time to acknowledge, however slow the machine
LONGEST = 0.25  # seconds from the last of them to its kill


def write(backend, path, user, feed, pipe):
    """Store batch after batch of one feed, and acknowledge each when the store has."""
    store = backend.open(path)
    owner = owner_name(socket.gethostname(), os.getpid())
    pipe.send(("opened", 0))
    while True:
        (due,) = store.feeds.claim_due(NOW, owner=owner, lease_for=HOUR, limit=1, feeds=[feed])
        number = int(due.etag or 0) + 1
        with store.feeds.ingest() as ingest:
            assert ingest.record(batch(ingest, due, number))
        pipe.send(("stored", number))
        raw = pending_texts(store, TEXT, 20)
        store.articles.put_texts(TEXT, [PlainText(one.id, one.title, one.html) for one in raw])
        if raw:
            store.reading.mark(user, [raw[0].id], EventKind.READ, NOW, "test")
            pipe.send(("read", int(raw[0].id)))


def batch(ingest, due, number):
    """New articles, a copy of one of them, and a revision of one of the batch before."""
    added = [article(due.id, f"{number} {place}", content=words(number)) for place in range(BATCH)]
    judged = [new(one) for one in added]
    before = ingest.candidates([("guid", f"{due.id} {number - 1} 0")])
    for (copy,) in before.values():
        judged.append(duplicate(article(due.id, f"{number} copy"), copy.id))
        changed = article(due.id, f"{number - 1} 0", title=f"Revised in {number}")
        judged.append(revised(changed, copy.id))
    return poll(due, *judged, etag=str(number), **beside(due, number))


def beside(due, number):
    """What else a poll may change: each says the number of the batch it must be stored with."""
    return {
        "moving": Moving("https://moved.test/", NOW, number),
        "hold": HeldDocument(NOW + number * SECOND, due.url, "text/xml", str(number).encode()),
        "pause": Pause(f"{due.id}.test", NOW, NOW + number * HOUR, str(number)),
    }


def words(number):
    return "<p>" + f"word{number} and more words of some length " * 80


@pytest.mark.crash
@pytest.mark.timeout(1200)
def test_killed_at_random_moments(backend, tmp_path):
    path = tmp_path / "newsloom.db"
    with closing(backend.open(path)) as store:
        user = store.users.user("reader", NOW)
        feeds = [
            store.reading.subscribe(user, f"https://{number}.test/", NOW)[0]
            for number in range(WRITERS)
        ]
    chance = random.Random(str(backend))
    starter = multiprocessing.get_context("forkserver")
    starter.set_forkserver_preload([*preloaded.STORE, __name__])
    stored, read, kills = dict.fromkeys(feeds, 0), set(), 0
    for _round in range(ROUNDS[str(backend)]):
        for feed, kind, number in killed(starter, backend, path, user, feeds, chance):
            kills += kind == "opened"
            if kind == "stored":
                stored[feed] = max(stored[feed], number)
            elif kind == "read":
                read.add(number)
        with closing(backend.open(path)) as store:
            # What is there now must stay, heard of or not: two writers in a row may be killed
            # between storing and saying so.
            stored = assert_whole(store, user, stored, read)
    assert kills == ROUNDS[str(backend)] * WRITERS
    assert min(stored.values()) > ROUNDS[str(backend)] / 4, "they did write"


@pytest.mark.crash
@pytest.mark.timeout(600)
def test_the_server_killed_at_random_moments(tmp_path):
    """What PostgreSQL has said to be stored is there when it is started again."""
    path = tmp_path / "newsloom.db"
    programs = postgres.programs()
    if programs is None:
        pytest.skip("there is no PostgreSQL on this machine")
    starter = multiprocessing.get_context("forkserver")
    starter.set_forkserver_preload([*preloaded.STORE, __name__])
    chance = random.Random(50)
    with postgres.running(programs) as cluster:
        cluster.make("empty")
        backend = Postgres(cluster.address("").rstrip("/"))
        with closing(backend.open(path)) as store:
            user = store.users.user("reader", NOW)
            feeds = [store.reading.subscribe(user, "https://first.test/", NOW)[0]]
        stored, read = dict.fromkeys(feeds, 0), set()
        for _round in range(SERVER_KILLS):
            heard = server_killed(starter, backend, cluster, path, user, feeds[0], chance)
            for kind, number in heard:
                if kind == "stored":
                    stored[feeds[0]] = max(stored[feeds[0]], number)
                elif kind == "read":
                    read.add(number)
            with closing(backend.open(path)) as store:
                stored = assert_whole(store, user, stored, read)
    assert stored[feeds[0]] > SERVER_KILLS / 2, "it did write"


def server_killed(starter, backend, cluster, path, user, feed, chance):
    """Kill the server below a writer, start it again, and return all that was acknowledged."""
    ours, theirs = starter.Pipe(duplex=False)
    process = starter.Process(target=write_until_told, args=(backend, path, user, feed, theirs))
    process.start()
    theirs.close()
    rows = [ours.recv() for _told in range(1 + chance.randint(0, MOST_BATCHES))]
    time.sleep(chance.uniform(0.0, LONGEST))
    cluster.kill()
    process.join()
    assert process.exitcode == 0, "it was told"
    with closing(ours):
        while True:
            try:
                rows.append(ours.recv())
            except (EOFError, OSError):
                break
    cluster.start()
    return rows


def write_until_told(backend, path, user, feed, pipe):
    """Write until the store says that its server is gone."""
    try:
        write(backend, path, user, feed, pipe)
    except StoreError as error:
        assert "cannot be reached" in str(error)  # noqa: PT017


def killed(starter, backend, path, user, feeds, chance):
    """Start the writers, kill each after a while, and return all they acknowledged."""
    running = []
    for feed in feeds:
        ours, theirs = starter.Pipe(duplex=False)
        process = starter.Process(target=write, args=(backend, path, user, feed, theirs))
        process.start()
        theirs.close()
        running.append((feed, process, ours))
    heard = [(feed, *pipe.recv()) for feed, _process, pipe in running]
    for feed, process, pipe in chance.sample(running, len(running)):
        batches = chance.randint(0, MOST_BATCHES)
        while batches:
            heard.append((feed, *pipe.recv()))
            batches -= heard[-1][1] == "stored"
        time.sleep(chance.uniform(0.0, LONGEST))
        process.kill()
    for feed, process, pipe in running:
        process.join()
        assert process.exitcode == -9, "killed, and not ended by an error of its own"
        with closing(pipe):
            while True:
                try:
                    heard.append((feed, *pipe.recv()))
                except (EOFError, OSError):
                    break
    return heard


def assert_whole(store, user, acknowledged, read):
    """Everything acknowledged is there, once; returns the last batch of each feed."""
    assert store.check() == ()
    with store.database.write() as connection:
        assert_searchable(connection)
        etags = dict(row for row in connection.execute(text("SELECT id, etag FROM feeds")))
        names = connection.execute(text("SELECT feed_id, guid FROM articles")).all()
        states = connection.execute(
            text("SELECT article_id, read FROM states WHERE user_id = :user"), {"user": user}
        ).all()
        originals = set(connection.scalars(text("SELECT id FROM articles WHERE original_id = id")))
        keys = connection.scalar(text("SELECT COUNT(*) FROM fresh_keys"))
        titles = dict(
            row
            for row in connection.execute(
                text("SELECT feed_id || ' ' || guid, title FROM articles")
            )
        )
        revisions = connection.scalar(text("SELECT COUNT(*) FROM revisions"))
    assert_together(store, etags)
    expected, changed, stored = set(), 0, {}
    for feed, number in acknowledged.items():
        last = stored[feed] = int(etags[feed] or 0)
        assert last in {number, number + 1}  # the last one may have been stored but not heard of
        for one in range(1, last + 1):
            expected |= {(feed, f"{one} {place}") for place in range(BATCH)}
            if one > 1:
                expected.add((feed, f"{one} copy"))
                assert titles[f"{feed} {one - 1} 0"] == f"Revised in {one}"
                changed += 1
    assert len(names) == len(set(names))
    assert set(names) == expected
    assert {one for one, _ in states} == originals
    assert keys == 2 * len(expected)
    assert revisions == changed
    assert read <= {one for one, is_read in states if is_read}
    return stored


def assert_searchable(connection):
    """The index of full text and the texts do not differ."""
    if connection.dialect.name == "sqlite":
        # Raises when they do.
        connection.execute(
            text("INSERT INTO texts_search (texts_search, rank) VALUES ('integrity-check', 1)")
        )
        return
    same = text("SELECT words = CAST(:words AS TSVECTOR) FROM texts_search WHERE article_id = :id")
    for row in connection.execute(select(texts)).mappings().all():
        values = {"id": row["article_id"], "words": tsvector.vector(row)}
        assert connection.scalar(same, values)


def assert_together(store, etags):
    """What else the last poll of each feed changed is of the same batch as its validators."""
    with store.database.read() as connection:
        for feed, etag in etags.items():
            last, one = int(etag or 0), {"feed": feed, "host": f"{feed}.test"}
            found = connection.execute(text(BESIDE), one).one()
            assert found == (last, etag.encode() or None, etag or None, min(last, 100))


BESIDE = """
    SELECT moved_times,
        (SELECT body FROM holds WHERE feed_id = :feed ORDER BY at DESC LIMIT 1),
        (SELECT because FROM pauses WHERE host = :host),
        (SELECT COUNT(*) FROM polls WHERE feed_id = :feed)
    FROM feeds WHERE id = :feed
"""


def test_a_log_that_lost_its_tail_opens_at_an_earlier_batch(tmp_path):
    """What a power cut may leave: the end of the write-ahead log missing, zeroed or garbled."""
    pytest.importorskip("pysqlite3")
    backend = Backend("pysqlite3", "wal")
    path = tmp_path / "newsloom.db"
    with closing(backend.open(path)) as store:
        user = store.users.user("reader", NOW)
        feed, _ = store.reading.subscribe(user, "https://first.test/feed", NOW)
        for number in range(1, 9):
            (due,) = store.feeds.claim_due(NOW, owner="test", lease_for=HOUR, limit=1, feeds=[feed])
            with store.feeds.ingest() as ingest:
                assert ingest.record(batch(ingest, due, number))
        # Copied while open: closing would empty the log into the file.
        main, log = path.read_bytes(), path.with_name("newsloom.db-wal").read_bytes()
    chance = random.Random(7)
    found = set()
    for number in range(45):
        kept = chance.randrange(len(log) * 3 // 4, len(log))  # the schema takes what is before
        tail = (b"", bytes(len(log) - kept), chance.randbytes(len(log) - kept))[number % 3]
        cut = tmp_path / f"{number}" / "newsloom.db"
        cut.parent.mkdir()
        cut.write_bytes(main)
        cut.with_name("newsloom.db-wal").write_bytes(log[:kept] + tail)
        with closing(backend.open(cut)) as store:
            with store.database.read() as connection:
                last = int(connection.scalar(text("SELECT etag FROM feeds")) or 0)
            assert_whole(store, user, {feed: last}, set())
            found.add(last)
    assert len(found) > 3, "tails were cut at different batches"
