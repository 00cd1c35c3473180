"""The starter set, and the question whether there is a network."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from newsloom.feeds.parse import read_opml
from newsloom.kernel.http.values import Failure, Reply, Request
from newsloom.kernel.text.urls import canonical
from newsloom.sample import online, starter_opml, starter_urls

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def test_starter_set_has_several_fields():
    feeds = read_opml(starter_opml())
    folders = Counter(feed.category for feed in feeds)
    assert 24 <= len(feeds) <= 30
    assert len(folders) >= 7
    assert all(folders)
    assert min(folders.values()) >= 2


def test_starter_addresses_are_secure_and_stand_once():
    feeds = read_opml(starter_opml())
    assert all(feed.url.startswith("https://") and feed.title for feed in feeds)
    assert len({canonical(feed.url) for feed in feeds}) == len(feeds)


# Each stands in at least ten public repositories' lists of feeds, as an exact address.
IN_OTHER_LISTS = {
    "Aeon",
    "Al Jazeera",
    "Carbon Brief",
    "Der Spiegel",
    "LWN",
    "Longreads",
    "NASA",
    "NPR News",
    "New York Times: Economy",
    "Open Culture",
    "ProPublica",
    "Tagesschau",
    "The Economist: Finance and economics",
    "The Guardian Books",
}


def test_starter_addresses_are_known_to_collections_of_feeds(shared):
    """Those that the collections do not have are named here, to be looked at with each change."""
    known = b"".join(
        file.read_bytes() for file in (shared / "data" / "opml").rglob("*") if file.is_file()
    ).decode("utf-8", "replace")
    elsewhere = {
        feed.title
        for feed in read_opml(starter_opml())
        if feed.url.removeprefix("https://") not in known
    }
    assert elsewhere == IN_OTHER_LISTS


def test_few_are_asked_and_all_belong_to_the_set():
    requests = starter_urls()
    assert 5 <= len(requests) <= 8
    assert set(requests) <= {feed.url for feed in read_opml(starter_opml())}


@dataclass
class Network:
    """A Fetcher whose answers a test writes."""

    answer: Callable[[Request], Reply]
    slow: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)
    given_up: int = 0

    async def get(self, request: Request) -> Reply:
        self.asked.append(request.url)
        if request.url in self.slow:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                self.given_up += 1
                raise
        return self.answer(request)


def failed(request: Request) -> Reply:
    return Reply(request, NOW, 0.0, failure=Failure.DNS)


def status(number: int) -> Callable[[Request], Reply]:
    return lambda request: Reply(request, NOW, 0.0, status=number)


def only(url: str) -> Callable[[Request], Reply]:
    return lambda request: (status(200) if request.url == url else failed)(request)


URLS = ("https://a.example/", "https://b.example/", "https://c.example/")


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        pytest.param(Network(failed), False, id="no network"),
        pytest.param(Network(status(200)), True, id="all answer"),
        pytest.param(Network(status(403)), False, id="all refuse"),
        pytest.param(Network(only(URLS[2])), True, id="one answers"),
        pytest.param(Network(status(200), slow=frozenset(URLS[:2])), True, id="two hang"),
        pytest.param(Network(status(200), slow=frozenset(URLS)), False, id="all hang"),
    ],
)
def test_online(network, expected):
    assert asyncio.run(online(URLS, network, 0.2)) is expected
    assert sorted(network.asked) == list(URLS)
    assert network.given_up == len(network.slow)


def test_nobody_to_ask():
    assert asyncio.run(online((), Network(status(200)), 0.2)) is False
