"""Pending work is looked for among the articles noted since nothing was left: after any order of
what may happen it is exactly what a look at all articles finds."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import text

from newsloom.kernel.db import producers
from newsloom.kernel.db.leases import this_process
from newsloom.work.store.leases import finish
from newsloom.work.store.pending import EVERYTHING, MOST, SOURCES, STEP, Window
from newsloom.work.values import Batch, StageKey

from .builders import NOW, add, article, publish, revised

# Of each stage what its input is made by, and a result.
STAGES = {
    "text": ("", "texts (article_id, maker_id, digest, title) VALUES (:id, :maker, :draw, '')"),
    "duplicates": ("text", "signatures (article_id, maker_id, digest, signature)"
                   " VALUES (:id, :maker, :draw, CAST('' AS {bytes}))"),
    "importance": ("", "importances VALUES (:id, :maker, 0, 0, 0, 1)"),
    "embed": ("", "embeddings (maker_id, article_id, vector)"
              " VALUES (:maker, :id, CAST('' AS {bytes}))"),
    "embed languages": (",en,", "embeddings (maker_id, article_id, vector)"
                        " VALUES (:maker, :id, CAST('' AS {bytes}))"),
    "sensitivity": ("embed", "ratings VALUES (:maker, :id, 3, 1, '', 0)"),
    "same event": ("embed", "same_event_marks"
                   " SELECT :id, :maker, digest FROM texts WHERE article_id = :id"),
    "stories": ("embed", "story_members VALUES (:id, :maker, 1, 0, 0, 1, '', '')"),
}  # fmt: skip
AGED = (
    "INSERT INTO aged_articles (article_id, texts_at, vectors_at) VALUES (:id, 1, 1)"
    " ON CONFLICT (article_id) DO UPDATE SET texts_at = 1"
)
LOST = "DELETE FROM texts WHERE article_id = :id"
OTHERS = (
    " SET maker_id = (SELECT id FROM makers WHERE name = 'text@1') WHERE article_id = :id"
    " AND maker_id = (SELECT id FROM makers WHERE name = '{}')"
)
# What makes work of an article that has all results, and what is to be done before.
CHANGES = (
    *(
        ((), f"{change} WHERE article_id = :id")
        for table in ("texts", "signatures", "importances", "story_members", "same_event_marks")
        for change in (f"UPDATE {table} SET maker_id = 0", f"DELETE FROM {table}")
    ),
    ((), "UPDATE texts SET digest = digest + 1 WHERE article_id = :id"),
    ((), f"UPDATE embeddings {OTHERS.format('embed@1')}"),
    ((), "DELETE FROM embeddings WHERE article_id = :id"),
    ((), f"UPDATE ratings {OTHERS.format('sensitivity@1')}"),
    ((), "DELETE FROM ratings WHERE article_id = :id"),
    (("UPDATE articles SET original_id = :other WHERE id = :id", LOST),
     "UPDATE articles SET original_id = id WHERE id = :id"),
    (("UPDATE articles SET language = 'fr' WHERE id = :id",
      "DELETE FROM embeddings WHERE article_id = :id"),
     "UPDATE articles SET language = 'en' WHERE id = :id"),
    ((AGED, LOST), "UPDATE aged_articles SET texts_at = NULL WHERE article_id = :id"),
    ((AGED, LOST), "DELETE FROM aged_articles WHERE article_id = :id"),
)  # fmt: skip
RANDOM = [one for before, change in CHANGES for one in (*before, change) if "name =" not in one]
# Where a row is a maker's and an article's; elsewhere an article's alone.
OF_MAKERS = {"embeddings", "ratings"}
KEYS = [
    StageKey(stage, f"{stage}@{version}", (of if of[:1] == "," else f"{of}@{version}",) * bool(of))
    for stage, (of, _) in STAGES.items()
    for version in (1, 2)
]
MISSED = text("""
    INSERT INTO work_notes (article_id) WITH RECURSIVE n(i) AS
    (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count) SELECT 0 FROM n
