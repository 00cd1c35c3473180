"""Either side killed at random moments, again and again: nothing is lost, nothing is doubled."""

from __future__ import annotations

import multiprocessing
import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

import preloaded
import tiny
from bridge.rows import NOW, Rows, listed, place, sync, synchroniser, user
from newsloom.articles.store.reader_tables import events, states
from newsloom.articles.store.tables import articles
from newsloom.bridges.service.sync import Synchroniser, SyncReport
from newsloom.bridges.store.tables import bridge_entries
from newsloom.bridges.ttrss.check import role_sql
from newsloom.kernel.settings import TtrssSettings
from newsloom.store import open_store
from tiny import Cluster

pytestmark = [pytest.mark.ttrss, pytest.mark.timeout(600)]

ROUNDS = 16
ENTRIES = 200  # new ones of each round are a tenth of it


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    if tiny.missing():
        pytest.skip(tiny.missing())
    with tiny.postgres() as one:
        one.sql("empty", role_sql(titles=False, sensitivity=False))
        yield one


def synchronise(path: Path, settings: TtrssSettings, pipe: multiprocessing.connection.Connection):
    """Again and again, until killed; says when each run begins and ends."""
    store = open_store(path, now=lambda: NOW)
    one = synchroniser(store, settings)
    while True:
        pipe.send("begun")
        one.sync()
        pipe.send("done")


class Life:
    """What happens in Tiny Tiny RSS meanwhile: articles come, a reader reads and labels."""

    def __init__(self, rows: Rows, owner: int) -> None:
        self.rows, self.owner = rows, owner
        self.feed = rows.feed(owner, "A feed")
        self.entries = 0
        self.finished = self.disliked = 0

    def go_on(self) -> None:
        count = ENTRIES if not self.entries else ENTRIES // 10
        self.rows.many(self.owner, self.feed, count, first=self.entries + 1)
        self.entries += count
        for change in ("unread = false, last_read", "published = true, last_published"):
            done = self.rows.sql(
                f"UPDATE ttrss_user_entries SET {change} = clock_timestamp() WHERE int_id IN ("
                " SELECT int_id FROM ttrss_user_entries WHERE owner_uid = %s AND unread"
                " AND NOT published ORDER BY md5(int_id::text) LIMIT 1) RETURNING int_id",
                self.owner,
            )
            assert len(done) == 1
        self.finished += 1
        self.disliked += 1


def assert_whole(path: Path, rows: Rows, life: Life, owner: int) -> None:
    """After one undisturbed run both sides say the same, and everything once."""
    with closing(open_store(path, now=lambda: NOW)) as store:
        later = NOW + timedelta(days=1)  # whatever pause a failure earned is over
        report = sync(store, rows.settings(), "ann", later)
        assert (report.waiting, report.problem) == (0, "")
        assert listed(store, "ann", later) == rows.shown(owner)
        assert len(set(rows.scores(owner).values())) == life.entries - life.finished
        assert min(rows.scores(owner).values()) > 0
        with store.database.read() as connection:
            kinds = [row.kind for row in connection.execute(events.select())]
            made = [row.title for row in connection.execute(articles.select())]
            kept = connection.execute(bridge_entries.select()).all()
            held = connection.execute(
                states.select().where(states.c.user_id == user(store, "ann"))
            ).all()
    assert sorted(kinds) == ["dislike"] * life.disliked + ["finished"] * life.finished
    assert len(made) == len(set(made)) == len(kept) == len(held) == life.entries


def test_newsloom_killed_while_it_synchronises(cluster: Cluster, tmp_path: Path) -> None:
    cluster.make("one", "empty")
    rows = Rows(cluster, "one")
    owner = rows.user("ann")
    life, chance = Life(rows, owner), random.Random(5)
    starter = multiprocessing.get_context("forkserver")
    starter.set_forkserver_preload(["newsloom.bridges", "bridge.rows", *preloaded.STORE, __name__])
    path, cut = place(tmp_path), 0
    for _round in range(ROUNDS):
        life.go_on()
        ours, theirs = starter.Pipe(duplex=False)
        process = starter.Process(target=synchronise, args=(path, rows.settings(), theirs))
        process.start()
        theirs.close()
        with closing(ours):
            assert ours.recv() == "begun"
            # A first run takes some seconds, a later one some tenths.
            time.sleep(chance.uniform(0, 1.5 if _round < 6 else 0.4))
            process.kill()
            process.join()
            assert process.exitcode == -9, "killed, and not ended by an error of its own"
            said = []
            while True:
                try:
                    said.append(ours.recv())
                except (EOFError, OSError):
                    break
        cut += not said or said[-1] == "begun"
    assert cut > ROUNDS / 2, "most were killed at work"
    assert_whole(path, rows, life, owner)


def test_postgresql_killed_while_it_is_synchronised_with(cluster: Cluster, tmp_path: Path) -> None:
    cluster.make("one", "empty")
    rows = Rows(cluster, "one")
    owner = rows.user("ann")
    life, chance = Life(rows, owner), random.Random(6)
    path, cut = place(tmp_path), 0
    with closing(open_store(path, now=lambda: NOW)) as store:
        for _round in range(ROUNDS // 2):
            life.go_on()
            one = synchroniser(store, rows.settings())
            reports: list[SyncReport] = []
            working = threading.Thread(target=until_it_is_gone, args=(one, rows, reports))
            working.start()
            time.sleep(chance.uniform(0, 1.5 if _round < 3 else 0.5))
            cluster.kill()
            working.join()
            one.remote.close()
            accounts = [account for report in reports for account in report.accounts]
            cut += any("does not respond" in account.problem for account in accounts)
            cluster.start()
    assert cut, "some were cut off between two questions"
    assert_whole(path, rows, life, owner)


def until_it_is_gone(one: Synchroniser, rows: Rows, reports: list[SyncReport]) -> None:
    """Synchronise as long as there is a database, with all scores to be written each time."""
    with suppress(psycopg.OperationalError):
        while not (reports and reports[-1].problem):
            reports.append(one.sync())
            rows.sql("UPDATE ttrss_user_entries SET score = 0")
