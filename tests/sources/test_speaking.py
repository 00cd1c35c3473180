"""Whose word an article is: no feed speaks for others by linking to them."""

from __future__ import annotations

import pytest

from newsloom.duplicates.independence import independent
from newsloom.duplicates.values import Witness
from newsloom.importance.sources.speaking import borrowed, is_own, speaker, speaker_of, vouched

EVIL = "https://evil.example/feed"


@pytest.mark.parametrize(
    ("source", "feed", "own"),
    [
        pytest.param("reuters.com", EVIL, False, id="somebody's feed that links to an agency"),
        pytest.param("reuters.com", "https://ir.reuters.com/rss", True, id="its own"),
        pytest.param("bbc.co.uk", "https://feeds.bbci.co.uk/news", True, id="the same owner"),
        pytest.param("reuters.com", "https://news.google.com/rss", True, id="a collection"),
        pytest.param("reuters.com", "https://www.theguardian.com/rss", True, id="a known paper"),
        pytest.param("reuters.com", "https://9gag.com/rss", False, id="who passes on anything"),
        pytest.param("reuters.com", "http://127.0.0.1:8080/rss", True, id="a bridge at home"),
        pytest.param("reuters.com", "http://nas/rss", True, id="a name at home"),
        pytest.param("reuters.com", "http://93.184.215.14/rss", False, id="a number elsewhere"),
        pytest.param("reuters.com", "https://reuters.com.evil.example/", False, id="a likeness"),
        pytest.param("reuters.com", "https://a.substack.com/feed", False, id="a platform"),
        pytest.param("b.substack.com", "https://a.substack.com/feed", False, id="its neighbour"),
        pytest.param("a.substack.com", "https://a.substack.com/feed", True, id="oneself there"),
        pytest.param("", EVIL, False, id="no source"),
    ],
)
def test_a_feed_speaks_for_its_owner(source: str, feed: str, own: bool) -> None:
    assert is_own(source, [feed]) is own
    assert is_own(source, [EVIL, feed]) is own, "one of them is enough"


def test_without_feeds_the_link_is_believed() -> None:
    assert is_own("reuters.com", [])
    assert speaker("reuters.com", []) == "Thomson Reuters"


@pytest.mark.parametrize(
    ("source", "known"),
    [
        ("reuters.com", True),
        ("11alive.com", True),
        ("2ality.com", True),
        ("evil.example", False),
        ("evil.substack.com", False),
        ("evil.blogspot.com", False),
        ("", False),
    ],
)
def test_who_is_vouched_for(source: str, known: bool) -> None:
    assert vouched(source) is known


THIRTY = [f"herald{number}.example" for number in range(30)]
COLLECTION = "https://news.google.com/rss"
PAPERS = ["reuters.com", "apnews.com", "bbc.co.uk", "nytimes.com"]


@pytest.mark.parametrize(
    ("witnesses", "number"),
    [
        pytest.param(
            [Witness(n, one, feeds=(EVIL,)) for n, one in enumerate(THIRTY + PAPERS)],
            1,
            id="one feed in the name of many",
        ),
        pytest.param(
            [
                Witness(n, "evil.example", one, (EVIL,))
                for n, one in enumerate(("Reuters", "AP", "AFP", "dpa", ""))
            ],
            1,
            id="one feed as the copy of many agencies",
        ),
        pytest.param(
            [Witness(1, one, feeds=(f"https://{one}/feed",)) for one in THIRTY],
            1,
            id="one text at thirty domains",
        ),
        pytest.param(
            [
                Witness(n, f"news{n}.seller.example", feeds=(f"https://news{n}.seller.example/",))
                for n in range(30)
            ],
            1,
            id="thirty names below one domain",
        ),
        pytest.param(
            [Witness(n, one, feeds=(f"https://{one}/feed",)) for n, one in enumerate(PAPERS)],
            4,
            id="four papers",
        ),
        pytest.param(
            [
                Witness(n, one, feeds=(f"https://feeds.feedburner.com/{one}",))
                for n, one in enumerate(PAPERS)
            ],
            1,
            id="four feeds of a service that link to papers, which anyone may make",
        ),
        pytest.param(
            [Witness(n, one, feeds=(COLLECTION,)) for n, one in enumerate(PAPERS)],
            4,
            id="four papers in a collection",
        ),
        pytest.param(
            [Witness(1, "11alive.com", "AP"), Witness(2, "9news.com.au", "AP")],
            1,
            id="an agency in two papers",
        ),
    ],
)
def test_who_is_heard(witnesses: list[Witness], number: int) -> None:
    assert independent(map(speaker_of, witnesses)) == number


def test_a_score_tells_that_it_is_only_of_a_link() -> None:
    assert borrowed("reuters.com", 59)
    assert not borrowed("reuters.com", 95)
    assert not borrowed("evil.example", 45)
