"""`kill -9` at random moments of a whole pass, 200 times: nothing acknowledged lost or doubled."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import sqlite3
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

import preloaded
from kills import kill_count
from newsloom.app import App, open_app
from newsloom.engines.pipeline import ProgressListener
from newsloom.kernel.settings import Settings
from publisher import Publisher, rss

KILLS = kill_count(200)
FEEDS = 8
MEMBERS = "stories WHERE size > 0 AND thread_id"
SHOWN = 31  # articles of a feed at least, as of many real ones

# What a pass does one after the other: no poll is stored yet, some are, all are. A third of the
# kills are meant for each; some come late and hit the next.
STAGES = ("asking", "storing", "ranking")
LEAST = KILLS // 10  # kills in each stage, and passes that got through
MOST_PASSES = 3 * KILLS

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload([*preloaded.APP])


def opened(path: Path, host: str) -> App:
    settings = Settings()
    return open_app(
        replace(
            settings,
            store=replace(settings.store, path=path),
            fetch=replace(settings.fetch, private_hosts=(host,), per_host=4, host_seconds=0),
            schedule=replace(settings.schedule, by_hand_minutes=0),
            pages=replace(settings.pages, icons=False),
        )
    )


def one_pass(path: Path, host: str, told: Connection) -> None:
    """A pass over every feed; each poll is acknowledged once it is stored."""
    app = opened(path, host)
    told.send("begun")  # what is imported before that nobody needs to kill
    feeds = [one.feed_id for one in app.reader().subscriptions()]
    listener = ProgressListener(
        on_poll=lambda counts: None if counts.failed else told.send(counts.new)
    )
    asyncio.run(app.runner().once(feeds, listener))
    app.close()
    told.send("done")


@dataclass
class Pass:
    """A pass in a process of its own, as far as it was heard of."""

    process: BaseProcess
    heard: Connection
    new: list[int] = field(default_factory=list)  # articles of each poll acknowledged
    at: list[float] = field(default_factory=list)  # when each stage began, and the end
    open: bool = True

    @property
    def stage(self) -> int:
        """The stage it is in, by number; that of no stage when it is done."""
        return len(self.at) - 1

    def hear(self) -> None:
        """Wait for the next thing it tells, or for its end."""
        try:
            said = self.heard.recv()
        except EOFError:
            self.open = False
            return
        if isinstance(said, int):
            self.new.append(said)
        if said in {"begun", "done"} or len(self.new) in {1, FEEDS}:
            self.at.append(time.monotonic())

    def until(self, stage: int) -> None:
        while self.open and self.stage < stage:
            self.hear()

    def lengths(self) -> list[float]:
        """Seconds of each stage, of a pass that was let through."""
        return [after - before for before, after in pairwise(self.at)]

    def end(self) -> None:
        """Hear all that it told."""
        while self.open:
            self.hear()
        self.process.join()
        self.heard.close()


def begin(path: Path, host: str) -> Pass:
    heard, told = processes.Pipe(duplex=False)
    process = processes.Process(target=one_pass, args=(path, host, told))
    process.start()
    told.close()
    return Pass(process, heard)


def let_through(path: Path, host: str) -> Pass:
    one = begin(path, host)
    one.end()
    assert (one.process.exitcode, len(one.new), one.stage) == (0, FEEDS, len(STAGES))
    return one


def kill(path: Path, host: str, stage: int, seconds: float) -> Pass:
    """A pass killed so long after a stage began, unless it is done by then."""
    one = begin(path, host)
    one.until(stage)
    time.sleep(seconds)
    one.process.kill()
    one.end()
    assert one.process.exitcode in {-9, 0}, "killed, or done; not ended by an error"
    return one


def publish(publisher: Publisher, generation: int, had: int = 0) -> list[str]:
    """Every feed with an article more than in the generation before. It shows its newest, and all
    since the last generation that every feed was polled in: however many passes in a row are
    killed, the next poll finds what none has had."""
    first = max(0, min(generation - SHOWN + 1, had))
    return [
        publisher.puts(
            f"/{feed}.xml",
            rss(
                f"Feed {feed}",
                *(
                    (
                        f"{feed}-{number}",
                        f"https://feed{feed}.test/{number}",
                        f"News {number} of feed {feed}",
                    )
                    for number in range(first, generation + 1)
                ),
            ),
        )
        for feed in range(FEEDS)
    ]


def check(path: Path) -> int:
    """The database is whole and nothing in it is double; how many articles there are."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:

        def value(query: str) -> object:
            return database.execute(query).fetchone()[0]

        assert value("PRAGMA integrity_check") == "ok"
        assert list(database.execute("PRAGMA foreign_key_check")) == []
        articles = value("SELECT COUNT(*) FROM articles")
        assert value("SELECT COUNT(DISTINCT feed_id || ' ' || guid) FROM articles") == articles
        assert value("SELECT COUNT(DISTINCT url) FROM articles") == articles
        assert value("SELECT COUNT(*) FROM states") == articles
        assert isinstance(articles, int)
        assert value("SELECT COUNT(DISTINCT article_id) = COUNT(*) FROM story_members")
        for what, of in (("stories", "story_members WHERE story_id"), ("threads", MEMBERS)):
            count = f"SELECT COUNT(*) FROM {of} = x.id"
            wrong = value(f"SELECT COUNT(*) FROM {what} x WHERE size <> ({count})")
            assert wrong == 0, f"{what} count their members"
        return articles


@pytest.mark.crash
@pytest.mark.timeout(2400)
def test_killed_passes_lose_and_double_nothing(tmp_path: Path, publisher: Publisher) -> None:
    path = tmp_path / "news.db"
    host = publisher.host
    app = opened(path, host)
    for url in publish(publisher, 0):
        app.store.reading.subscribe(app.user, url, app.now())
    app.close()
    chance = random.Random(20261121)
    killed: Counter[str] = Counter()
    lengths: list[float] = []
    promised = through = had = generation = 0
    while killed.total() < KILLS or min(killed[stage] for stage in STAGES) < LEAST:
        assert generation < MOST_PASSES, f"the kills come too late to test anything: {killed}"
        publish(publisher, generation, had)
        # One in ten is let through, to measure how long each stage takes on this machine now.
        if generation % 10 == 0:
            one = let_through(path, host)
            lengths = one.lengths()
        else:
            stage = generation % len(STAGES)
            one = kill(path, host, stage, chance.uniform(0.0, lengths[stage]))
        if one.stage < len(STAGES):
            killed[STAGES[one.stage]] += 1
        else:
            through += 1
        promised += sum(one.new)
        had = generation if len(one.new) == FEEDS else had
        generation += 1
        assert promised <= check(path) <= FEEDS * generation, generation
    assert through >= LEAST
    _finish(path, host)
    assert check(path) == FEEDS * generation


def _finish(path: Path, host: str) -> None:
    """A pass that is let through ends everything that the killed ones began."""
    app = opened(path, host)
    feeds = [one.feed_id for one in app.reader().subscriptions()]
    asyncio.run(app.runner().once(feeds))
    left = app.reader().status().scoring_left
    app.close()
    assert left == 0
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        (alone,) = database.execute(
            "SELECT COUNT(*) FROM stories WHERE size > 0 AND thread_id IS NULL"
        ).fetchone()
        assert database.execute("SELECT COUNT(*) > 0 FROM threads").fetchone() == (1,)
    assert alone == 0, "every story is in a thread"
