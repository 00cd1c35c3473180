"""`kill -9` while digests are made and sent: each is made once and none is lost; what is sent twice
is the same message."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import shutil
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

import preloaded
from kills import kill_count
from mail_server import Mailbox, mail_server
from newsloom.app import App, open_app, utc_now
from newsloom.digests.service.digesting import digesting
from newsloom.digests.values import DigestKind, Schedule
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import ScheduleId
from newsloom.kernel.settings import Settings
from newsloom.stories.service import stories

KILLS = kill_count(60)
RECEIVERS = 12  # of each digest
READERS = 60  # of news of a story, which is made faster than a week's digest
LONGEST = 0.8  # seconds from the begin of a process's work to its end

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload([*preloaded.APP, "newsloom.digests.service.digesting"])


def opened(path: Path, port: int, hours: float) -> App:
    """With a clock that is so far ahead."""
    settings = Settings()
    settings = replace(
        settings,
        store=replace(settings.store, path=path),
        mail=replace(
            settings.mail, host="localhost", port=port, security="none", sender="n@example.org"
        ),
    )
    return open_app(settings, lambda: utc_now() + timedelta(hours=hours))


def work(path: Path, port: int, hours: float, told: Connection) -> None:
    app = opened(path, port, hours)
    digests = digesting(app)
    told.send("begun")

    async def once() -> None:
        async with app.fetching() as fetcher:
            await digests.once(fetcher)

    asyncio.run(once())
    app.close()


def plan(app: App) -> None:
    """Two weekly digests, of two schedules, that are due."""
    due = app.now() - timedelta(minutes=1)
    for number in range(2):
        targets = tuple(
            Target(Way.MAIL, f"reader{number}-{one}@example.org") for one in range(RECEIVERS)
        )
        wanted = Schedule(
            ScheduleId(0),
            app.user,
            DigestKind.WEEKLY,
            60 * due.hour + due.minute,
            due.weekday(),
            "UTC",
            targets,
            due,
        )
        app.store.digests.add_schedule(wanted, [f"{number}-{one}" for one in range(RECEIVERS)])


def killed(path: Path, port: int, after: float) -> bool:
    """Whether a process that makes and sends was still at it when it was killed."""
    heard, told = processes.Pipe(duplex=False)
    child = processes.Process(target=work, args=(path, port, 0, told))
    child.start()
    told.close()
    assert heard.recv() == "begun"
    child.join(after)
    alive = child.is_alive()
    child.kill()
    child.join()
    heard.close()
    assert child.exitcode in {-9, 0}, "killed, or done; not ended by an error"
    return alive


@pytest.mark.crash
@pytest.mark.timeout(1200)
def test_killed_senders_lose_nothing_and_make_nothing_twice(sampled: Path, tmp_path: Path) -> None:
    path, chance, kills = tmp_path / "news.db", random.Random(20261123), 0
    shutil.copy(sampled, path)
    box = Mailbox()
    with mail_server(box) as port:
        app = opened(path, port, 0)
        plan(app)
        for _round in range(KILLS):
            kills += killed(path, port, chance.uniform(0.0, LONGEST))
            assert app.store.check() == ()
        _heard, told = processes.Pipe(duplex=False)
        work(path, port, 0.5, told)  # behind every claim that was left
        digests = app.store.digests.newest_digests(app.user, 10)
        states = [one.state for each in digests for one in app.store.digests.sendings(each.id)]
        app.close()
    assert kills > 3
    # The second schedule's digest has nothing that the first has not told, or is made once.
    assert 1 <= len(digests) <= 2
    assert len({one.schedule for one in digests}) == len(digests)
    assert set(states) == {"sent"}
    assert len(states) == RECEIVERS * len(digests)
    messages = Counter((str(one["To"]), str(one["Message-ID"])) for one in box.taken)
    assert len(messages) == len(states), "each receiver's is one message, however often it came"


def plan_news(app: App) -> None:
    """News of a story that came before it was looked at."""
    reader = app.reader()
    stories.set_subscription(reader, stories.lines(reader)[0].head.id, stories.FOLLOWS)
    with app.store.database.write() as connection:
        connection.exec_driver_sql("UPDATE story_readers SET stand_at = 0")
    long_ago = app.now() - timedelta(days=400)
    targets = tuple(Target(Way.MAIL, f"reader{one}@example.org") for one in range(READERS))
    wanted = Schedule(
        ScheduleId(0), app.user, DigestKind.STORIES, 0, 0, "UTC", targets, app.now(), long_ago
    )
    app.store.digests.add_schedule(wanted, [str(one) for one in range(READERS)])


@pytest.mark.crash
@pytest.mark.timeout(1200)
def test_killed_senders_tell_news_of_stories_once(sampled: Path, tmp_path: Path) -> None:
    path, chance, kills = tmp_path / "news.db", random.Random(20261124), 0
    shutil.copy(sampled, path)
    box = Mailbox()
    with mail_server(box) as port:
        app = opened(path, port, 0)
        plan_news(app)
        for _round in range(KILLS):
            kills += killed(path, port, chance.uniform(0.0, LONGEST / 2))
            assert app.store.check() == ()
        _heard, told = processes.Pipe(duplex=False)
        work(path, port, 0.5, told)  # behind every claim that was left
        digests = app.store.digests.newest_digests(app.user, 10)
        states = [one.state for each in digests for one in app.store.digests.sendings(each.id)]
        app.close()
    assert kills > 2
    assert [len(one.digest.followed) for one in digests] == [1]
    assert states == ["sent"] * READERS
    messages = Counter((str(one["To"]), str(one["Message-ID"])) for one in box.taken)
    assert len(messages) == len(states), "each receiver's is one message, however often it came"
