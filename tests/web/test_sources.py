"""The page of sources: listed, explained and set without JavaScript."""

from __future__ import annotations

import re

import pytest

from web.conftest import Visitor
from web.world import World, article


def test_sources_of_the_feeds_are_listed(world: World, visitor: Visitor) -> None:
    world.store.sources.measure_sources(world.now)
    page = visitor.get("/sources").text
    assert "meridian.example" in page
    assert "tier 4, 45 of 100, unknown" in page
    assert re.search(r"Estimated after 20\s+articles", page)
    assert 'href="/sources"' in visitor.get("/feeds").text


def test_before_the_first_measurement_each_feed_is_its_own_source(visitor: Visitor) -> None:
    assert "meridian.example" in visitor.get("/sources").text


def test_without_feeds_it_says_so(empty: World) -> None:
    assert "No sources yet" in Visitor(empty).get("/sources").text


def test_one_source_is_explained(visitor: Visitor) -> None:
    page = visitor.get("/sources?domain=https://www.bbc.co.uk/news").text
    assert "tier 2, 82 of 100, from the table" in page
    assert "Owner: <bdi>BBC</bdi>" in page


def test_a_tier_of_ones_own_is_set_and_taken_back(world: World, visitor: Visitor) -> None:
    answer = visitor.post("/sources/tier", {"domain": "www.bbc.co.uk", "tier": "5"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/sources?did=edited")
    assert world.reader().sources.own_tiers() == {"bbc.co.uk": 5}
    page = visitor.get("/sources?domain=bbc.co.uk").text
    assert "tier 5" in page
    assert "set by you" in page
    assert '<option value="5" selected>' in page
    visitor.post("/sources/tier", {"domain": "bbc.co.uk", "tier": ""})
    assert world.reader().sources.own_tiers() == {}


@pytest.mark.parametrize(
    ("domain", "tier"),
    [
        pytest.param("bbc.co.uk", "6", id="no tier"),
        pytest.param("bbc.co.uk", "٣", id="another script's digit"),
        pytest.param("", "2", id="nothing"),
        pytest.param("<script>alert(1)</script>", "2", id="markup"),
        pytest.param("x" * 20_000, "2", id="too long"),
        pytest.param("\0.example", "2", id="a control character"),
    ],
)
def test_what_cannot_be_is_said(world: World, visitor: Visitor, domain: str, tier: str) -> None:
    answer = visitor.post("/sources/tier", {"domain": domain, "tier": tier})
    assert answer.status_code in {303, 400}
    if answer.status_code == 400:
        assert 'role="alert"' in answer.text
        assert world.reader().sources.own_tiers() == {}
    assert "<script>alert" not in answer.text


def test_hostile_names_are_text(world: World, visitor: Visitor) -> None:
    feed = world.feed("https://hostile.example/feed", "Hostile")
    told = {"feed": "hostile", "title": "t", "html": "<p>x", "hours": 1, "language": "en"}
    world.put(feed, article(told, 1, world.now))
    world.store.sources.measure_sources(world.now)
    page = visitor.get("/sources?domain=%3Cscript%3Ealert(1)%3C/script%3E.example").text
    assert "<script>alert" not in page


def test_many_sources_are_bounded(world: World, visitor: Visitor) -> None:
    for number in range(310):
        world.store.reading.subscribe(world.user, f"https://s{number}.example/feed", world.now)
    page = visitor.get("/sources").text
    assert "more with fewer articles" in page
    assert page.count("<details>") < 320
