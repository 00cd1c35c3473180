"""`kill -9` during the duplicates stage: every original signed once, the clusters the same."""

from __future__ import annotations

import multiprocessing
import random
import shutil
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

import preloaded
from newsloom.duplicates.stage import DuplicateDetector
from newsloom.engines.pipeline.stages import TEXT_VERSION
from newsloom.store import open_store
from newsloom_lab.bench.dedup import fill
from newsloom_lab.bench.news import END

ARTICLES = 600
BATCH = 6
RUNNING = 2  # at once, on one file
LONGEST = 0.1  # seconds from the first batch of a process to its end
MOST_ROUNDS = 60  # more would only wait, where the machine is so slow that few batches are done
# A range that was killed again and again is set aside for a week at most, and tried again then.
LATER = END + timedelta(days=8)

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["newsloom.engines.pipeline.stages", *preloaded.STORE])


def work(path, told):
    """The stage, batch by batch, until nothing is left."""
    with closing(open_store(path, now=lambda: END)) as store:
        matcher = DuplicateDetector(batch=BATCH)
        matcher.step(store, TEXT_VERSION, lambda: END)  # imports much, which nobody needs to kill
        told.send("begun")
        while matcher.step(store, TEXT_VERSION, lambda: END):
            pass


def finish(path):
    with closing(open_store(path, now=lambda: LATER)) as store:
        matcher = DuplicateDetector(batch=500)
        while matcher.step(store, TEXT_VERSION, lambda: LATER):
            pass
        assert matcher.step(store, TEXT_VERSION, lambda: LATER) == 0
        return outcome(store)


def outcome(store):
    """All that the stage leaves, but for when it did."""
    with store.database.read() as connection:

        def rows(query):
            return connection.execute(text(query)).all()

        return {
            "signatures": rows("SELECT article_id, digest, signature FROM signatures ORDER BY 1"),
            "links": rows(
                "SELECT article_id, other_id, relation, evidence FROM links ORDER BY 1, 2"
            ),
            "clusters": rows("SELECT article_id, cluster_id, text_id FROM clusters ORDER BY 1"),
            "keys": rows(
                "SELECT key, article_id FROM fresh_keys"
                " UNION ALL SELECT key, article_id FROM dedup_keys ORDER BY 1, 2"
            ),
        }


def whole(store):
    """What holds after every kill: keys and links are of what is signed, and nothing is torn."""
    assert store.check() == ()
    with store.database.read() as connection:
        for query in (
            "SELECT COUNT(*) FROM fresh_keys WHERE article_id NOT IN"
            " (SELECT article_id FROM signatures)",
            "SELECT COUNT(*) FROM signatures WHERE article_id NOT IN"
            " (SELECT article_id FROM fresh_keys UNION SELECT article_id FROM dedup_keys)",
            "SELECT COUNT(*) FROM links WHERE relation <> 'revision' AND article_id NOT IN"
            " (SELECT article_id FROM clusters)",
            "SELECT COUNT(*) FROM clusters WHERE article_id NOT IN"
            " (SELECT article_id FROM links UNION SELECT other_id FROM links)",
        ):
            assert connection.scalar(text(query)) == 0, query
        return connection.scalar(text("SELECT COUNT(*) FROM signatures"))


@pytest.mark.crash
@pytest.mark.timeout(1200)
def test_a_killed_stage_leaves_whole_batches_and_ends_the_same(tmp_path: Path) -> None:
    undisturbed, path = tmp_path / "undisturbed.db", tmp_path / "killed.db"
    fill(undisturbed, ARTICLES)
    shutil.copy(undisturbed, path)
    expected = finish(undisturbed)
    assert len(expected["signatures"]) == ARTICLES
    assert len(expected["clusters"]) > ARTICLES / 20
    chance, kills, signed = random.Random(20261121), 0, 0
    for _round in range(MOST_ROUNDS):
        if signed == ARTICLES:
            break
        running = []
        for _ in range(RUNNING):
            heard, told = processes.Pipe(duplex=False)
            child = processes.Process(target=work, args=(path, told))
            child.start()
            told.close()
            running.append((child, heard))
        for _, heard in running:
            assert heard.recv() == "begun"
        for child, heard in running:
            child.join(chance.uniform(0.0, LONGEST))
            kills += child.is_alive()
            child.kill()
            child.join()
            assert child.exitcode in {-9, 0}, "killed, or done; not ended by an error"
            heard.close()
        with closing(open_store(path, now=lambda: END)) as store:
            left = whole(store)
        assert left >= signed
        signed = left
    assert kills > 5
    assert finish(path) == expected
