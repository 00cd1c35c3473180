"""When an open article counts as read to the end."""

from __future__ import annotations

from datetime import timedelta

import pytest

from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.ids import ArticleId
from newsloom.reading.read_completion import LEAST_WORDS, finished, needed
from newsloom.reading.values.reading import EventKind
from web.conftest import Visitor
from web.world import World

SECOND = timedelta(seconds=1)


def words(count: int) -> str:
    return "<p>" + "word " * count + "</p>"


@pytest.mark.parametrize(
    ("html", "seconds"),
    [
        ("", None),
        (words(LEAST_WORDS - 1), None),
        (words(LEAST_WORDS), 15),
        (words(100), 15),
        (words(400), 60),
        (words(4_000), 600),
        ("<p>" + "語" * 1_598 + "</p>", 120),
        ("<script>" + "word " * 400 + "</script>", None),
        ("<img src=x alt=''>" * 500, None),
    ],
    ids=["empty", "teaser", "short", "100", "400", "4000", "Japanese", "script", "pictures"],
)
def test_how_long_a_text_must_be_in_view(html: str, seconds: int | None) -> None:
    assert needed(html) == (None if seconds is None else seconds * SECOND)


@pytest.mark.parametrize(
    ("count", "seconds", "is_finished"),
    [
        (400, 59, False),
        (400, 60, True),
        (400, 15 * 60, True),
        (400, 15 * 60 + 1, False),  # somebody left the room
        (4_000, 599, False),
        (4_000, 600, True),
        (4_000, 3_600, True),
        (4_000, 3_601, False),
        (40, 60, False),
    ],
)
def test_what_counts(count: int, seconds: int, is_finished: bool) -> None:
    assert finished(words(count), seconds * SECOND) is is_finished


@pytest.fixture
def long_article(world: World) -> ArticleId:
    feed = world.feed("https://long.example/feed", "Long Reads")
    told = ParsedArticle(guid="long", title="A long read", content=words(400))
    world.put(feed, told)
    return world.named("A long read")


def kinds(world: World) -> list[EventKind]:
    return [one.kind for one in world.store.models.labels(world.user)]


@pytest.mark.parametrize(
    ("seconds", "expected"), [("59", []), ("60", [EventKind.FINISHED]), ("4000", [])]
)
def test_the_server_judges_by_the_text(
    world: World, visitor: Visitor, long_article: ArticleId, seconds: str, expected: list
) -> None:
    visitor.htmx(f"/articles/{long_article}/opened")
    answer = visitor.post(f"/articles/{long_article}/finished", {"seconds": seconds})
    assert answer.status_code == 204
    assert kinds(world) == expected


def test_the_page_says_how_long_it_takes(visitor: Visitor, long_article: ArticleId) -> None:
    assert 'data-needed="60"' in visitor.get(f"/articles/{long_article}").text
    assert "data-needed" not in visitor.get("/articles/2").text


def test_undo_after_reading_takes_back_the_opening_and_with_it_the_reading(
    world: World, visitor: Visitor, long_article: ArticleId
) -> None:
    visitor.htmx(f"/articles/{long_article}/opened")
    visitor.post(f"/articles/{long_article}/finished", {"seconds": "100"})
    undone = world.reader().undo("test")
    assert [one.kind for one in undone] == [EventKind.READ]
    assert kinds(world) == []
    assert not world.reader().article(long_article).listed.state.read


def test_another_site_cannot_say_that_an_article_was_read(
    world: World, visitor: Visitor, long_article: ArticleId
) -> None:
    answer = visitor.ask(
        "POST",
        f"/articles/{long_article}/finished",
        data={"seconds": "100"},
        headers={"sec-fetch-site": "cross-site"},
    )
    assert answer.status_code == 403
    assert kinds(world) == []


def test_lists_are_cleared_in_bulk_and_teach_nothing(world: World, visitor: Visitor) -> None:
    visitor.post("/marks", {"articles": "1,2"})
    visitor.post("/marks/all")
    with world.store.database.read() as connection:
        found = connection.exec_driver_sql("SELECT DISTINCT kind FROM events").scalars().all()
    assert found == ["bulk read"]
    assert kinds(world) == []
