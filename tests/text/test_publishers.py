"""The names that stand for feeds: known publishers by domain, others by what their titles say."""

from __future__ import annotations

from importlib import resources

import pytest

from newsloom.articles.publishers import FILE, feed_label, publisher_name, source_name
from newsloom.kernel.text import urls

WORLD = "https://time.com/world/feed/"


@pytest.mark.parametrize(
    ("title", "url", "name"),
    [
        ("World – TIME", WORLD, "Time"),
        ("NYT > World News", "https://rss.nytimes.com/World.xml", "The New York Times"),
        ("NDTV News Search Records Found 1000", "https://www.ndtv.com/rss", "NDTV"),
        ("Top Stories", "https://www.abc.net.au/news/feed/51120/rss.xml", "ABC Australia"),
        ("WSJ.com: World News", "https://feeds.a.dj.com/News.xml", "The Wall Street Journal"),
        ("MarketWatch.com - Top Stories", "https://feeds.content.dowjones.io/mw", "MarketWatch"),
        ("朝日新聞デジタル", "https://www.asahi.com/rss/asahi/newsheadlines.rdf", "朝日新聞"),
        ("Articles | Example", "https://example.org/feed", "Example"),
        ("Example » Feed", "https://example.org/feed", "Example"),
        ("Example RSS Feed", "https://example.org/feed", "Example"),
        ("Kultur - Der Bote: Nachrichten", "https://bote.example/feed", "Der Bote"),
        ("Latest: Mill Weekly", "https://mills.example/feed", "Mill Weekly"),
        ("Posts on Ann Miller", "https://ann.example/index.xml", "Ann Miller"),
        ("Stories by Ann Miller on Medium", "https://medium.com/feed/@ann", "Ann Miller"),
        ("Essays - Ann Miller", "https://ann-m.example/feed", "Ann Miller"),
        ("Mill & Loom: what we weave", "https://looms.example/feed", "Mill & Loom"),
        ("(Ann|Bob)'s notebook", "https://ab.example/feed", "(Ann|Bob)'s notebook"),
        ("Loom: one more blog", "https://www.blogger.com/feeds/1/posts/default", "Loom"),
        ("In the Dark", "https://stars.example/feed", "In the Dark"),
        ("News On Looms", "https://newsonlooms.example/feed", "News On Looms"),
        ("World", "https://www.example.org/feed", "example.org"),
        ("RSS", "https://feeds.example.org/main", "example.org"),
        ("", "https://example.org/feed", "example.org"),
        ("", "http://127.0.0.1:8000/feed.xml", "http://127.0.0.1:8000/feed.xml"),
        ("World", "http://rsshub:1200/feed", "World"),
    ],
)  # fmt: skip
def test_a_name_is_the_publishers_without_sections_and_counts(
    title: str, url: str, name: str
) -> None:
    assert source_name("", title, url) == name
    assert source_name(title, title, url) == name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("BBC News", "BBC News"),
        ("BBC News - World", "BBC News"),
        ("bbc  news\u200b", "bbc news"),
        ("ВВС News", "ВВС News"),  # Cyrillic letters
        ("The BBC", "The BBC"),
        ("BBC Weather Desk", "BBC Weather Desk"),
        ("Le Monde.fr : Actualités", "Le Monde.fr"),
        ("Nature", "Nature"),
        ("New York Times", "New York Times"),
        ("reuters.com", "reuters.com"),
        ("Zeit Online", "Zeit Online"),
    ],
)
def test_a_feed_that_takes_anothers_name_has_its_host_beside_it(title: str, name: str) -> None:
    for host in ("news.example", "bbc.co.uk.news.example", "bbc-news.example"):
        url = f"https://{host}/feed"
        assert source_name("", title, url) == f"{name} ({host})"
        assert feed_label("", title, url).endswith(f"({host})")
    assert source_name("Mine", title, "https://news.example/feed") == "Mine"


@pytest.mark.parametrize("title", ["Nature of Code", "Time to weave", "node.js Blog", "Whoever"])
def test_plain_words_claim_nothing(title: str) -> None:
    assert source_name("", title, "https://news.example/feed") == title


def test_what_a_reader_calls_a_feed_wins() -> None:
    assert source_name("My world", "World – TIME", WORLD) == "My world"
    assert feed_label("My world", "World – TIME", WORLD) == "My world"


def test_feeds_of_one_publisher_are_told_apart_among_feeds() -> None:
    assert feed_label("", "World – TIME", WORLD) == "World – TIME"
    assert feed_label("", "Asia", "https://www.economist.com/asia/rss.xml") == "The Economist: Asia"
    assert feed_label("", "NYT > Arts", "https://rss.nytimes.com/arts.xml") == "NYT > Arts"
    assert feed_label("", "Journal", "https://ann.example/feed") == "ann.example: Journal"
    assert feed_label("", "", "https://ann.example/feed") == "ann.example"


def test_a_publisher_is_known_by_its_domain_alone() -> None:
    assert publisher_name("news.bbc.co.uk") == "BBC"
    assert publisher_name("bbc.co.uk.news.example") == ""
    assert publisher_name("uk") == ""


def test_the_table_has_each_name_once_and_domains_that_somebody_registered() -> None:
    file = resources.files("newsloom.articles") / "data" / FILE
    lines = file.read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    names = [row[0] for row in rows]
    assert names == sorted(set(names), key=str.casefold)
    assert all(len(row) == 3 and row[1] for row in rows)
    domains = {one for row in rows for one in row[1].split()}
    assert [one for one in domains if urls.host(f"//{one}") != one or urls.is_suffix(one)] == []
