"""A scene for hubs: `serve`'s pages on a port, a hub and a publisher on others, the real store."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from sqlalchemy import select

from hub import Asked, Hub
from newsloom.app import App, polling
from newsloom.engines.pipeline import Runner, Stage
from newsloom.feeds.pages.push import HubDoor
from newsloom.feeds.store.tables import feeds
from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.polling import Push
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import ListQuery
from newsloom.web.app import create_app
from newsloom.web.server import serve
from publisher import Publisher, rss

if TYPE_CHECKING:
    from conftest import Whole

Result = TypeVar("Result")

NO_STAGES: tuple[Stage, ...] = ()
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FIRST = ("1", "https://news.example/1", "A bridge opens over the Tamar")
SECOND = ("2", "https://news.example/2", "The ferry over the Tamar makes its last crossing")


@dataclass
class Scene:
    """A feed at a publisher with a hub, and a Newsloom that both can reach."""

    whole: Whole
    app: App
    hub: Hub
    publisher: Publisher
    feed: FeedId
    runner: Runner
    port: int

    @property
    def topic(self) -> str:
        return f"{self.publisher.url}/feed"

    def document(self, *articles: tuple[str, str, str], topic: str = "", hub: str = "") -> str:
        """A document that names the hub and itself."""
        links = (
            f"<atom:link rel='hub' href='{hub or self.hub.url}'/>"
            f"<atom:link rel='self' href='{topic or self.topic}'/>"
        )
        atom = "xmlns:atom='http://www.w3.org/2005/Atom' "
        return (
            rss("The Tamar Gazette", *articles)
            .replace("<rss ", f"<rss {atom}")
            .replace("<item>", links + "<item>", 1)
        )

    def publish(self, *articles: tuple[str, str, str], **links: str) -> None:
        document = self.document(*articles, **links)
        self.publisher.puts("/feed", document, ETag=f'"{zlib.crc32(document.encode())}"')

    @property
    def push(self) -> Push:
        return self.app.store.feeds.pushes()[self.feed]

    @property
    def row(self) -> Any:
        """The feed as it stands in the store."""
        with self.app.store.database.read() as connection:  # type: ignore[attr-defined]
            query = select(feeds).where(feeds.c.id == self.feed)
            return connection.execute(query).one()

    @property
    def polls(self) -> int:
        return len([path for path, _headers in self.publisher.asked if path == "/feed"])

    @property
    def titles(self) -> list[str]:
        listed = self.app.store.lists.page(
            self.app.user,
            ListQuery(limit=100),
            self.whole.clock(),
            self.app.settings.ranking.half_lives(),
        )
        return sorted(one.title for one in listed)

    async def pass_(self, after: timedelta = timedelta(0)) -> None:
        self.whole.clock.ahead += after
        await self.runner.once()

    def hub_call(self, callback: str, query: Mapping[str, str]) -> str:
        return f"{callback}?{urlencode(query)}"

    async def settled(self) -> None:
        """Until all that was acknowledged is taken in."""
        while self.app.store.feeds.waiting_deliveries(1):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.005)

    async def told(self, act: Callable[..., Result], *what: object, **how: object) -> Result:
        """What the hub does, from where it stands."""
        return await asyncio.to_thread(partial(act, *what, **how))


def stage(
    open_whole: Callable[..., Whole], hub: Hub, publisher: Publisher, port: int, *hosts: str
) -> Scene:
    """Set it up, the publisher and the hub being allowed to be where they are."""
    allowed = hosts or (publisher.host, hub.host)
    whole = open_whole(*allowed, host_seconds=0.0, max_megabytes=1.0)
    settings = whole.app.settings
    push = replace(settings.push, url=f"http://127.0.0.1:{port}/", plain_http=True)
    app = replace(whole.app, settings=replace(settings, push=push))
    made = Scene(whole, app, hub, publisher, FeedId(0), app.runner(NO_STAGES), port)
    made.publish(FIRST)
    (made.feed,) = whole.follow(made.topic)
    return made


@asynccontextmanager
async def reachable(scene: Scene, after: bool = True) -> AsyncIterator[None]:
    """`serve`, as far as hubs see it."""
    app = scene.app
    callback = polling.callback(app)
    assert callback is not None
    pushing = polling.pushing(app)
    until, ready = asyncio.Event(), asyncio.Event()
    async with app.fetching() as fetcher:

        async def take_in() -> None:
            await pushing.take_in(fetcher)

        door = HubDoor(callback, take_in) if after else HubDoor(callback)
        pages = create_app(app.reader(), hubs=door)
        serving = asyncio.create_task(
            serve(pages, "127.0.0.1", scene.port, until=until, on_ready=lambda _url: ready.set())
        )
        await ready.wait()
        try:
            yield
        finally:
            until.set()
            await serving


def play(scene: Scene, act: Callable[[], Awaitable[None]], after: bool = True) -> None:
    async def acting() -> None:
        async with reachable(scene, after):
            await act()

    asyncio.run(acting())


async def agreed(scene: Scene) -> Asked:
    """One pass polls the feed, learns of the hub, asks it and is called back."""
    await scene.pass_()
    assert scene.push.state is PushState.ACTIVE
    return scene.hub.asked[-1]
