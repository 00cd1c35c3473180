"""Why a list is empty: every reason has its words, its way on, and its turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from newsloom.feeds.pages.refreshing import fetching
from newsloom.feeds.values.health import FeedState
from newsloom.kernel.ids import FeedId
from newsloom.reading.pages.emptiness import REASONS, empty
from newsloom.reading.values.reading import Order, Subscription
from newsloom.web.list_view import MARKS, ListView, Page, Show
from web.world import NOW

READ = Subscription(
    FeedId(1),
    "https://a.example/",
    "A",
    "World",
    polled_at=NOW,
    next_poll_at=NOW,
    articles=7,
)
WAITING = Subscription(FeedId(2), "https://b.example/", "B", "Science", next_poll_at=NOW)
FAILED = replace(
    WAITING,
    feed_id=FeedId(3),
    category="",
    polled_at=NOW,
    failures=2,
    problem="It answered 500",
    state=FeedState.SLOW,
)
SILENT = replace(READ, feed_id=FeedId(4), articles=0)
IMPORTED = replace(READ, feed_id=FeedId(5), polled_at=None, next_poll_at=None)


@pytest.mark.parametrize(
    ("view", "feeds", "heading"),
    [
        (ListView(), [], "No feeds yet"),
        (ListView(**MARKS[Show.STARRED]), [], "No feeds yet"),
        (ListView(category="Nope"), [READ], "No such category"),
        (ListView(feed=FeedId(99)), [READ], "No such feed"),
        (ListView(category="Nope", language="de"), [READ], "No such category"),
        (ListView(offset=500), [READ], "No more articles"),
        (ListView(language="de"), [READ], "No matching articles"),
        (ListView(score=90), [WAITING], "No matching articles"),
        (ListView(sensitivity=5), [FAILED], "No matching articles"),
        (ListView(**MARKS[Show.STARRED]), [WAITING], "No starred articles"),
        (ListView(**MARKS[Show.LIKED]), [READ], "No liked articles"),
        (ListView(), [WAITING], "Fetching your feeds"),
        (ListView(), [READ, WAITING], "Fetching your feeds"),
        (ListView(category="World"), [READ, WAITING], "All read"),
        (ListView(**MARKS[Show.ALL], category="Science"), [READ, WAITING], "Fetching your feeds"),
        (ListView(), [FAILED, FAILED], "All feeds failed"),
        (ListView(feed=FeedId(3)), [READ, FAILED], "Feed failed"),
        (ListView(), [READ, FAILED], "All read"),
        (ListView(), [SILENT], "No articles yet"),
        (ListView(), [SILENT, FAILED], "No articles yet"),
        (ListView(), [IMPORTED], "All read"),
        (ListView(order=Order.NEWEST), [READ], "All read"),
        (ListView(**MARKS[Show.ALL]), [READ], "No articles"),
    ],
    ids=str,
)
def test_the_first_reason_that_holds_is_told(
    view: ListView, feeds: list[Subscription], heading: str
) -> None:
    told = empty(view, feeds)
    assert told.heading == heading
    assert told.missing is (heading in {"No such category", "No such feed"})
    assert told.words.endswith(".")
    assert (
        told.begin
        or told.key
        or told.ways
        or heading in {"Fetching your feeds", "No articles yet", "No articles"}
    )


def test_every_reason_can_hold() -> None:
    """The list above reaches each of them: none stands in the shadow of another."""
    table = test_the_first_reason_that_holds_is_told.pytestmark[0].args[1]  # type: ignore[attr-defined]
    names = {empty(place, feeds).heading for place, feeds, _heading in table}
    assert len(names) >= len(REASONS)


def test_a_first_pass_is_waited_for() -> None:
    assert empty(ListView(), [READ], first_pass=True).heading == "Fetching your feeds"


def test_ways_lead_on() -> None:
    ways = dict(empty(ListView(feed=FeedId(3)), [FAILED]).ways)
    assert ways["Feed details"].url == "/feeds/3"
    ways = dict(empty(ListView(language="de", category="World", offset=0), [READ]).ways)
    assert ways["Clear filters"].url == "/?category=World"
    ways = dict(empty(ListView(category="World"), [READ]).ways)
    assert ways["All unread articles"] == ListView(page=Page.LIST)


def test_what_is_never_asked_is_not_waited_for() -> None:
    how_far = fetching([READ, WAITING, FAILED, SILENT, IMPORTED])
    assert (how_far.done, how_far.of, how_far.failed) == (3, 4, 1)
    assert how_far.under_way
    assert not fetching([IMPORTED]).under_way
