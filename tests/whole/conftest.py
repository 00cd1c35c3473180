"""An opened Newsloom over a store of its own, allowed to fetch from the publisher of the test."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hub import Hub, hubbing
from migrated import migrated
from newsloom.app import App, open_app, utc_now
from newsloom.engines.pipeline import STAGES, Stage
from newsloom.feeds.service import subscribing
from newsloom.feeds.values.polling import PassReport
from newsloom.kernel.ids import FeedId
from newsloom.kernel.settings import Settings
from newsloom.sample import SampleServer
from newsloom.sample.content import NAMES
from ports import kept_port
from publisher import Publisher

if TYPE_CHECKING:
    from hub_scene import Scene


class Clock:
    """The wall clock, moved on by the test, and if it wants by nothing else."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)
        self._stopped: datetime | None = None

    def __call__(self) -> datetime:
        return (self._stopped or utc_now()) + self.ahead

    def stop(self) -> None:
        self._stopped = utc_now()


@dataclass
class Whole:
    """The app, its clock, and passes over it."""

    app: App
    clock: Clock

    def follow(self, *urls: str) -> list[FeedId]:
        return [
            self.app.store.reading.subscribe(self.app.user, url, self.clock())[0] for url in urls
        ]

    def run(
        self,
        feeds: Sequence[FeedId] | None = None,
        stages: tuple[Stage, ...] = STAGES,
        *,
        until: str = "",
    ) -> PassReport:
        """A pass with these stages, or with those up to the one called `until`."""
        if until:
            stages = STAGES[: [one.name for one in STAGES].index(until) + 1]
        return asyncio.run(self.app.runner(stages).once(feeds))


def _settings(path: Path, *hosts: str, workers: int = 0, **fetch: object) -> Settings:
    """Documents are read in this process unless a test is about the processes that read them: two
    of those cost more than most tests."""
    settings = Settings()
    return replace(
        settings,
        pages=replace(settings.pages, icons=False),
        schedule=replace(settings.schedule, by_hand_minutes=0.0),
        reading=replace(settings.reading, workers=workers),
        store=replace(settings.store, path=path),
        fetch=replace(
            settings.fetch, private_hosts=hosts, per_host=8, **{"host_seconds": 0.0} | fetch
        ),
    )


@pytest.fixture(scope="session")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database after a pass over the built-in sample, to copy. Workers of pytest share one."""
    folder = tmp_path_factory.getbasetemp()
    path = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "sampled.db"
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            _after_a_pass(path.with_suffix(".made")).rename(path)
    return path


def _after_a_pass(path: Path) -> Path:
    app = open_app(_settings(path, *(f"{name}.localhost" for name in NAMES)), utc_now)

    async def read() -> None:
        async with SampleServer(now=utc_now, port=0) as server:
            reader = app.reader()
            subscribing.import_opml(reader, server.opml())
            await app.runner().once([one.feed_id for one in reader.subscriptions()])

    asyncio.run(read())
    app.close()
    return path


@pytest.fixture
def open_whole(tmp_path: Path) -> Iterator[Callable[..., Whole]]:
    """Opens apps on one store, each allowed the hosts given; closes them at the end."""
    opened: list[App] = []

    def make(*hosts: str, icons: bool = False, workers: int = 0, **fetch: object) -> Whole:
        clock = Clock()
        settings = _settings(migrated(tmp_path / "news.db"), *hosts, workers=workers, **fetch)
        settings = replace(settings, pages=replace(settings.pages, icons=icons))
        opened.append(open_app(settings, clock))
        return Whole(opened[-1], clock)

    yield make
    for app in opened:
        app.close()


@pytest.fixture
def whole(open_whole: Callable[..., Whole], publisher: Publisher) -> Whole:
    return open_whole(publisher.host)


@pytest.fixture
def hub() -> Iterator[Hub]:
    with hubbing() as one:
        yield one


@pytest.fixture
def port() -> Iterator[int]:
    """Where hubs may reach a Newsloom, in one life of it after the other."""
    with kept_port() as one:
        yield one


@pytest.fixture
def scene(
    open_whole: Callable[..., Whole],
    hub: Hub,
    publisher: Publisher,
    port: int,
) -> Scene:
    """A feed with a hub, and a Newsloom that is not reachable yet."""
    from hub_scene import stage  # here: it knows this file

    return stage(open_whole, hub, publisher, port)
