"""Hosts as several processes share them: one of them asks a host at a time, and all keep its pause.

Who may ask a host stands in the store. A pass takes hosts with the feeds that it claims; whatever
else is asked takes them one by one, and waits. Hosts are given back together: those of which
nothing was asked for as long as their pause lasts, and at once those another process waits for.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import inf
from weakref import WeakKeyDictionary, WeakValueDictionary

from newsloom.feeds import schedule
from newsloom.feeds.values.polling import DueFeed, Pause
from newsloom.kernel.errors import NotNow, StoreError
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply, Request
from newsloom.store import Store

log = logging.getLogger(__name__)

# For how long a host is taken, and how often all are kept on: a process that hangs blocks its hosts
# for the first. What has no more than MARGIN left, which is longer than a request takes, is taken
# again before it is asked.
HOLD = timedelta(seconds=60)
KEEP_EVERY = 20.0
MARGIN = 35.0

# How long the wish for a host holds that another process has, unless it is repeated.
WISH = timedelta(seconds=10)

# How often it is looked who waits for our hosts, and whether one that we wait for is free; and how
# often what nobody waits for is given back, which is a transaction.
LOOK = 0.25
GIVE_BACK_EVERY = 2.0

# How long is waited for a host. Who has it lets others in after the request under way, which takes
# half a minute at most.
PATIENCE = 90.0
TELL_AFTER = 2.0  # somebody who waits is told why

# What other processes were told by hosts is known here so late.
READ_PAUSES_EVERY = 5.0


@dataclass(slots=True)
class _Taken:
    """A host that is ours. Times are the loop's."""

    host: str
    until: float
    last_request: float  # last, by whomever; -inf: long ago, or never
    idle: float  # since when nothing is under way
    under_way: int = 0
    wanted: bool = False  # another process waits for it


