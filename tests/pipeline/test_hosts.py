"""Hosts that several processes ask in turn: here owners of their own, on one store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise

import pytest

from newsloom.app import utc_now as now
from newsloom.errors import NotNow
from newsloom.fetch.turns import Turns
from newsloom.pipeline import SharedHosts
from newsloom.store import SqlStore, open_store
from newsloom.types import Pause
from quick import quick_folder

HOST = "news.test"
PAUSE = 0.15


@pytest.fixture
def store() -> Iterator[SqlStore]:
    with quick_folder() as folder:
        one = open_store(folder / "news.db", now=now)
        yield one
        one.close()


@dataclass
class Newsloom:
    """As much of a process as asks hosts."""

    store: SqlStore
    name: str
    per_host: int = 1
    patience: float = 30.0
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
        )
        self.turns = Turns(at_once=32, hosts=self.hosts, seconds=self.pause)
        try:
            yield self
        finally:
            await self.hosts.close()

    async def ask(self, log: list[tuple[str, float, float]], *, lasting: float = 0.02) -> None:
        async with self.turns.turn(HOST):
            began = time.monotonic()
            await asyncio.sleep(lasting)
            log.append((self.name, began, time.monotonic()))


Log = list[tuple[str, float, float]]


def apart(log: Log) -> list[float]:
    """Seconds between the end of each request and the beginning of the next."""
    ordered = sorted(log, key=lambda one: one[1])
    return [later[1] - earlier[2] for earlier, later in pairwise(ordered)]


def test_two_processes_ask_a_host_in_turn(store: SqlStore) -> None:
    """Neither waits for all that the other has to ask."""
    log: Log = []

    async def main() -> None:
        async with Newsloom(store, "a").running() as a, Newsloom(store, "b").running() as b:
            await asyncio.gather(*(one.ask(log) for one in (a, b) for _ in range(4)))

    asyncio.run(main())
    assert len(log) == 8
    assert min(apart(log)) >= PAUSE
    order = [name for name, _began, _ended in sorted(log, key=lambda one: one[1])]
    changes = sum(earlier != later for earlier, later in pairwise(order))
    assert changes >= 2, order


def test_several_at_once_let_others_in_too(store: SqlStore) -> None:
    """With more than one request at once there may never be a moment without."""
    log: Log = []

    async def main() -> None:
        busy = Newsloom(store, "busy", per_host=3, pause=0.0)
        async with busy.running(), Newsloom(store, "b", pause=0.0).running() as b:
            many = [asyncio.create_task(busy.ask(log, lasting=0.3)) for _ in range(24)]
            await asyncio.sleep(0.1)
            await b.ask(log)
            assert not all(one.done() for one in many)
            await asyncio.gather(*many)

    asyncio.run(main())
    others = [one for one in log if one[0] == "busy"]
    (mine,) = [one for one in log if one[0] == "b"]
    assert all(one[2] <= mine[1] or one[1] >= mine[2] for one in others), "nobody asks meanwhile"


def test_a_pause_holds_for_the_next_process(store: SqlStore) -> None:
    log: Log = []

    async def one(name: str) -> None:
        async with Newsloom(store, name).running() as process:
            await process.ask(log)

    asyncio.run(one("first"))
    asyncio.run(one("second"))
    assert min(apart(log)) >= PAUSE


def test_who_waits_is_told_why_and_not_for_ever(store: SqlStore) -> None:
    log: Log = []

    async def main() -> None:
        patient = Newsloom(store, "b", patience=2.5)
        async with Newsloom(store, "hangs").running() as hangs, patient.running() as b:
            slow = asyncio.create_task(hangs.ask(log, lasting=30))
            await asyncio.sleep(0.1)
            with pytest.raises(NotNow, match=f"{HOST} is still being asked by another Newsloom"):
                await b.ask(log)
            assert b.told == [f"Another Newsloom is asking {HOST}; waiting for it."]
            slow.cancel()

    asyncio.run(main())


def test_who_gives_up_waiting_keeps_nothing(store: SqlStore) -> None:
    log: Log = []

    async def main() -> None:
        async with Newsloom(store, "a").running() as a, Newsloom(store, "b").running() as b:
            async with a.turns.turn(HOST):
                waiting = asyncio.create_task(b.ask(log))
                await asyncio.sleep(0.3)
                waiting.cancel()
                await asyncio.gather(waiting, return_exceptions=True)
            async with asyncio.timeout(60):
                await a.ask(log)

    asyncio.run(main())
    assert [name for name, *_ in log] == ["a"]


def test_what_is_not_asked_is_given_back(store: SqlStore) -> None:
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


def owner(store: SqlStore) -> str | None:
    with store.database.read() as connection:
        return connection.exec_driver_sql("SELECT owner FROM host_turns").scalar()


def test_a_host_is_kept_on_while_it_is_asked(store: SqlStore) -> None:
    """Longer than it is taken for: what hangs for an hour is not asked by two."""

    async def main() -> None:
        async with Newsloom(store, "a").running() as a, a.turns.turn(HOST):
            taken = a.hosts._taken[HOST]
            before = taken.until
            await a.hosts._keep_on()
            assert taken.until > before

    asyncio.run(main())


def test_what_another_took_is_taken_again_before_it_is_asked(store: SqlStore) -> None:
    """A process that hung for so long that its hosts were over, and goes on."""
    log: Log = []

    async def main() -> None:
        async with Newsloom(store, "hung").running() as hung:
            await hung.ask(log)
            later = now() + timedelta(minutes=2)
            assert store.take_host(
                HOST, owner="b", now=later, until=later + timedelta(hours=1), wish=timedelta(0)
            ).mine
            await hung.hosts._keep_on()
            asking = asyncio.create_task(hung.ask(log))
            await asyncio.sleep(0.5)
            assert len(log) == 1
            store.give_back_hosts("b", {HOST: now()}, now=now(), long_ago=now() - timedelta(1))
            async with asyncio.timeout(20):
                await asking

    asyncio.run(main())


def test_a_host_that_asked_for_time_is_not_asked_whatever_for(store: SqlStore) -> None:
    log: Log = []
    store.pause_host(Pause(HOST, now(), now() + timedelta(hours=1), "it asked for time"))

    async def main() -> None:
        async with Newsloom(store, "a").running() as a:
            with pytest.raises(NotNow, match=f"{HOST} is left alone until"):
                await a.ask(log)

    asyncio.run(main())
    assert owner(store) is None


@pytest.mark.parametrize("ahead", [timedelta(days=400), timedelta(days=-400)])
def test_a_clock_that_is_set_makes_nobody_wait_for_long(store: SqlStore, ahead: timedelta) -> None:
    log: Log = []
    store.take_host(HOST, owner="b", now=now(), until=now(), wish=timedelta(0))
    store.give_back_hosts("b", {HOST: now() + ahead}, now=now(), long_ago=now() - timedelta(999))

    async def main() -> None:
        async with Newsloom(store, "a").running() as a, asyncio.timeout(5):
            await a.ask(log)

    asyncio.run(main())


def test_work_that_is_done_again_and_again_is_not_lost(store: SqlStore) -> None:
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


def test_a_piece_of_work_is_one_processs_at_a_time(store: SqlStore) -> None:
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
