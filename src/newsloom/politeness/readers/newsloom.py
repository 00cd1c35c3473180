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
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from datetime import timedelta
from threading import Event
from typing import Any, TypeVar

from newsloom import __version__
from newsloom.app import App, open_app
from newsloom.errors import NewsloomError
from newsloom.pipeline import Runner
from newsloom.politeness import usage
from newsloom.politeness.case import ReaderFailed
from newsloom.politeness.clock import FastLoop
from newsloom.politeness.readers.driver import CAPABILITIES, FeedShown, Shown, Surroundings
from newsloom.settings import Settings
from newsloom.types import EventKind, ListQuery, Order, Subscription

NAME = "newsloom"

# What the scheduler of `serve` sleeps at least, and at most.
SHORTEST_SLEEP = timedelta(seconds=1)
LONGEST_SLEEP = timedelta(minutes=1)

CONTACT = "https://reader.example/about"
MOST_SHOWN = 100_000
REAL_SECONDS = 150.0  # that one step may take

Result = TypeVar("Result")


class Newsloom:
    """A driver (readers.driver.Driver)."""

    name = NAME
    version = __version__
    quick = True
    capabilities = frozenset(CAPABILITIES) - {"websub", "icons"}

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._settings = settings_for(around)
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
                await app.reader(fetcher).add(url)

        self._run(add())

    def subscribe_all(self, urls: Sequence[str]) -> None:
        self._app.store.subscribe_all(
            self._app.user, [(url, "", "") for url in urls], self._around.clock.now()
        )

    def poll(self) -> None:
        self._run(self._runner.once())

    def advance(self, span: timedelta, step: timedelta | None = None) -> None:
        """By the times of its own schedule; with `step`, as its scheduler that looks so often."""
        clock = self._around.clock
        until = clock.now() + span
        pause = SHORTEST_SLEEP
        while True:
            wake = clock.now() + step if step else self._next_due()
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
        words = {
            "store": str(self._settings.store.path),
            "private_hosts": self._settings.fetch.private_hosts,
            "now": self._around.clock.now().isoformat(),
        }
        command = [sys.executable, "-m", "newsloom.politeness.readers.one_pass", json.dumps(words)]
        with subprocess.Popen(command, start_new_session=True) as child:  # noqa: S603 - our own
            when.wait(REAL_SECONDS)
            time.sleep(after.total_seconds())
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)

    def close(self) -> None:
        for app in self._users.values():
            app.close()
        self._app.close()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    # --- capabilities ---

    def refresh(self, url: str) -> str:
        self._run(self._runner.once([self._followed(url).feed_id]))
        return ""

    def feeds(self) -> tuple[FeedShown, ...]:
        return tuple(
            FeedShown(one.url, one.problem, one.title) for one in self._app.reader().subscriptions()
        )

    def unsubscribe(self, url: str, *, user: str = "") -> None:
        self._app_of(user).reader().unsubscribe(self._followed(url).feed_id)

    def import_opml(self, document: bytes) -> None:
        self._app.reader().import_opml(document)

    def revisions(self) -> int:
        reader = self._app.reader()
        query = ListQuery(order=Order.NEWEST, unread_only=False, limit=MOST_SHOWN)
        return max((len(reader.article(one.id).revisions) for one in reader.page(query)), default=0)

    def mark_all_read(self) -> None:
        reader = self._app.reader()
        query = ListQuery(order=Order.NEWEST, limit=MOST_SHOWN)
        reader.mark([one.id for one in reader.page(query)], EventKind.READ, "test")

    def kill_workers(self) -> int:
        killed = 0
        for pid in tuple(usage.tree())[1:]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed += 1
        return killed

    def _followed(self, url: str) -> Subscription:
        for one in self._app.reader().subscriptions():
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
        return self._app.store.next_due()

    def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """In the fast loop, within a bound of real time."""
        task = self._loop.create_task(work)
        bound = threading.Timer(
            REAL_SECONDS, lambda: self._loop.call_soon_threadsafe(task.cancel)
        )
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
        assert is_dataclass(part) and leaf in {one.name for one in fields(part)}, name
        settings = replace(settings, **{room: replace(part, **{leaf: value})})  # type: ignore[arg-type,type-var]
    return settings


