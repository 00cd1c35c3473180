"""Several processes on one file: no feed claimed twice, nothing stored twice, all wait in turn."""

from __future__ import annotations

import subprocess
import sys

import pytest

from newsloom.store import owner_name

from .builders import article, claim, new, poll
from .conftest import PROCESS

pytestmark = pytest.mark.each_sqlite

FEEDS = 1000

CLAIMING = (
    PROCESS
    + """
import os, socket, time
from datetime import timedelta
sys.path.insert(0, sys.argv[3])
from store.builders import NOW, article, new, poll
store = opened(lambda: NOW)
owner = owner_name(socket.gethostname(), os.getpid())
print("ready", flush=True)
sys.stdin.readline()
while due := store.feeds.claim_due(NOW, owner=owner, lease_for=timedelta(hours=1), limit=50):
    with store.feeds.ingest() as ingest:
        for one in due:
            assert ingest.record(poll(one, new(article(one.id, "a"))))
    print(*(one.id for one in due), flush=True)
    sys.stdin.readline()  # the first time until the other has claimed too; then it is closed
    time.sleep(0.05)  # SQLite gives no turns: without a pause one writer may have them all
"""
)

DYING = (
    PROCESS
    + """
import os, socket
from datetime import timedelta
sys.path.insert(0, sys.argv[3])
from store.builders import NOW
store = opened(lambda: NOW)
owner = owner_name(socket.gethostname(), os.getpid())
due = store.feeds.claim_due(NOW, owner=owner, lease_for=timedelta(hours=1), limit=10)
print(len(due), flush=True)
sys.stdin.readline()
"""
)


def start(program, path, backend, request):
    tests = str(request.config.rootpath / "tests")
    command = [sys.executable, "-c", program, *backend.words(path), tests]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def subscribe_to_many(store, user, feeds=FEEDS):
    with store.database.write() as connection:
        connection.exec_driver_sql(
            f"""WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {feeds})
            INSERT INTO feeds (id, url, interval, next_poll_at)
            SELECT i, 'https://' || i || '.test/', 0, 0 FROM n"""
        )
        connection.exec_driver_sql(
            f"INSERT INTO subscriptions (user_id, feed_id, since) SELECT {user}, id, 0 FROM feeds"
        )


def test_no_feed_is_claimed_by_two_processes(backend, store, reader, lasting_path, request):
    subscribe_to_many(store, reader)
    processes = [start(CLAIMING, lasting_path, backend, request) for _ in range(2)]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * 2
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    first = [process.stdout.readline() for process in processes]
    outputs = [process.communicate(timeout=100) for process in processes]
    assert [errors for _, errors in outputs] == ["", ""]
    claimed = [(line + output).split() for line, (output, _) in zip(first, outputs, strict=True)]
    assert all(first), "both were at it"
    assert sorted(int(one) for each in claimed for one in each) == list(range(1, FEEDS + 1))
    assert store.lists.unread(reader) == FEEDS
    assert store.check() == ()


def test_leases_of_a_killed_process_are_had_at_once(backend, store, feed, lasting_path, request):
    with start(DYING, lasting_path, backend, request) as process:
        assert process.stdout.readline() == "1\n"
        assert claim(store, owner="other") == ()
        process.kill()
    assert [due.id for due in claim(store, owner="other")] == [feed]


def test_a_writer_waits_for_another_process(sqlite, store, reader, feed):
    hold = (
        "import importlib, sys, time;"
        f"d = importlib.import_module({store.database.driver.module.__name__!r});"
        f"c = d.connect({str(store.database.path)!r}, isolation_level=None);"
        "c.execute('BEGIN IMMEDIATE');"
        "print(flush=True); sys.stdin.readline(); time.sleep(0.3); c.execute('COMMIT')"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        other.stdout.readline()
        other.stdin.write("\n")
        other.stdin.flush()
        (due,) = claim(store)
        with store.feeds.ingest() as ingest:
            assert ingest.record(poll(due, new(article(feed, "a"))))
    assert store.lists.unread(reader) == 1


def test_an_owner_is_this_very_process():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        name = owner_name("host", other.pid)
        assert name == owner_name("host", other.pid)
        assert name.split(":")[1] == str(other.pid)
        other.communicate(b"\n")
    assert owner_name("host", other.pid) != name
