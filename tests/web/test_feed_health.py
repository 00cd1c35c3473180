"""How feeds are, on their pages: alerts, history, moves, quarantine, what can be set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from newsloom.engines.pipeline import InThread, QuarantineRelease
from newsloom.feeds.pages.health import bars, legend
from newsloom.feeds.schedule import Held
from newsloom.feeds.values.health import FeedState
from newsloom.feeds.values.polling import PastPoll, PollOutcome
from newsloom.kernel.ids import FeedId
from web.conftest import Visitor
from web.unwell import DEAD, HELD, ILL, MOVED, SLOW, unwell
from web.world import NO_FEED_ACTIONS, NOW, World


@pytest.fixture
def ward(world: World) -> World:
    return unwell(world)


@pytest.fixture
def visitor(ward: World) -> Visitor:
    return Visitor(ward, reader(ward))


def reader(world: World, held: Held | None = None) -> object:
    admitting = QuarantineRelease(world.store, InThread(), lambda: world.now)
    feed_actions = replace(
        NO_FEED_ACTIONS,
        admit=admitting.release,
        headlines=admitting.headlines,
        refresh=lambda feeds: dict.fromkeys(feeds, held),
    )
    return replace(world.reader(), feed_actions=feed_actions)


def alerts(world: World) -> list[FeedId]:
    return [one.feed.feed_id for one in world.reader().feeds.alerts()]


def state(world: World, feed: FeedId) -> FeedState:
    return world.reader().feeds.condition(feed).feed.state


def test_the_page_of_feeds_says_who_needs_the_reader(visitor: Visitor) -> None:
    page = visitor.get("/feeds").text
    assert "4 feeds need attention" in page
    for word in ("quarantined", "dead", "unhealthy", "moved", "slow"):
        assert f">{word}</span>" in page


def test_the_list_tells_of_what_became_of_feeds_until_waved_away(
    ward: World, visitor: Visitor
) -> None:
    assert "3 feeds need attention" in visitor.get("/").text
    answer = visitor.post("/feeds/seen", {"at": "show=all"})
    assert answer.headers["location"] == "/?show=all"
    assert alerts(ward) == []
    assert "became of" not in visitor.get("/").text
    ward.now += timedelta(hours=1)
    ward.polled(SLOW, outcome=PollOutcome.GONE, state=FeedState.DEAD)
    page = visitor.get("/").text
    assert "was discontinued" in page
    assert f'href="/feeds/{SLOW}"' in page


def test_one_alert_is_waved_away(ward: World, visitor: Visitor) -> None:
    assert visitor.post(f"/feeds/{DEAD}/seen", {"at": "page=feeds"}).status_code == 303
    assert alerts(ward) == [HELD, ILL, MOVED]


@pytest.mark.parametrize(
    ("feed", "words"),
    [
        pytest.param(MOVED, "Moved from", id="moved"),
        pytest.param(MOVED, "It redirected there permanently (301)", id="why it moved"),
        pytest.param(MOVED, "Last 45 polls", id="its history"),
        pytest.param(MOVED, "2 failed", id="in words"),
        pytest.param(HELD, "Is this still the same feed?", id="quarantine"),
        pytest.param(HELD, "Bonus of the day, and 30 more ways to win", id="what it says now"),
        pytest.param(DEAD, "discontinued this feed (410)", id="dead"),
        pytest.param(DEAD, "<dd>never</dd>", id="next"),
        pytest.param(ILL, "could not be read 3 times in a row", id="unhealthy"),
        pytest.param(SLOW, "did not answer in 30 seconds", id="slow"),
    ],
)
def test_one_feed(visitor: Visitor, feed: FeedId, words: str) -> None:
    answer = visitor.get(f"/feeds/{feed}")
    assert answer.status_code == 200
    assert words in answer.text


@pytest.mark.parametrize("path", ["/feeds/99", "/feeds/0", "/feeds/99999999999999999999"])
def test_a_feed_that_is_not_there(visitor: Visitor, path: str) -> None:
    assert visitor.get(path).status_code == 404


def test_a_feed_that_is_not_there_cannot_be_acted_on(ward: World, visitor: Visitor) -> None:
    for step in ("seen", "refresh", "let-in", "keep-out", "take-back", "floor", "full-text"):
        assert visitor.post(f"/feeds/99/{step}", {"minutes": "20"}).status_code == 404
    assert visitor.post("/feeds/moves/99/undo").status_code == 404


def test_nothing_is_done_from_another_site(ward: World, visitor: Visitor) -> None:
    for path in (f"/feeds/{HELD}/let-in", f"/feeds/{HELD}/keep-out", "/feeds/seen"):
        answer = visitor.post(path, **{"sec-fetch-site": "cross-site"})
        assert answer.status_code == 403
    assert state(ward, HELD) is FeedState.HELD


def test_the_same_feed_after_all(ward: World, visitor: Visitor) -> None:
    answer = visitor.post(f"/feeds/{HELD}/let-in")
    assert answer.headers["location"] == f"/feeds/{HELD}?did=letin&n=3"
    assert state(ward, HELD) is FeedState.HEALTHY
    titles = {one.title for one in ward.listed(feed=HELD)}
    assert "Spin and win" in titles
    page = visitor.get(f"/feeds/{HELD}?did=letin&n=3").text
    assert "Feed approved: 3 articles new or changed." in page
    assert "/take-back" in page
    assert visitor.post(f"/feeds/{HELD}/take-back").status_code == 303
    assert state(ward, HELD) is FeedState.HELD
    assert "Spin and win" not in {one.title for one in ward.listed(feed=HELD)}


def test_another_feed_by_now(ward: World, visitor: Visitor) -> None:
    assert visitor.post(f"/feeds/{HELD}/keep-out").status_code == 303
    page = visitor.get(f"/feeds/{HELD}").text
    assert "You blocked this feed" in page
    assert HELD not in alerts(ward)
    assert visitor.post(f"/feeds/{HELD}/take-back").status_code == 303
    assert "Is this still the same feed?" in visitor.get(f"/feeds/{HELD}").text


def test_a_feed_that_is_in_no_quarantine_cannot_be_let_in(visitor: Visitor) -> None:
    assert visitor.post(f"/feeds/{DEAD}/let-in").status_code == 400


def test_a_move_is_taken_back(ward: World, visitor: Visitor) -> None:
    (move,) = ward.reader().feeds.moves(MOVED)
    answer = visitor.post(f"/feeds/moves/{move.id}/undo")
    assert answer.headers["location"] == f"/feeds/{MOVED}?did=unmoved"
    assert ward.reader().feeds.condition(MOVED).feed.url == move.from_url
    assert "Undone on" in visitor.get(f"/feeds/{MOVED}").text
    assert visitor.post(f"/feeds/moves/{move.id}/undo").status_code == 400


@pytest.mark.parametrize(
    ("typed", "floor", "status"),
    [
        ("20", timedelta(minutes=20), 303),
        ("", None, 303),
        ("5", None, 400),
        ("99999", None, 400),
        ("an hour", None, 400),
        ("٢٠", None, 400),
    ],
)
def test_a_floor_of_its_own(
    ward: World, visitor: Visitor, typed: str, floor: timedelta | None, status: int
) -> None:
    answer = visitor.post(f"/feeds/{MOVED}/floor", {"minutes": typed})
    assert answer.status_code == status
    assert ward.reader().feeds.condition(MOVED).feed.floor == floor


def test_full_texts_are_switched(ward: World, visitor: Visitor) -> None:
    visitor.post(f"/feeds/{MOVED}/full-text", {"on": "yes"})
    assert ward.reader().feeds.condition(MOVED).feed.full_text
    assert "Stop fetching full text" in visitor.get(f"/feeds/{MOVED}").text
    visitor.post(f"/feeds/{MOVED}/full-text", {"on": "no"})
    assert not ward.reader().feeds.condition(MOVED).feed.full_text


def test_asking_by_hand_goes_through_the_gate(ward: World) -> None:
    free = Visitor(ward, reader(ward))
    assert free.post(f"/feeds/{MOVED}/refresh").headers["location"].endswith("?did=asked")
    wait = Held(NOW + timedelta(minutes=9), "it was fetched a moment ago")
    held = Visitor(ward, reader(ward, wait))
    page = held.post(f"/feeds/{MOVED}/refresh").text
    assert (
        "The feed is not fetched before 2026-11-20 09:39 UTC: it was fetched a moment ago." in page
    )
    assert free.post(f"/feeds/{DEAD}/refresh").status_code == 400


@pytest.mark.parametrize(
    ("waits", "did", "words"),
    [
        pytest.param(False, "askedall&n=9", "Refreshing feeds: 9.", id="all"),
        pytest.param(None, "askedsome&n=1", "Refreshing feeds: 1. The others", id="some"),
        pytest.param(True, "askednone", "Nothing to refresh", id="none"),
    ],
)
def test_all_feeds_are_asked_that_may_be(
    ward: World, waits: bool | None, did: str, words: str
) -> None:
    wait = Held(NOW + timedelta(minutes=9), "it was fetched a moment ago")
    feed_ids: list[FeedId] = []

    def refresh(feeds: Sequence[FeedId]) -> dict[FeedId, Held | None]:
        feed_ids.extend(feeds)
        free = {None: feeds[:1], False: feeds, True: ()}[waits]
        return {one: None if one in free else wait for one in feeds}

    feed_actions = replace(reader(ward).feed_actions, refresh=refresh)
    visitor = Visitor(ward, replace(reader(ward), feed_actions=feed_actions))
    answer = visitor.post("/feeds/refresh")
    assert answer.headers["location"] == f"/feeds?did={did}"
    assert words in visitor.get(answer.headers["location"]).text
    assert len(feed_ids) == 9
    assert DEAD not in feed_ids, "what is gone is not asked"


def test_who_follows_nothing_has_nothing_to_refresh(visitor: Visitor, ward: World) -> None:
    assert "Refresh all" in visitor.get("/feeds").text
    for one in ward.reader().subscriptions():
        ward.reader().unsubscribe(one.feed_id)
    assert "Refresh all" not in visitor.get("/feeds").text
    answer = visitor.post("/feeds/refresh")
    assert answer.headers["location"] == "/feeds?did=askednone"


def test_what_a_publisher_wrote_is_only_shown(ward: World, visitor: Visitor) -> None:
    evil = "<script>alert(1)</script>"
    ward.polled(ILL, problem=evil, state=FeedState.UNHEALTHY)
    ward.polled(MOVED, state=FeedState.MOVED, move_to=f"https://x.test/{evil}", move_because=evil)
    for path in ("/feeds", "/", f"/feeds/{ILL}", f"/feeds/{MOVED}"):
        assert evil not in visitor.get(path).text


def polls(letters: str) -> list[PastPoll]:
    """Polls from the newest to the oldest."""
    outcomes = {
        "c": PollOutcome.CHANGED,
        "u": PollOutcome.UNCHANGED,
        "f": PollOutcome.FAILED,
    }
    return [PastPoll(NOW, outcomes[letter]) for letter in letters]


def test_bars_run_from_the_oldest_to_the_newest_and_are_counted() -> None:
    drawn = bars(polls("cuuf"))
    assert [one.kind for one in drawn] == ["failed", "same", "same", "news"]
    assert [one.x for one in drawn] == sorted(one.x for one in drawn)
    assert len({(one.kind, one.height) for one in drawn}) == 3, "without the colour too"
    assert {(words, count) for _kind, words, count in legend(polls("cuuf"))} == {
        ("with new articles", 1),
        ("no change", 2),
        ("failed", 1),
    }


def test_a_page_holds_no_more_bars_than_polls_that_are_kept() -> None:
    assert len(bars(polls("c" * 500))) == 100
    assert bars(polls("c"))[0].words == "2026-11-20 09:30 UTC: with new articles"
