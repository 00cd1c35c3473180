"""A Newsloom as `newsloom serve` serves it, on a port, with two readers; and a publisher."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx

from migrated import migrated
from newsloom.accounts import tokens
from newsloom.accounts.values import Role
from newsloom.app import App, account_wiring, open_app, utc_now
from newsloom.app.reader import Reader
from newsloom.kernel.ids import FeedId, UserId
from newsloom.kernel.settings import Settings
from newsloom.reading.values.reading import ArticleState, EventKind, ListQuery, Order, Rows
from newsloom.reading.values.syncing import StreamQuery
from newsloom.sync.commands import sync_apis
from newsloom.web.app import create_app
from newsloom.web.auth import AuthServices
from newsloom.web.server import serve
from publisher import Publisher

HOUR = timedelta(hours=1)

# Articles of each feed, the first the newest.
EACH = 6

# Without what makes vectors and scores: this is about protocols.
NO_STAGES: tuple[Any, ...] = ()

READ = "user/-/state/com.google/read"
STARRED = "user/-/state/com.google/starred"
READING_LIST = "user/-/state/com.google/reading-list"
LABEL = "user/-/label/"


@dataclass
class Person:
    """Who reads, and what their app signs in with."""

    user: UserId
    name: str
    secret: str
    feeds: list[FeedId] = field(default_factory=list)

    @property
    def auth(self) -> dict[str, str]:
        return {"authorization": f"GoogleLogin auth={self.name}/{self.secret}"}

    @property
    def fever_key(self) -> str:
        return tokens.fever_key(self.name, self.secret)


@dataclass
class Scene:
    """The store behind a served Newsloom, and how to ask it."""

    app: App
    publisher: Publisher
    ann: Person
    bob: Person
    url: str = ""
    clients: list[httpx.Client] = field(default_factory=list)

    def client(self, person: Person | None = None, root: str = "") -> httpx.Client:
        """An HTTP client, signed in as a person; closed with the scene."""
        made = httpx.Client(
            base_url=self.url + root, headers=person.auth if person else {}, timeout=60
        )
        self.clients.append(made)
        return made

    def articles(self, person: Person) -> list[int]:
        """The numbers of all their articles, the last that came first."""
        query = ListQuery(order=Order.NEWEST, unread_only=False, limit=1_000, rows=Rows.ARTICLE)
        found = self.app.store.lists.page(
            person.user, query, utc_now(), self.app.reader().half_lives
        )
        return sorted((one.id for one in found), reverse=True)

    def arrivals(self, person: Person) -> dict[int, int]:
        """The same articles by their arrival numbers, which Fever has, in the same order."""
        page = self.app.store.syncing.stream(person.user, StreamQuery(limit=1_000))
        return {one.arrival: one.id for one in page.refs}

    def state(self, person: Person, article: int) -> ArticleState:
        known = self.app.store.syncing.known_articles(person.user, [article])
        return known[article].state

    def unread(self, person: Person) -> set[int]:
        return {one for one in self.articles(person) if not self.state(person, one).read}

    def starred(self, person: Person) -> set[int]:
        return {one for one in self.articles(person) if self.state(person, one).starred}

    def subscribed(self, person: Person) -> set[str]:
        """The addresses of their feeds."""
        reader = replace(self.app.reader(), user=person.user)
        return {one.url for one in reader.subscriptions()}

    def labels(self, person: Person) -> list[Any]:
        """What the reader's model learns from."""
        return list(self.app.store.models.labels(person.user))

    def undo(self, person: Person) -> tuple[EventKind, ...]:
        reader = replace(self.app.reader(), user=person.user)
        return tuple(one.kind for one in reader.undo("test"))

    def publish(self, name: str, *numbers: int) -> str:
        return self.publisher.puts(f"/{name}", document(name, numbers or tuple(range(EACH))))

    def poll(self, feeds: Sequence[FeedId]) -> None:
        """One pass over feeds, as if they were due."""
        self.app.store.feeds.hasten(feeds, self.app.now(), asked_before=self.app.now() + HOUR)
        asyncio.run(self.app.runner(NO_STAGES).once(feeds))


