"""The same articles by direct links in one feed and by forwarding links in others: one each.

The links that only the network can resolve are Feedburner's under a host of the test; the others
stand in the tables, and no test may ask their hosts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import permutations
from urllib.parse import quote
from xml.sax.saxutils import escape

import pytest
from conftest import Whole

from newsloom.feeds.service import subscribing
from newsloom.reading.values.reading import Listed, ListQuery
from publisher import Publisher

STORIES = ("alpha", "beta", "gamma")
DAY = timedelta(days=1)


def rss(items: Sequence[tuple[str, str, str]], more: str = "") -> str:
    inside = "".join(
        f"<item><guid>{escape(guid)}</guid><link>{escape(link)}</link><title>{title}</title>"
        f"<description>What happened in {title} today, in some words.</description>{more}</item>"
        for guid, link, title in items
    )
    return f"<rss version='2.0'><channel><title>Feed</title>{inside}</channel></rss>"


def direct(publisher: Publisher, story: str) -> str:
    return f"{publisher.url}/story/{story}?utm_source=rss"


def wrapped(publisher: Publisher, story: str) -> str:
    return f"https://www.google.com/url?sa=t&url={quote(direct(publisher, story), safe='')}&ct=ga"


def burned(publisher: Publisher, story: str) -> str:
    """A link that only asking resolves: through a second one, as link services do it."""
    path = f"/~r/Feed/~3/{story}/"
    publisher.puts(path, "", 301, Location=f"/~r/Other/~3/{story}/")
    publisher.puts(f"/~r/Other/~3/{story}/", "", 302, Location=direct(publisher, story))
    return publisher.url + path


KINDS = {"direct": direct, "wrapped": wrapped, "burned": burned}


def publish(publisher: Publisher, kind: str, stories: Sequence[str] = STORIES, more="") -> str:
    items = [(f"{kind} {story}", KINDS[kind](publisher, story), story) for story in stories]
    return publisher.puts(f"/{kind}.xml", rss(items, more))


def listed(whole: Whole) -> tuple[Listed, ...]:
    query = ListQuery(unread_only=False, limit=100)
    half_lives = whole.app.settings.ranking.half_lives()
    return whole.app.store.lists.page(whole.app.user, query, whole.clock(), half_lives)


def asked(publisher: Publisher, beginning: str) -> list[str]:
    return [path for path, _headers in publisher.asked if path.startswith(beginning)]


@pytest.mark.parametrize("order", list(permutations(KINDS)), ids=", then ".join)
def test_one_article_whatever_its_link(
    whole: Whole, publisher: Publisher, order: tuple[str, ...]
) -> None:
    for kind in order:
        whole.follow(publish(publisher, kind))
        whole.run(stages=())
    rows = listed(whole)
    assert sorted(one.title for one in rows) == sorted(STORIES)
    assert [one.also_in for one in rows] == [2, 2, 2]
    assert {one.source for one in rows} == {"127.0.0.1"}


def test_all_at_once(whole: Whole, publisher: Publisher) -> None:
    whole.follow(*(publish(publisher, kind) for kind in KINDS))
    whole.run(stages=())
    assert sorted(one.title for one in listed(whole)) == sorted(STORIES)


def test_the_link_stays_as_published_and_the_article_is_never_asked_for(
    whole: Whole, publisher: Publisher
) -> None:
    whole.follow(publish(publisher, "burned"))
    whole.run(stages=())
    assert {one.url for one in listed(whole)} == {burned(publisher, story) for story in STORIES}
    assert asked(publisher, "/story/") == []


def test_an_address_is_asked_once(whole: Whole, publisher: Publisher) -> None:
    feeds = whole.follow(publish(publisher, "burned"))
    whole.run(stages=())
    once = asked(publisher, "/~r/Feed/")
    assert len(once) == len(STORIES)
    publish(publisher, "burned", (*STORIES, "delta"))
    for _ in range(3):
        whole.run(feeds, stages=())
    assert asked(publisher, "/~r/Feed/") == [*once, "/~r/Feed/~3/delta/"]
    assert len(listed(whole)) == len(STORIES) + 1


def test_two_feeds_in_one_pass_ask_once(whole: Whole, publisher: Publisher) -> None:
    first = publish(publisher, "burned")
    items = [(f"again {one}", burned(publisher, one), one) for one in STORIES]
    whole.follow(first, publisher.puts("/again.xml", rss(items)))
    whole.run(stages=())
    assert len(asked(publisher, "/~r/Feed/")) == len(STORIES)
    assert len(listed(whole)) == len(STORIES)


def test_the_first_poll_of_a_feed_added_by_hand_too(whole: Whole, publisher: Publisher) -> None:
    whole.follow(publish(publisher, "direct"))
    whole.run(stages=())
    address = publish(publisher, "burned")

    async def add() -> None:
        async with whole.app.fetching() as fetcher:
            await subscribing.add(whole.app.reader(fetcher), address)

    asyncio.run(add())
    assert len(listed(whole)) == len(STORIES)


FAILURES = {
    "out of order": {"status": 503},
    "gone": {"status": 404},
    "a redirect to nowhere": {"status": 302, "Location": "javascript:alert(1)"},
    "round and round": {"status": 301, "Location": "/~r/Feed/~3/alpha/"},
}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES.keys())
def test_what_cannot_be_found_out_is_tried_thrice_and_stops_nothing(
    whole: Whole, publisher: Publisher, failure: dict
) -> None:
    path = "/~r/Feed/~3/alpha/"
    (feed,) = whole.follow(publisher.puts("/feed.xml", rss([("1", publisher.url + path, "alpha")])))
    publisher.puts(path, "a page", **failure)
    counts = []
    for day in range(5):
        whole.clock.ahead = day * DAY + timedelta(minutes=day)
        more = f"<category>{day}</category>"  # another document, the same article
        publisher.puts("/feed.xml", rss([("1", publisher.url + path, "alpha")], more))
        report = whole.run([feed], stages=())
        assert report.polls.failed == 0
        counts.append(len(asked(publisher, path)))
    each = counts[0]
    assert each > 0
    assert counts == [each, 2 * each, 3 * each, 3 * each, 3 * each]
    (row,) = listed(whole)
    assert row.title == "alpha"


def test_a_link_found_out_later_joins_what_comes_after(whole: Whole, publisher: Publisher) -> None:
    path = "/~r/Feed/~3/alpha/"
    publisher.puts(path, "", 503)
    (feed,) = whole.follow(publisher.puts("/feed.xml", rss([("1", publisher.url + path, "alpha")])))
    whole.run(stages=())
    burned(publisher, "alpha")
    whole.clock.ahead = DAY + timedelta(minutes=1)
    publisher.puts(
        "/feed.xml", rss([("1", publisher.url + path, "alpha")], "<category>x</category>")
    )
    report = whole.run([feed], stages=())
    assert (report.polls.new, report.polls.revised) == (0, 0)
    whole.follow(publish(publisher, "direct", ["alpha"]))
    whole.run(stages=())
    (row,) = listed(whole)
    assert row.also_in == 1


def test_so_many_of_one_host_in_one_pass(
    open_whole: Callable[..., Whole], publisher: Publisher
) -> None:
    whole = open_whole(publisher.host, forwarding_per_host=2)
    feeds = whole.follow(publish(publisher, "burned"))
    whole.run(stages=())
    assert len(asked(publisher, "/~r/Feed/")) == 2
    publish(publisher, "burned", more="<category>x</category>")
    whole.run(feeds, stages=())
    assert len(asked(publisher, "/~r/Feed/")) == 3
    whole.follow(publish(publisher, "direct"))
    whole.run(stages=())
    assert len(listed(whole)) == len(STORIES)


def test_none_is_asked_where_the_settings_say_so(
    open_whole: Callable[..., Whole], publisher: Publisher
) -> None:
    whole = open_whole(publisher.host, forwarding_per_host=0)
    whole.follow(publish(publisher, "burned"))
    whole.run(stages=())
    assert asked(publisher, "/~r/") == []
    assert len(listed(whole)) == len(STORIES)


def test_google_news_names_its_publishers(whole: Whole, publisher: Publisher) -> None:
    link = "https://news.google.com/rss/articles/CBMiVkFVX3lxTE4zaGU2bTY2?oc=5"
    source = "<source url='https://www.example.com'>The Example</source>"
    document = rss([("1", link, "Ministers agree - The Example")], source)
    whole.follow(publisher.puts("/news.xml", document))
    whole.run(stages=())
    (row,) = listed(whole)
    assert (row.title, row.source, row.url) == ("Ministers agree", "example.com", link)
