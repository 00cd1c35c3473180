"""Marks as forms and as htmx send them; undo."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest

from newsloom.kernel.errors import StoreBusy
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.pages.marking import Marking
from newsloom.reading.values.reading import ArticleState, EventKind, ListQuery
from web.conftest import Visitor
from web.world import NEWS, World, article


def state(world: World, article: int) -> ArticleState:
    return world.reader().article(ArticleId(article)).listed.state


@pytest.mark.parametrize(
    ("kind", "after", "words"),
    [
        ("read", ArticleState(read=True), "Marked read"),
        ("like", ArticleState(read=True, rating=1), "Liked"),
        ("dislike", ArticleState(read=True, rating=-1), "Disliked"),
        ("star", ArticleState(starred=True), "Starred"),
        ("skipped", ArticleState(read=True), "Skipped"),
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


@pytest.mark.parametrize("kind", ["like", "dislike"])
def test_what_is_judged_leaves_the_unread_list_when_it_is_loaded_again(
    world: World, visitor: Visitor, kind: str
) -> None:
    page = visitor.get("/").text
    number = world.ids(unread_only=True)[0]
    form = re.search(r'name="at" value="(as=[^"]*)"', page)
    assert form is not None
    there = visitor.post(f"/articles/{number}/marks", {"kind": kind, "at": form[1]})
    assert there.headers["location"] == f"/?{form[1]}&did={kind}#a{number}"
    row = f'<article class="row is-read{" is-gone" if kind == "dislike" else ""}" id="a{number}"'
    assert row in visitor.get(there.headers["location"].partition("#")[0]).text
    assert f'id="a{number}"' not in visitor.get("/").text
    assert (f'id="a{number}"' in visitor.get("/?show=liked").text) is (kind == "like")
    assert f'<article class="row is-read" id="a{number}"' in visitor.get("/?show=all").text


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
    assert re.search(rf'<span id="feed-counts"[^>]*"[^"]*\b{feed}:\d', part)
    assert "Marked read" in part
    assert 'hx-post="/undo"' in part
    assert "<html" not in part


def test_opening_reads_once(world: World, visitor: Visitor) -> None:
    visitor.htmx("/articles/1/opened", {"at": ""})
    assert state(world, 1).read
    visitor.htmx("/articles/1/opened", {"at": ""})
    assert len(world.reader().undo("test")) == 3, "with its text in two other feeds"
    assert not state(world, 1).read
    assert world.reader().undo("test") == ()


def test_a_page_of_marks_is_one_step(world: World, visitor: Visitor) -> None:
    page = visitor.get("/").text
    ids = re.search(r'name="articles" value="([\d,]+)"', page)
    assert ids is not None
    answer = visitor.post("/marks", {"articles": ids[1], "at": ""})
    assert answer.headers["location"] == "/?did=read&n=30"  # with two copies
    assert "30 articles marked read" in visitor.get(answer.headers["location"]).text
    assert world.reader().unread() == 50
    assert visitor.htmx("/undo").text.count('hx-swap-oob="true"') >= 30
    assert world.reader().unread() == 80


@pytest.mark.parametrize(("at", "left"), [("", 0), ("category=Science", 64), ("feed=9", 71)])
def test_all_of_a_list_is_marked_and_taken_back(
    world: World, visitor: Visitor, at: str, left: int
) -> None:
    before = world.reader().page(ListQuery(limit=200))
    answer = visitor.post("/marks/all", {"at": at})
    assert answer.headers["location"].endswith(f"n={80 - left}"), "copies are no rows"
    assert world.reader().unread() == left
    visitor.post("/undo")
    assert world.reader().page(ListQuery(limit=200)) == before


def test_everything_is_everything(world: World, visitor: Visitor) -> None:
    """However many; and one step of undo takes it back."""
    feed = world.reader().subscriptions()[0].feed_id
    columns = "feed_id, original_id, fullest_id, first_seen_at, dated_at, version_at"
    with world.store.database.write() as connection:
        connection.exec_driver_sql(
            f"""WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
            INSERT INTO articles (id, {columns}) SELECT i, {feed}, i, i, 0, i, 0 FROM n"""
        )
        connection.exec_driver_sql(
            f"""INSERT INTO states (user_id, article_id, feed_id, dated_at, rank_key)
            SELECT {world.user}, id, feed_id, dated_at, dated_at FROM articles WHERE id >= 1000"""
        )
    before = world.reader().unread()
    assert before > 11_000
    visitor.app.state.sites.shared.marking = Marking(world.reader(), "web", timedelta(seconds=60))
    answer = visitor.post("/marks/all")
    assert world.reader().unread() == 0
    assert f"{before:,} articles marked read" in visitor.get(answer.headers["location"]).text
    visitor.post("/undo")
    assert world.reader().unread() == before


def test_what_came_after_the_list_was_shown_stays_unread(world: World, visitor: Visitor) -> None:
    page = visitor.get("/").text
    form = re.search(r'action="/marks/all">\s*<input type="hidden" name="at" value="([^"]*)"', page)
    assert form is not None
    late = article(NEWS[0] | {"title": "Late"}, 999, world.now)._replace(guid="late")
    world.put(world.reader().subscriptions()[0].feed_id, late)
    visitor.post("/marks/all", {"at": form[1].replace("&amp;", "&")})
    assert [one.title for one in world.listed(unread_only=True)] == ["Late"]


def until_done(visitor: Visitor) -> None:
    for _ in range(6_000):
        if not visitor.app.state.sites.shared.marking.how_far.doing:
            return
        time.sleep(0.01)
    pytest.fail("it went on and on")


def test_what_takes_long_goes_on_beside_the_pages(world: World, visitor: Visitor) -> None:
    visitor.app.state.sites.shared.marking = Marking(world.reader(), "web", patience=timedelta(0))
    with world.store.database.write():  # nobody else writes meanwhile
        answer = visitor.post("/marks/all")
    assert answer.headers["location"] == "/?did=clearing"
    until_done(visitor)
    assert world.reader().unread() == 0
    assert visitor.htmx("/pulse", {"marking": "1"}).headers["hx-refresh"] == "true"
    with world.store.database.write():
        answer = visitor.htmx("/undo")
    assert answer.headers["location"] == "/?did=undoing"
    until_done(visitor)
    assert world.reader().unread() == 80


def test_undo_ends_a_marking_that_is_under_way(world: World, visitor: Visitor) -> None:
    reader = world.reader()
    marking = Marking(reader, "web", patience=timedelta(seconds=20))
    begun, go_on = threading.Event(), threading.Event()

    class Slow:
        """A reader whose lists take until they are let go."""

        def clear(self, query: ListQuery, via: str, heard: Callable[[int, int], bool]) -> int:
            count = reader.clear(ListQuery(feed=FeedId(1)), via)
            begun.set()
            go_on.wait(10)
            return count if heard(count, 80) else -count

        undo = staticmethod(reader.undo)

    marking = Marking(Slow(), "web", patience=timedelta(seconds=20))  # type: ignore[arg-type]
    counts: list[int | None] = []
    clearing = threading.Thread(target=lambda: counts.append(marking.clear(ListQuery())))
    clearing.start()
    assert begun.wait(10)
    threading.Timer(0.2, go_on.set).start()
    undone = marking.undo()
    clearing.join(10)
    assert undone is not None
    assert counts == [-reader.count_rows([one.article_id for one in undone])]
    assert reader.unread() == 80


def test_a_marking_that_fails_says_so(world: World, visitor: Visitor) -> None:
    class Busy:
        def clear(self, *_arguments: object) -> int:
            raise StoreBusy

    marking = Marking(Busy(), "web")  # type: ignore[arg-type]
    with pytest.raises(StoreBusy):
        marking.clear(ListQuery())
    visitor.app.state.sites.shared.marking = marking
    assert "Try again in a moment" in visitor.htmx("/pulse").text


def test_more_than_a_page_can_show_is_refused_not_cut(visitor: Visitor) -> None:
    answer = visitor.post("/marks", {"articles": ",".join("1" for _ in range(10_001))})
    assert answer.status_code == 400
    assert "At most 10,000" in answer.text


def test_undoing_very_many_reloads_the_page(world: World, visitor: Visitor) -> None:
    visitor.post("/marks/all")
    assert visitor.htmx("/undo").headers["hx-refresh"] == "true"


def test_marking_an_empty_list_does_nothing(world: World, visitor: Visitor) -> None:
    answer = visitor.post("/marks/all", {"at": "category=Nowhere"})
    assert answer.status_code == 303
    assert world.reader().unread() == 80


def test_undo_with_nothing_to_take_back(visitor: Visitor) -> None:
    assert "did=nothing" in visitor.post("/undo").headers["location"]
    assert "Nothing to undo" in visitor.htmx("/undo").text


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
    assert "Back to your articles" in answer.text
    part = visitor.htmx(path, form)
    assert part.headers["hx-retarget"] == "#toast"
    assert 'class="said bad"' in part.text
    assert world.reader().undo("test") == ()


def test_every_kind_a_button_sends_is_known(visitor: Visitor) -> None:
    page = visitor.get("/?show=all").text
    kinds = set(re.findall(r'name="kind" value="(\w+)"', page))
    assert kinds == {"like", "dislike", "star", "later", "read"}
    assert kinds <= set(EventKind)
