"""Lists under a name over HTTP: kept, shown, and read as feeds by a parser of feeds."""

from __future__ import annotations

import json
import re

import feedparser
import pytest

from newsloom.reading.service import saved_lists
from newsloom.reading.values.reading import ListQuery
from newsloom.web.list_view import parse
from web.conftest import Visitor
from web.world import World

SEARCH = "q=tide&page=search"


def saved(world: World, visitor: Visitor, at: str, name: str) -> int:
    assert visitor.post("/lists", {"at": at, "name": name}).status_code == 303
    return next(one.id for one in saved_lists.saved(world.reader()) if one.name == name)


def token(world: World, visitor: Visitor, number: int) -> str:
    visitor.post(f"/lists/{number}/address", {"do": "make"})
    return next(one.token for one in saved_lists.saved(world.reader()) if one.id == number)


def test_a_saved_list_stands_in_the_sidebar_and_leads_to_itself(
    world: World, visitor: Visitor
) -> None:
    saved(world, visitor, "score=50&order=newest&as=3-4&rows=100", "Good ones")
    page = visitor.get("/").text
    side = re.search(r'aria-label="Saved lists".*?</nav>', page, re.DOTALL)[0]
    assert "Good ones" in side
    assert 'href="/?order=newest&amp;score=50"' in side


@pytest.mark.parametrize("kind", ["atom", "json"])
@pytest.mark.parametrize("at", ["", "order=newest", SEARCH])
def test_its_feed_is_the_list(world: World, visitor: Visitor, at: str, kind: str) -> None:
    number = saved(world, visitor, at, "Mine & <yours>")
    answer = visitor.get(f"/list-feed/{token(world, visitor, number)}.{kind}")
    assert answer.status_code == 200
    view = parse(at).listing
    reader = world.reader()
    if view.words:
        expected = reader.search(view.words, 100, view.sort, None).rows
    else:
        expected = reader.page(view.query(100))
    assert expected
    if kind == "atom":
        read = feedparser.parse(answer.content)
        assert not read.bozo
        assert read.feed.title == "Mine & <yours>"
        assert [one.title for one in read.entries] == [one.title for one in expected]
        assert len({one.id for one in read.entries}) == len(expected)
    else:
        read = json.loads(answer.content)
        assert read["version"] == "https://jsonfeed.org/version/1.1"
        assert [one["title"] for one in read["items"]] == [one.title for one in expected]
    tag = answer.headers["etag"]
    again = visitor.get(str(answer.url.path), **{"if-none-match": tag})
    assert again.status_code == 304


def test_an_address_that_was_ended_leads_nowhere(world: World, visitor: Visitor) -> None:
    number = saved(world, visitor, "", "Mine")
    first = token(world, visitor, number)
    second = token(world, visitor, number)
    assert first != second
    assert visitor.get(f"/list-feed/{first}.atom").status_code == 404
    assert visitor.get(f"/list-feed/{second}.atom").status_code == 200
    assert visitor.get(f"/list-feed/{second}.exe").status_code == 404
    visitor.post(f"/lists/{number}/address", {"do": "end"})
    assert visitor.get(f"/list-feed/{second}.atom").status_code == 404
    assert visitor.get("/list-feed/.atom").status_code == 404


def test_renamed_and_removed(world: World, visitor: Visitor) -> None:
    number = saved(world, visitor, SEARCH, "Tides")
    visitor.post(f"/lists/{number}/rename", {"name": "  High \0 water "})
    assert [one.name for one in saved_lists.saved(world.reader())] == ["High water"]
    assert visitor.post(f"/lists/{number}/rename", {"name": " "}).status_code == 400
    visitor.post(f"/lists/{number}/drop")
    assert saved_lists.saved(world.reader()) == ()
    for path in ("rename", "drop", "address"):
        assert visitor.post(f"/lists/{number}/{path}", {"name": "x"}).status_code == 404


def test_no_name_and_too_many_are_refused(world: World, visitor: Visitor) -> None:
    assert visitor.post("/lists", {"at": "", "name": ""}).status_code == 400
    reader = world.reader()
    for number in range(saved_lists.MOST):
        saved_lists.save(reader, f"{number}", "")
    answer = visitor.post("/lists", {"at": "", "name": "one more"})
    assert answer.status_code == 400
    assert "which is the limit" in answer.text


def test_another_reader_s_list_is_not_there(world: World, visitor: Visitor) -> None:
    other = world.store.users.user("other", world.now)
    number = world.store.users.save_list(other, "Theirs", "", world.now)
    world.store.users.set_list_token(other, number, "theirs")
    assert "Theirs" not in visitor.get("/lists").text
    for path in ("rename", "drop", "address"):
        assert visitor.post(f"/lists/{number}/{path}", {"name": "x"}).status_code == 404
    assert world.reader().page(ListQuery(limit=1))
