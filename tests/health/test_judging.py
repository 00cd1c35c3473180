"""What state a feed is in after a poll."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newsloom.duplicates import prepare
from newsloom.feeds.health import (
    MOST_CUT,
    MOST_FAILURES,
    MOST_TIMEOUTS,
    MOST_UNREADABLE,
    identity_of,
    judged,
)
from newsloom.feeds.values.health import FeedState, Moving
from newsloom.feeds.values.polling import DueFeed, PollOutcome
from newsloom.feeds.values.published import Damage, ParsedArticle, ParsedFeed
from newsloom.kernel.http.values import Failure, Redirect, Reply, Request
from newsloom.kernel.ids import FeedId

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
URL = "https://news.example/feed"
CHANGED, UNCHANGED, FAILED, UNREADABLE, GONE = PollOutcome
HEALTHY, SLOW, UNHEALTHY, _MOVED, HELD, DEAD = FeedState


def reply(status: int = 200, **more: object) -> Reply:
    return Reply(Request(URL), NOW, **{"seconds": 0.2, "status": status, "url": URL, **more})


def due(**more: object) -> DueFeed:
    return DueFeed(FeedId(1), URL, "lease", **more)


def state(due: DueFeed, reply: Reply, outcome: PollOutcome) -> FeedState:
    return judged(due, reply, outcome, None, (), 0, NOW).state


TIMEOUT = reply(0, failure=Failure.TIMEOUT)


@pytest.mark.parametrize(
    ("feed", "answer", "outcome", "expected"),
    [
        (due(), reply(), CHANGED, HEALTHY),
        (due(), reply(304), UNCHANGED, HEALTHY),
        (due(state=UNHEALTHY, failures=9), reply(), CHANGED, HEALTHY),
        (due(), reply(seconds=12.0), CHANGED, SLOW),
        (due(), reply(410), GONE, DEAD),
        (due(held=True), reply(410), GONE, DEAD),
        (due(), reply(500), FAILED, SLOW),
        (due(failures=MOST_FAILURES - 2), reply(500), FAILED, SLOW),
        (due(failures=MOST_FAILURES - 1), reply(500), FAILED, UNHEALTHY),
        (due(failures=MOST_FAILURES - 1), reply(404), FAILED, UNHEALTHY),
        (due(failures=MOST_FAILURES - 1), TIMEOUT, FAILED, SLOW),
        (due(failures=MOST_TIMEOUTS - 1), TIMEOUT, FAILED, UNHEALTHY),
        (due(failures=7, state=UNHEALTHY), TIMEOUT, FAILED, UNHEALTHY),
        (due(), reply(), UNREADABLE, SLOW),
        (due(unreadable=MOST_UNREADABLE - 2), reply(), UNREADABLE, SLOW),
        (due(unreadable=MOST_UNREADABLE - 1), reply(), UNREADABLE, UNHEALTHY),
        (due(unreadable=1, failures=3), reply(500), FAILED, SLOW),
        (due(held=True), reply(500), FAILED, HELD),
        (due(held=True), reply(304), UNCHANGED, HELD),
    ],
)
def test_states(feed: DueFeed, answer: Reply, outcome: PollOutcome, expected: FeedState):
    assert state(feed, answer, outcome) is expected


@pytest.mark.parametrize(
    ("damage", "damaged", "expected"),
    [
        pytest.param(Damage.CUT, 0, SLOW, id="cut once"),
        pytest.param(Damage.CUT, MOST_CUT - 1, UNHEALTHY, id="cut again and again"),
        pytest.param(Damage.BROKEN, 9, HEALTHY, id="always broken, and read"),
        pytest.param(Damage.MENDED, 9, HEALTHY, id="always mended"),
    ],
)
def test_documents_that_end_too_early(damage: Damage, damaged: int, expected: FeedState):
    feed = ParsedFeed("rss 2.0", damage=damage)
    for outcome in (CHANGED, UNCHANGED):
        found = judged(due(damaged=damaged), reply(), outcome, feed, (), 0, NOW)
        assert found.state is expected


@pytest.mark.parametrize(
    ("answer", "outcome", "still"),
    [
        pytest.param(reply(503), FAILED, True, id="an error says it is not there"),
        pytest.param(reply(), UNREADABLE, True, id="so does what is no feed"),
        pytest.param(reply(0, failure=Failure.DNS), FAILED, False, id="no answer says nothing"),
    ],
)
def test_failures_and_a_move_under_way(answer: Reply, outcome: PollOutcome, *, still: bool):
    moving = Moving("https://new.example/feed", NOW - timedelta(days=2), 2)
    assert judged(due(moving=moving), answer, outcome, None, (), 0, NOW).still is still


def test_a_feed_in_quarantine_is_not_followed_to_another_address():
    moving = Moving("https://new.example/feed", NOW - timedelta(days=3), 5)
    answer = reply(redirects=(Redirect(301, moving.url),), url=moving.url)
    assert judged(due(held=True, moving=moving), answer, CHANGED, None, (), 0, NOW).move_to == ""


def article(number: int, published: datetime | None) -> ParsedArticle:
    return ParsedArticle(guid=str(number), title=f"Title {number}", published=published)


@pytest.mark.parametrize(
    ("published", "wrong"),
    [
        (None, 1),
        (datetime(1970, 1, 1, tzinfo=UTC), 1),
        (datetime(1989, 12, 31, tzinfo=UTC), 1),
        (NOW + timedelta(days=2), 1),
        (datetime(9999, 1, 1, tzinfo=UTC), 1),
        (NOW + timedelta(hours=23), 0),
        (datetime(1997, 1, 1, tzinfo=UTC), 0),
    ],
)
def test_dates_that_cannot_be_are_counted(published: datetime | None, wrong: int):
    feed = ParsedFeed("rss 2.0", articles=(article(1, published), article(2, NOW)))
    found = judged(due(), reply(), CHANGED, feed, prepare(feed, FeedId(1), NOW), 0, NOW)
    assert found.misdated == wrong


def test_while_it_is_held_every_document_is_kept_as_it_came():
    feed = ParsedFeed("rss 2.0", title="Same", articles=(article(1, NOW),))
    answer = reply(body=b"<rss/>", headers=(("content-type", "text/xml"),))
    found = judged(
        due(held=True, identity=identity_of(feed), title="Same"), answer, CHANGED, feed, (), 0, NOW
    )
    assert found.state is HELD
    assert found.hold is not None
    assert (found.hold.body, found.hold.content_type, found.hold.at) == (b"<rss/>", "text/xml", NOW)
    assert (found.identity, found.held_because) == (None, "")
