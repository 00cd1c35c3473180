"""Pages of threads: the list, one event by event, why it is so, and what a reader says of it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from newsloom.stories.values.pages import Membership, StoryChanges, StoryId
from web.conftest import Visitor
from web.storied import MUTED, SIBLING, WHOLE, storied, threaded
from web.world import World


@pytest.fixture
def here(world: World) -> tuple[World, Visitor]:
    storied(world)
    return world, Visitor(world)


def test_a_thread_lists_its_stories_by_date(here):
    _world, visitor = here
    assert 'href="/threads"' in visitor.get("/stories").text
    assert 'href="/threads/1"' in visitor.get("/threads").text
    page = visitor.get("/threads/1").text
    assert "First reported by" in page
    assert "New tide tables name 12 gauges." in page
    for story in (WHOLE, SIBLING):
        assert f'href="/story/{story}"' in page
    audit = visitor.get("/threads/1/why").text
    assert "joined this thread" in audit
    assert "9 (0.31)" in audit


def test_threads_of_one_source_are_folded_below_the_others(here):
    world, visitor = here
    rows = world.listed(unread_only=False, limit=60)
    taken = {*world.ids(unread_only=False, limit=10)}
    source, _count = Counter(one.source for one in rows if one.id not in taken).most_common(1)[0]
    two = [one.id for one in rows if one.source == source and one.id not in taken][:2]
    store, stories = world.store.stories, (StoryId(901), StoryId(902))
    store.put_stories(
        "stories@test",
        "none@1",
        StoryChanges(
            store.story_generation(),
            tuple((story, world.now) for story in stories),
            tuple(Membership(*one, 0.8) for one in zip(two, stories, strict=True)),
        ),
        world.now,
    )
    threaded(world, *stories)
    shown, _, folded = visitor.get("/threads").text.partition("<main")[2].partition("<details")
    assert 'href="/threads/1"' in shown
    assert "1 thread from one source" in folded
    assert 'href="/threads/2"' in folded
    visitor.post("/threads/2/subscription", {"do": "follow"})
    assert "from one source" not in visitor.get("/threads").text, "a followed thread is shown"


def test_following_a_thread_follows_its_stories_and_muting_mutes_them(here):
    world, visitor = here
    subscriptions = world.store.stories.story_subscriptions
    assert visitor.post("/threads/1/subscription", {"do": "mute"}).status_code == 303
    assert subscriptions(world.user)[SIBLING].stand == -1
    assert subscriptions(world.user)[WHOLE].stand == 1, "what was said of the story itself stays"
    assert 'href="/threads/1"' not in visitor.get("/threads").text
    assert 'href="/threads/1"' in visitor.get("/threads?muted=1").text
    visitor.post("/threads/1/subscription", {"do": "neither"})
    assert subscriptions(world.user)[SIBLING].stand == 0
    visitor.post("/threads/1/subscription", {"do": "follow"})
    assert "Unfollow thread" in visitor.get("/threads/1").text
    assert visitor.post("/threads/1/subscription", {"do": "eat"}).status_code == 400


def test_a_reader_splits_and_takes_it_back(here):
    world, visitor = here
    threaded(world, MUTED)
    assert "Select some of the stories" in visitor.post("/threads/1/split", {}).text
    visitor.post("/threads/1/split", {"story": str(SIBLING)})
    assert world.store.stories.story(SIBLING).thread == 3
    assert visitor.get("/threads/1").status_code == 404, "one story alone is no thread"
    assert "Part of the thread" not in visitor.get(f"/story/{SIBLING}").text
    answer = visitor.post("/threads/undo", {"act": "1"})
    assert answer.headers["location"] == "/threads/1?did=undone"
    assert world.store.stories.story(SIBLING).thread == 1
    assert visitor.post("/threads/undo", {"act": "1"}).status_code == 404
    assert visitor.post("/threads/undo", {"act": "x"}).status_code == 400


def test_a_reader_merges_two_threads_and_takes_it_back(here):
    world, visitor = here
    parted = world.store.stories.last_story()
    threaded(world, MUTED, parted)
    answer = visitor.post("/threads/2/merge", {"into": "1"})
    assert answer.headers["location"] == "/threads/1?did=threadsmerged"
    assert visitor.get("/threads/2").headers["location"] == "/threads/1"
    page = visitor.get("/threads/1").text
    assert len(set(re.findall(r'href="/story/(\d+)"', page))) == 4
    visitor.post("/threads/undo", {"act": re.findall(r'name="act" value="(\d+)"', page)[0]})
    assert visitor.get("/threads/2").status_code == 200
    assert "Choose another" in visitor.post("/threads/1/merge", {"into": "1"}).text
    assert visitor.post("/threads/1/merge", {"into": "x"}).status_code == 400


def test_no_other_numbers_are_threads(here):
    _world, visitor = here
    for path in ("/threads/99", "/threads/99/why"):
        assert visitor.get(path).status_code == 404
    assert visitor.post("/threads/99/subscription", {"do": "follow"}).status_code == 404


def test_programs_have_threads(here):
    _world, visitor = here
    found = visitor.get("/api/v1/threads").json()["items"]
    assert [one["id"] for one in found] == [1]
    whole = visitor.get("/api/v1/threads/1").json()
    assert [one["id"] for one in whole["events"]] == whole["stories"][::-1] or whole["events"]
    assert visitor.get("/api/v1/threads/1/decisions").json()["items"][0]["candidates"]
    assert visitor.get(f"/api/v1/stories/{WHOLE}").json()["thread"]["id"] == 1