""")


class World:
    """What may happen to articles, drawn by chance; its writers are whatever threads act."""

    def __init__(self, store, feed, seed):
        self.store, self.feed, self.now = store, feed, NOW
        self.chance = random.Random(seed)
        self.ids, self.names, self.version = [], [], 0
        self.change(
            "INSERT INTO stories (id, state, began, latest) VALUES (1, '', 0, 0)"
            " ON CONFLICT DO NOTHING"
        )
        self.arrive()

    def change(self, *statements, **values):
        with self.store.database.write() as connection:
            for statement in statements:
                connection.execute(text(statement), values)

    def any(self):
        return self.chance.choice(self.ids)

    def arrive(self):
        names = [f"{self.chance.random()}" for _ in range(3)]
        self.ids += add(self.store, self.feed, *names)
        self.names += names

    def revise(self):
        one = self.chance.randrange(len(self.names))
        title = f"{self.chance.random()}"
        publish(
            self.store,
            self.feed,
            revised(article(self.feed, self.names[one], title=title), self.ids[one]),
        )

    def change_row(self):
        self.change(self.chance.choice(RANDOM), id=self.any(), other=self.any())

    def fill_notes(self, count=STEP):
        with self.store.database.write() as connection:
            connection.execute(MISSED, {"count": count})

    def wait(self):
        self.now += self.chance.choice((timedelta(minutes=1), timedelta(hours=1)))

    def change_version(self):
        self.version = 1 - self.version

    def current(self):
        return KEYS[self.version :: 2]

    def work(self):
        """Workers take batches of a stage, which end as they may."""
        key, ends = self.chance.choice(self.current()), ("done", "done", "failed", "killed", "back")
        while self.batch(key, self.chance.choice(ends)) and self.chance.random() < 0.8:
            pass

    def exhaust(self):
        """All of a stage is done, and so much was noted since that it is remembered."""
        key = self.chance.choice(self.current())
        self.fill_notes(self.chance.choice((STEP, STEP, STEP, MOST + 1)))
        self.drain(key)

    def exhaust_all(self):
        for _ in range(2):  # the second time nothing is noted any more
            self.fill_notes()
            for key in self.current():
                self.drain(key)

    def drain(self, key):
        while self.batch(key, "done"):
            pass

    def batch(self, key, end):
        """One batch, and what becomes of it; whether there was one."""
        owner = self.chance.choice((this_process(), "elsewhere:1:1"))
        until = self.now + timedelta(minutes=2)
        lease = self.store.work.claim_work(
            key, limit=self.chance.choice((1, 3, 50)), now=self.now, until=until, owner=owner
        )
        if lease is not None and end == "done":
            self.keep(lease)
        elif lease is not None and end == "failed":
            self.store.work.fail_work(lease, "an error", self.now)
        elif lease is not None and end == "back":
            self.store.work.release_work([lease])
        return lease is not None

    def keep(self, lease):
        kept = STAGES[lease.key.stage][1]
        table = kept.split()[0]
        with self.store.database.write() as connection:
            if finish(connection, Batch(lease, {}), None) is None:
                return
            maker = producers.numbered(connection, lease.key.producer)
            for one in lease.ids:
                named = {"id": one, "maker": maker, "draw": self.chance.randrange(99)}
                gone = f"DELETE FROM {table} WHERE article_id = :id" + (
                    " AND maker_id = :maker" if table in OF_MAKERS else ""
                )
                connection.execute(text(gone), named)
                sort = "BLOB" if connection.dialect.name == "sqlite" else "BYTEA"
                connection.execute(text(f"INSERT INTO {kept.format(bytes=sort)}"), named)

    def act(self, times):
        acts = {
            self.arrive: 1, self.revise: 1, self.change_row: 8, self.wait: 1, self.work: 6,
            self.exhaust: 6, self.change_version: 0.3,
        }  # fmt: skip
        for act in self.chance.choices([*acts], [*acts.values()], k=times):
            act()

    def assert_found(self, some=""):
        """Asked of all that is not leased, as for a claim. With `some` there is some work."""
        everywhere = Window(EVERYTHING.low, EVERYTHING.high, trying=-1)
        there = False
        with self.store.database.read() as connection:
            for key in KEYS:
                found, wanted = (
                    SOURCES[key.stage].pending(connection, key, window, 10_000)
                    for window in (EVERYTHING, everywhere)
                )
                assert found == wanted, (key, some)
                there |= bool(found) and key in self.current()
        assert there or not some, some


@pytest.mark.parametrize("seed", range(2))
def test_what_is_found_is_what_a_look_at_all_articles_finds(store, feed, seed):
    world = World(store, feed, seed)
    for _ in range(40):
        world.act(4)
        world.assert_found()
    world.now += timedelta(days=8)
    world.exhaust_all()
    every = Window(EVERYTHING.low, EVERYTHING.high, leased=True, trying=-1)
    with store.database.read() as connection:
        for key in world.current():
            assert SOURCES[key.stage].pending(connection, key, every, 1) == []


def test_each_change_that_makes_work_is_found(store, feed):
    """One after another, all else being done."""
    world = World(store, feed, 0)
    one, other = world.ids[:2]
    for before, change in CHANGES:
        world.change(*before, id=one, other=other)
        world.exhaust_all()
        world.change(change, id=one)
        world.assert_found(some=change)
    world.exhaust_all()
    world.change("DELETE FROM ratings WHERE article_id = :id", id=one)
    (rating,) = (key for key in world.current() if key.stage == "sensitivity")
    world.batch(rating, "failed")
    world.fill_notes()
    world.drain(rating)
    world.change("DELETE FROM work_failures")
    world.assert_found(some="the failure was forgiven")
    world.exhaust_all()
    world.arrive()
    world.assert_found(some="an arrival")
    for place in range(len(STAGES)):  # those behind a stage remember notes before its results
        world.fill_notes()
        for key in [*world.current()[:place:-1], world.current()[place]]:
            world.drain(key)
            world.assert_found()


def test_writers_beside_one_another_lose_nothing(store, subscribe):
    worlds = [World(store, subscribe(f"feed-{seed}"), seed) for seed in range(2)]
    with ThreadPoolExecutor(2) as pool:
        for _ in range(8):
            list(pool.map(lambda world: world.act(10), worlds))
            worlds[0].assert_found()
