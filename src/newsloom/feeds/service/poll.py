"""Polling: lease what is due, fetch it, read it, have it stored; feed by feed, batch by batch.

A feed that cannot be read is recorded as such and stops nothing. Two processes never double an
article: see poll_recording.py.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus

from newsloom.duplicates import forwarding
from newsloom.feeds import schedule
from newsloom.feeds.service.hosts import HOLD, KEEP_EVERY, SharedHosts
from newsloom.feeds.service.poll_recording import PollRecorder
from newsloom.feeds.service.reply import Polled, Reading, with_targets
from newsloom.feeds.service.resolving import Resolver
from newsloom.feeds.values.polling import CLOCK_SLACK, READ, DueFeed, PollCounts, PollOutcome
from newsloom.kernel.errors import NotNow, StoreError
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Redirect, Reply, Request
from newsloom.kernel.ids import FeedId
from newsloom.store import Store

# Enough that claiming is a small part of a poll, few enough that another process finds work too.
CLAIMED_AT_ONCE = 256

# With requests that have stalled, so many times the window are under way at most.
MOST_STALLED = 8

# How many seconds one host may keep a pass of `serve` from ranking what came from the others.
PATIENCE = 20.0

# So many of one host are claimed at once, that a host with hundreds leaves room for the others.
OF_ONE_HOST = 8

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Poller:
    """Polls feeds through the ports given."""

    store: Store
    fetcher: Fetcher
    reading: Reading
    recorder: PollRecorder
    owner: str
    now: Callable[[], datetime]
    resolver: Resolver | None = None  # None: forwarding links are compared as they stand
    window: int = 64  # feeds under way at once
    per_host: int = 1  # of them of one host
    host_seconds: float = 0.0  # between two requests to it
    stalled: float = 3.0  # seconds after which a request counts no more in the window
    by_hand: timedelta = timedelta(0)  # the shortest time between two polls of a feed by hand
    hosts: SharedHosts | None = None  # None: no other process asks hosts

    async def due(
        self,
        feeds: Sequence[FeedId] | None = None,
        *,
        patient: bool = True,
        stop: asyncio.Event | None = None,
    ) -> PollCounts:
        """Poll every feed that is due, or those of the named that may be asked by hand.

        Not `patient`, it leaves a host with many feeds for the next pass. After `stop` it stores
        what has been answered and gives the rest back.
        """
        stop = stop or asyncio.Event()
        most = None if patient or not self.host_seconds else int(PATIENCE / self.host_seconds) + 1
        work = HostQueue(at_once=self.per_host, most=most, failing=max(1, self.window // 4))
        asking = _Asking(self, work)
        ended = asyncio.create_task(stop.wait())
        ended.add_done_callback(lambda _: asking.woken.set())
        counts = PollCounts()
        async with self._leases():
            try:
                await asyncio.to_thread(self._wake)
                step = await self._in_thread(
                    lambda: _Step(PollCounts(), self._claim_due((), feeds))
                )
                more, full = True, None
                while not stop.is_set():
                    if step.claimed is not None:
                        if feeds is None:
                            asking.claimed(step.claimed)
                        work.add(step.claimed, full or ())
                        # Named feeds are claimed once: they would be handed out again for ever.
                        more = feeds is None and bool(step.claimed)
                    asking.start()
                    more = more or (feeds is None and work.hungry)
                    if not (asking.busy or more):
                        break
                    answered = await asking.answers() if asking.busy else []
                    full = work.full() if more and work.ready <= self.window // 2 else None
                    step = await self._in_thread(self._step, answered, full)
                    work.drop(step.paused)
                    asking.stored(answered)
                    counts += step.counts
                if answered := asking.arrived():
                    counts += await asyncio.to_thread(self.recorder.store_all, answered)
            finally:
                ended.cancel()
                await asking.give_up()
        return counts + asking.left()

    @asynccontextmanager
    async def _leases(self) -> AsyncIterator[None]:
        """Keep the leases of this poller while it works, then give them back."""
        keeper = asyncio.create_task(self._keep())
        try:
            yield
        finally:
            keeper.cancel()
            await asyncio.to_thread(self.store.feeds.release, self.owner)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(KEEP_EVERY)
            try:
                await asyncio.to_thread(self.store.feeds.keep, self.owner, self.now() + HOLD)
            except StoreError as error:
                log.info("leases of feeds are kept later: %s", error)

    async def first(self, feed: FeedId, reply: Reply) -> PollCounts:
        """Store a reply already in hand as the first poll of a feed just subscribed to."""
        async with self._leases():
            claimed = await asyncio.to_thread(self.claim, 1, [feed])
            polled = [await self._read(due, reply) for due in claimed]
            return await asyncio.to_thread(self.recorder.store_all, polled)

    async def take(
        self, feed: FeedId, reply: Reply, admit: Callable[[Polled], Polled]
    ) -> PollCounts | None:
        """Store a document that a hub sent, as far as it is admitted. It is no poll.

        None while the feed is being polled, or when nobody follows it.
        """
        async with self._leases():
            claimed = await asyncio.to_thread(self.claim, 1, [feed])
            polled = [replace(admit(await self._read(due, reply)), by_hub=True) for due in claimed]
            return await asyncio.to_thread(self.recorder.store_all, polled) if polled else None

    def claim(self, limit: int, feeds: Sequence[FeedId] | None) -> tuple[DueFeed, ...]:
        """Lease feeds for this poller: those due, or those named."""
        return self.store.feeds.claim_due(
            self.now(), owner=self.owner, lease_for=HOLD, limit=limit, feeds=feeds
        )

    async def _in_thread(self, step: Callable[..., _Step], *arguments: object) -> _Step:
        """A step in a thread, while no host is given back that it may claim."""
        async with self.hosts.settling if self.hosts else nullcontext():
            return await asyncio.to_thread(step, *arguments)

    def _wake(self) -> None:
        now = self.now()
        furthest, slack = now + schedule.FURTHEST, now + CLOCK_SLACK
        self.store.sites.wake(now, furthest=furthest, slack=slack)

    def _claim_due(
        self, full: Sequence[str], feeds: Sequence[FeedId] | None = None
    ) -> tuple[DueFeed, ...]:
        now = self.now()
        return self.store.feeds.claim_due(
            now,
            owner=self.owner,
            lease_for=HOLD,
            limit=CLAIMED_AT_ONCE if feeds is None else len(feeds),
            feeds=feeds,
            per_host=OF_ONE_HOST,
            full=full,
            asked_before=now - self.by_hand,
            under=self.recorder.settings_fingerprint,
            # What is asked by hand waits for its host instead of leaving it to who has it.
            turns=self.hosts.owner if self.hosts and feeds is None else "",
            turns_for=HOLD,
        )

    def _step(self, answered: Sequence[Polled], full: Sequence[str] | None) -> _Step:
        """Store what came and, unless `full` is None, claim what is next: in one thread, for a
        change of threads costs as much as a poll without news."""
        counts = self.recorder.store_all(answered) if answered else PollCounts()
        # A host that asks for time in the middle of a pass is left alone from then on.
        failed = {one.due.host for one in answered if one.outcome is PollOutcome.FAILED}
        paused = self.store.sites.paused_hosts(failed, self.now()) if failed else frozenset()
        return _Step(counts, None if full is None else self._claim_due(full), paused)

    async def ask(self, due: DueFeed) -> Polled:
        """One feed, asked and read."""
        reply = await self.fetcher.get(
            Request(
                url=due.url,
                etag=due.etag,
                last_modified=due.last_modified,
                validated_url=due.validated_url,
            )
        )
        polled = await self._read(due, reply)
        return await self._followed(polled) if polled.outcome is PollOutcome.UNREADABLE else polled

    async def _followed(self, polled: Polled) -> Polled:
        """The feed that a page leads to which stands where the feed was.

        It counts as a permanent redirect, so that it is believed as slowly.
        """
        reply, target = polled.reply, await self.reading.moved(polled.reply)
        if not target:
            return polled
        try:
            there = await self.fetcher.get(Request(url=target))
        except NotNow:
            return polled
        led_by = Redirect(HTTPStatus.MOVED_PERMANENTLY, target)
        redirects = (*reply.redirects, led_by, *there.redirects)
        found = await self._read(
            polled.due, replace(there, request=reply.request, redirects=redirects)
        )
        return found if found.outcome in READ else polled

    async def _read(self, due: DueFeed, reply: Reply) -> Polled:
        """A reply understood, with what is known of where its articles' links lead."""
        polled = await self.reading.read(due, reply)
        links = forwarding(polled.feed) if polled.feed and self.resolver else ()
        if not links or self.resolver is None:
            return polled
        targets = await self.resolver.targets(links)
        return await asyncio.to_thread(with_targets, polled, targets)


