"""A pass over a real store with a made-up network: whose turn it is, who is left alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from migrated import migrated
from newsloom.engines.pipeline import InThread, Poller, PollRecorder
from newsloom.feeds.service.poll import OF_ONE_HOST, HostQueue
from newsloom.feeds.values.polling import DueFeed, PollCounts
from newsloom.kernel.http.values import Failure, Reply, Request
from newsloom.kernel.ids import FeedId
from newsloom.kernel.settings import RankingSettings
from newsloom.reading.values.reading import ListQuery
from newsloom.store import Store, open_store
from quick import quick_folder

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR, MINUTE, DAY = timedelta(hours=1), timedelta(minutes=1), timedelta(days=1)


@dataclass
class Network:
    """Answers as told, and knows how much it was asked at once."""

    now: Callable[[], datetime]
    answers: Mapping[str, Reply] = field(default_factory=dict)  # by host
    asked: list[str] = field(default_factory=list)
    under_way: Counter[str] = field(default_factory=Counter)
    most_of_host: int = 0
    most: int = 0
    silent: set[str] = field(default_factory=set)  # hosts that never answer

    async def get(self, request: Request) -> Reply:
        host = request.url.split("/")[2]
        self.asked.append(request.url)
        self.under_way[host] += 1
        self.most_of_host = max(self.most_of_host, self.under_way[host])
        self.most = max(self.most, self.under_way.total())
        try:
            if host in self.silent:
                await asyncio.Event().wait()
            await asyncio.sleep(0)
        finally:
            self.under_way[host] -= 1
        return self._answer(host, request)

    def _answer(self, host: str, request: Request) -> Reply:
        reply = self.answers.get(host, Reply(request, NOW, 0.0, 304, headers=(("etag", '"1"'),)))
        return Reply(
            request,
            self.now(),
            0.0,
            reply.status,
            request.url,
            headers=reply.headers,
            body=reply.body,
            failure=reply.failure,
        )


@dataclass
class World:
    """One reader's feeds in a store, a clock, a network."""

    store: Store
    at: datetime = NOW

    def __post_init__(self) -> None:
        self.network = Network(lambda: self.at)
        self.reader = self.store.users.user("reader", NOW)

    def follow(self, *urls: str, reader: str = "reader") -> dict[str, FeedId]:
        user = self.store.users.user(reader, NOW)
        self.store.reading.subscribe_all(user, [(url, "", "") for url in urls], self.at)
        return {one.url: one.feed_id for one in self.store.lists.subscriptions(user)}

    def poller(self, **how: object) -> Poller:
        storing = PollRecorder(self.store, lambda: self.at, lambda: 0.0, HOUR, DAY)
        values = {"window": 64, "owner": "somewhere:1:2"} | how
        return Poller(self.store, self.network, InThread(), storing, now=lambda: self.at, **values)  # type: ignore[arg-type]

    def passes(
        self, number: int = 1, *, every: timedelta = timedelta(0), **how: object
    ) -> list[int]:
        """How much was asked in each of so many passes."""
        numbers = []
        for _ in range(number):
            before = len(self.network.asked)
            asyncio.run(self.poller().due(**how))  # type: ignore[arg-type]
            numbers.append(len(self.network.asked) - before)
            self.at += every
        return numbers


@pytest.fixture
def world() -> Iterator[World]:
    with quick_folder() as folder:
        store = open_store(migrated(folder / "news.db"), now=lambda: NOW)
        yield World(store)
        store.close()


def many(hosts: int, of_each: int) -> list[str]:
    return [f"https://h{host}.test/{place}" for host in range(hosts) for place in range(of_each)]


def test_after_an_outage_each_feed_is_asked_once_a_host_at_a_time(world):
    world.follow(*many(10, 100))
    world.passes()
    world.at += 3 * DAY
    world.network.asked.clear()
    world.network.most = world.network.most_of_host = 0
    assert world.passes() == [1000]
    assert set(Counter(world.network.asked).values()) == {1}
    assert world.network.most_of_host == 1
    assert world.network.most <= 32


