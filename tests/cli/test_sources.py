"""Sources: all, one explained, tiers of one's own. Topics and the pace of news."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from publisher import Publisher, rss

Newsloom = Callable[..., str]


@pytest.fixture
def followed(newsloom: Newsloom, publisher: Publisher) -> None:
    articles = (
        ("a", "https://www.bbc.co.uk/news/1", "Of tides"),
        ("b", "https://garden.example/1", "Of roses"),
        ("c", "https://garden.example/2", "Of herbs"),
    )
    newsloom("add", publisher.puts("/feed.xml", rss("Mixed", *articles)))
    newsloom("run")


def api(newsloom: Newsloom, *words: str) -> dict:
    return json.loads(newsloom("api", *words))


@pytest.mark.usefixtures("followed")
def test_the_sources_of_all_feeds_by_their_articles(newsloom: Newsloom) -> None:
    listed = api(newsloom, "GET", "/sources")["items"]
    told = [(one["domain"], one["tier"], one["origin"], one["articles"]) for one in listed]
    assert told == [("garden.example", 4, "unknown", 2), ("bbc.co.uk", 2, "table", 1)]
    assert listed[1]["owner"] == "BBC"


@pytest.mark.usefixtures("followed")
def test_one_source_is_explained_in_words(newsloom: Newsloom) -> None:
    one = api(newsloom, "GET", "/sources/www.garden.example")
    assert (one["domain"], one["tier"], one["score"], one["measured"]["articles"]) == (
        "garden.example", 4, 45, 2,
    )  # fmt: skip
    said = " ".join(one["explained"])
    assert "2 articles in 0 days" in said
    assert "Estimated after 20 articles" in said
    unknown = api(newsloom, "GET", "/sources/reuters.com")["explained"]
    assert "No articles measured yet." in unknown


@pytest.mark.usefixtures("followed")
def test_a_tier_of_ones_own_goes_first_and_is_taken_back(newsloom: Newsloom) -> None:
    one = api(newsloom, "PUT", "/sources/www.bbc.co.uk", "tier:=5")
    assert (one["domain"], one["tier"], one["own"], one["origin"]) == ("bbc.co.uk", 5, 5, "reader")
    assert api(newsloom, "GET", "/sources/bbc.co.uk") == one
    back = api(newsloom, "PUT", "/sources/bbc.co.uk", "tier:=null")
    assert (back["tier"], back["own"]) == (2, None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("PUT", "/sources/bbc.co.uk", "tier:=6"), "body.tier", id="no tier"),
        pytest.param(("PUT", "/sources/bbc.co.uk", "tier=two"), "body.tier", id="in words"),
        pytest.param(
            ("GET", "/sources/not a domain"), "is not a domain such as example.org", id="no domain"
        ),
        pytest.param(
            ("GET", "/sources/localhost"),
            "is not a domain such as example.org",
            id="no name of the web",
        ),
        pytest.param(("GET", "/sources/" + "x" * 5_000), "path.domain", id="too long"),
    ],
)
def test_what_cannot_be_is_said(newsloom: Newsloom, words: tuple[str, ...], said: str) -> None:
    assert said in newsloom("api", *words, status=1)


def test_without_feeds_there_is_nothing(newsloom: Newsloom) -> None:
    assert api(newsloom, "GET", "/sources") == {"items": []}


@pytest.mark.usefixtures("followed")
def test_topics_are_listed_and_weighed(newsloom: Newsloom) -> None:
    api(newsloom, "POST", "/interests", "text=roses")
    (one,) = api(newsloom, "GET", "/topics")["items"]
    assert (one["word"], one["stated"], one["edited"]) == ("roses", True, None)
    assert newsloom("api", "PUT", "/topics/Roses", "times:=0") == ""
    (one,) = api(newsloom, "GET", "/topics")["items"]
    assert one["edited"] == 0
    newsloom("api", "PUT", "/topics/roses", "times:=1")
    assert api(newsloom, "GET", "/topics")["items"][0]["edited"] is None
    assert "weight must be" in newsloom("api", "PUT", "/topics/roses", "times:=3", status=1)
    assert "no topic" in newsloom("api", "PUT", "/topics/weather", "times:=2", status=1)


def test_a_pace_is_chosen_and_taken_back(newsloom: Newsloom) -> None:
    usual = api(newsloom, "GET", "/pace")
    assert api(newsloom, "PUT", "/pace", "pace=real time")["fade"] > usual["fade"]
    assert api(newsloom, "PUT", "/pace", "pace=usual") == usual
    assert "body.pace" in newsloom("api", "PUT", "/pace", "pace=slow", status=1)