@dataclass(frozen=True, slots=True)
class _Step:
    """What one visit to the store came to."""

    counts: PollCounts
    claimed: Sequence[DueFeed] | None  # None: nothing was to be claimed
    paused: frozenset[str] = frozenset()


class _Asking:
    """The requests under way of one pass, and the answers that are not stored yet."""

    def __init__(self, poller: Poller, work: HostQueue) -> None:
        self._poller = poller
        self._work = work
        self._under_way: set[asyncio.Task[Polled]] = set()
        self._stalled: set[asyncio.Task[Polled]] = set()  # of them
        self._arrived: list[asyncio.Task[Polled]] = []
        self._documents = 0  # among what is not stored: they are what takes memory
        self._claimed: Counter[str] = Counter()  # feeds of each host that keep it ours
        self._left: list[tuple[str, str]] = []  # that others did not let us ask, and why
        self.woken = asyncio.Event()

    @property
    def busy(self) -> bool:
        return bool(self._under_way or self._arrived)

    def claimed(self, feeds: Sequence[DueFeed]) -> None:
        """Keep their hosts until they are asked, or the pass ends."""
        if self._poller.hosts:
            self._poller.hosts.claimed(feeds)
            self._claimed.update(feed.host for feed in feeds)

    def start(self) -> None:
        """Ask as many as may be asked."""
        loop = asyncio.get_running_loop()
        while self._free() and (feed := self._work.take()):
            task = asyncio.create_task(self._poller.ask(feed))
            self._under_way.add(task)
            stalls = loop.call_later(self._poller.stalled, self._stalls, task)
            task.add_done_callback(partial(self._over, feed, stalls))

    def _free(self) -> bool:
        window = self._poller.window
        quick = len(self._under_way) - len(self._stalled)
        most = MOST_STALLED * window
        return quick < window - self._documents and len(self._under_way) < most

    def _stalls(self, task: asyncio.Task[Polled]) -> None:
        self._stalled.add(task)
        self.start()
        self.woken.set()  # more may have to be claimed

    def _over(self, feed: DueFeed, stalls: asyncio.TimerHandle, task: asyncio.Task[Polled]) -> None:
        stalls.cancel()
        self._under_way.discard(task)
        self._stalled.discard(task)
        if self._poller.hosts and self._claimed[feed.host]:
            self._claimed[feed.host] -= 1
            self._poller.hosts.over(feed.host)
        if task.cancelled():
            return
        error = task.exception()
        polled = None if error else task.result()
        if isinstance(error, NotNow):
            self._left.append((feed.url, str(error)))
        else:
            self._arrived.append(task)
        self._documents += polled is not None and polled.feed is not None
        # What failed may pause its host, which is known when it is stored.
        if polled is None or polled.outcome is not PollOutcome.FAILED:
            self._work.over(feed)
        self.start()
        self.woken.set()

    async def answers(self) -> list[Polled]:
        """What came since; waits for one, or for the end."""
        await self.woken.wait()
        return self.arrived()

    def arrived(self) -> list[Polled]:
        self.woken.clear()
        arrived, self._arrived = self._arrived, []
        return [task.result() for task in arrived]

    def stored(self, answered: Sequence[Polled]) -> None:
        self._documents -= sum(one.feed is not None for one in answered)
        for one in answered:
            if one.outcome is PollOutcome.FAILED:
                self._work.over(one.due)

    def left(self) -> PollCounts:
        """What others did not let us ask."""
        return PollCounts(problems=tuple(self._left))

    async def give_up(self) -> None:
        """End what is under way; nothing is left behind."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        if self._poller.hosts:
            for host in self._claimed.elements():
                self._poller.hosts.over(host)


class HostQueue:
    """Feeds claimed and not fetched yet: gives out those of as many hosts as there are, `at_once`
    of each, `most` of each in all. Knows no network, no store.

    Those that failed last time get a share of their own, `failing`, so that hundreds which never
    answer keep nobody else waiting.
    """

    def __init__(self, *, at_once: int, most: int | None, failing: int) -> None:
        self._at_once = at_once
        self._most = most
        self._failing = failing
        self._of: dict[str, deque[DueFeed]] = {}
        self._well: deque[str] = deque()  # hosts whose next feed may be fetched
        self._ill: deque[str] = deque()  # the same, where that feed failed last time
        self._busy: Counter[str] = Counter()
        self._had: Counter[str] = Counter()  # claimed of each host
        self._cut: set[str] = set()  # of these more may be due
        self._dropped: set[str] = set()
        self._failing_now = 0

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    @property
    def ready(self) -> int:
        """How many hosts have a feed that may be fetched now."""
        return len(self._well) + len(self._ill)

    @property
    def hungry(self) -> bool:
        """Whether a host of which more may be due has none left here."""
        return any(host not in self._of for host in self._cut)

    def full(self) -> list[str]:
        """Hosts of which nothing more is to be claimed now."""
        had = [] if self._most is None else [h for h, n in self._had.items() if n >= self._most]
        return [*had, *self._dropped, *(host for host in self._of if host in self._cut)]

    def drop(self, hosts: Iterable[str]) -> None:
        """Ask nothing more of these hosts; their feeds stay claimed until all are given back."""
        for host in hosts:
            self._dropped.add(host)
            self._cut.discard(host)
            if self._of.pop(host, None):
                self._well = deque(one for one in self._well if one != host)
                self._ill = deque(one for one in self._ill if one != host)

    def add(self, feeds: Iterable[DueFeed], full: Collection[str] = ()) -> None:
        """Take in what was claimed together, while nothing was claimed of the hosts `full`."""
        came: Counter[str] = Counter()
        for feed in feeds:
            came[feed.host] += 1
            if feed.host in self._of:
                self._of[feed.host].append(feed)
            else:
                self._of[feed.host] = deque((feed,))
                self._offer(feed.host)
        self._had.update(came)
        left = {host for host in self._cut if host in self._of or host in full}
        cut = {host for host, number in came.items() if number >= OF_ONE_HOST}
        self._cut = {
            host for host in left | cut if self._most is None or self._had[host] < self._most
        }

    def take(self) -> DueFeed | None:
        """The next feed to ask; None when all wait for their hosts."""
        if self._well:
            host = self._well.popleft()
        elif self._ill and self._failing_now < self._failing:
            host = self._ill.popleft()
        else:
            return None
        feed = self._of[host].popleft()
        if not self._of[host]:
            del self._of[host]
        self._failing_now += bool(feed.failures)
        self._busy[host] += 1
        if self._busy[host] < self._at_once:
            self._offer(host)
        return feed

    def over(self, feed: DueFeed) -> None:
        """Release the host of a feed that was fetched."""
        host = feed.host
        self._failing_now -= bool(feed.failures)
        self._busy[host] -= 1
        if not self._busy[host]:
            del self._busy[host]
        if self._busy[host] == self._at_once - 1:
            self._offer(host)

    def _offer(self, host: str) -> None:
        if host in self._of and self._busy[host] < self._at_once:
            (self._ill if self._of[host][0].failures else self._well).append(host)