def test_a_host_with_hundreds_of_feeds_keeps_no_other_waiting(world):
    world.follow(*many(1, 500), *(f"https://other{n}.test/" for n in range(100)))
    world.passes()
    last = max(place for place, url in enumerate(world.network.asked) if "other" in url)
    assert last < 300
    assert len(world.network.asked) == 600


def test_an_impatient_pass_leaves_what_a_host_has_too_many_of(world):
    world.follow(*many(1, 500), "https://other.test/")
    poller = world.poller(host_seconds=1.25)
    asyncio.run(poller.due(patient=False))
    first = len(world.network.asked)
    assert 1 < first < 40
    assert world.store.feeds.next_due() == NOW  # the rest is due at once
    asyncio.run(poller.due(patient=False))
    assert len(set(world.network.asked)) == len(world.network.asked) > first
    asyncio.run(poller.due())
    assert len(set(world.network.asked)) == len(world.network.asked) == 501


def test_one_poll_for_any_number_of_readers(world):
    for reader in range(100):
        world.follow("https://h.test/feed", reader=f"reader {reader}")
    assert world.passes(3, every=20 * MINUTE) == [1, 0, 0]


def test_a_feed_that_nobody_follows_any_more_is_not_asked(world):
    feeds = world.follow("https://h.test/feed")
    world.passes()
    world.store.reading.unsubscribe(world.reader, feeds["https://h.test/feed"])
    assert world.passes(5, every=DAY) == [0] * 5


def test_a_thousand_restarts_in_an_hour_ask_for_nothing_more(world):
    world.follow("https://h.test/feed")
    assert sum(world.passes(100, every=HOUR / 101)) == 1
    world.at = NOW + HOUR
    assert world.passes() == [1]


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        pytest.param(Reply(Request(""), NOW, 0.0, 429), 1, id="429: the host at once"),
        pytest.param(Reply(Request(""), NOW, 0.0, 503), 3, id="503: after three"),
        pytest.param(
            Reply(Request(""), NOW, 0.0, failure=Failure.TIMEOUT), 3, id="no answer: after three"
        ),
        pytest.param(Reply(Request(""), NOW, 0.0, 404), 20, id="404: never"),
    ],
)
def test_a_host_that_wants_rest_is_left_alone_in_the_middle_of_a_pass(world, answer, asked):
    world.follow(*many(1, 20), "https://well.test/feed")
    world.network.answers = {"h0.test": answer}
    world.passes()
    assert sum("h0.test" in url for url in world.network.asked) <= asked + 2  # those under way
    assert "https://well.test/feed" in world.network.asked
    world.network.asked.clear()
    world.at += 30 * MINUTE
    world.passes()
    assert not any("h0.test" in url for url in world.network.asked)


def test_a_pause_ends(world):
    world.follow(*many(1, 20))
    world.network.answers = {
        "h0.test": Reply(Request(""), NOW, 0.0, 429, headers=(("retry-after", "7200"),))
    }
    world.passes()
    world.network.answers = {}
    world.at += timedelta(seconds=7199)
    assert world.passes() == [0]
    world.at += timedelta(seconds=1)
    assert world.passes() == [20]


def test_feeds_that_never_answer_get_a_share_of_the_turns(world):
    slow = [f"https://slow{n}.test/" for n in range(100)]
    world.follow(*slow)
    late = Reply(Request(""), NOW, 0.0, failure=Failure.TIMEOUT)
    world.network.answers = {f"slow{n}.test": late for n in range(100)}
    world.passes()
    world.network.silent = set(world.network.answers)
    world.follow(*(f"https://well{n}.test/" for n in range(200)))
    world.at += 2 * MINUTE

    async def until_well() -> None:
        ended = asyncio.Event()
        polling = asyncio.create_task(world.poller().due(stop=ended))
        while sum("well" in url for url in world.network.asked) < 200:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        ended.set()
        await polling

    asyncio.run(asyncio.wait_for(until_well(), 20))
    assert world.network.under_way.total() == 0