def document(name: str, numbers: Sequence[int]) -> str:
    """A feed whose articles are an hour apart, with a link, an author, a picture and a script."""
    now = utc_now()
    items = "".join(
        f"<item><guid isPermaLink='false'>{name}-{one}</guid>"
        f"<link>https://{name}.example/{one}</link><title>{name} reports {one}</title>"
        f"<author>ed@{name}.example (Ed of {name})</author>"
        f"<description>&lt;p&gt;Told of {name} in line {one}.&lt;/p&gt;"
        "&lt;script&gt;steal()&lt;/script&gt;&lt;img src='/pic.png'&gt;</description>"
        f"<enclosure url='https://{name}.example/{one}.mp3' type='audio/mpeg' length='5'/>"
        f"<pubDate>{format_datetime(now - HOUR * (one + 1))}</pubDate></item>"
        for one in numbers
    )
    head = f"<title>{name}</title><link>https://{name}.example/</link>"
    return f"<rss version='2.0'><channel>{head}{items}</channel></rss>"


def furnish(app: App, publisher: Publisher) -> Scene:
    """Ann follows two feeds in categories and one in none; Bob one of hers and one of his own."""
    store, now = app.store, app.now()
    ann = _person(app, "ann", app.user)
    bob = _person(app, "bob", None)
    scene = Scene(app, publisher, ann, bob)
    for name, category, readers in (
        ("harbour", "Sea", (ann, bob)),
        ("tides", "Sea", (ann,)),
        ("parish", "", (ann,)),
        ("bees", "Secret", (bob,)),
    ):
        url = scene.publish(name)
        for one in readers:
            feed, _new = store.reading.subscribe(one.user, url, now, category=category)
            one.feeds.append(feed)
    asyncio.run(app.runner(NO_STAGES).once(sorted({*ann.feeds, *bob.feeds})))
    return scene


def _person(app: App, name: str, user: UserId | None) -> Person:
    secret = tokens.token(name.encode().ljust(tokens.APP_PASSWORD_BYTES, b"!"))
    accounts = app.store.accounts
    made = accounts.add_account(name, Role.READER, "no hash", app.now(), user)
    assert made is not None
    account = accounts.account_of(made)
    digests = tokens.digest(secret), tokens.fever_digest(name, secret)
    assert accounts.add_app_password(account, "phone", *digests, app.now()) is not None
    return Person(made, name, secret)


def opened(path: Path, publisher: Publisher, url: str = "", **sync: object) -> App:
    settings = Settings()
    return open_app(
        replace(
            settings,
            user="ann",
            pages=replace(settings.pages, icons=False),
            schedule=replace(settings.schedule, by_hand_minutes=0.0),
            reading=replace(settings.reading, workers=0),
            store=replace(settings.store, path=path if url else migrated(path), url=url),
            fetch=replace(
                settings.fetch, private_hosts=(publisher.host,), per_host=8, host_seconds=0.0
            ),
            sync=replace(settings.sync, **sync),
        )
    )


@contextmanager
def serving(scene: Scene) -> Iterator[Scene]:
    """The pages and the APIs on a port, until the block ends; the network is there."""
    started, urls = threading.Event(), []
    loop = asyncio.new_event_loop()
    until = asyncio.Event()

    def ready(url: str) -> None:
        urls.append(url)
        started.set()

    async def run() -> None:
        async with scene.app.fetching() as fetcher:

            def reader_of(user: UserId) -> Reader:
                return replace(scene.app, user=user).reader(fetcher)

            pages = create_app(
                reader_of(scene.app.user),
                auth=AuthServices(account_wiring.account_service(scene.app), reader_of),
                beside=(sync_apis(scene.app, reader_of),),
            )
            await serve(pages, "127.0.0.1", 0, until=until, on_ready=ready)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    assert started.wait(20)
    scene.url = urls[0].rstrip("/")
    try:
        yield scene
    finally:
        for one in scene.clients:
            one.close()
        loop.call_soon_threadsafe(until.set)
        thread.join(20)
        loop.close()