@dataclass(slots=True)
class SharedHosts:
    """Implements ports.Hosts on the store, for one event loop."""

    store: Store
    owner: str
    now: Callable[[], datetime]
    per_host: int  # requests to one at once
    pause: float  # seconds between two
    waiting: Callable[[str], None] = log.info  # hears for whom is waited
    patience: float = PATIENCE
    wish: timedelta = WISH
    # Held while the store is told or asked who has a host: what was just given back is not ours.
    settling: asyncio.Lock = field(default_factory=asyncio.Lock)
    _taken: dict[str, _Taken] = field(default_factory=dict)
    _claims: Counter[str] = field(default_factory=Counter)  # feeds that are to be asked
    _gates: WeakValueDictionary[str, asyncio.Semaphore] = field(default_factory=WeakValueDictionary)
    _taking: set[asyncio.Task[bool]] = field(default_factory=set)
    _pauses: dict[str, datetime] = field(default_factory=dict)
    _pauses_read: float = -inf
    _keeper: asyncio.Task[None] | None = None
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _closing: bool = False

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[float]:
        """See ports.Hosts."""
        gate = self._gates.get(host)
        if gate is None:
            gate = self._gates[host] = asyncio.Semaphore(self.per_host)
        async with gate:
            taken = await self._ours(host)
            taken.under_way += 1
            try:
                yield _time() - taken.last_request
            finally:
                taken.under_way -= 1
                taken.last_request = taken.idle = _time()
                if taken.wanted:
                    self._wake.set()

    @asynccontextmanager
    async def alone(self, work: str) -> AsyncIterator[bool]:
        """Whether no other process does a piece of work now; none does while it lasts."""
        name, taken = f"({work})", None  # no host
        # What was idle for long may be given back in the moment it is taken again.
        while taken is None and await self._take(name, wish=timedelta(0)):
            taken = self._taken.get(name)
        if taken is None:
            yield False
            return
        taken.under_way += 1
        try:
            yield True
        finally:
            taken.under_way -= 1
            taken.wanted = True
            self._wake.set()

    def claimed(self, feeds: Iterable[DueFeed]) -> None:
        """Feeds came with their hosts, which are kept until `over`."""
        now, clock = self.now(), _time()
        for feed in feeds:
            self._claims[feed.host] += 1
            self._came(feed.host, _ago(feed.host_asked_at, now), clock)

    def over(self, host: str) -> None:
        """A claimed feed was asked, or will not be."""
        self._claims[host] -= 1
        if self._claims[host] <= 0:
            del self._claims[host]

    async def close(self) -> None:
        """Give all back."""
        await asyncio.gather(*self._taking, return_exceptions=True)
        self._closing = True
        if self._keeper is not None:
            self._wake.set()
            await self._keeper  # cancelled, it might forget what it is just giving back
        try:
            await self._give_back(lambda taken: not taken.under_way)
        except StoreError as error:  # they are free when this process has ended
            log.info("hosts are given back later: %s", error)

    def rest(self, pause: Pause) -> None:
        """Leave a host alone, before it stands in the store."""
        self._pauses[pause.host] = pause.until

    async def _ours(self, host: str) -> _Taken:
        """Wait until the host is ours, for long enough to ask it something."""
        began, told = _time(), False
        while _time() - began <= self.patience:
            await self._let_rest(host)
            taken = self._taken.get(host)
            if taken is not None and taken.wanted:
                self._wake.set()
                await asyncio.sleep(LOOK / 5)  # who waits goes first
            elif taken is not None and taken.until - _time() > MARGIN:
                return taken
            elif not await self._take(host, self.wish):
                if _time() - began >= TELL_AFTER and not told:
                    told = True
                    self.waiting(f"Another Newsloom is asking {host}; waiting for it.")
                await asyncio.sleep(LOOK)
        raise NotNow(f"{host} is still being asked by another Newsloom.")

    async def _let_rest(self, host: str) -> None:
        """Raises NotNow for a host that asked to be left alone, or that is for its failures."""
        if _time() >= self._pauses_read + READ_PAUSES_EVERY:
            self._pauses_read = _time()
            self._pauses = dict(await asyncio.to_thread(self.store.sites.pauses, self.now()))
        until = self._pauses.get(host)
        if until is not None and until > self.now():
            raise NotNow(f"{host} is left alone until {until:%Y-%m-%d %H:%M} UTC.")

    async def _take(self, host: str, wish: timedelta) -> bool:
        """Whether a host is ours now. What is taken although its waiter was cancelled is too."""
        taking = asyncio.create_task(self._take_whole(host, wish))
        self._taking.add(taking)
        taking.add_done_callback(self._taking.discard)
        return await asyncio.shield(taking)

    async def _take_whole(self, host: str, wish: timedelta) -> bool:
        async with self.settling:
            now, clock = self.now(), _time()
            host_turn = await asyncio.to_thread(
                self.store.sites.take_host,
                host,
                owner=self.owner,
                now=now,
                until=now + HOLD,
                wish=wish,
            )
            if host_turn.mine:
                self._came(host, _ago(host_turn.asked_at, now), clock)
            return host_turn.mine

    def _came(self, host: str, ago: float, clock: float) -> None:
        """A host is ours from a moment of the loop on, and was asked by others so long ago."""
        until = clock + HOLD.total_seconds()
        taken = self._taken.get(host)
        if taken is None:
            self._taken[host] = _Taken(host, until, clock - ago, clock)
        else:
            taken.until, taken.idle, taken.wanted = until, clock, False
            taken.last_request = max(taken.last_request, clock - ago)
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        """While anything is ours: see who waits for it, give back what is free, keep the rest."""
        keep_at, give_back_at = _time() + KEEP_EVERY, _time() + GIVE_BACK_EVERY
        while self._taken and not self._closing:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), LOOK)
            self._wake.clear()
            try:
                await self._see_who_waits()
                await self._give_back(lambda taken: taken.wanted and not taken.under_way)
                if _time() >= give_back_at:
                    give_back_at = _time() + GIVE_BACK_EVERY
                    await self._give_back(self._idle)
                if _time() >= keep_at:
                    keep_at = _time() + KEEP_EVERY
                    await self._keep_on()
            except StoreError as error:
                log.info("hosts are looked after later: %s", error)
        self._keeper = None

    async def _see_who_waits(self) -> None:
        wanted = await asyncio.to_thread(self.store.sites.wanted_hosts, self.owner, self.now())
        for host in wanted & self._taken.keys():
            self._taken[host].wanted = True

    def _idle(self, taken: _Taken) -> bool:
        """Whether nothing is to be asked of a host, and its pause is over: nobody loses if we keep
        it so long."""
        quiet = not taken.under_way and taken.host not in self._claims
        return quiet and _time() - taken.idle >= self.pause

    async def _give_back(self, free: Callable[[_Taken], bool]) -> None:
        if not any(map(free, self._taken.values())):
            return
        async with self.settling:
            gone = [taken for taken in self._taken.values() if free(taken)]
            # In this order: what passes between the two makes the pause longer, never shorter.
            clock, now = _time(), self.now()
            asked = {
                one.host: None
                if one.last_request == -inf
                else now - timedelta(seconds=clock - one.last_request)
                for one in gone
            }
            for host in asked:
                del self._taken[host]
            long_ago = now - timedelta(seconds=self.pause)
            try:
                await asyncio.to_thread(
                    self.store.sites.give_back_hosts, self.owner, asked, now=now, long_ago=long_ago
                )
            except StoreError:
                self._taken.update((one.host, one) for one in gone)
                raise

    async def _keep_on(self) -> None:
        """Keep all for longer. What another process took after all, for we hung, is lost; what came
        to be ours in a step that was broken off is to be given back."""
        async with self.settling:
            now, clock = self.now(), _time()
            ours = await asyncio.to_thread(self.store.sites.keep_hosts, self.owner, now + HOLD)
            for host in ours - self._taken.keys():
                self._came(host, inf, clock)
            for host, taken in self._taken.items():
                taken.until = clock + HOLD.total_seconds() if host in ours else -inf


