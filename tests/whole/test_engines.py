"""Every engine makes the same of the same articles, and none of its workers is needed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from conftest import Whole

import commands
from engine_rows import differing, rows
from kills import kill_count
from newsloom.app import open_app, utc_now
from newsloom.app.passes import assembler
from newsloom.engines import ENGINES
from newsloom.engines.pipeline import STAGES
from newsloom.feeds.service import subscribing
from newsloom.kernel.settings import CHOICES, Settings, StoreSettings
from newsloom.ranking.stages.term_background import CountedTerms
from newsloom.sample import SampleServer
from newsloom.sample.content import NAMES
from newsloom.store import Store, open_store
from newsloom.work.service import Leases
from publisher import rss

HERE = tuple(one.name for one in ENGINES if one.name != "ray")  # that is in test_ray.py
LONG = 100  # seconds that nothing takes


def command(*more: str) -> list[str]:
    return [sys.executable, "-m", "newsloom", *more]


def environment(path: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "NEWSLOOM_STORE_PATH": str(path), **more}


def work(path: Path, *line: str) -> dict[str, object]:
    done = commands.run("work", "--json", *line, environment=environment(path))
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def made(path: Path) -> dict[str, list[object]]:
    with closing(opened(path)) as store:
        return rows(store)


def opened(path: Path) -> Store:
    return open_store(path, now=utc_now)


@pytest.fixture
def polled(request: pytest.FixtureRequest, open_whole, tmp_path: Path) -> Path:
    """A store with the articles of the sample, or of as many feeds of it as the parameter says;
    nothing is computed of them."""
    feeds = getattr(request, "param", None)
    whole = open_whole(*(f"{name}.localhost" for name in NAMES), workers=0)

    async def poll() -> None:
        async with SampleServer(now=utc_now, port=0) as server:
            reader = whole.app.reader()
            subscribing.import_opml(reader, server.opml())
            ids = [one.feed_id for one in reader.subscriptions()]
            await whole.app.runner(()).once(ids[:feeds])

    asyncio.run(poll())
    whole.app.store.close()
    return tmp_path / "news.db"


def test_the_engines_are_those_of_the_settings() -> None:
    assert CHOICES["work.engine"] == tuple(one.name for one in ENGINES)


@pytest.mark.parametrize("polled", [9], indirect=True)
def test_every_engine_here_makes_the_same_rows(polled: Path, tmp_path: Path) -> None:
    found = {}
    for engine in HERE:
        path = Path(shutil.copy(polled, tmp_path / f"{engine}.db"))
        told = work(path, "--engine", engine, "--workers", "2")
        assert (told["engine"], told["problems"], told["restarts"]) == (engine, {}, 0)
        found[engine] = made(path)
    first, *others = found.values()
    assert len(first["embeddings"]) == len(first["states"]) > 100
    assert first["work_batches"] == first["work_failures"] == []
    for other in others:
        assert differing(other, first) == []


def test_stories_are_the_same_whichever_worker_places_which_batch(
    polled: Path, tmp_path: Path
) -> None:
    before = [one.name for one in STAGES if one.name != "stories"]
    work(polled, "--stages", ",".join(before))
    found = []
    for workers in (1, 2):
        path = Path(shutil.copy(polled, tmp_path / f"{workers}.db"))
        with closing(open_app(Settings(store=StoreSettings(path=path)))) as app:
            leases = Leases(app.store, utc_now)
            first, *others = turns = [assembler(app) for _ in range(workers)]
            done = [first.step(leases)]
            assert CountedTerms(app.store, utc_now).count_due(), "words weigh otherwise from now on"
            done += [one.step(leases) for one in (*others, *turns)]
            assert done[0] < sum(done) == len(rows(app.store)["texts"]), "several batches"
            turns[0].finish()
            found.append(rows(app.store))
    assert differing(*found) == []


def publish(whole: Whole, publisher, count: int) -> None:
    items = [
        (f"{one}", f"https://site.test/{one}", f"Headline {one}: {'word ' * (one % 7)}end")
        for one in range(count)
    ]
    whole.follow(publisher.puts("/feed.xml", rss("Feed", *items)))
    whole.run(stages=())


def test_stages_by_name_and_what_is_left_of_the_others(
    whole: Whole, publisher, newsloom, tmp_path: Path
) -> None:
    publish(whole, publisher, 3)
    done = work(tmp_path / "news.db", "--stages", "text, duplicates")
    assert {one: count for one, count in done["done"].items() if count} == {
        "text": 3, "duplicates": 3,
    }  # fmt: skip
    told = json.loads(newsloom("work", "--status", "--json"))
    assert (told["engine"], told["workers"]) == ("local", [])
    left = {one["stage"]: one["articles"] for one in told["pending"]}
    assert left["embed"] == 3
    assert "text" not in left
    words = newsloom("work", "--status")
    assert "No worker is active." in words
    assert "embed 3" in words
    assert "No Ray cluster is configured" in words
    assert "There is no stage 'embedd'" in newsloom("work", "--stages", "embedd", status=2)
    assert "There is no engine 'dask'" in newsloom("work", "--engine", "dask", status=2)
    assert whole.app.store.lists.unscored(whole.app.user) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="reads the children of a process from /proc")
def test_a_killed_worker_process_is_replaced_and_an_end_is_orderly(
    whole: Whole, publisher, tmp_path: Path
) -> None:
    publish(whole, publisher, 3)
    line = command("work", "--engine", "processes", "--workers", "1", "--watch", "--json")
    with subprocess.Popen(
        line, env=environment(tmp_path / "news.db"), stdout=subprocess.PIPE, text=True
    ) as working:
        try:
            eventually(lambda: whole.app.store.lists.unscored(whole.app.user) == 0)
            (first,) = eventually(lambda: children(working.pid))
            os.kill(first, signal.SIGKILL)
            publisher.puts("/feed.xml", rss("Feed", ("n", "https://site.test/n", "New")))
            whole.run(feeds=[1], stages=())
            eventually(lambda: whole.app.store.lists.unscored(whole.app.user) == 0)
            working.send_signal(signal.SIGTERM)
            printed, _ = working.communicate(timeout=LONG)
        finally:
            working.kill()
    told = json.loads(printed)
    assert working.returncode == 0
    assert (told["done"]["text"], told["restarts"]) == (4, 1)
    assert not Path(f"/proc/{first}").exists()


def eventually(what):
    """What it is, once it is something."""
    for _ in range(LONG * 10):
        if found := what():
            return found
        threading.Event().wait(0.1)
    raise AssertionError("it did not come")


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture
def chance() -> Iterator[random.Random]:
    return random.Random(20261124)


@pytest.mark.crash
@pytest.mark.timeout(1200)
def test_workers_killed_at_random_lose_nothing_and_double_nothing(
    polled: Path, chance: random.Random, tmp_path: Path
) -> None:
    """Twenty kills of `make crash`, each of one of two workers, in as many runs as that takes."""
    expected = Path(shutil.copy(polled, tmp_path / "expected.db"))
    work(expected)
    kills, wanted, number = 0, kill_count(20), 0
    while kills < wanted:
        number += 1
        path = Path(shutil.copy(polled, tmp_path / f"{number}.db"))
        line = command("work", "--engine", "processes", "--workers", "2", "--json")
        with subprocess.Popen(
            line, env=environment(path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as working:
            with closing(open_app_at(path)) as app:
                eventually(lambda: app.store.work.held_work(utc_now()) or working.poll() == 0)
                for _ in range(4):  # of six in a row, the engine would give up
                    threading.Event().wait(chance.uniform(0, 1.5))
                    if working.poll() is None and (alive := children(working.pid)):
                        os.kill(chance.choice(alive), signal.SIGKILL)
                        kills += 1
            working.communicate(timeout=LONG)
            assert working.returncode == 0
        assert differing(made(path), made(expected)) == []


def open_app_at(path: Path):
    from dataclasses import replace

    from newsloom.kernel.settings import Settings

    settings = Settings()
    return open_app(replace(settings, store=replace(settings.store, path=path)))
