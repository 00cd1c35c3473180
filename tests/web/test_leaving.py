"""Stopping to follow a feed: asked first, told what becomes of it, and taken back whole."""

from __future__ import annotations

import re

import pytest

from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import EventKind, ListQuery
from web.conftest import Visitor
from web.world import World


def everything(world: World) -> tuple[object, ...]:
    reader = world.reader()
    return (
        reader.subscriptions(),
        reader.page(ListQuery(limit=200)),
        reader.page(ListQuery(unread_only=False, limit=200)),
    )


def test_it_is_asked_before_it_is_done(visitor: Visitor, world: World) -> None:
    page = visitor.get("/feeds/3").text
    feed = next(one for one in world.reader().subscriptions() if one.feed_id == 3)
    asked = re.search(
        r'<details class="leave">.*?Unfollow “<bdi>([^<]*)</bdi>”\? (.*?)</p>.*?'
        r'action="/feeds/3/remove"',
        page,
        re.DOTALL,
    )
    assert asked is not None
    assert asked[2].startswith(f"{feed.unread} unread articles")
    assert "undo" in asked[2]


def test_it_is_taken_back_whole(world: World, visitor: Visitor) -> None:
    reader = world.reader()
    reader.edit(FeedId(3), title="My own name", category="Mornings")
    mine = [one.id for one in reader.page(ListQuery(feed=FeedId(3)))]
    reader.mark(mine[:1], EventKind.READ, "test")
    reader.mark(mine[1:2], EventKind.STAR, "test")
    before = everything(world)
    answer = visitor.post("/feeds/3/remove")
    page = visitor.get(answer.headers["location"]).text
    assert "Feed unfollowed" in page
    assert 'action="/feeds/3/return"' in page[page.index('id="toast"') :]
    assert "Recently unfollowed" in page
    assert "My own name" in page
    answer = visitor.post("/feeds/3/return")
    assert "Feed restored." in visitor.get(answer.headers["location"]).text
    assert everything(world) == before
    assert "Recently unfollowed" not in visitor.get("/feeds").text
    assert [one.kind for one in reader.undo("test")] == [EventKind.STAR], "no mark came between"


@pytest.mark.parametrize("feed", [3, 999])
def test_what_was_not_left_cannot_be_taken_back(visitor: Visitor, feed: int) -> None:
    answer = visitor.post(f"/feeds/{feed}/return")
    assert answer.status_code == 404
    assert "You did not unfollow feed" in answer.text


def test_a_list_of_a_feed_that_was_left_says_so(visitor: Visitor) -> None:
    visitor.post("/feeds/3/remove")
    answer = visitor.get("/?feed=3")
    assert answer.status_code == 404
    assert "No such feed" in answer.text


def test_a_category_that_is_none_says_so(visitor: Visitor) -> None:
    answer = visitor.get("/?category=Nope")
    assert answer.status_code == 404
    assert "No such category" in answer.text
    assert "You have no category “Nope”." in answer.text
    assert 'href="/feeds"' in answer.text


def test_the_page_of_a_feed_that_was_left_leads_to_where_that_is_taken_back(
    visitor: Visitor,
) -> None:
    visitor.post("/feeds/3/remove")
    answer = visitor.get("/feeds/3")
    assert answer.headers["location"] == "/feeds?did=removed&n=3"
    assert visitor.get("/feeds/999").status_code == 404
