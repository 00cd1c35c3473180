"""`kill -9` of a process that hubs send to, at random moments: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import time
from dataclasses import replace
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
import pytest

import preloaded
from hub import Asked, Hub
from kills import kill_count
from newsloom.app import App, open_app, polling, utc_now
from newsloom.engines.pipeline import Stage
from newsloom.feeds.pages.push import HubDoor
from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.polling import Push
from newsloom.kernel.settings import Settings
from newsloom.reading.values.reading import ListQuery
from newsloom.web.app import create_app
from newsloom.web.server import serve
from publisher import rss

pytestmark = [pytest.mark.crash, pytest.mark.timeout(1200)]

KILLS = kill_count(40)
LONGEST = 0.6  # seconds: some forty documents where it was measured
NO_STAGES: tuple[Stage, ...] = ()
TOPIC = "https://news.example/feed"

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["newsloom.web.app", *preloaded.APP])


def opened(path: Path, port: int) -> App:
    settings = Settings()
    return open_app(
        replace(
            settings,
            store=replace(settings.store, path=path),
            push=replace(settings.push, url=f"http://127.0.0.1:{port}", plain_http=True),
            reading=replace(settings.reading, workers=0),
        )
    )


def served(path: Path, port: int, told: Connection) -> None:
    """What hubs reach, for ever."""
    app = opened(path, port)
    callback, pushing = polling.callback(app), polling.pushing(app)
    assert callback is not None

    async def forever() -> None:
        async with app.fetching() as fetcher:

            async def after() -> None:
                await pushing.take_in(fetcher)

            await after()  # as the first pass does
            await serve(
                create_app(app.reader(), hubs=HubDoor(callback, after)),
                "127.0.0.1",
                port,
                until=asyncio.Event(),
                on_ready=told.send,
            )

    asyncio.run(forever())


def agree(app: App, port: int) -> Asked:
    """A feed whose hub tells, as if it had been asked."""
    now = utc_now()
    feed, _new = app.store.reading.subscribe(app.user, TOPIC, now)
    with app.store.database.write() as connection:  # type: ignore[attr-defined]
        connection.exec_driver_sql("""UPDATE feeds SET hints = '{"hub": "https://hub.example/"}'""")
    base, token, secret = f"http://127.0.0.1:{port}", "t" * 43, "s" * 43
    (announced,) = app.store.feeds.announced(base, 1)
    days = (announced.topic, PushState.ACTIVE, None, now, now + timedelta(days=365))
    app.store.feeds.begin_pushes(
        [Push(feed, token, secret, base, "https://hub.example/", *days)],
        [announced],
        now,
        timedelta(hours=1),
    )
    form = {
        "hub.callback": f"{base}/push/{token}",
        "hub.secret": secret,
        "hub.topic": TOPIC,
    }
    return Asked(form)


def send_until(ends: float, least: int, hub: Hub, one: Asked, begin: int) -> tuple[list[str], int]:
    """One document after the other, each with a new article, so many at least; those that were
    acknowledged."""
    titles, number = [], begin
    while time.monotonic() < ends or number < begin + least:
        title = f"Number {number} of what a hub has to tell"
        try:
            status = hub.distribute(one, rss("News", (f"n{number}", "", title)))
        except httpx.TransportError:
            break
        if status == 202:
            titles.append(title)
        number += 1
    return titles, number + 1


def test_what_was_acknowledged_is_listed_once(tmp_path: Path, port: int) -> None:
    chance, path = random.Random(7), tmp_path / "news.db"
    app = opened(path, port)
    one = agree(app, port)
    app.close()
    hub, sent, number = Hub("https://hub.example/"), [], 0
    for _kill in range(KILLS):
        heard, told = processes.Pipe(duplex=False)
        process = processes.Process(target=served, args=(path, port, told))
        process.start()
        assert heard.poll(120), "it never began"
        ends = time.monotonic() + chance.uniform(0.01, LONGEST)
        titles, number = send_until(ends, chance.randint(0, 4), hub, one, number)
        process.kill()
        process.join()
        sent += titles
        with app.store.database.write() as connection:  # type: ignore[attr-defined]
            connection.exec_driver_sql("UPDATE pushes SET in_hour = 0")
        app.close()
    app = opened(path, port)
    asyncio.run(app.runner(NO_STAGES).once())
    now, half_lives = utc_now(), app.settings.ranking.half_lives()
    listed = app.store.lists.page(app.user, ListQuery(limit=100_000), now, half_lives)
    assert app.store.feeds.waiting_deliveries(1) == ()
    app.close()
    assert len(sent) > KILLS
    titles = [found.title for found in listed]
    assert len(titles) == len(set(titles))
    assert set(sent) - set(titles) == set()
