"""Sources on the command line: all, one explained, and tiers of one's own."""

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


def found(newsloom: Newsloom, *words: str) -> dict:
    return json.loads(newsloom("sources", *words, "--json"))


@pytest.mark.usefixtures("followed")
def test_the_sources_of_all_feeds_by_their_articles(newsloom: Newsloom) -> None:
    listed = json.loads(newsloom("sources", "--json"))
    told = [(one["domain"], one["tier"], one["origin"], one["articles"]) for one in listed]
    assert told == [("garden.example", 4, "unknown", 2), ("bbc.co.uk", 2, "table", 1)]
    lines = newsloom("sources").splitlines()
    assert lines[1].split("\t")[:6] == [
        "bbc.co.uk",
        "2",
        lines[1].split("\t")[2],
        "table",
        "BBC",
        "1",
    ]


@pytest.mark.usefixtures("followed")
def test_one_source_is_explained_in_words(newsloom: Newsloom) -> None:
    page = newsloom("sources", "https://garden.example/about")
    assert page.startswith("garden.example: tier 4, 45 of 100 (unknown)")
    assert "2 articles in 0 days here" in page
    assert "Judged from 20 articles" in page
    assert "No article of it was measured here yet." in newsloom("sources", "reuters.com")


@pytest.mark.usefixtures("followed")
def test_a_tier_of_ones_own_goes_first_and_is_taken_back(newsloom: Newsloom) -> None:
    said = newsloom("sources", "www.bbc.co.uk", "--tier", "5")
    assert said.startswith("bbc.co.uk: tier 5")
    assert "(reader)" in said
    assert (found(newsloom, "bbc.co.uk")["own"], found(newsloom, "bbc.co.uk")["tier"]) == (5, 5)
    assert "tier 2" in newsloom("sources", "bbc.co.uk", "--tier", "none")
    assert found(newsloom, "bbc.co.uk")["own"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--tier", "2"), "Name the source", id="of nothing"),
        pytest.param(("bbc.co.uk", "--tier", "6"), "not '6'", id="no tier"),
        pytest.param(("bbc.co.uk", "--tier", "two"), "not 'two'", id="in words"),
        pytest.param(("not a domain",), "is no domain", id="no domain"),
        pytest.param(("localhost",), "is no domain", id="no name of the web"),
        pytest.param(("x" * 5_000,), "is no domain", id="too long"),
    ],
)
def test_what_cannot_be_is_said(newsloom: Newsloom, words: tuple[str, ...], said: str) -> None:
    assert said in newsloom("sources", *words, status=2)


def test_without_feeds_there_is_nothing(newsloom: Newsloom) -> None:
    assert json.loads(newsloom("sources", "--json")) == []
