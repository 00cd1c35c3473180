"""Marks as forms and as htmx send them; undo."""

from __future__ import annotations

import re

import pytest

from newsloom.types import ArticleId, ArticleState, EventKind, ListQuery
from web.conftest import Visitor
from web.world import World


def state(world: World, article: int) -> ArticleState:
    return world.reader().article(ArticleId(article)).listed.state


@pytest.mark.parametrize(
    ("kind", "after", "words"),
    [
        ("read", ArticleState(read=True), "Marked read"),
        ("like", ArticleState(read=True, rating=1), "Liked"),
        ("dislike", ArticleState(read=True, rating=-1), "Disliked"),
        ("star", ArticleState(starred=True), "Starred"),
        ("skipped", ArticleState(read=True), "Passed over"),
    ],
)
def test_a_mark_is_a_redirect_that_says_so_and_undo_takes_it_back(
    world: World, visitor: Visitor, kind: str, after: ArticleState, words: str
) -> None:
    answer = visitor.post("/articles/1/marks", {"kind": kind, "at": "show=all&order=newest"})
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/?show=all&order=newest&did={kind}"
    assert state(world, 1) == after
    page = visitor.get(answer.headers["location"]).text
    assert f"<span>{words}</span>" in page
    undone = visitor.post("/undo", {"at": "show=all"})
    assert undone.headers["location"] == "/?show=all&did=undone"
    assert state(world, 1) == ArticleState()


@pytest.mark.parametrize(
    ("first", "back"),
    [("read", "unread"), ("like", "unrate"), ("dislike", "unrate"), ("star", "unstar")],
)
def test_every_mark_offers_its_opposite(
    world: World, visitor: Visitor, first: str, back: str
) -> None:
    part = visitor.htmx("/articles/1/marks", {"kind": first}).text
    button = re.search(rf'<button name="kind" value="{back}"[^>]*aria-pressed="true"', part)
    assert button is not None
    visitor.post("/articles/1/marks", {"kind": back})
    assert state(world, 1) == ArticleState()


def test_htmx_gets_the_row_the_counts_and_the_word(world: World, visitor: Visitor) -> None:
    feed = world.reader().article(ArticleId(1)).listed.feed_id
    part = visitor.htmx("/articles/1/marks", {"kind": "read", "at": ""}).text
    assert re.search(r'<article class="row is-read" id="a1"[^>]*hx-swap-oob="true"', part)
    assert '<span id="count-unread" hx-swap-oob="innerHTML">79</span>' in part
    assert f'<span id="count-feed-{feed}" hx-swap-oob="innerHTML">' in part
    assert "Marked read" in part
    assert 'hx-post="/undo"' in part
    assert "<html" not in part


def test_opening_reads_once(world: World, visitor: Visitor) -> None:
    visitor.htmx("/articles/1/opened", {"at": ""})
    assert state(world, 1).read
    visitor.htmx("/articles/1/opened", {"at": ""})
    assert len(world.reader().undo("test")) == 1
    assert not state(world, 1).read
    assert world.reader().undo("test") == ()


def test_a_page_of_marks_is_one_step(world: World, visitor: Visitor) -> None:
    page = visitor.get("/").text
    ids = re.search(r'name="articles" value="([\d,]+)"', page)
    assert ids is not None
    answer = visitor.post("/marks", {"articles": ids[1], "at": ""})
    assert answer.headers["location"] == "/?did=read&n=50"
    assert "50 articles marked read" in visitor.get(answer.headers["location"]).text
    assert world.reader().unread() == 30
    assert visitor.htmx("/undo").text.count('hx-swap-oob="true"') == 50
    assert world.reader().unread() == 80


@pytest.mark.parametrize(("at", "left"), [("", 0), ("category=Science", 64), ("feed=9", 71)])
def test_all_of_a_list_is_marked_and_taken_back(
    world: World, visitor: Visitor, at: str, left: int
) -> None:
    before = world.reader().page(ListQuery(limit=200))
    answer = visitor.post("/marks/all", {"at": at})
    assert f"n={80 - left}" in answer.headers["location"]
    assert world.reader().unread() == left
    visitor.post("/undo")
    assert world.reader().page(ListQuery(limit=200)) == before


def test_undoing_very_many_reloads_the_page(world: World, visitor: Visitor) -> None:
    visitor.post("/marks/all")
    assert visitor.htmx("/undo").headers["hx-refresh"] == "true"


def test_marking_an_empty_list_does_nothing(world: World, visitor: Visitor) -> None:
    answer = visitor.post("/marks/all", {"at": "category=Nowhere"})
    assert answer.status_code == 303
    assert world.reader().unread() == 80


def test_undo_with_nothing_to_take_back(visitor: Visitor) -> None:
    assert "did=nothing" in visitor.post("/undo").headers["location"]
    assert "There is nothing to take back" in visitor.htmx("/undo").text


def test_undo_reaches_past_a_feed_that_was_left(world: World, visitor: Visitor) -> None:
    article = world.named("Library opens on Sundays again")
    feed = world.reader().article(article).listed.feed_id
    visitor.post(f"/articles/{article}/marks", {"kind": "read"})
    world.reader().unsubscribe(feed)
    assert visitor.htmx("/undo").status_code == 200


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("/articles/99999/marks", {"kind": "like"}, 404),
        ("/articles/1/marks", {"kind": "undo"}, 400),
        ("/articles/1/marks", {"kind": "opened"}, 400),
        ("/articles/1/marks", {"kind": "finished"}, 400),
        ("/articles/1/marks", {"kind": "bulk read"}, 400),
        ("/articles/1/marks", {"kind": "love"}, 400),
        ("/articles/1/finished", {}, 400),
        ("/articles/1/finished", {"seconds": "-1"}, 400),
        ("/articles/1/finished", {"seconds": "1e9"}, 400),
        ("/articles/1/finished", {"seconds": "9" * 40}, 400),
        ("/articles/99999/finished", {"seconds": "60"}, 404),
        ("/articles/1/marks", {}, 400),
        ("/marks", {"articles": "1,x"}, 404),
        ("/marks", {"articles": ""}, 400),
        ("/marks", {"articles": "9" * 30}, 404),
        ("/marks", {"articles": "99999"}, 404),
        ("/articles/99999/opened", {}, 404),
    ],
    ids=str,
)
def test_wrong_marks_are_refused_in_words(
    world: World, visitor: Visitor, path: str, form: dict[str, str], status: int
) -> None:
    answer = visitor.post(path, form)
    assert answer.status_code == status
    assert "To your articles" in answer.text
    part = visitor.htmx(path, form)
    assert part.headers["hx-retarget"] == "#toast"
    assert 'class="said bad"' in part.text
    assert world.reader().undo("test") == ()


def test_every_kind_a_button_sends_is_known(visitor: Visitor) -> None:
    page = visitor.get("/?show=all").text
    kinds = set(re.findall(r'name="kind" value="(\w+)"', page))
    assert kinds == {"like", "dislike", "star", "read"}
    assert kinds <= set(EventKind)
