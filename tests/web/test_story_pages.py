"""Pages of stories: the list, one whole, why it is so, and what a reader says of it."""

from __future__ import annotations

import pytest

from newsloom.stories.pages.stories import coverage
from newsloom.stories.values.pages import StoryId, StoryWording
from web.conftest import Visitor
from web.storied import MUTED, SIBLING, WHOLE, storied
from web.world import World


@pytest.fixture
def here(world: World) -> tuple[World, Visitor]:
    storied(world)
    return world, Visitor(world)


def members(world: World, story: StoryId) -> list[int]:
    found = world.store.stories.visible_members(world.user, [story])
    return [one.article for one in found.get(story, ())]


def test_what_is_followed_comes_first_and_what_is_muted_is_elsewhere(here):
    _world, visitor = here
    page = visitor.get("/stories").text
    assert page.index("Stories you follow") < page.index("The tide tables")
    assert page.index("The tide tables") < page.index("The pilots")
    assert f'href="/story/{MUTED}"' not in page
    assert page.count(f'href="/story/{SIBLING}"') == 1
    assert 'Related, <a href="/threads/1">in one thread</a>' in page
    assert "5 new</strong> since your last visit" in page
    assert f'href="/story/{MUTED}"' in visitor.get("/stories?muted=1").text


def test_a_story_says_what_it_is_made_of_and_what_is_new(here):
    world, visitor = here
    page = visitor.get(f"/story/{WHOLE}").text
    assert "New tide tables name 12 gauges." in page
    assert "New since your last visit" in page
    assert "First reported by" in page
    assert '<p class="excerpt">' in page
    assert 'Part of the thread <a href="/threads/1"><bdi>The tide tables</bdi></a>' in page
    for article in members(world, WHOLE):
        assert f'href="/articles/{article}"' in page
    assert visitor.post(f"/story/{WHOLE}/looked", {}).status_code == 303
    assert "Nothing new since" in visitor.get(f"/story/{WHOLE}").text


def test_an_article_leads_to_its_story_and_a_story_to_its_audit(here):
    world, visitor = here
    article = members(world, WHOLE)[0]
    assert f'href="/story/{WHOLE}"' in visitor.get(f"/articles/{article}").text
    audit = visitor.get(f"/story/{WHOLE}/why").text
    assert "Like it." in audit
    assert "Another tide" in audit
    assert "probability 0.41" in audit


def test_a_reader_follows_and_mutes(here):
    world, visitor = here
    for do, subscription in (("mute", -1), ("neither", 0), ("follow", 1)):
        assert visitor.post(f"/story/{WHOLE}/subscription", {"do": do}).status_code == 303
        assert world.store.stories.story_subscriptions(world.user)[WHOLE].stand == subscription
    assert visitor.post(f"/story/{WHOLE}/subscription", {"do": "eat"}).status_code == 400


def test_what_does_not_belong_leaves(here):
    world, visitor = here
    article = members(world, WHOLE)[0]
    visitor.post(f"/story/{WHOLE}/part", {"article": str(article), "do": "out"})
    assert article not in members(world, WHOLE)
    answer = visitor.post(f"/story/{WHOLE}/part", {"do": "out"})
    assert answer.status_code == 400
    assert "Select some of the articles, not all" in answer.text


def test_a_merged_story_leads_to_the_other(here):
    world, visitor = here
    answer = visitor.post(f"/story/{SIBLING}/merge", {"into": str(WHOLE)})
    assert answer.headers["location"] == f"/story/{WHOLE}?did=merged"
    assert members(world, SIBLING) == []
    assert visitor.get(f"/story/{SIBLING}").headers["location"] == f"/story/{WHOLE}"
    assert visitor.post(f"/story/{WHOLE}/merge", {"into": "x"}).status_code == 400


def test_there_is_no_other_story(here):
    _world, visitor = here
    for path in ("/story/99", "/story/99/why", "/story/0", "/story/x"):
        assert visitor.get(path).status_code == 404
    assert visitor.post("/story/99/subscription", {"do": "follow"}).status_code == 404


def test_a_chart_says_in_words_what_it_shows():
    from datetime import date

    drawn = coverage(
        [(date(2026, 11, 1), 'a"b'), (date(2026, 11, 3), 'a"b'), (date(2026, 11, 3), "c")],
        ['a"b', "c"],
    )
    assert 'aria-label="Articles by day: 1 Nov 1, 3 Nov 2. Sources: a&quot;b, c"' in drawn
    assert coverage([(date(2026, 11, 1), "a")], ["a"]) == "", "one day is no chart"


def test_news_is_sent_where_a_reader_says_and_ended(here):
    world, visitor = here
    assert 'href="/notifications"' in visitor.get("/stories").text
    for wrong in ({}, {"mail": "nobody"}, {"webhook": "ftp://hook.example"}):
        answer = visitor.post("/notifications/stories", wrong)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
    chosen = {"mail": "ann@example.org", "webhook": "https://hook.example/x"}
    assert visitor.post("/notifications/stories", chosen).status_code == 303
    page = visitor.get("/notifications").text
    assert "mail to <bdi>ann@example.org</bdi>" in page
    assert visitor.post("/notifications/stories", chosen).status_code == 303
    assert visitor.get("/notifications").text.count("mail to <bdi>ann@example.org</bdi>") == 1
    (schedule,) = world.store.digests.schedules(world.user)
    assert schedule.kind == "stories"
    assert visitor.post("/notifications/stories", {"end": "yes"}).status_code == 303
    assert world.store.digests.schedules(world.user) == ()
    assert visitor.post("/notifications/stories", {"end": "yes"}).status_code == 303


def test_the_sidebar_counts_followed_stories_with_news(here):
    world, visitor = here
    assert "1 story you follow has news" in visitor.get("/stories").text
    world.store.stories.look_at_story(world.user, WHOLE, world.now)
    assert "you follow has news" not in visitor.get("/stories").text


def test_words_of_a_language_model_say_so(here):
    world, visitor = here
    words = StoryWording(WHOLE, "Tides", "wr<iter", "New tables.", "wr<iter", 5)
    world.store.stories.put_story_words([words])
    page = visitor.get(f"/story/{WHOLE}").text
    assert "Written by the language model wr&lt;iter" in page
    assert "Title by the language model wr&lt;iter" in page
    assert "(by wr&lt;iter)" in visitor.get("/stories").text
    words = StoryWording(WHOLE, "Tides", "article", "Tables.", "article", 5)
    world.store.stories.put_story_words([words])
    assert "language model" not in visitor.get(f"/story/{WHOLE}").text


def test_a_digest_shows_followed_stories_with_a_link(here):
    _world, visitor = here
    page = visitor.get("/digest?since=90d").text
    assert page.index('id="followed"') < page.index('id="top-stories"')
    assert f'<h3><a href="/story/{WHOLE}">' in page
    text = visitor.get("/digest?since=90d&form=markdown").text
    assert f"](http://127.0.0.1:8765/story/{WHOLE})" in text or "### The tide tables" in text
