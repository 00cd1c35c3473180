"""Addresses of searches, and hits told apart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newsloom.coverage import searching
from newsloom.coverage.searching import BING, GOOGLE, Wanted
from newsloom.feeds.values.published import ParsedArticle

NOW = datetime(2026, 11, 20, 20, tzinfo=UTC)
WANTED = Wanted("ferry Aurelia aground", "en-GB", NOW, ("ft.com", "no domain", "x.com"))


def test_the_address_of_a_search() -> None:
    assert searching.address(GOOGLE, WANTED) == (
        "https://news.google.com/rss/search?q=ferry+Aurelia+aground+after%3A2026-11-19"
        "+before%3A2026-11-22+-site%3Aft.com+-site%3Ax.com&hl=en&gl=GB&ceid=GB:en"
    )
    assert searching.address(BING, WANTED).startswith(
        "https://www.bing.com/news/search?q=ferry+Aurelia+aground+-site%3Aft.com+-site%3Ax.com&"
    )
    assert searching.host_of(GOOGLE) == "google.com"


def test_at_most_28_domains_are_left_out() -> None:
    many = Wanted("a b", "de", NOW, tuple(f"d{number}.test" for number in range(100)))
    assert searching.address(GOOGLE, many).count("-site") == 28
    assert "gl=DE" in searching.address(GOOGLE, many)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("https://s.test/?q={query}", ""),
        ("https://s.test/?q={words}", ""),
        ("ftp://s.test/?q={query}", "no http"),
        ("https://s.test/", "no {query}"),
        ("https://{query}.test/", "host"),
        ("https://s.test/?q={query}&u={user}", "{user}"),
        ("https://s.test/?q={query} x", "blank"),
    ],
)
def test_templates(template: str, said: str) -> None:
    found = searching.problem(template)
    assert (said in found) if said else not found


def item(title: str, link: str, **more: object) -> ParsedArticle:
    return ParsedArticle(title=title, url=link, **more)  # type: ignore[arg-type]


def test_hits_lose_their_publishers_name_and_odd_ones_are_left_out() -> None:
    found = searching.hits(
        [
            item("Ferry aground - The Courier", "http://s.test/1", publisher="The Courier"),
            item("", "http://s.test/2"),
            item("No address", "javascript:alert(1)"),
        ],
        "s.test",
    )
    assert [(one.title, one.source) for one in found] == [("Ferry aground", "The Courier")]
    assert (
        len(searching.hits([item(f"T{n}", f"http://s.test/{n}") for n in range(999)], "x")) == 180
    )


def test_each_title_of_a_source_once_and_each_address_once() -> None:
    found = searching.hits(
        [
            item("Ferry aground", "http://s.test/1", publisher="A"),
            item("FERRY aground!", "http://s.test/2", publisher="A"),
            item("Ferry aground", "http://s.test/3", publisher="B"),
            item("Another title", "http://s.test/3?utm_source=x", publisher="C"),
        ],
        "s.test",
    )
    assert [one.link for one in searching.once(found)] == ["http://s.test/1", "http://s.test/3"]


def test_the_article_itself_and_its_publisher_are_no_coverage() -> None:
    at = NOW - timedelta(hours=1)
    found = searching.hits(
        [
            item("Own", "https://s.test/1", publisher_url="https://www.home.com/", published=at),
            item("Other", "https://s.test/2", publisher_url="https://other.com/", published=at),
            item("Old", "https://s.test/3", published=NOW - timedelta(days=3)),
        ],
        "s.test",
    )
    kept = searching.others(found, "https://home.com/a", "home.com", NOW)
    assert [one.title for one in kept] == ["Other"]