def test_servers_met_for_the_first_time_that_never_answer_leave_the_window(world):
    world.follow(*(f"https://slow{n}.test/" for n in range(40)))
    world.network.silent = {f"slow{n}.test" for n in range(40)}
    world.follow(*(f"https://well{n}.test/" for n in range(60)))

    async def until_well() -> None:
        ended = asyncio.Event()
        polling = asyncio.create_task(world.poller(window=8, stalled=0.05).due(stop=ended))
        while sum("well" in url for url in world.network.asked) < 60:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        ended.set()
        await polling

    asyncio.run(asyncio.wait_for(until_well(), 20))
    assert world.network.most <= 64, "eight windows at most"
    assert world.network.under_way.total() == 0


def test_what_failed_is_asked_again_however_few_are_asked_at_once(world):
    world.follow(*many(3, 1))
    world.network.answers = {f"h{n}.test": Reply(Request(""), NOW, 0.0, 404) for n in range(3)}
    world.passes()
    world.at += HOUR
    asyncio.run(world.poller(window=1).due())
    assert len(world.network.asked) == 6


def test_a_pass_that_is_stopped_keeps_what_was_answered_and_gives_the_rest_back(world):
    world.follow("https://well.test/feed", *(f"https://slow{n}.test/" for n in range(9)))
    world.network.silent = {f"slow{n}.test" for n in range(9)}

    async def stopped() -> PollCounts:
        ended = asyncio.Event()
        polling = asyncio.create_task(world.poller().due(stop=ended))
        await asyncio.sleep(0.1)
        ended.set()
        return await asyncio.wait_for(polling, 5)

    assert asyncio.run(stopped()).feeds == 1
    claimed = world.store.feeds.claim_due(NOW, owner="next", lease_for=HOUR, limit=99)
    assert len(claimed) == 9


def test_what_fails_in_a_pass_ends_it_and_gives_all_back(world):
    world.follow(*many(5, 5))

    async def get(_request: Request) -> Reply:
        raise ZeroDivisionError

    world.network.get = get  # type: ignore[method-assign]
    with pytest.raises(ZeroDivisionError):
        world.passes()
    assert len(world.store.feeds.claim_due(NOW, owner="next", lease_for=HOUR, limit=99)) == 25


def test_named_feeds_are_asked_once_in_a_while(world):
    feeds = world.follow(*many(3, 1))
    named = [feeds["https://h0.test/0"]]
    poller = world.poller(by_hand=15 * MINUTE)
    for minutes, polled in ((0, 1), (1, 0), (14, 1), (0, 0)):
        world.at += minutes * MINUTE
        assert asyncio.run(poller.due(named)).feeds == polled


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(NOW + 365 * DAY, id="a year ahead"),
        pytest.param(NOW + 10 * DAY, id="ten days ahead"),
        pytest.param(NOW - 365 * DAY, id="a year back"),
        pytest.param(datetime(1970, 1, 1, tzinfo=UTC), id="1970"),
        pytest.param(NOW + HOUR, id="summer time"),
        pytest.param(NOW - HOUR, id="its end"),
    ],
)
def test_a_clock_that_jumps_makes_no_storm_and_puts_no_feed_to_sleep(world, wrong):
    world.follow(*many(20, 5))
    world.passes()
    world.at = wrong
    assert sum(world.passes(20, every=MINUTE)) <= 100
    world.at = NOW + 30 * MINUTE
    assert sum(world.passes(20, every=MINUTE)) <= 100
    world.network.asked.clear()
    world.passes(49, every=HOUR)
    assert len(set(world.network.asked)) == 100


# --- the queue ---


