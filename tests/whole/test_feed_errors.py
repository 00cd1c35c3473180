"""What becomes of feeds that move, fail, die or change hands, through the real fetch and store."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from conftest import Whole

from newsloom.feeds.service import subscribing
from newsloom.feeds.service.feeds import Condition
from newsloom.feeds.values.health import FeedState
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Rows
from publisher import Publisher, rss
from store.builders import pending_texts

DAY = timedelta(hours=25)

STORIES = [(f"s{n}", f"https://news.example/{n}", f"Story number {n}") for n in range(3)]


def later(whole: Whole, span: timedelta = DAY) -> None:
    whole.clock.ahead += span


def poll(whole: Whole, times: int = 1, span: timedelta = DAY) -> None:
    for _ in range(times):
        later(whole, span)
        whole.run(stages=())


def condition(whole: Whole, feed: FeedId) -> Condition:
    return whole.app.reader().feeds.condition(feed)


def titles(whole: Whole, **query: object) -> list[str]:
    """The unread list, each row one article."""
    store, user = whole.app.store, whole.app.user
    wanted = ListQuery(order=Order.NEWEST, rows=Rows.ARTICLE, **query)  # type: ignore[arg-type]
    found = store.lists.page(user, wanted, whole.clock(), whole.app.reader().half_lives_in_force())
    return sorted(one.title for one in found)


def url_of(whole: Whole, feed: FeedId) -> str:
    return condition(whole, feed).feed.url


@pytest.mark.parametrize("status", [301, 308])
def test_a_permanent_redirect_is_believed_after_three_polls_in_two_days(
    whole: Whole, publisher: Publisher, status: int
) -> None:
    old = publisher.puts("/old", rss("News", *STORIES))
    (feed,) = whole.follow(old)
    whole.run(stages=())
    new = publisher.puts("/new", rss("News", *STORIES), ETag='"n"')
    publisher.puts("/old", "", status, Location="/new")
    poll(whole, 2)
    assert url_of(whole, feed) == old
    poll(whole)
    assert url_of(whole, feed) == new
    assert condition(whole, feed).feed.state is FeedState.MOVED
    (move,) = whole.app.reader().feeds.moves(feed)
    assert (move.from_url, move.to_url) == (old, new)
    assert f"({status}) 3 times in 50 hours" in move.because
    publisher.asked.clear()
    poll(whole)
    ((path, headers),) = publisher.asked
    assert path == "/new", "only the new address is asked"
    assert headers["if-none-match"] == '"n"', "the validators of the new address are kept"
    assert titles(whole) == sorted(name for _guid, _url, name in STORIES)


def test_a_move_that_was_taken_back_is_not_made_again(whole: Whole, publisher: Publisher) -> None:
    publisher.puts("/new", rss("News", *STORIES))
    old = publisher.puts("/old", "", 301, Location="/new")
    (feed,) = whole.follow(old)
    whole.run(stages=())
    poll(whole, 2)
    (move,) = whole.app.reader().feeds.moves(feed)
    whole.app.reader().feeds.take_back_move(move.id)
    assert url_of(whole, feed) == old
    poll(whole, 4)
    assert url_of(whole, feed) == old
    assert condition(whole, feed).feed.state is FeedState.HEALTHY


def test_three_times_within_two_days_is_too_soon(whole: Whole, publisher: Publisher) -> None:
    publisher.puts("/new", rss("News", *STORIES))
    old = publisher.puts("/old", "", 301, Location="/new")
    (feed,) = whole.follow(old)
    whole.run(stages=())
    poll(whole, 3, timedelta(hours=11))
    assert url_of(whole, feed) == old


@pytest.mark.parametrize("status", [302, 303, 307])
def test_a_passing_redirect_is_never_stored(
    whole: Whole, publisher: Publisher, status: int
) -> None:
    publisher.puts("/new", rss("News", *STORIES))
    old = publisher.puts("/old", "", status, Location="/new")
    (feed,) = whole.follow(old)
    whole.run(stages=())
    poll(whole, 3)
    assert url_of(whole, feed) == old
    assert condition(whole, feed).feed.moving is None
    assert len(titles(whole)) == 3


@pytest.mark.parametrize("status", [301, 302, 307])
def test_subscribing_stores_the_address_that_was_asked_for(
    whole: Whole, publisher: Publisher, status: int
) -> None:
    publisher.puts("/new", rss("News", *STORIES))
    old = publisher.puts("/old", "", status, Location="/new")

    async def add() -> str:
        async with whole.app.fetching() as fetcher:
            return (await subscribing.add(whole.app.reader(fetcher), old)).url

    assert asyncio.run(add()) == old
    assert [one.url for one in whole.app.reader().subscriptions()] == [old]


@pytest.mark.parametrize(
    "between",
    [
        pytest.param(("", 503, {}), id="an error"),
        pytest.param((rss("News", *STORIES), 200, {}), id="the feed itself"),
        pytest.param(("", 301, {"Location": "/other"}), id="another target"),
        pytest.param(("", 302, {"Location": "/new"}), id="for now only"),
    ],
)
def test_another_answer_between_begins_the_count_again(
    whole: Whole, publisher: Publisher, between: tuple[str, int, dict[str, str]]
) -> None:
    for path in ("/new", "/other"):
        publisher.puts(path, rss("News", *STORIES))
    old = publisher.puts("/old", "", 301, Location="/new")
    (feed,) = whole.follow(old)
    whole.run(stages=())
    poll(whole)
    body, status, headers = between
    publisher.puts("/old", body, status, **headers)
    poll(whole)
    publisher.puts("/old", "", 301, Location="/new")
    poll(whole, 2)
    assert url_of(whole, feed) == old


def test_a_target_that_is_no_feed_is_no_move(whole: Whole, publisher: Publisher) -> None:
    old = publisher.puts("/old", rss("News", *STORIES))
    (feed,) = whole.follow(old)
    whole.run(stages=())
    publisher.puts("/parked", "<!doctype html><title>This domain is for sale</title>")
    publisher.puts("/old", "", 301, Location="/parked")
    poll(whole, 5)
    assert url_of(whole, feed) == old
    assert condition(whole, feed).feed.title == "News"


def merged(whole: Whole, publisher: Publisher) -> tuple[FeedId, FeedId]:
    """Two feeds of one site; the first came to redirect to the second."""
    old = publisher.puts("/old", rss("Old", *STORIES, ("o", "https://news.example/o", "Only old")))
    new = publisher.puts("/new", rss("New", *STORIES, ("n", "https://news.example/n", "Only new")))
    first, second = whole.follow(old, new)
    whole.run([first], stages=())
    store, user = whole.app.store, whole.app.user
    page = store.lists.page(
        user,
        ListQuery(order=Order.NEWEST, rows=Rows.ARTICLE),
        whole.clock(),
        whole.app.reader().half_lives_in_force(),
    )
    ids = {one.title: one.id for one in page}
    for title, kind in (
        ("Story number 0", EventKind.READ),
        ("Story number 1", EventKind.STAR),
        ("Only old", EventKind.LIKE),
    ):
        whole.app.reader().mark([ids[title]], kind, "test")
    whole.run([second], stages=())
    publisher.puts("/old", "", 301, Location="/new")
    return first, second


def states(whole: Whole) -> dict[str, tuple[bool, bool, int]]:
    """What the reader made of each row, by title."""
    rows = whole.app.reader().page(ListQuery(order=Order.NEWEST, unread_only=False, limit=100))
    return {one.title: (one.state.read, one.state.starred, one.state.rating) for one in rows}


def test_a_feed_that_moved_to_another_becomes_part_of_it(
    whole: Whole, publisher: Publisher
) -> None:
    _first, second = merged(whole, publisher)
    before, marks = titles(whole), states(whole)
    poll(whole, 3)
    reader = whole.app.reader()
    assert [one.feed_id for one in reader.subscriptions()] == [second]
    once = sorted(set(before))
    assert titles(whole) == once, "nothing is lost or doubled"
    assert states(whole) == marks
    assert titles(whole, feed=second, unread_only=False) == sorted(
        ["Only new", "Only old", *(name for _guid, _url, name in STORIES)]
    )
    assert reader.subscriptions()[0].unread == len(once) == reader.unread()
    publisher.asked.clear()
    poll(whole, 2)
    assert {path for path, _headers in publisher.asked} == {"/new"}
    assert titles(whole) == once


def test_a_merge_can_be_taken_back(whole: Whole, publisher: Publisher) -> None:
    first, second = merged(whole, publisher)
    before, marks = titles(whole), states(whole)
    poll(whole, 3)
    (move,) = whole.app.reader().feeds.moves(second)
    assert (move.feed_id, move.merged_id) == (first, second)
    whole.app.reader().feeds.take_back_move(move.id)
    reader = whole.app.reader()
    assert sorted(one.feed_id for one in reader.subscriptions()) == [first, second]
    assert titles(whole, feed=first, unread_only=False) == sorted(
        ["Only new", "Only old", *(name for _guid, _url, name in STORIES)]
    )
    assert states(whole) == marks
    poll(whole, 4)
    assert sorted(one.feed_id for one in reader.subscriptions()) == [first, second]
    assert sorted(set(titles(whole))) == sorted(set(before))


def test_gone_is_for_good_and_is_told(whole: Whole, publisher: Publisher) -> None:
    url = publisher.puts("/feed", rss("News", *STORIES))
    (feed,) = whole.follow(url)
    whole.run(stages=())
    publisher.puts("/feed", "", 410)
    poll(whole)
    found = condition(whole, feed)
    assert (found.feed.state, found.feed.next_poll_at) == (FeedState.DEAD, None)
    assert [one.feed.feed_id for one in whole.app.reader().feeds.alerts()] == [feed]
    publisher.asked.clear()
    poll(whole, 10)
    assert publisher.asked == []
    assert len(titles(whole)) == 3, "what was had stays"
    whole.app.reader().feeds.see(feed)
    assert whole.app.reader().feeds.alerts() == ()


def test_three_documents_in_a_row_that_are_no_feed_make_it_unhealthy(
    whole: Whole, publisher: Publisher
) -> None:
    url = publisher.puts("/feed", rss("News", *STORIES))
    (feed,) = whole.follow(url)
    whole.run(stages=())
    publisher.puts("/feed", "<!doctype html><title>Log in</title>", ETag='"login"')
    seen = []
    for _ in range(3):
        poll(whole)
        seen.append(condition(whole, feed).feed.state)
    assert seen == [FeedState.SLOW, FeedState.SLOW, FeedState.UNHEALTHY]
    assert "HTML page" in condition(whole, feed).because
    publisher.puts("/feed", rss("News", *STORIES))
    poll(whole, 2, timedelta(hours=49))
    assert condition(whole, feed).feed.state is FeedState.HEALTHY


def test_errors_make_a_feed_slow_then_unhealthy_and_never_dead(
    whole: Whole, publisher: Publisher
) -> None:
    url = publisher.puts("/feed", rss("News", *STORIES))
    (feed,) = whole.follow(url)
    whole.run(stages=())
    publisher.puts("/feed", "", 500)
    seen = []
    for _ in range(6):
        poll(whole, span=timedelta(hours=72))
        seen.append(condition(whole, feed).feed.state)
    assert seen == [FeedState.SLOW] * 4 + [FeedState.UNHEALTHY] * 2
    publisher.puts("/feed", rss("News", *STORIES))
    poll(whole, span=timedelta(hours=72))
    assert condition(whole, feed).feed.state is FeedState.HEALTHY


def test_too_many_requests_is_obeyed(whole: Whole, publisher: Publisher) -> None:
    url = publisher.puts("/feed", rss("News", *STORIES))
    (feed,) = whole.follow(url)
    whole.run(stages=())
    publisher.puts("/feed", "", 429, Retry_After=str(3 * 24 * 3600))
    poll(whole)
    publisher.asked.clear()
    poll(whole, 2)
    assert publisher.asked == []
    poll(whole, 2)
    assert len(publisher.asked) == 1
    assert condition(whole, feed).feed.state is FeedState.SLOW


CASINO = """<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel>
<title>Spins and Bonuses</title><link>https://casino.example/</link><language>tr</language>
{}</channel></rss>"""
ITEM = (
    "<item><guid isPermaLink='false'>c{0}</guid><link>https://casino.example/{0}</link>"
    "<title>Bonus {0}</title><description>Play now, number {0}.</description>"
    "<dc:creator>Croupier</dc:creator></item>"
)
PAPER = """<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel>
<title>Garden Letter</title><link>https://garden.example/</link><language>en</language>
{}</channel></rss>"""
LETTER = (
    "<item><guid isPermaLink='false'>g{0}</guid><link>https://garden.example/{0}</link>"
    "<title>Letter {0}</title><description>Of roses, number {0}.</description>"
    "<dc:creator>Ann Green</dc:creator></item>"
)
LETTERS = ["Letter 0", "Letter 1", "Letter 2"]
BONUSES = ["Bonus 0", "Bonus 1", "Bonus 2"]


def document(frame: str, item: str, numbers: range) -> str:
    return frame.format("".join(map(item.format, numbers)))


@pytest.fixture
def hijacked(whole: Whole, publisher: Publisher) -> FeedId:
    """A feed whose domain is a casino's since the last poll, and went on since."""
    url = publisher.puts("/feed", document(PAPER, LETTER, range(3)))
    (feed,) = whole.follow(url)
    whole.run(stages=())
    for end in (2, 3):
        publisher.puts("/feed", document(CASINO, ITEM, range(end)))
        poll(whole)
    return feed