class HostsOfLoops:
    """The shared hosts of each event loop: made when it is first used, closed after the last use.

    Loops are to each other as processes are.
    """

    def __init__(self, make: Callable[[], SharedHosts]) -> None:
        self._make = make
        self._open: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[SharedHosts, int]] = (
            WeakKeyDictionary()
        )

    def here(self) -> SharedHosts | None:
        """Those of the running loop; None where nobody uses any."""
        try:
            return self._open.get(asyncio.get_running_loop(), (None, 0))[0]
        except RuntimeError:  # no loop runs, so nothing is asked
            return None

    @asynccontextmanager
    async def alone(self, work: str) -> AsyncIterator[bool]:
        """See SharedHosts; of the running loop."""
        async with self.use() as hosts, hosts.alone(work) as alone:
            yield alone

    @asynccontextmanager
    async def use(self) -> AsyncIterator[SharedHosts]:
        """Those of the running loop, for a while."""
        loop = asyncio.get_running_loop()
        hosts, uses = self._open.get(loop) or (self._make(), 0)
        self._open[loop] = hosts, uses + 1
        try:
            yield hosts
        finally:
            _hosts, uses = self._open.pop(loop)
            if uses > 1:
                self._open[loop] = hosts, uses - 1
            else:
                await hosts.close()


def _time() -> float:
    return asyncio.get_running_loop().time()


def _ago(at: datetime | None, now: datetime) -> float:
    """Seconds; of what seems to lie ahead, for a clock was set, none."""
    return inf if at is None else max((now - at).total_seconds(), 0.0)


@dataclass(frozen=True, slots=True)
class PauseRecorder:
    """Implements ports.Fetcher around another one.

    What a feed's poll is told is stored with the poll, which may make the pause longer; the pages,
    icons, links and hubs of the same host have nobody else to remember it.
    """

    fetcher: Fetcher
    store: Store
    hosts: SharedHosts
    now: Callable[[], datetime]

    async def get(self, request: Request) -> Reply:
        reply = await self.fetcher.get(request)
        pause = schedule.requested_pause(reply, self.now())
        if pause is not None:
            self.hosts.rest(pause)
            try:
                await asyncio.to_thread(self.store.sites.pause_host, pause)
            except StoreError as error:  # this process knows it all the same
                log.info("that %s is not written down: %s", pause.because, error)
        return reply
