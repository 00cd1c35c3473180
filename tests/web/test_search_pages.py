"""The pages of search."""

from __future__ import annotations

import html
import re

import pytest

from newsloom.reading.search_language import SYNTAX
from web.conftest import Visitor
from web.listed import onward, shown, titles
from web.world import NEWS, World


def test_search_finds_and_finds_nothing(visitor: Visitor) -> None:
    assert NEWS[0]["title"] in titles(visitor.get("/search?q=pilots").text)
    assert "Nothing found" in visitor.get("/search?q=zeppelin").text
    assert 'value="&#34;&gt;&lt;b&gt;"' in visitor.get('/search?q="><b>').text
    assert visitor.get("/search").status_code == 200


@pytest.mark.parametrize(
    "words",
    ['"', "AND OR NOT", "a*", "title:x", "%00", "(", "x" * 5_000, "is:x", "-", "score:", "%ff"],
)
def test_any_words_can_be_searched_for(visitor: Visitor, words: str) -> None:
    assert visitor.get(f"/search?q={words}").status_code == 200
    assert visitor.get(f"/search?q={words}&sort=x&after=y").status_code == 200
    assert visitor.get(f"/articles/1?at=page%3Dsearch%26q%3D{words}").status_code == 200


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("q=article", "60 found."),
        ("q=article&sort=newest", "60 found."),
        ("q=%22article+number+7%22", "1 found."),
        ("q=is:starred", "Nothing found"),
        ("q=article+feed:nowhere", "You follow no feed “nowhere”."),
        ("q=titel:article", "“titel:” is not a field"),
        ("q=article+since:soon", "&#39;soon&#39; is not a time. Use 90m"),
    ],
)
def test_search_says_how_much_there_is_and_what_is_wrong(
    visitor: Visitor, query: str, says: str
) -> None:
    assert says in visitor.get(f"/search?{query}").text


def test_the_orders_of_a_search_are_links_that_keep_it(visitor: Visitor) -> None:
    page = visitor.get("/search?q=article+number&sort=newest").text
    order = re.search(r'<nav class="switch" aria-label="Order">.*?</nav>', page, re.DOTALL)
    assert order is not None
    links = re.findall(r'href="([^"]+)"( aria-current="true")?', order[0].replace("&amp;", "&"))
    base = "/search?q=article+number"
    assert links == [
        (base, ""),
        (f"{base}&sort=newest", ' aria-current="true"'),
        (f"{base}&sort=oldest", ""),
        (f"{base}&sort=score", ""),
        (f"{base}&sort=random", ""),
    ]
    titled = [titles(visitor.get(link).text) for link, _now in links]
    assert titled[1] == sorted(titled[1], key=lambda title: int(title.split()[-1]))
    assert '<input type="hidden" name="sort" value="newest">' in page
    assert 'aria-current="true">Newest' in visitor.get("/search?q=-zebra").text, "without words"


def test_the_page_of_search_tells_its_language(visitor: Visitor) -> None:
    page = visitor.get("/search").text
    assert '<details class="syntax" open>' in page
    for example, meaning in SYNTAX:
        assert html.escape(example) in page.replace("&#34;", "&quot;"), example
        assert html.escape(meaning, quote=False) in page
    for link in re.findall(r'<dt><a href="([^"]+)">', page):
        assert "banner bad" not in visitor.get(html.unescape(link)).text


def test_neighbours_follow_a_search_over_its_pages(world: World, visitor: Visitor) -> None:
    first = visitor.get("/search?q=article&sort=newest").text
    second = visitor.get(onward(first)).text
    ids = shown(first) + shown(second)
    opened = re.findall(r'<a class="open" href="([^"]+)"', second)
    page = visitor.get(html.unescape(opened[0])).text
    assert re.search(rf'id="before"[^>]*href="/articles/{ids[29]}\?', page)
    assert re.search(rf'id="after"[^>]*href="/articles/{ids[31]}\?', page)
    last = visitor.get(html.unescape(re.findall(r'<a class="open" href="([^"]+)"', first)[-1])).text
    assert re.search(rf'id="after"[^>]*href="/articles/{ids[30]}\?', last)
