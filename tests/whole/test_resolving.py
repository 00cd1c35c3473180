"""Asking where links lead: how politely, and that nothing a host or the store does ends a poll."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from newsloom.engines.pipeline import Resolver
from newsloom.feeds.service.resolving import MOST_HOPS
from newsloom.kernel.errors import StoreBusy
from newsloom.kernel.http.values import Failure, KnownRedirect, Reply, Request

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
STORY = "https://news.example/a-story"


class Shelf:
    """What is remembered, in memory."""

    def __init__(self) -> None:
        self.known: dict[str, KnownRedirect] = {}
        self.feeds = self

    def redirects(self, urls):
        return {url: self.known[url] for url in urls if url in self.known}

    def put_redirects(self, known):
        self.known |= {one.url: one for one in known}


class Held(Shelf):
    """A store that another process holds, for reading or for writing."""

    def __init__(self, *, reading: bool) -> None:
        super().__init__()
        self.reading = reading

    def redirects(self, urls):
        if self.reading:
            raise StoreBusy
        return super().redirects(urls)

    def put_redirects(self, known):
        raise StoreBusy


class Net:
    """Answers by a rule, and remembers what it was asked."""

    def __init__(self, rule: Callable[[Request], Reply | tuple[int, str]]) -> None:
        self.rule = rule
        self.asked: list[tuple[str, str]] = []
        self.under_way = 0

    async def get(self, request: Request) -> Reply:
        assert not request.follow
        assert self.under_way == 0, "one host is asked one thing at a time"
        self.asked.append((request.method, request.url))
        self.under_way += 1
        await asyncio.sleep(0)
        self.under_way -= 1
        answer = self.rule(request)
        if isinstance(answer, Reply):
            return answer
        status, location = answer
        headers = (("location", location),) if location else ()
        return Reply(request, NOW, 0.0, status=status, url=request.url, headers=headers)


class Silent(Net):
    """A host that takes a request and never answers."""

    async def get(self, request: Request) -> Reply:
        self.asked.append((request.method, request.url))
        await asyncio.sleep(60)
        raise AssertionError("nobody waits so long")


def short(number: int) -> str:
    return f"https://t.co/{number}"


def resolver(net, shelf=None, **more) -> Resolver:
    values = {"now": lambda: NOW, "per_host": 10} | more
    return Resolver(store=shelf or Shelf(), fetcher=net, **values)


def resolve(one: Resolver, *urls: str):
    return asyncio.run(_resolve(one, *urls))


async def _resolve(one: Resolver, *urls: str):
    return await one.targets(urls)


def test_a_redirect_s_place_is_where_it_leads():
    net, shelf = Net(lambda _request: (301, STORY)), Shelf()
    assert resolve(resolver(net, shelf), short(1)) == {short(1): STORY}
    assert net.asked == [("HEAD", short(1))]
    assert shelf.known == {short(1): KnownRedirect(short(1), STORY, NOW)}


PLACES = {
    "relative": ("/~r/x", "https://t.co/~r/x"),
    "open after secure": ("http://news.example/a", "http://news.example/a"),
    "wrapped": ("https://www.google.com/url?q=https%3A%2F%2Fnews.example%2Fa-story", STORY),
}


@pytest.mark.parametrize(("location", "leads_to"), PLACES.values(), ids=PLACES.keys())
def test_places_as_servers_write_them(location, leads_to):
    net = Net(lambda _request: (302, location))
    one = resolver(net, forwards=lambda url: url == short(1))
    assert resolve(one, short(1)) == {short(1): leads_to}


def test_a_server_that_refuses_head_is_asked_again():
    net = Net(lambda request: (405, "") if request.method == "HEAD" else (301, STORY))
    assert resolve(resolver(net), short(1)) == {short(1): STORY}
    assert [method for method, _url in net.asked] == ["HEAD", "GET"]


def test_hosts_that_forward_to_each_other_are_followed_so_far():
    chain = {short(1): "https://bit.ly/1", "https://bit.ly/1": "https://nyti.ms/1"}
    net = Net(lambda request: (301, chain.get(request.url, STORY)))
    assert resolve(resolver(net), short(1)) == {short(1): STORY}
    endless = Net(lambda request: (301, f"{request.url}1"))
    shelf = Shelf()
    assert resolve(resolver(endless, shelf), short(1)) == {}
    assert len(endless.asked) == MOST_HOPS
    assert shelf.known[short(1)].problem


def test_a_host_that_is_down_is_asked_once_for_all():
    """A day later each is tried again, by one question."""

    def down(request):
        return Reply(request, NOW, 1.0, failure=Failure.CONNECT, problem="it refuses")

    net, shelf = Net(down), Shelf()
    urls = [short(number) for number in range(5)]
    assert resolve(resolver(net, shelf), *urls) == {}
    assert len(net.asked) == 1
    assert {one.problem for one in shelf.known.values()} == {"it refuses"}
    assert set(shelf.known) == set(urls)
    assert resolve(resolver(net, shelf), *urls) == {}
    assert len(net.asked) == 1
    tomorrow = {"now": lambda: NOW + timedelta(days=1)}
    assert resolve(resolver(net, shelf, **tomorrow), *urls) == {}
    assert len(net.asked) == 2
    assert {one.tries for one in shelf.known.values()} == {2}


def test_a_host_that_has_enough_is_left_alone_and_nothing_is_held_against_its_addresses():
    left = 2

    def limited(_request):
        nonlocal left
        left -= 1
        return (301, STORY) if left >= 0 else (429, "")

    net, shelf = Net(limited), Shelf()
    one = resolver(net, shelf)
    assert set(resolve(one, *map(short, range(5)))) == {short(0), short(1)}
    assert len(net.asked) == 3
    assert set(shelf.known) == {short(0), short(1)}
    resolve(one, short(9))
    assert len(net.asked) == 3


def test_a_silent_host_costs_no_more_than_is_waited_for_one_address():
    net, shelf = Silent(lambda _request: (200, "")), Shelf()
    one = resolver(net, shelf, patience=timedelta(milliseconds=20))
    assert resolve(one, short(1), short(2)) == {}
    assert len(net.asked) == 1
    assert {known.problem for known in shelf.known.values()} == {"timeout"}


def test_a_slow_host_keeps_a_document_only_so_long():
    net, shelf = Silent(lambda _request: (200, "")), Shelf()
    one = resolver(net, shelf, patience_for_all=timedelta(milliseconds=20))
    assert resolve(one, short(1)) == {}
    assert shelf.known == {}


@pytest.mark.parametrize("reading", [True, False], ids=["reading", "writing"])
def test_a_store_that_is_held_stops_nothing(reading):
    net = Net(lambda _request: (301, STORY))
    found = resolve(resolver(net, Held(reading=reading)), short(1))
    assert found == ({} if reading else {short(1): STORY})


def test_a_mistake_of_ours_stops_nothing(caplog):
    def broken(_request):
        raise ZeroDivisionError

    assert resolve(resolver(Net(broken)), short(1)) == {}
    assert "ZeroDivisionError" in caplog.text
