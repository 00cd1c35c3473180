"""Newsloom in this process: its own client, scheduler, store and workers, by the case's clock.

Only the clock is not the real one, and the event loop's seconds are shorter than the world's. It
is set as shipped, but for the addresses of the case, a contact and lists that show every article.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack, suppress
from dataclasses import fields, is_dataclass, replace
from datetime import timedelta
from threading import Event
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from newsloom import __version__
from newsloom.app import App, open_app, polling
from newsloom.app.reader import Reader
from newsloom.engines.pipeline import Runner
from newsloom.feeds.service import subscribing
from newsloom.feeds.service.feeds import Condition
from newsloom.feeds.values.health import FeedState
from newsloom.kernel.errors import NewsloomError
from newsloom.kernel.settings import Settings
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Subscription
from newsloom_lab.databases import fresh
from newsloom_lab.politeness.case import ReaderFailed
from newsloom_lab.politeness.clock import FastLoop
from newsloom_lab.politeness.publisher import Headers
from newsloom_lab.politeness.readers.driver import CAPABILITIES, FeedShown, Shown, Surroundings

NAME = "newsloom"

# What the scheduler of `serve` sleeps at least, and at most.
SHORTEST_SLEEP = timedelta(seconds=1)
LONGEST_SLEEP = timedelta(minutes=1)

CONTACT = "https://reader.example/about"
MOST_SHOWN = 100_000
REAL_SECONDS = 150.0  # that one step may take
BETWEEN_LOOKS = 0.01  # real seconds, at how late the loop is
STANDSTILL = 1.0  # real seconds that no busy machine explains

Result = TypeVar("Result")

# The pages of a reader, as an ASGI application; they are made above this room.
Pages = Callable[[Reader], Any]


class Newsloom:
    """A driver (readers.driver.Driver)."""

    name = NAME
    version = __version__
    quick = True

    def __init__(self, around: Surroundings, pages: Pages | None = None) -> None:
        self.capabilities = frozenset(CAPABILITIES) - (frozenset() if pages else {"icons"})
        self.speed = around.speed
        self._around = around
        self._pages = pages
        self._late: list[float] = []
        self._environment = dict(os.environ)
        if around.authority:
            os.environ["SSL_CERT_FILE"] = str(around.authority)
        self._settings = settings_for(around)
        self._database = ExitStack()
        if server := os.environ.get("POLITENESS_STORE"):  # PostgreSQL, instead of a SQLite file
            url = self._database.enter_context(fresh(server))
            store = replace(self._settings.store, url=url)
            self._settings = replace(self._settings, store=store)
        self._loop = FastLoop(around.speed)
        self._users: dict[str, App] = {}
        self._app, self._runner = self._opened()

    def _opened(self) -> tuple[App, Runner]:
        app = open_app(self._settings, now=self._around.clock.now)
        # The stages rank what was stored; nothing of them is asked of a publisher.
        return app, app.runner(stages=())

    def subscribe(self, url: str, *, user: str = "") -> None:
        app = self._app_of(user)

        async def add() -> None:
            async with app.fetching() as fetcher:
                await subscribing.add(app.reader(fetcher), url)

        self._run(add())

    def subscribe_all(self, urls: Sequence[str]) -> None:
        self._app.store.reading.subscribe_all(
            self._app.user, [(url, "", "") for url in urls], self._around.clock.now()
        )

    def poll(self) -> None:
        self._run(self._runner.once())

    def advance(self, span: timedelta, step: timedelta | None = None) -> None:  # noqa: ARG002
        """By the times of its own schedule, whatever the step: that is when its scheduler wakes."""
        clock = self._around.clock
        until = clock.now() + span
        pause = SHORTEST_SLEEP
        while True:
            wake = self._next_due()
            if wake is None or wake > until:
                break
            clock.reach(max(wake, clock.now() + pause))
            if clock.now() > until:
                break
            mark = self._around.publisher.mark
            self.poll()
            # What stays due without being asked is looked at ever more rarely, up to an hour.
            asked = self._around.publisher.mark > mark
            pause = SHORTEST_SLEEP if asked else min(pause * 2, 60 * LONGEST_SLEEP)
        clock.reach(until)

    def restart(self) -> None:
        for app in self._users.values():
            app.close()
        self._users.clear()
        self._app.close()
        self._app, self._runner = self._opened()

    def articles(self) -> tuple[Shown, ...]:
        query = ListQuery(order=Order.NEWEST, unread_only=False, limit=MOST_SHOWN)
        urls = {one.feed_id: one.url for one in self._app.reader().subscriptions()}
        return tuple(
            Shown(
                feed=urls.get(one.feed_id, ""),
                title=one.title,
                link=one.url,
                published=one.dated,
                text=one.excerpt,
                unread=not one.state.read,
            )
            for one in self._app.reader().page(query)
        )

    def poll_killed(self, when: Event, after: timedelta) -> None:
        """A pass in a process of its own, on the same store, which is killed."""
        with self._another_process() as child:
            when.wait(REAL_SECONDS)
            time.sleep(after.total_seconds())
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)

    def poll_together(self) -> None:
        """A pass in each of two processes of their own, on the same store."""
        with self._another_process() as one, self._another_process() as two:
            for child in (one, two):
                try:
                    status = child.wait(REAL_SECONDS)
                except subprocess.TimeoutExpired:
                    os.killpg(child.pid, signal.SIGKILL)
                    raise ReaderFailed(f"it did not end within {REAL_SECONDS:g} s") from None
                if status:
                    raise ReaderFailed(f"it ended with status {status}")

    def _another_process(self) -> subprocess.Popen[bytes]:
        base, speed, since = self._around.clock.shared
        words = {
            "store": str(self._settings.store.path),
            "url": self._settings.store.url,
            "private_hosts": self._settings.fetch.private_hosts,
            "clock": (base.isoformat(), speed, since),
            "speed": self.speed,
        }
        command = [
            sys.executable,
            "-m",
            "newsloom_lab.politeness.readers.one_pass",
            json.dumps(words),
        ]
        return subprocess.Popen(command, start_new_session=True)  # noqa: S603 - our own

    def close(self) -> None:
        for app in self._users.values():
            app.close()
        self._app.close()
        self._database.close()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()
        if self._around.authority:
            os.environ.pop("SSL_CERT_FILE")
            os.environ.update(self._environment)

    # --- capabilities ---

    def refresh(self, url: str) -> str:
        held = self._app.reader().feeds.refresh(self._followed(url).feed_id)
        self.poll()
        return "" if held is None else f"{held.because}: not before {held.until:%H:%M}"

    def feeds(self) -> tuple[FeedShown, ...]:
        return tuple(
            FeedShown(
                one.feed.url,
                "" if one.feed.state is FeedState.HEALTHY and not one.feed.problem else _words(one),
                one.feed.title,
            )
            for one in self._app.reader().feeds.conditions()
        )

    def unsubscribe(self, url: str, *, user: str = "") -> None:
        reader = self._app_of(user).reader()
        reader.unsubscribe(self._followed(url, reader).feed_id)

    def moved(self, url: str) -> tuple[str, ...]:
        moves = self._app.reader().feeds.moves(self._followed(url).feed_id)
        return tuple(one.from_url for one in moves)

    def undo_move(self, url: str) -> None:
        feeds = self._app.reader().feeds
        feeds.take_back_move(feeds.moves(self._followed(url).feed_id)[0].id)

    def release(self, url: str) -> None:
        self._run(self._app.reader().feeds.release(self._followed(url).feed_id))

    def want_full_text(self, url: str) -> None:
        self._app.reader().set_full_text(self._followed(url).feed_id, True)

    def icons(self, views: int) -> None:
        """Through the pages themselves, and every icon that they show."""
        assert self._pages is not None
        application = self._pages(self._app.reader())
        feeds = [one.feed_id for one in self._app.reader().subscriptions()]

        async def view(number: int) -> None:
            await seen(application, "/" if number % 10 else "/feeds")
            await seen(application, f"/icons/{feeds[number % len(feeds)]}")

        for number in range(views):
            self._run(view(number))

    def hub_calls(self, url: str, headers: Headers, body: bytes | None) -> tuple[int, str]:
        callback = polling.callback(self._app)
        assert callback is not None, "the case sets no address for hubs"
        parts = urlsplit(url)
        token = parts.path.rpartition("/")[2]
        if body is None:
            answer = callback.called(token, parse_qsl(parts.query))
            return (404, "") if answer is None else (200, answer)
        push = callback.listens(token)
        if push is None:
            return 410, ""
        named = {name.lower(): value for name, value in headers}
        callback.sent(push, named.get("x-hub-signature", ""), named.get("content-type", ""), body)
        self.poll()
        return 202, ""

    def longest_wait(self) -> float:
        late = sorted(self._late)
        return late[len(late) * 99 // 100] if late else 0.0

    def import_opml(self, document: bytes) -> None:
        subscribing.import_opml(self._app.reader(), document)

    def revisions(self) -> int:
        reader = self._app.reader()
        query = ListQuery(order=Order.NEWEST, unread_only=False, limit=MOST_SHOWN)
        return max((len(reader.article(one.id).revisions) for one in reader.page(query)), default=0)

    def mark_all_read(self) -> None:
        reader = self._app.reader()
        query = ListQuery(order=Order.NEWEST, limit=MOST_SHOWN)
        reader.mark([one.id for one in reader.page(query)], EventKind.READ, "test")

    def _followed(self, url: str, reader: Reader | None = None) -> Subscription:
        for one in (reader or self._app.reader()).subscriptions():
            if one.url == url:
                return one
        raise ReaderFailed(f"it does not follow {url}")

    def _app_of(self, user: str) -> App:
        if not user:
            return self._app
        if user not in self._users:
            settings = replace(self._settings, user=user)
            self._users[user] = open_app(settings, now=self._around.clock.now)
        return self._users[user]

    def _next_due(self) -> Any:
        return self._app.store.feeds.next_due()

    def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """In the fast loop, within a bound of real time."""
        task = self._loop.create_task(work)
        watch = self._loop.create_task(self._watch())
        bound = threading.Timer(REAL_SECONDS, lambda: self._loop.call_soon_threadsafe(task.cancel))
        bound.daemon = True
        bound.start()
        try:
            return self._loop.run_until_complete(task)
        except NewsloomError as error:
            raise ReaderFailed(str(error)) from error
        except asyncio.CancelledError:
            raise ReaderFailed(f"it did not end within {REAL_SECONDS:g} seconds") from None
        finally:
            bound.cancel()
            watch.cancel()

    async def _watch(self) -> None:
        """How late the loop is, in real seconds. What its own thread computed counts, and any
        standstill; that others had the processor, or the interpreter's lock, does not."""
        while True:
            began, used = time.monotonic(), time.thread_time()
            await asyncio.sleep(BETWEEN_LOOKS * self.speed)
            late = max(0.0, time.monotonic() - began - BETWEEN_LOOKS)
            own = time.thread_time() - used
            self._late.append(late if late > STANDSTILL else min(late, own))