def test_half_a_document_that_is_kept_apart_is_asked_for_whole(
    whole: Whole, publisher: Publisher
) -> None:
    whole.follow(publisher.puts("/feed", document(PAPER, LETTER, range(3)), ETag='"a"'))
    whole.run(stages=())
    casino = document(CASINO, ITEM, range(3))
    publisher.puts("/feed", casino[: casino.rindex("</item>")], ETag='"b"')
    poll(whole, 2)
    assert [one["if-none-match"] for _path, one in publisher.asked[1:2]] == ['"a"']
    assert "if-none-match" not in publisher.asked[2][1]


def test_a_feed_that_changed_hands_is_kept_apart(whole: Whole, hijacked: FeedId) -> None:
    found = condition(whole, hijacked)
    assert found.feed.state is FeedState.HELD
    assert "title, site, language and authors" in found.because
    assert (found.feed.title, found.feed.held) == ("Garden Letter", 2)
    assert titles(whole, unread_only=False) == LETTERS
    assert {one.title for one in pending_texts(whole.app.store, "any", 10)} == set(LETTERS)
    reader = whole.app.reader()
    assert [one.feed.feed_id for one in reader.feeds.alerts()] == [hijacked]
    assert set(asyncio.run(reader.feeds.headlines(hijacked))) == set(BONUSES)


