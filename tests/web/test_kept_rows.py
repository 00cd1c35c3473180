"""Rows that are kept are the rows that would be rendered, in every list; values are escaped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from newsloom.feeds.pages.pictures import ShownPictures
from newsloom.kernel.ids import EventId, FeedId
from newsloom.reading.values.reading import ArticleState, AsOf, ListQuery, Order
from newsloom.web import view
from newsloom.web.list_view import MARKS, ListView, Page, Show
from newsloom.web.templating import environment, written
from web.world import World

PLACES = (
    ListView(),
    ListView(order=Order.NEWEST, category="A & B", unread_only=False),
    ListView(feed=FeedId(3), language="", score=50, as_of=AsOf(EventId(4), 7)),
    ListView(page=Page.SEARCH, words='"tide" <b>', unread_only=False),
    ListView(**MARKS[Show.STARRED], sensitivity=4, shown=150),
)


@pytest.mark.parametrize("path", ["", "/news"])
def test_a_kept_row_is_the_row(world: World, path: str) -> None:
    reader = world.reader()
    rows = view.rows(reader.page(ListQuery(unread_only=False)), reader.now())
    hostile = rows[0]._replace(title="\x01at\x02 <i>", state=ArticleState(read=True, rating=-1))
    templates = environment(path, ShownPictures().thumbnail)
    cached_rows = templates.globals["cached_rows"]
    for list_view in PLACES:
        for row in rows:
            plain = templates.get_template("_row.html").render(row=row, place=list_view)
            assert cached_rows([row], list_view) == cached_rows([row], list_view) == plain
        assert "<i>" not in cached_rows([hostile], list_view)
        assert ("is-gone" in cached_rows([hostile], list_view)) == (list_view.show == Show.UNREAD)


@given(st.one_of(st.text(), st.integers(), st.booleans(), st.none(), st.floats()))
def test_what_is_written_is_escaped(value: object) -> None:
    assert written(value) == str(escape(value))
    assert written(Markup("<b>")) == "<b>"