async def seen(application: Any, path: str) -> int:
    """The status of a page, asked for without a network."""
    status = 0

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)

    headers = [(b"host", b"127.0.0.1")]
    await application(
        {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        },
        receive,
        send,
    )
    return status


def _words(one: Condition) -> str:
    return one.because or one.feed.problem or one.feed.state.value


def settings_for(around: Surroundings) -> Settings:
    """As shipped, but for where the case is."""
    shipped = Settings()
    return _with(
        replace(
            shipped,
            store=replace(shipped.store, path=around.folder / "newsloom.db"),
            fetch=replace(
                shipped.fetch,
                private_hosts=_private(around),
                contact=CONTACT,
                proxy=around.proxy,
            ),
            duplicates=replace(shipped.duplicates, rows="article"),
        ),
        around.settings,
    )


def _private(around: Surroundings) -> tuple[str, ...]:
    return tuple(sorted({address for address, _ in around.publisher.hosts} | {"127.0.0.1"}))


def _with(settings: Settings, changes: tuple[tuple[str, object], ...]) -> Settings:
    """The tree with some leaves, named as in the settings file, changed."""
    for name, value in changes:
        room, _, leaf = name.partition(".")
        part = getattr(settings, room)
        assert is_dataclass(part)
        assert leaf in {one.name for one in fields(part)}, name
        settings = replace(settings, **{room: replace(part, **{leaf: value})})  # type: ignore[arg-type,type-var]
    return settings
