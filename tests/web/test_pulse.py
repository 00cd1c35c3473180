"""What an open page asks for: progress, news, scores, counts; as a page loaded again has them."""

from __future__ import annotations

import re

import pytest

from newsloom.app.reader import Activity
from newsloom.feeds.service import subscribing
from newsloom.reading.values.reading import EventKind
from web.conftest import Visitor
from web.world import NEWS, World, article, open_world


def at_of(page: str) -> str:
    found = re.search(r'id="pulse-at" value="([^"]*)"', page)
    assert found is not None
    return found[1].replace("&amp;", "&")


def shown(page: str) -> dict[int, int]:
    pattern = r'id="score-(\d+)"[^>]*>(\d+)</a>'
    return {int(one): int(score) for one, score in re.findall(pattern, page, re.DOTALL)}


def ask(visitor: Visitor, page: str, **more: str) -> str:
    scores = ",".join(f"{one}:{score}" for one, score in shown(page).items())
    return visitor.htmx("/pulse", {"at": at_of(page), "shown": scores, **more}).text


def test_nothing_new_is_nothing_to_show(visitor: Visitor) -> None:
    page = visitor.get("/").text
    text = ask(visitor, page)
    assert shown(text) == {}
    assert 'data-every="60"' in text
    assert "new article" not in text
    assert "<html" not in text


@pytest.mark.parametrize("order", ["ranked", "newest"])
def test_a_score_that_changed_is_what_a_reload_shows(
    world: World, visitor: Visitor, order: str
) -> None:
    before = visitor.get(f"/?order={order}&rows=100").text
    # Copies would keep their scores.
    ids = [one for one in shown(before) if world.reader().article(one).listed.cluster is None][:3]
    world.score(dict.fromkeys(ids, (13.0, 1)))
    told = shown(ask(visitor, before))
    assert told == dict.fromkeys(ids, 13)
    after = shown(visitor.get(f"/?{at_of(before)}").text)
    assert {**shown(before), **told} == after


def test_a_mark_shows_what_a_reload_shows(world: World, visitor: Visitor) -> None:
    """The row, the score and the counts, after a like and after its undoing."""
    page = visitor.get("/").text
    number = next(iter(shown(page)))
    steps = (
        lambda: visitor.htmx(f"/articles/{number}/marks", {"kind": "like", "at": at_of(page)}),
        lambda: visitor.htmx("/undo", {"at": at_of(page)}),
    )
    for step in steps:
        text = step().text
        again = visitor.get(f"/?{at_of(page)}").text
        assert shown(text)[number] == shown(again)[number]
        counted = re.findall(r"\d+ of 20 (?:dis)?likes", again)
        assert re.findall(r"\d+ of 20 (?:dis)?likes", text) == counted
        row = rf'<article class="([^"]*)" id="a{number}"'
        assert re.search(row, text)[1] == re.search(row, again)[1]
    assert counted == ["0 of 20 likes", "0 of 20 dislikes"]


def test_new_articles_are_told_and_not_put_between(world: World, visitor: Visitor) -> None:
    page = visitor.get("/?category=World").text
    feeds = {one.category: one.feed_id for one in world.reader().subscriptions()}
    late = NEWS[0] | {"title": "Late news", "guid": "late"}
    world.put(feeds["World"], article(late, 999, world.now)._replace(guid="late"))
    world.put(feeds["Science"], article(late, 998, world.now)._replace(guid="later"))
    text = ask(visitor, page)
    assert ">1 new article<" in text
    assert 'href="/?category=World"' in text
    assert "Late news" not in visitor.get(f"/?{at_of(page)}").text
    assert "Late news" in visitor.get("/?category=World").text


def test_an_empty_list_is_loaded_when_something_came(tmp_path: object) -> None:
    world = open_world(tmp_path)
    feed = world.feed("https://first.example/", "First")
    visitor = Visitor(world)
    page = visitor.get("/").text
    assert "hx-refresh" not in visitor.htmx("/pulse", {"at": at_of(page)}).headers
    world.put(feed, article(NEWS[0], 1, world.now))
    assert visitor.htmx("/pulse", {"at": at_of(page)}).headers["hx-refresh"] == "true"
    beyond = visitor.get("/?offset=50").text
    assert "hx-refresh" not in visitor.htmx("/pulse", {"at": at_of(beyond)}).headers
    world.store.close()


def test_how_far_the_first_fetch_is(tmp_path: object) -> None:
    world = open_world(tmp_path)
    visitor = Visitor(world)
    opml = "".join(f'<outline xmlUrl="https://{name}.example/"/>' for name in "abc")
    subscribing.import_opml(world.reader(), f"<opml><body>{opml}</body></opml>".encode())
    page = visitor.get("/").text
    assert "<strong>0 of 3</strong>" in page
    assert "Fetching your feeds" in page
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page
    first, second, third = world.reader().subscriptions()
    world.polled(first.feed_id)
    text = ask(visitor, page, fetching="1")
    assert "<strong>1 of 3</strong>" in text
    assert 'data-every="2"' in text
    world.polled(second.feed_id, problem="It answered 500")
    world.polled(third.feed_id)
    text = ask(visitor, page, fetching="1")
    assert "Fetched 3 feeds" in text
    assert "1 failed" in text
    assert 'data-every="60"' in text
    assert "Fetched 3 feeds" not in visitor.get("/").text
    assert "Fetched" not in ask(visitor, visitor.get("/").text), "nothing is pushed down"
    world.store.close()


def test_while_the_order_follows_the_page_asks_soon(world: World, visitor: Visitor) -> None:
    page = visitor.get("/").text
    world.activity = Activity(behind=True)
    assert 'data-every="2"' in ask(visitor, page)


@pytest.mark.parametrize("shown", ["x", "1", "1:", ":1", "99999999999999999999:1", "1:9999", "٣:1"])
def test_any_text_can_be_asked_with(visitor: Visitor, shown: str) -> None:
    assert visitor.htmx("/pulse", {"at": "", "shown": shown}).status_code == 200


def test_an_article_page_asks_for_its_score(world: World, visitor: Visitor) -> None:
    number = world.ids(unread_only=True)[3]
    page = visitor.get(f"/articles/{number}").text
    assert list(shown(page)) == [number]
    world.score({number: (88.0, 1)})
    text = ask(visitor, page)
    assert shown(text) == shown(visitor.get(f"/articles/{number}").text)


def test_a_pulse_changes_nothing(world: World, visitor: Visitor) -> None:
    before = world.store.lists.as_of(world.user)
    ask(visitor, visitor.get("/").text)
    assert world.store.lists.as_of(world.user) == before
    world.reader().mark(world.ids()[1:2], EventKind.READ, "test")
    assert len(world.reader().undo("test")) == 1
