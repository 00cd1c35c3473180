"""`kill -9` at random moments of a whole pass, 200 times: nothing acknowledged lost or doubled."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import sqlite3
import time
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

import preloaded
from newsloom.app import App, open_app
from newsloom.pipeline import Hearing
from newsloom.settings import Settings
from publisher import Publisher, rss

KILLS = 200
FEEDS = 8

# A pass over eight feeds with one new article each takes about half of this where it was measured;
# kills are spread over all of it, and passes that end before theirs do not count.
LONGEST = 0.8
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
    hearing = Hearing(on_poll=lambda counts: told.send(counts.new))
    asyncio.run(app.runner().once(feeds, hearing))
    app.close()
    told.send("done")


def acknowledged(heard: Connection) -> int:
    total = 0
    while heard.poll():
        try:
            said = heard.recv()
        except EOFError:
            break
        total += said if isinstance(said, int) else 0
    return total


def publish(publisher: Publisher, generation: int) -> list[str]:
    """Every feed with an article more than in the generation before."""
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
                    for number in range(max(0, generation - 30), generation + 1)
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
        return articles


@pytest.mark.crash
@pytest.mark.timeout(1200)
def test_killed_passes_lose_and_double_nothing(tmp_path: Path, publisher: Publisher) -> None:
    path = tmp_path / "news.db"
    host = publisher.host
    app = opened(path, host)
    for url in publish(publisher, 0):
        app.store.subscribe(app.user, url, app.now())
    app.close()
    chance = random.Random(20261121)
    promised = killed = generation = 0
    while killed < KILLS:
        assert generation < MOST_PASSES, "the kills come too late to test anything"
        publish(publisher, generation)
        heard, told = processes.Pipe(duplex=False)
        child = processes.Process(target=one_pass, args=(path, host, told))
        child.start()
        told.close()
        assert heard.recv() == "begun"
        child.join(chance.uniform(0.0, LONGEST))
        killed += child.is_alive()
        child.kill()
        child.join()
        promised += acknowledged(heard)
        heard.close()
        generation += 1
        assert promised <= check(path) <= FEEDS * generation, generation
    _finish(path, host)
    assert check(path) == FEEDS * generation


def _finish(path: Path, host: str) -> None:
    """A pass that is let through ends everything that the killed ones began."""
    began = time.monotonic()
    app = opened(path, host)
    feeds = [one.feed_id for one in app.reader().subscriptions()]
    asyncio.run(app.runner().once(feeds))
    left = app.reader().status().scoring_left
    app.close()
    assert left == 0
    assert time.monotonic() - began < 600
