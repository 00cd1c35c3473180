"""Documents that came damaged: what is asked for next, and what the reader is told."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from conftest import Whole

from newsloom.feeds.service import subscribing
from newsloom.feeds.values.health import FeedState
from newsloom.kernel.ids import FeedId
from publisher import Publisher, rss

HOUR = timedelta(hours=1)
STORIES = [(f"s{n}", f"https://news.example/{n}", f"Story number {n}") for n in range(8)]
WHOLE = rss("News", *STORIES)
CUT = WHOLE[: len(WHOLE) // 2]
BROKEN = WHOLE.replace("</item>", "", 1).replace("</title>", "", 1)
MENDED = WHOLE.replace("number 3", "number 3 & more")


def poll(whole: Whole, after: timedelta = timedelta(0)) -> None:
    whole.clock.ahead += after
    whole.run(stages=())


def sent(publisher: Publisher) -> list[str]:
    """The validators of every request so far."""
    return [headers.get("if-none-match", "") for _path, headers in publisher.asked]


def articles(whole: Whole) -> int:
    return whole.app.reader().unread()


@pytest.mark.parametrize("damaged", [CUT, BROKEN, MENDED], ids=["cut", "broken", "mended"])
def test_the_whole_document_is_had_the_next_time(
    whole: Whole, publisher: Publisher, damaged: str
) -> None:
    """Both bear one tag, as of a server whose answer was cut on the way."""
    whole.follow(publisher.puts("/feed", damaged, ETag='"c"'))
    poll(whole)
    assert articles(whole) > 0
    publisher.puts("/feed", WHOLE, ETag='"c"')
    poll(whole, 3 * HOUR)
    assert articles(whole) == len(STORIES)
    poll(whole, 3 * HOUR)
    assert sent(publisher) == ["", "", '"c"']


@pytest.mark.parametrize("damaged", [CUT, BROKEN], ids=["cut", "broken"])
def test_the_same_bytes_again_are_no_proof_that_it_is_whole(
    whole: Whole, publisher: Publisher, damaged: str
) -> None:
    whole.follow(publisher.puts("/feed", damaged, ETag='"c"'))
    for _ in range(6):
        poll(whole, 25 * HOUR)
    assert sent(publisher) == [""] * 6
    publisher.puts("/feed", WHOLE, ETag='"c"')
    poll(whole, 25 * HOUR)
    assert articles(whole) == len(STORIES)


def test_a_publisher_who_always_writes_so_is_asked_conditionally(
    whole: Whole, publisher: Publisher
) -> None:
    """Of a document that was only mended nothing is missing."""
    whole.follow(publisher.puts("/feed", MENDED, ETag='"c"'))
    for _ in range(5):
        poll(whole, 3 * HOUR)
    assert articles(whole) == len(STORIES)
    assert sent(publisher) == ["", "", '"c"', '"c"', '"c"']


def test_what_was_had_whole_before_is_not_asked_for_on_the_word_of_half(
    whole: Whole, publisher: Publisher
) -> None:
    """Whole, then cut with another tag: neither is sent, for the first is the server's no more."""
    whole.follow(publisher.puts("/feed", WHOLE, ETag='"a"'))
    poll(whole)
    publisher.puts("/feed", CUT, ETag='"b"')
    poll(whole, 3 * HOUR)
    publisher.puts("/feed", WHOLE, ETag='"b"')
    poll(whole, 3 * HOUR)
    assert sent(publisher) == ["", '"a"', ""]


def state(whole: Whole, feed: FeedId) -> FeedState:
    return whole.app.reader().feeds.condition(feed).feed.state


def test_a_reader_is_told_of_documents_that_end_too_early(
    whole: Whole, publisher: Publisher
) -> None:
    (feed,) = whole.follow(publisher.puts("/feed", CUT, ETag='"c"'))
    poll(whole)
    told = whole.app.reader().feeds.condition(feed)
    assert told.feed.state is FeedState.SLOW
    assert told.because.startswith("Its last document was cut off: cut off after")
    assert not told.alert
    for _ in range(2):
        poll(whole, 25 * HOUR)
    told = whole.app.reader().feeds.condition(feed)
    assert told.feed.state is FeedState.UNHEALTHY
    assert told.because.startswith("Its last 3 documents were cut off")
    assert told.alert
    assert told.feed.reason == "the document was cut off, full download"
    publisher.puts("/feed", WHOLE, ETag='"c"')
    poll(whole, 25 * HOUR)
    assert state(whole, feed) is FeedState.HEALTHY


def test_a_304_out_of_nowhere_is_a_failure(whole: Whole, publisher: Publisher) -> None:
    (feed,) = whole.follow(publisher.puts("/feed", "", 304, ETag='"z"'))
    poll(whole)
    told = whole.app.reader().feeds.condition(feed)
    assert told.feed.state is FeedState.SLOW
    assert "the server returned 304 Not Modified for an unconditional request" in told.because
    assert told.reliability.score == 0
    publisher.puts("/feed", WHOLE, ETag='"z"')
    poll(whole, 3 * HOUR)
    assert articles(whole) == len(STORIES)
    poll(whole, 3 * HOUR)
    assert sent(publisher) == ["", "", '"z"']


def test_a_304_of_where_it_leads_forgets_the_validators(whole: Whole, publisher: Publisher) -> None:
    """They are shown to their own address only, so the other one cannot know what we have."""
    whole.follow(publisher.puts("/feed", WHOLE, ETag='"a"'))
    poll(whole)
    publisher.puts("/feed", "", 302, Location="/there")
    publisher.puts("/there", "", 304, ETag='"a"')
    poll(whole, 3 * HOUR)
    publisher.puts("/feed", WHOLE, ETag='"a"')
    poll(whole, 5 * HOUR)
    assert sent(publisher) == ["", '"a"', "", ""]


def test_adding_a_feed_by_a_304_is_refused(whole: Whole, publisher: Publisher) -> None:
    url = publisher.puts("/feed", "", 304, ETag='"z"')

    async def add() -> None:
        async with whole.app.fetching() as fetcher:
            await subscribing.add(whole.app.reader(fetcher), url)

    with pytest.raises(
        Exception, match="the server returned 304 Not Modified for an unconditional request"
    ):
        asyncio.run(add())
