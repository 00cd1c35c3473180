"""Articles of which their feed gives no date: when they are said to be from, and their order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from conftest import Whole

from newsloom.reading.values.reading import ListQuery, Order
from publisher import Publisher


def document(*items: tuple[str, str]) -> bytes:
    body = "".join(
        f"<item><guid>{title}</guid><title>{title}</title><link>https://a.test/{title}</link>{date}"
        f"<description>All of {title}.</description></item>"
        for title, date in items
    )
    return f'<rss version="2.0"><channel><title>A</title>{body}</channel></rss>'.encode()


DAYS = [f"<pubDate>Fri, {day} Nov 2026 08:00:00 GMT</pubDate>" for day in (13, 18, 17)]
ABOUT = ("About", "")


def newest(whole: Whole) -> list[tuple[str, bool]]:
    """Titles of the list, and whether each is dated as it was first seen."""
    reader = whole.app.reader()
    query = ListQuery(order=Order.NEWEST)
    rows = whole.app.store.lists.listing(
        reader.user, query, whole.clock(), reader.half_lives_in_force()
    )
    return [(one.title, whole.clock() - one.dated < timedelta(hours=12)) for one in rows.rows]


@pytest.fixture
def whole(open_whole: Callable[..., Whole], publisher: Publisher) -> Whole:
    return open_whole(publisher.host, workers=0)


def test_a_standing_page_of_a_new_feed_does_not_head_the_list(
    whole: Whole, publisher: Publisher
) -> None:
    dated = [(f"News {number}", date) for number, date in enumerate(DAYS)]
    pages = [(f"Page {number}", "") for number in range(5)]
    feeds = whole.follow(publisher.puts("/a.xml", document(ABOUT, *dated, *pages)))
    whole.run(feeds)
    shown = newest(whole)
    assert shown[:2] == [("News 1", False), ("News 2", False)]
    assert {title for title, fresh in shown[2:] if fresh} == {"About", *(one for one, _ in pages)}
    # One that comes later is news.
    publisher.puts("/a.xml", document(("Notice", ""), ABOUT, *dated))
    whole.clock.ahead += timedelta(days=1)
    whole.run(feeds)
    assert next(title for title, _ in newest(whole)) == "Notice"


def test_a_feed_without_dates_is_new_when_it_is_seen(whole: Whole, publisher: Publisher) -> None:
    whole.run(whole.follow(publisher.puts("/a.xml", document(("One", ""), ("Two", "")))))
    assert sorted(newest(whole)) == [("One", True), ("Two", True)]
