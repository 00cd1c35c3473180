"""Places: what forms carry, and the only addresses a redirect can have."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsloom.kernel.errors import NotFound
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.service import cursors
from newsloom.reading.values.reading import AsOf, Order
from newsloom.reading.values.searching import Cursor, Position, SearchOrder
from newsloom.web.list_view import (
    LARGEST_ID,
    MARKS,
    MOST_ROWS,
    SPANS,
    ListView,
    Page,
    Show,
    parse,
    read,
)

NOW = datetime(2026, 11, 20, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# A busy machine is slow to make places up; that says nothing of what is tested.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

ids = st.integers(1, LARGEST_ID)
words = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40)
numbers = st.integers(-LARGEST_ID, LARGEST_ID)
positions = st.builds(Position, numbers, st.integers(0, LARGEST_ID))
carried = st.builds(
    Cursor,
    at=st.timedeltas(timedelta(0), timedelta(days=50_000)).map(lambda age: EPOCH + age),
    last=positions,
    waiting=st.lists(st.tuples(ids.map(FeedId), positions), max_size=8).map(tuple),
    recent=st.lists(ids.map(FeedId), max_size=4).map(tuple),
    before=st.none() | ids.map(ArticleId),
)
places = st.builds(
    lambda show, **parts: ListView(**MARKS[show], **parts),
    show=st.sampled_from(Show),
    page=st.sampled_from(Page),
    order=st.sampled_from(Order),
    feed=st.none() | ids.map(FeedId),
    category=st.none() | words.filter(bool),
    language=st.none() | st.sampled_from(["", "en", "de", "gsw"]),
    score=st.integers(0, 100),
    sensitivity=st.none() | st.integers(1, 5),
    within=st.none() | st.sampled_from([*SPANS.values()]),
    seed=st.none() | st.integers(0, 2**31 - 1),
    cluster=st.none() | ids.map(ArticleId),
    offset=st.integers(0, 10_000),
    shown=st.integers(1, MOST_ROWS),
    after=st.none() | carried,
    as_of=st.none() | st.builds(AsOf, ids, ids),
    words=words.map(lambda text: " ".join(text.split())),
    sort=st.sampled_from(SearchOrder),
    article=st.none() | ids.map(ArticleId),
).map(lambda view: view if view.words else replace(view, sort=SearchOrder.BEST))


@unhurried
@given(places)
def test_a_place_comes_back_as_it_went(list_view: ListView) -> None:
    assert parse(list_view.text) == list_view


@unhurried
@given(places.map(lambda list_view: list_view.listing))
def test_the_address_of_a_list_is_the_list(place: ListView) -> None:
    again = read(dict(parse_qsl(urlsplit(place.url).query))).listing
    if place.page == Page.SEARCH:
        found = (place.words, place.sort, place.seed, place.after)
        assert (again.words, again.sort, again.seed, again.after) == found
    else:
        assert again == place


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1~2.3~4",
        "-1~2.3~4~",
        "1~2.3~-4~",
        "1~2.3~4~5.",
        "1~2.3~4~~5.6",
        "1~2.3~4~~5.6.7~",
        "1~2.3~4~5;drop table states",
        f"1~{2**63}.3~4~",
        "1~2.3~4~" + ".".join("5" * 500),
        "9" * 18 + "~2.3~4~",
        "1~٢.3~4~",
    ],
)
def test_what_cannot_be_a_cursor_is_none(text: str) -> None:
    assert read({"after": text}).after is None


@unhurried
@given(carried)
def test_a_cursor_in_an_address_is_short(cursor: Cursor) -> None:
    """Of what lists really hand on: a few feeds wait."""
    assert len(cursors.written(cursor)) < 800
    assert cursors.parse(cursors.written(cursor)) == cursor


@unhurried
@given(st.text(max_size=200) | places.map(lambda list_view: list_view.text))
def test_every_place_is_an_address_of_ours(text: str) -> None:
    try:
        url = parse(text).url
    except NotFound:
        return
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc) == ("", "")
    assert url.startswith("/")
    assert not url.startswith(("//", "/\\"))
    assert url.isascii()
    assert url.isprintable()


@pytest.mark.parametrize(
    "text",
    [
        "//evil.example",
        "https://evil.example/",
        "page=//evil.example",
        "page=https://evil.example",
        "page=\\\\evil.example",
        "page=article&article=1/../../evil",
        "page=article&article=//evil.example",
        "page=javascript:alert(1)",
        "page=list%0d%0aLocation:%20//evil.example",
        "at=//evil.example",
        "show=%2f%2fevil.example",
        "order=//evil.example&offset=//evil.example",
        "page=" + "a" * 5_000,
        "\0",
    ],
)
def test_a_hostile_place_is_the_front_page(text: str) -> None:
    assert parse(text).url in {"/", "/articles/1"}


@pytest.mark.parametrize("feed", ["x", "-1", "0", "1.5", "9" * 19, "9" * 400, "٣"])
def test_what_cannot_be_a_feed_is_said(feed: str) -> None:
    with pytest.raises(NotFound):
        read({"feed": feed})


def test_an_article_remembers_its_list() -> None:
    listing = ListView(**MARKS[Show.ALL], category="World & more", offset=50)
    opened = listing.open(7)
    assert opened.url.startswith("/articles/7?at=")
    assert parse(parse_qs(urlsplit(opened.url).query)["at"][0]) == listing
    assert opened.listing == listing


def test_another_view_of_a_list_starts_at_its_top() -> None:
    list_view = ListView(feed=FeedId(3), offset=100, after=Cursor(NOW, Position(1, 2)))
    assert list_view.to(order=Order.NEWEST) == ListView(feed=FeedId(3), order=Order.NEWEST)


@pytest.mark.parametrize(
    ("list_view", "unread", "starred"),
    [
        (ListView(), True, False),
        (ListView(**MARKS[Show.ALL]), False, False),
        (ListView(**MARKS[Show.STARRED]), False, True),
    ],
    ids=lambda value: value.show if isinstance(value, ListView) else "",
)
def test_a_place_asks_for_its_articles(list_view: ListView, unread: bool, starred: bool) -> None:
    query = list_view.query(10)
    assert (query.unread_only, query.starred_only, query.limit) == (unread, starred, 10)
