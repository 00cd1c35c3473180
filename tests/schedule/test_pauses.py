"""Which host is left alone after a poll, and whether a feed may be asked by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newsloom.feeds.schedule import Held, by_hand, host_of, may_pause, pause
from newsloom.feeds.values.polling import DueFeed, Pause, PollPlan
from newsloom.kernel.http.values import Failure, Reply, Request
from newsloom.kernel.ids import FeedId

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def answered(url: str, status: int, failure: Failure | None = None) -> tuple[DueFeed, Reply]:
    due = DueFeed(FeedId(1), url, "lease")
    return due, Reply(Request(url), NOW, 0.1, status=status, url=url, failure=failure)


def paused(url: str, status: int, *, asked: timedelta | None = None, failing: int = 0, **more):
    due, reply = answered(url, status, **more)
    plan = PollPlan(NOW + HOUR, HOUR, "", None if asked is None else NOW + asked)
    return pause(due, reply, plan, NOW, failing)


FEED = "https://www.example.com/feed"


@pytest.mark.parametrize(
    ("status", "asked", "failing", "span"),
    [
        pytest.param(429, None, 0, HOUR, id="too many requests"),
        pytest.param(429, 5 * HOUR, 0, 5 * HOUR, id="with a time"),
        pytest.param(429, MINUTE, 0, HOUR, id="with a short time"),
        pytest.param(503, 5 * HOUR, 0, None, id="one address fails"),
        pytest.param(503, 5 * HOUR, 1, None, id="two do"),
        pytest.param(503, 5 * HOUR, 2, 5 * HOUR, id="three do"),
        pytest.param(500, None, 2, HOUR, id="three fail without a time"),
        pytest.param(404, None, 9, None, id="not found is the address's own"),
        pytest.param(403, None, 9, None, id="forbidden too"),
        pytest.param(200, None, 9, None, id="well"),
    ],
)
def test_what_pauses_a_host(status, asked, failing, span):
    found = paused(FEED, status, asked=asked, failing=failing)
    if span is None:
        assert found is None
    else:
        assert found is not None
        assert (found.host, found.at, found.until) == ("example.com", NOW, NOW + span)


def test_feeds_that_time_out_are_their_hosts_doing():
    assert paused(FEED, 0, failure=Failure.TIMEOUT, failing=2) is not None
    assert paused(FEED, 0, failure=Failure.DNS, failing=2) is None  # perhaps our own line
    _due, reply = answered(FEED, 0, Failure.TIMEOUT)
    assert may_pause(reply)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        pytest.param("https://a.example.com/x", "example.com", id="one publisher"),
        pytest.param("https://one.blogspot.com/feed", "one.blogspot.com", id="one of many"),
        pytest.param("https://two.github.io/feed", "two.github.io", id="one of many more"),
        pytest.param("https://news.example.co.uk/", "example.co.uk", id="below co.uk"),
        pytest.param("http://127.0.0.1:8080/feed", "127.0.0.1:8080", id="a number"),
        pytest.param("http://203.0.113.5/feed", "203.0.113.5", id="a number of the internet"),
        pytest.param("http://0xcb007105/feed", "203.0.113.5", id="the same number"),
        pytest.param("http://[2001:db8::1]/feed", "[2001:db8::1]", id="a long number"),
        pytest.param("http://[::1]:81/feed", "[::1]:81", id="a long number with a port"),
        pytest.param("http://localhost/feed", "", id="localhost"),
        pytest.param("http://nas.local/feed", "", id="a machine at home"),
        pytest.param("http://rss.bridge.internal:81/feed", "", id="a machine within"),
    ],
)
def test_what_is_a_host(url, host):
    _due, reply = answered(url, 429)
    assert host_of(url, reply) == host


@pytest.mark.parametrize("url", ["http://203.0.113.5/feed", "http://[2001:db8::1]:81/feed"])
def test_a_number_whose_feeds_fail_may_serve_the_feeds_of_many(url):
    assert paused(url, 503, failing=9) is None
    assert paused(url, 0, failure=Failure.TIMEOUT, failing=9) is None


def test_the_host_that_answered_is_paused():
    due, _ = answered(FEED, 429)
    reply = Reply(Request(FEED), NOW, 0.1, status=429, url="https://elsewhere.example.org/feed")
    found = pause(due, reply, PollPlan(NOW, HOUR, ""), NOW, 0)
    assert found is not None
    assert found.host == "example.org"


PAUSE = Pause("example.com", NOW, NOW + 2 * HOUR, "example.com asked for time")


@pytest.mark.parametrize(
    ("polled", "not_before", "pause", "held"),
    [
        pytest.param(None, None, None, None, id="never asked"),
        pytest.param(-15 * MINUTE, None, None, None, id="a quarter of an hour ago"),
        pytest.param(
            -14 * MINUTE, None, None, (MINUTE, "it was fetched a moment ago"), id="sooner ago"
        ),
        pytest.param(-HOUR, -MINUTE, None, None, id="its time is over"),
        pytest.param(-HOUR, HOUR, None, (HOUR, "its server asked to wait"), id="it is not"),
        pytest.param(-HOUR, None, PAUSE, (2 * HOUR, PAUSE.because), id="its host is paused"),
        pytest.param(-MINUTE, HOUR, PAUSE, (2 * HOUR, PAUSE.because), id="the longest holds"),
        pytest.param(timedelta(days=365), None, None, None, id="a clock was a year ahead"),
        pytest.param(HOUR, None, None, (75 * MINUTE, "it was fetched a moment ago"), id="an hour"),
    ],
)
def test_by_hand(polled, not_before, pause, held):
    def at(span):
        return None if span is None else NOW + span

    found = by_hand(at(polled), at(not_before), pause, NOW, 15 * MINUTE)
    assert found == (None if held is None else Held(NOW + held[0], held[1]))
