"""Several processes at the stages of one store: each article computed once, dead workers' too."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from conftest import Whole

import preloaded
from commands import run_at_once
from newsloom.app import open_app, utc_now
from newsloom.engines.pipeline import STAGES, run_stages
from newsloom.kernel.settings import Settings
from newsloom.ranking.encoders.registry import EMBEDDERS
from newsloom.ranking.stages.encoders import HEADS, VECTOR_BATCH
from publisher import rss

ARTICLES = 5 * VECTOR_BATCH // 2
MANY = 900  # about as many as are taken of one document
EMBED = tuple(stage for stage in STAGES if stage.name == "embed")
LONG = 100  # seconds that nothing takes

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload([*preloaded.APP, __name__])


class Hashing:
    """Vectors at once, in place of the shipped encoder's; says what it is given."""

    model_id = EMBEDDERS[0].model_id
    dimensions = 384

    def __init__(self, told=lambda _texts: None):
        self.told = told

    def embed(self, texts):
        self.told(texts)
        rows = np.ones((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[len(text) % self.dimensions] += len(text)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def settings_of(path):
    settings = Settings()
    return replace(settings, store=replace(settings.store, path=path))


def worker(path, told, stages, ahead=timedelta(0)):
    """Run the stages until nothing is left; what the encoder is given is told at once."""
    with closing(open_app(settings_of(path), lambda: utc_now() + ahead)) as app:
        shop = replace(app.runner().context, embedder=Hashing(told), encoders=None)
        return run_stages(shop, clock=time.perf_counter, stages=stages)


def publish(whole, publisher, count=ARTICLES):
    items = [
        (f"{one}", f"https://site.test/{one}", f"Headline {one}: {'word ' * (one % 7)}end")
        for one in range(count)
    ]
    whole.follow(publisher.puts("/feed.xml", rss("Feed", *items)))


def counts(store):
    return dict(
        zip(
            ("texts", "embeddings", "ratings", "signatures", "work_batches"),
            store.database.sizes("texts", "embeddings", "ratings", "signatures", "work_batches"),
            strict=True,
        )
    )


def share(path, pipe, barrier):
    """Embed beside another process, which has a batch too before the first is done."""
    met = []

    def told(texts):
        if not met:
            met.append(barrier.wait(LONG))
        pipe.send(texts)

    worker(path, told, EMBED)
    pipe.close()


def test_two_processes_embed_every_article_once(whole: Whole, publisher, tmp_path: Path) -> None:
    publish(whole, publisher)
    whole.run(stages=STAGES[:1])
    barrier = processes.Barrier(2)
    running, pipes = [], []
    for _ in range(2):
        ours, theirs = processes.Pipe(duplex=False)
        one = processes.Process(target=share, args=(tmp_path / "news.db", theirs, barrier))
        one.start()
        theirs.close()
        running.append(one)
        pipes.append(ours)
    heard = [list(batches(pipe)) for pipe in pipes]
    for one in running:
        one.join(LONG)
        assert one.exitcode == 0
    assert all(heard), "both took part"
    texts = [text for each in heard for batch in each for text in batch]
    assert len(texts) == len(set(texts)) == ARTICLES
    assert counts(whole.app.store)["embeddings"] == ARTICLES
    assert counts(whole.app.store)["work_batches"] == 0


def batches(pipe):
    with closing(pipe):
        while True:
            try:
                yield pipe.recv()
            except EOFError:
                return


def environment(tmp_path):
    return {**os.environ, "NEWSLOOM_STORE_PATH": str(tmp_path / "news.db")}


def test_newsloom_work_twice_at_once_does_all_once(whole: Whole, publisher, tmp_path: Path) -> None:
    publish(whole, publisher)
    whole.run(stages=())
    done = run_at_once(*[("work", "--json")] * 2, environment=environment(tmp_path))
    assert [one.returncode for one in done] == [0, 0]
    reports = [json.loads(one.stdout) for one in done]
    assert [report["problems"] for report in reports] == [{}, {}]
    for stage in STAGES:
        # A process that came too late for a stage has no count of it.
        count = sum(report["done"].get(stage.name, 0) for report in reports)
        # The shipped encoder is the one that is chosen, and nobody has a rule.
        assert count == (0 if stage.name in {HEADS, "rules"} else ARTICLES), stage.name
    assert whole.app.store.lists.unscored(whole.app.user) == 0
    assert counts(whole.app.store)["work_batches"] == 0


def test_newsloom_work_watches_until_it_is_told_to_end(
    whole: Whole, publisher, tmp_path: Path
) -> None:
    publish(whole, publisher, 3)
    command = [sys.executable, "-m", "newsloom", "work", "--watch", "--json"]
    with subprocess.Popen(
        command, env=environment(tmp_path), stdout=subprocess.PIPE, text=True
    ) as watching:
        try:
            whole.run(stages=())
            for _ in range(LONG * 10):
                if counts(whole.app.store)["embeddings"] == 3:
                    break
                threading.Event().wait(0.1)
            watching.send_signal(signal.SIGTERM)
            printed, _ = watching.communicate(timeout=LONG)
        finally:
            watching.kill()
    assert watching.returncode == 0
    assert json.loads(printed)["done"]["embed"] == 3


def deadly(path):
    """An encoder that one article kills, as a fault in a native library would."""

    def told(texts):
        if any("Headline 7:" in text for text in texts):
            os._exit(77)

    worker(path, told, EMBED)


def test_an_article_that_kills_its_worker_is_set_aside_and_shown(
    whole: Whole, publisher, newsloom, tmp_path: Path
) -> None:
    publish(whole, publisher, 20)
    whole.run(stages=STAGES[:1])
    path, exits = tmp_path / "news.db", []
    while not exits or (exits[-1] == 77 and len(exits) < 10):
        one = processes.Process(target=deadly, args=(path,))
        one.start()
        one.join(LONG)
        exits.append(one.exitcode)
    assert exits == [77, 77, 77, 0]
    store = whole.app.store
    assert counts(store)["embeddings"] == 19
    (found,) = store.work.set_aside()
    assert found.title.startswith("Headline 7:")
    doctor = newsloom("doctor", status=1)
    words = " ".join(doctor.split())
    assert "3 workers ended without a result" in words
    assert f"article {found.article}" in words
    worker(path, lambda _texts: None, EMBED)
    assert counts(store)["embeddings"] == 19, "it is left alone for a while"
    worker(path, lambda _texts: None, EMBED, ahead=timedelta(days=8))
    assert counts(store)["embeddings"] == 20
    assert store.work.set_aside() == ()


def slowly(path, pipe):
    def told(texts):
        pipe.send(texts)
        time.sleep(0.01)  # about half are killed here, the others while they compute or store

    worker(path, told, STAGES)


@pytest.mark.crash
@pytest.mark.timeout(1200)
def test_killed_workers_lose_nothing_and_double_nothing(
    whole: Whole, publisher, tmp_path: Path
) -> None:
    publish(whole, publisher, MANY)
    whole.run(stages=())
    path, chance, kills = tmp_path / "news.db", random.Random(20261122), 0
    # How many kills are in time depends on how fast the machine embeds.
    for _round in range(50):
        running = []
        for _ in range(2):
            ours, theirs = processes.Pipe(duplex=False)
            one = processes.Process(target=slowly, args=(path, theirs))
            one.start()
            theirs.close()
            running.append((one, ours))
        for one, pipe in running:
            pipe.poll(5)  # until it embeds, or has nothing to
            one.join(chance.uniform(0.0, 0.02))
            kills += one.is_alive()
            one.kill()
            one.join()
            pipe.close()
            assert one.exitcode in {-9, 0}, "killed, or done; not ended by an error"
        assert whole.app.store.check() == ()
    assert kills > 5
    # A range that was killed again and again may be set aside, and is tried again in time.
    worker(path, lambda _texts: None, STAGES, ahead=timedelta(days=8))
    assert whole.app.store.lists.unscored(whole.app.user) == 0
    assert counts(whole.app.store) == {
        "texts": MANY,
        "embeddings": MANY,
        "ratings": MANY,
        "signatures": MANY,
        "work_batches": 0,
    }
