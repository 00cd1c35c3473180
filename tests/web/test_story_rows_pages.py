"""Lists with one row for each story, on pages without scripts: the choice, the row, its marks."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from newsloom.reading.values.reading import EventKind
from web.conftest import Visitor
from web.storied import MUTED, WHOLE, storied
from web.world import World

BY_STORY = {"cookie": "newsloom-rows=story"}


@pytest.fixture
def here(world: World) -> tuple[World, Visitor]:
    storied(world)
    return world, Visitor(world)


def members(world: World) -> list[int]:
    return [one.article for one in world.store.stories.visible_members(world.user, [WHOLE])[WHOLE]]


def test_a_browser_chooses_its_rows_and_keeps_the_choice(here):
    _world, visitor = here
    assert 'value="cluster" aria-pressed="true"' in visitor.get("/").text
    answer = visitor.post("/rows", {"rows": "story", "at": "show=all&score=10&rows=150&as=3-4"})
    assert answer.headers["location"] == "/?show=all&score=10"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("newsloom-rows=story;")
    assert all(word in cookie.lower() for word in ("httponly", "max-age=31536000", "samesite=lax"))
    page = visitor.get("/?show=all", **BY_STORY).text
    assert 'value="story" aria-pressed="true"' in page
    back = visitor.post("/rows", {"rows": "shelf", "at": "page=search&q=tide"})
    assert back.headers["location"] == "/search?q=tide"
    assert "max-age=0" in back.headers["set-cookie"].lower()


@pytest.mark.parametrize("cookie", ["newsloom-rows=shelf", "newsloom-rows=", "newsloom-rows=%00"])
def test_a_choice_that_is_none_is_as_set(here, cookie):
    _world, visitor = here
    page = visitor.get("/", cookie=cookie)
    assert page.status_code == 200
    assert 'value="cluster" aria-pressed="true"' in page.text


def test_a_row_says_what_its_story_has(here):
    world, visitor = here
    plain, page = visitor.get("/?show=all").text, visitor.get("/?show=all", **BY_STORY).text
    assert "in this story" not in plain
    assert f'href="/story/{WHOLE}">Full story: <bdi>The tide tables</bdi>' in page
    assert "5 articles of" in page
    ids = members(world)
    assert sum(f'<article class="row" id="a{one}"' in plain for one in ids) == 5
    assert sum(f'id="a{one}"' in page for one in ids) == 1
    assert "The first marks only the article" in visitor.get("/", **BY_STORY).text


def test_every_list_and_the_counts_are_by_story(here):
    _world, visitor = here
    alone, told = (
        int(re.search(r'id="count-unread">(\d+)<', visitor.get("/", **headers).text)[1])
        for headers in ({}, BY_STORY)
    )
    assert told < alone
    assert f'id="count-unread">{told}<' in visitor.get("/", **BY_STORY).text
    api = visitor.get("/api/v1/articles?limit=200", **BY_STORY).json()["items"]
    assert len(api) == told
    (one,) = [row for row in api if row["story"] and row["story"]["id"] == WHOLE]
    assert (one["story"]["articles"], len(one["story"]["others"])) == (5, 4)
    for path in ("/?order=newest", "/?order=important", "/search?q=is:unread&sort=newest"):
        page = visitor.get(path, **BY_STORY).text
        assert page.count(f'action="/story/{WHOLE}/read"') == 1, path


def test_the_articles_of_a_story_that_is_searched_for_have_rows(here):
    world, visitor = here
    page = visitor.get(f"/search?q=story:{WHOLE}", **BY_STORY).text
    assert all(f'id="a{one}"' in page for one in members(world))
    refused = visitor.get("/search?q=story:tide").text
    assert "story:tide is not a story. Use its number, for example story:17." in refused
    assert "story:17" in visitor.get("/search").text


def test_reading_the_article_shown_leaves_the_story(here):
    world, visitor = here
    (lead,) = [one.id for one in world.listed(unread_only=True) if one.id in members(world)][:1]
    visitor.post(f"/articles/{lead}/marks", {"kind": "read"}, **BY_STORY)
    read = [one for one in world.listed() if one.id in members(world) and one.state.read]
    assert [one.id for one in read] == [lead]
    assert f'href="/story/{WHOLE}">Full story' in visitor.get("/", **BY_STORY).text


def test_the_whole_story_is_marked_read_in_one_step_that_teaches_nothing(here):
    world, visitor = here
    lead, labels = members(world)[0], world.store.models.labels(world.user)
    answer = visitor.post(f"/story/{WHOLE}/read", {"at": "show=all", "row": str(lead)}, **BY_STORY)
    assert answer.headers["location"] == "/?show=all&did=read&n=5"
    read = [one.id for one in world.listed() if one.state.read]
    assert {*members(world)} <= {*read}
    assert world.store.models.labels(world.user) == labels
    again = visitor.post(f"/story/{WHOLE}/read")
    assert again.headers["location"] == f"/story/{WHOLE}?did=nothing"
    visitor.post("/undo")
    assert not {*members(world)} & {one.id for one in world.listed() if one.state.read}
    part = visitor.post(
        f"/story/{WHOLE}/read",
        {"at": "show=all", "row": str(lead)},
        **BY_STORY,
        **{"hx-request": "true"},
    ).text
    assert "5 articles marked read" in part
    assert f'id="a{lead}"' in part
    assert visitor.post("/story/99/read").status_code == 404


@pytest.mark.parametrize("row", ["x", "9" * 30, "٣"])
def test_a_row_that_is_none_is_no_harm(here, row):
    _world, visitor = here
    answer = visitor.post(f"/story/{WHOLE}/read", {"at": "", "row": row})
    assert answer.headers["location"] == "/?did=read&n=5"


# --- seen ---


def looked(world: World):
    return world.store.stories.story_subscriptions(world.user)[WHOLE].looked


def test_only_a_page_that_was_in_view_is_seen(here):
    world, visitor = here
    before = looked(world)
    page = visitor.get(f"/story/{WHOLE}", **{"sec-purpose": "prefetch"}).text
    assert looked(world) == before, "asking for a page changes nothing"
    assert f'data-seen="/story/{WHOLE}/seen"' in page
    assert visitor.post(f"/story/{WHOLE}/seen", {"shown": world.now.isoformat()}).status_code == 204
    assert looked(world) == world.now
    assert world.store.models.labels(world.user) == ()
    foreign = visitor.ask(
        "POST",
        f"/story/{WHOLE}/seen",
        headers={"sec-fetch-site": "cross-site", "origin": "https://elsewhere.test"},
    )
    assert foreign.status_code == 403


def test_what_joined_after_the_page_was_made_stays_new(here):
    world, visitor = here
    made = world.now - timedelta(hours=3)  # the articles joined two hours ago
    visitor.post(f"/story/{WHOLE}/seen", {"shown": made.isoformat()})
    assert looked(world) == made
    assert "5 new" in visitor.get("/stories").text
    visitor.post(f"/story/{WHOLE}/seen", {"shown": world.now.isoformat()})
    assert "5 new" not in visitor.get("/stories").text


@pytest.mark.parametrize(
    "shown", ["", "soon", "2026-11-20T09:00:00", "9999-12-31T23:59:59-23:59", "\0", "9" * 400]
)
def test_a_time_that_cannot_be_is_now(here, shown):
    world, visitor = here
    assert visitor.post(f"/story/{WHOLE}/seen", {"shown": shown}).status_code == 204
    assert looked(world) == world.now


# --- why ---


def test_why_names_the_story_that_is_followed_or_muted(here):
    world, visitor = here
    article = members(world)[0]
    page = visitor.get(f"/articles/{article}/why").text
    assert f'<a href="/story/{WHOLE}"><bdi>You follow its story “The tide tables”' in page
    assert "10 points higher" in page
    assert ", followed" in visitor.get(f"/articles/{article}").text
    visitor.post(f"/story/{WHOLE}/subscription", {"do": "mute"})
    page = visitor.get(f"/articles/{article}/why").text
    assert f'<a href="/story/{WHOLE}"><bdi>You muted its story “The tide tables”' in page
    visitor.post(f"/story/{WHOLE}/subscription", {"do": "neither"})
    assert "its story" not in visitor.get(f"/articles/{article}/why").text


def test_the_theme_is_chosen_on_the_page_of_stories(here):
    _world, visitor = here
    assert visitor.post("/theme", {"at": "page=stories"}).headers["location"] == "/stories"


def test_a_muted_story_is_read_but_for_what_was_kept(here):
    world, visitor = here
    those = world.store.stories.visible_members(world.user, [MUTED])[MUTED]
    assert all(one.read for one in those)
    world.reader().mark([those[0].article], EventKind.UNREAD, "test")
    visitor.post(f"/story/{MUTED}/read")
    assert all(one.read for one in world.store.stories.visible_members(world.user, [MUTED])[MUTED])
