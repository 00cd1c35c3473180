"""What is known of hosts by one request, process or pass holds for all: pauses, icons, pages."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from conftest import Whole

from newsloom.feeds.service import subscribing
from newsloom.kernel.errors import NotNow, UserError
from newsloom.kernel.http.values import Request
from newsloom.kernel.ids import FeedId
from pictures import png
from publisher import Publisher, publishing, rss

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def asks(whole: Whole, request: Request) -> None:
    async def main() -> None:
        async with whole.app.fetching() as fetcher:
            await fetcher.get(request)

    asyncio.run(main())


def adds(whole: Whole, url: str) -> None:
    async def main() -> None:
        async with whole.app.fetching() as fetcher:
            await subscribing.add(whole.app.reader(fetcher), url)

    asyncio.run(main())


def paths(publisher: Publisher) -> list[str]:
    return [path for path, _headers in publisher.asked]


def article(publisher: Publisher, path: str = "/a-story-of-some-length-2026") -> tuple[str, ...]:
    return "1", publisher.url + path, "A story"


@pytest.fixture
def followed(whole: Whole, publisher: Publisher) -> FeedId:
    (feed,) = whole.follow(publisher.puts("/feed", rss("News", article(publisher)), ETag='"1"'))
    whole.run(stages=())
    return feed


def a_page(whole: Whole, publisher: Publisher, feed: FeedId) -> None:
    publisher.puts("/a-story-of-some-length-2026", "busy", 429)
    whole.app.reader().set_full_text(feed, True)
    whole.run(stages=())


def robots(whole: Whole, publisher: Publisher, feed: FeedId) -> None:
    publisher.puts("/robots.txt", "busy", 429)
    whole.app.reader().set_full_text(feed, True)
    whole.run(stages=())


def what_is_added(whole: Whole, publisher: Publisher, _feed: FeedId) -> None:
    with pytest.raises(UserError, match="the server returned 429"):
        adds(whole, publisher.puts("/another", "busy", 429))


def a_link(whole: Whole, publisher: Publisher, _feed: FeedId) -> None:
    asks(whole, Request(publisher.puts("/short", "busy", 429), method="GET", follow=False))


def a_hub(whole: Whole, publisher: Publisher, _feed: FeedId) -> None:
    asks(whole, Request(publisher.puts("/hub", "busy", 429), follow=False, body=b""))


@pytest.mark.parametrize("what", [a_page, robots, what_is_added, a_link, a_hub])
def test_a_host_that_says_429_is_left_alone_whatever_was_asked(
    open_whole: Callable[..., Whole],
    whole: Whole,
    publisher: Publisher,
    followed: FeedId,
    what: Callable[..., None],
) -> None:
    what(whole, publisher, followed)
    assert any(page.status == 429 for page in publisher.pages.values())
    publisher.asked.clear()
    another = open_whole(publisher.host)  # as another process, or after a restart
    for one in (whole, another):
        one.clock.ahead += HOUR / 2
        one.run([followed], stages=())
        one.run(stages=())
        with pytest.raises(NotNow, match="is left alone until"):
            adds(one, publisher.url + "/third")
    assert publisher.asked == []
    for page in ("/third", "/feed"):
        publisher.puts(page, rss("News", article(publisher)))
    another.clock.ahead += DAY
    another.run(stages=())
    assert "/feed" in paths(publisher)


def test_a_429_holds_as_long_as_it_says(whole: Whole, publisher: Publisher) -> None:
    url = publisher.puts("/link", "busy", 429, Retry_After=str(3 * 24 * 3600))
    asks(whole, Request(url, follow=False))
    publisher.asked.clear()
    for ahead in (DAY, 2 * DAY):
        whole.clock.ahead = ahead
        with pytest.raises(NotNow):
            asks(whole, Request(url))
    assert publisher.asked == []
    whole.clock.ahead = 4 * DAY
    asks(whole, Request(url))
    assert len(publisher.asked) == 1


def test_where_a_feed_leads_is_left_alone_too(
    open_whole: Callable[..., Whole], publisher: Publisher
) -> None:
    """And the feed is not asked again at once, pass after pass, to be led there."""
    with publishing() as busy:
        whole = open_whole(publisher.host, busy.host)
        asks(whole, Request(busy.puts("/any", "", 429)))
        busy.asked.clear()
        (feed,) = whole.follow(publisher.puts("/feed", "", 302, Location=f"{busy.url}/there"))
        for _ in range(3):
            whole.run(stages=())
        assert busy.asked == []
        assert paths(publisher) == ["/feed"]
        told = whole.app.reader().feeds.condition(feed)
        assert f"{busy.host} is left alone until" in told.because


def together(*wholes: Whole) -> None:
    """A pass of each at once, as processes run them."""
    threads = [threading.Thread(target=one.run, kwargs={"stages": ()}) for one in wholes]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


def test_icons_and_pages_are_asked_for_by_one_process(
    open_whole: Callable[..., Whole], publisher: Publisher
) -> None:
    several = [open_whole(publisher.host, icons=True) for _ in range(3)]
    stories = [
        (str(n), f"{publisher.url}/a-story-of-some-length-{n}", f"Story {n}") for n in range(4)
    ]
    for _guid, url, title in stories:
        text = f"<p>{title} is told here at some length, in words enough. </p>" * 20
        publisher.puts(url.removeprefix(publisher.url), f"<html><body>{text}</body></html>")
    (feed,) = several[0].follow(publisher.puts("/feed", rss("News", *stories), ETag='"1"'))
    publisher.puts("/favicon.ico", png())
    publisher.puts("/robots.txt", "User-agent: *\nAllow: /\n")
    several[0].app.reader().set_full_text(feed, True)
    for _ in range(3):
        together(*several)
    counted = Counter(paths(publisher))
    assert counted["/favicon.ico"] == 1
    assert counted["/robots.txt"] == 1
    assert set(counted) >= {url.removeprefix(publisher.url) for _guid, url, _title in stories}
    twice = {path: times for path, times in counted.items() if times > 1}
    assert twice == {}