def test_the_same_feed_after_all_is_let_in_whole_and_that_is_taken_back(
    whole: Whole, hijacked: FeedId
) -> None:
    feeds = whole.app.reader().feeds
    assert asyncio.run(feeds.release(hijacked)) == 3
    assert titles(whole) == BONUSES + LETTERS
    found = condition(whole, hijacked).feed
    assert (found.state, found.title) == (FeedState.HEALTHY, "Spins and Bonuses")
    poll(whole)
    assert condition(whole, hijacked).feed.state is FeedState.HEALTHY, "it is known by now"

    feeds.take_back_verdict(hijacked)
    assert titles(whole) == LETTERS
    found = condition(whole, hijacked).feed
    assert (found.state, found.title, found.held) == (FeedState.HELD, "Garden Letter", 2)
    assert asyncio.run(feeds.release(hijacked)) == 0, "they are stored already"
    assert titles(whole) == BONUSES + LETTERS


def test_a_feed_kept_out_is_asked_no_more_until_that_is_taken_back(
    whole: Whole, publisher: Publisher, hijacked: FeedId
) -> None:
    feeds = whole.app.reader().feeds
    feeds.keep_out(hijacked)
    assert feeds.alerts() == ()
    publisher.asked.clear()
    poll(whole, 5)
    assert publisher.asked == []
    feeds.take_back_verdict(hijacked)
    publisher.puts("/feed", document(CASINO, ITEM, range(4)))
    poll(whole)
    assert condition(whole, hijacked).feed.held == 3
    assert titles(whole) == LETTERS


def test_a_parked_page_is_no_change_of_hands(whole: Whole, publisher: Publisher) -> None:
    url = publisher.puts("/feed", document(PAPER, LETTER, range(3)))
    (feed,) = whole.follow(url)
    whole.run(stages=())
    publisher.puts("/feed", "<!doctype html><title>garden.example is for sale</title>")
    poll(whole, 4)
    found = condition(whole, feed).feed
    assert (found.state, found.held, found.title) == (FeedState.UNHEALTHY, 0, "Garden Letter")