def feeds_of(host: str, number: int, **how: int) -> list[DueFeed]:
    return [DueFeed(FeedId(place), "", "", host=host, **how) for place in range(number)]  # type: ignore[arg-type]


def taken(queue: HostQueue) -> list[str]:
    """What may be asked at once."""
    return [feed.host for feed in iter(queue.take, None)]


def test_hosts_take_turns():
    queue = HostQueue(at_once=1, most=None, failing=9)
    queue.add([*feeds_of("a", 3), *feeds_of("b", 1)])
    assert taken(queue) == ["a", "b"]
    queue.over(DueFeed(FeedId(1), "", "", host="a"))
    assert taken(queue) == ["a"]
    assert len(queue) == 1


def test_so_many_of_one_host_at_once():
    queue = HostQueue(at_once=2, most=None, failing=9)
    queue.add(feeds_of("a", 5))
    assert taken(queue) == ["a", "a"]
    for _ in range(2):
        queue.over(DueFeed(FeedId(1), "", "", host="a"))
    assert taken(queue) == ["a", "a"]


def test_what_failed_last_time_waits_for_its_share():
    queue = HostQueue(at_once=1, most=None, failing=2)
    queue.add([one for name in "abcd" for one in feeds_of(name, 1, failures=1)])
    queue.add(feeds_of("well", 1))
    assert taken(queue) == ["well", "a", "b"]
    queue.over(DueFeed(FeedId(1), "", "", host="a", failures=1))
    assert taken(queue) == ["c"]


def test_a_host_of_which_more_may_be_due_is_claimed_again_when_it_has_none_left():
    queue = HostQueue(at_once=1, most=None, failing=9)
    queue.add(feeds_of("large", OF_ONE_HOST))
    assert queue.full() == ["large"]
    assert not queue.hungry
    for feed in feeds_of("large", OF_ONE_HOST):
        assert queue.take()
        queue.over(feed)
    assert queue.full() == []
    assert queue.hungry
    queue.add(())
    assert not queue.hungry


def test_a_host_that_had_enough_is_full():
    queue = HostQueue(at_once=1, most=3, failing=9)
    queue.add(feeds_of("a", 3))
    assert taken(queue) == ["a"]
    assert queue.full() == ["a"]


def test_a_host_that_is_dropped_is_asked_no_more():
    queue = HostQueue(at_once=1, most=None, failing=9)
    queue.add([*feeds_of("a", 3), *feeds_of("b", 3)])
    queue.drop({"a", "c"})
    assert taken(queue) == ["b"]
    assert len(queue) == 2
    assert {"a", "c"} <= set(queue.full())


def test_a_page_that_says_where_the_feed_is_now_is_believed_as_slowly_as_a_redirect(world):
    """Its articles come at once; the address is changed after days of the same answer."""
    world.follow("https://old.test/feed", "https://shop.test/feed")
    item = "<item><title>One</title><link>https://new.test/1</link></item>"
    pages = {
        "old.test": '<html><meta http-equiv="refresh" content="0; url=https://new.test/feed">',
        "shop.test": "<html><p>Welcome to our shop.</p><a href='https://new.test/feed'>x</a>",
        "new.test": f"<rss><channel><title>New</title>{item}</channel></rss>",
    }
    request = Request("")
    world.network.answers = {
        host: Reply(request, NOW, 0.0, 200, body=body.encode()) for host, body in pages.items()
    }
    user = world.store.users.user("reader", NOW)
    addresses = []
    for _ in range(6):
        world.passes(every=DAY)
        addresses.append(sorted(one.url for one in world.store.lists.subscriptions(user)))
    half_lives = RankingSettings().half_lives()
    articles = world.store.lists.page(user, ListQuery(limit=10), NOW, half_lives)
    assert [one.title for one in articles] == ["One"]
    assert addresses[0] == addresses[1] == ["https://old.test/feed", "https://shop.test/feed"]
    assert addresses[-1] == ["https://new.test/feed", "https://shop.test/feed"]
