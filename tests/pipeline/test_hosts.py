"""Hosts that several processes ask in turn: here owners of their own, on one store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise

import pytest

from migrated import migrated
from newsloom.app import utc_now as now
from newsloom.engines.pipeline import SharedHosts
from newsloom.feeds.values.polling import Pause
from newsloom.kernel.errors import NotNow
from newsloom.kernel.http.client import HostSlots
from newsloom.store import Store, open_store
from quick import quick_folder

HOST = "news.test"
PAUSE = 0.05
LONG = 60  # seconds: what takes as long on the slowest machine hangs


@pytest.fixture
def store() -> Iterator[Store]:
    with quick_folder() as folder:
        one = open_store(migrated(folder / "news.db"), now=now)
        yield one
        one.close()


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(LONG):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@dataclass
class Newsloom:
    """As much of a process as asks hosts."""

    store: Store
    name: str
    per_host: int = 1
    patience: float = 30.0
    wish: timedelta = timedelta(seconds=10)
    pause: float = PAUSE
    told: list[str] = field(default_factory=list)
    hosts: SharedHosts = field(init=False)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Newsloom]:
        self.hosts = SharedHosts(
            self.store,
            self.name,
            now,
            self.per_host,
            self.pause,
            waiting=self.told.append,
            patience=self.patience,
            wish=self.wish,
        )
        self.turns = HostSlots(at_once=32, hosts=self.hosts, seconds=self.pause)
        try:
            yield self
        finally:
            await self.hosts.close()

    async def ask(self, log: list[tuple[str, float, float]], *, lasting: float = 0.02) -> None:
        async with self.turns.slot(HOST):
            began = time.monotonic()
            await asyncio.sleep(lasting)
            log.append((self.name, began, time.monotonic()))

    async def sees_who_waits(self) -> None:
        """Another process waits for the host that this one has, and this one knows."""
        await until(lambda: self.hosts._taken[HOST].wanted)


Log = list[tuple[str, float, float]]


def apart(log: Log) -> list[float]:
    """Seconds between the end of each request and the beginning of the next."""
    ordered = sorted(log, key=lambda one: one[1])
    return [later[1] - earlier[2] for earlier, later in pairwise(ordered)]


def test_two_processes_ask_a_host_in_turn(store: Store) -> None:
    """Neither waits for all that the other has to ask."""
    log: Log = []
    left = {"a": 4, "b": 4}

    async def ask(mine: Newsloom, other: str) -> None:
        """Something that takes until the other waits, if it has anything left to ask."""
        async with mine.turns.slot(HOST):
            began = time.monotonic()
            if left[other]:
                await mine.sees_who_waits()
            left[mine.name] -= 1
            log.append((mine.name, began, time.monotonic()))

    async def main() -> None:
        async with Newsloom(store, "a").running() as a, Newsloom(store, "b").running() as b:
            pairs = ((a, "b"), (b, "a"))
            await asyncio.gather(*(ask(mine, other) for mine, other in pairs for _ in range(4)))

    asyncio.run(main())
    assert len(log) == 8
    assert min(apart(log)) >= PAUSE
    order = [name for name, _began, _ended in sorted(log, key=lambda one: one[1])]
    changes = sum(earlier != later for earlier, later in pairwise(order))
    assert changes >= 2, order


def test_several_at_once_let_others_in_too(store: Store) -> None:
    """With more than one request at once there may never be a moment without."""
    log: Log = []

    async def main() -> None:
        let_in = asyncio.Event()

        async def ask_on(one: Newsloom) -> None:
            while not let_in.is_set():
                await one.ask(log, lasting=0.05)

        busy = Newsloom(store, "busy", per_host=3, pause=0.0)
        async with busy.running(), Newsloom(store, "b", pause=0.0).running() as b:
            many = [asyncio.create_task(ask_on(busy)) for _ in range(9)]
            await until(lambda: log)
            async with asyncio.timeout(LONG):
                await b.ask(log)
            let_in.set()
            await asyncio.gather(*many)

    asyncio.run(main())
    others = [one for one in log if one[0] == "busy"]
    (mine,) = [one for one in log if one[0] == "b"]
    assert all(one[2] <= mine[1] or one[1] >= mine[2] for one in others), "nobody asks meanwhile"


def test_a_pause_holds_for_the_next_process(store: Store) -> None:
    log: Log = []

    async def one(name: str) -> None:
        async with Newsloom(store, name).running() as process:
            await process.ask(log)

    asyncio.run(one("first"))
    asyncio.run(one("second"))
    assert min(apart(log)) >= PAUSE


def test_who_waits_is_told_why(store: Store) -> None:
    async def main() -> list[str]:
        hangs, patient = Newsloom(store, "hangs"), Newsloom(store, "b", patience=2 * LONG)
        async with hangs.running(), hangs.turns.slot(HOST), patient.running() as b:
            waiting = asyncio.create_task(b.ask([]))
            await until(lambda: b.told)
            waiting.cancel()
            return b.told

    assert asyncio.run(main()) == [f"Another Newsloom is asking {HOST}; waiting for it."]


def test_nobody_waits_for_ever(store: Store) -> None:
    async def main() -> None:
        hangs, hasty = Newsloom(store, "hangs"), Newsloom(store, "b", patience=0.5)
        async with hangs.running(), hangs.turns.slot(HOST), hasty.running() as b:
            with pytest.raises(NotNow, match=f"{HOST} is still being asked by another Newsloom"):
                await b.ask([])

    asyncio.run(main())


def test_who_gives_up_waiting_keeps_nothing(store: Store) -> None:
    log: Log = []

    async def main() -> None:
        short = Newsloom(store, "b", wish=timedelta(seconds=1))
        async with Newsloom(store, "a").running() as a, short.running() as b:
            async with a.turns.slot(HOST):
                waiting = asyncio.create_task(b.ask(log))
                await a.sees_who_waits()
                waiting.cancel()
                await asyncio.gather(waiting, return_exceptions=True)
            async with asyncio.timeout(LONG):
                await a.ask(log)

    asyncio.run(main())
    assert [name for name, *_ in log] == ["a"]


def test_what_is_not_asked_is_given_back(store: Store) -> None:
    log: Log = []

    async def main() -> str | None:
        async with Newsloom(store, "a").running() as a:
            await a.ask(log)
            for _ in range(400):
                if owner(store) is None:
                    break
                await asyncio.sleep(0.05)
            return owner(store)

    assert asyncio.run(main()) is None


def owner(store: Store) -> str | None:
    with store.database.read() as connection:
        return connection.exec_driver_sql("SELECT owner FROM host_turns").scalar()


def test_a_host_is_kept_on_while_it_is_asked(store: Store) -> None:
    """Longer than it is taken for: what hangs for an hour is not asked by two."""

    async def main() -> None:
        async with Newsloom(store, "a").running() as a, a.turns.slot(HOST):
            taken = a.hosts._taken[HOST]
            before = taken.until
            await a.hosts._keep_on()
            assert taken.until > before

    asyncio.run(main())


def test_what_another_took_is_taken_again_before_it_is_asked(store: Store) -> None:
    """A process that hung for so long that its hosts were over, and goes on."""
    log: Log = []

    async def main() -> None:
        async with Newsloom(store, "hung").running() as hung:
            await hung.ask(log)
            later = now() + timedelta(minutes=2)
            assert store.sites.take_host(
                HOST, owner="b", now=later, until=later + timedelta(hours=1), wish=timedelta(0)
            ).mine
            await hung.hosts._keep_on()
            asking = asyncio.create_task(hung.ask(log))
            await asyncio.sleep(0.5)
            assert len(log) == 1
            store.sites.give_back_hosts(
                "b", {HOST: now()}, now=now(), long_ago=now() - timedelta(1)
            )
            async with asyncio.timeout(LONG):
                await asking

    asyncio.run(main())


def test_a_host_that_asked_for_time_is_not_asked_whatever_for(store: Store) -> None:
    log: Log = []
    store.sites.pause_host(Pause(HOST, now(), now() + timedelta(hours=1), "it asked for time"))

    async def main() -> None:
        async with Newsloom(store, "a").running() as a:
            with pytest.raises(NotNow, match=f"{HOST} is left alone until"):
                await a.ask(log)

    asyncio.run(main())
    assert owner(store) is None


@pytest.mark.parametrize("ahead", [timedelta(days=400), timedelta(days=-400)])
def test_a_clock_that_is_set_makes_nobody_wait_for_long(store: Store, ahead: timedelta) -> None:
    log: Log = []
    store.sites.take_host(HOST, owner="b", now=now(), until=now(), wish=timedelta(0))
    store.sites.give_back_hosts(
        "b", {HOST: now() + ahead}, now=now(), long_ago=now() - timedelta(999)
    )

    async def main() -> None:
        async with Newsloom(store, "a").running() as a, asyncio.timeout(LONG):
            await a.ask(log)

    asyncio.run(main())


def test_work_that_is_done_again_and_again_is_not_lost(store: Store) -> None:
    """While what was taken the time before is just being given back."""

    async def main() -> int:
        async with Newsloom(store, "a", pause=0.0).running() as a:
            done = 0
            for _ in range(300):
                async with a.hosts.alone("icons") as mine:
                    done += mine
                await asyncio.sleep(0.001)
            return done

    assert asyncio.run(main()) == 300


def test_a_piece_of_work_is_one_processs_at_a_time(store: Store) -> None:
    async def main() -> None:
        async with Newsloom(store, "a").running() as a, Newsloom(store, "b").running() as b:
            async with a.hosts.alone("icons") as first, b.hosts.alone("icons") as second:
                assert (first, second) == (True, False)
            async with a.hosts.alone("icons") as again:
                assert again
            for _ in range(400):
                async with b.hosts.alone("icons") as mine:
                    if mine:
                        return
                await asyncio.sleep(0.05)
            pytest.fail("it never came to the other's turn")

    asyncio.run(main())
