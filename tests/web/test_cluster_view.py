"""Rows of several articles as HTTP gives them: their sources, versions, taking them apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from newsloom.duplicates.pages import cluster_words, share_words
from newsloom.duplicates.values import Relation
from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.reading import Cluster as Counted
from newsloom.reading.values.reading import Elsewhere
from web.conftest import Visitor
from web.world import NEWS, NOW, World

FERRY, PARLIAMENT, LIBRARY, EARLIER = NEWS[2], NEWS[6], NEWS[9], NEWS[1]
EVIL = "<img src=x onerror=alert(1)>"


@dataclass(frozen=True)
class Cluster:
    """The ferry's row: a report of the same event, and a copy of that; and a version of its own."""

    ferry: ArticleId
    parliament: ArticleId
    library: ArticleId
    earlier: ArticleId


@pytest.fixture
def cluster(world: World) -> Cluster:
    made = Cluster(*(world.named(one["title"]) for one in (FERRY, PARLIAMENT, LIBRARY, EARLIER)))
    world.relate(Relation.SAME_EVENT, made.ferry, made.parliament, f"3 names in common {EVIL}")
    world.relate(Relation.SAME_TEXT, made.library, made.parliament, "every sentence")
    world.relate(Relation.REVISION, made.ferry, made.earlier, "100% of the words")
    return made


def row(page: str, number: int) -> str:
    found = re.search(rf'<article class="row[^"]*" id="a{number}".*?</article>', page, re.DOTALL)
    assert found is not None
    return found[0]


def test_a_row_names_its_sources_without_a_script(visitor: Visitor, cluster: Cluster) -> None:
    page = visitor.get("/").text
    shown = row(page, cluster.ferry)
    assert "<summary" in shown
    assert "2 reports of this event from 3 sources" in shown
    assert f'href="/articles/{cluster.parliament}' in shown
    assert f'href="/articles/{cluster.library}' in shown
    assert f'id="a{cluster.parliament}"' not in page
    assert '<span class="count" id="count-unread">78</span>' in page
    in_feed = visitor.get(f"/?feed={feed_of(visitor, cluster.library)}").text
    assert "this text in 2 feeds" in row(in_feed, cluster.library)


def feed_of(visitor: Visitor, article: int) -> int:
    (found,) = [
        one
        for one in visitor.get(f"/api/v1/articles?cluster={article}&limit=50").json()["items"]
        if one["id"] == article
    ]
    return int(found["feed_id"])


def test_the_list_for_programs_has_the_cluster(visitor: Visitor, cluster: Cluster) -> None:
    listed = visitor.get("/api/v1/articles?limit=50").json()["items"]
    (one,) = [one for one in listed if one["id"] == cluster.ferry]
    assert (one["cluster"]["articles"], one["cluster"]["texts"], one["cluster"]["sources"]) == (
        3,
        2,
        3,
    )
    assert {other["id"] for other in one["cluster"]["others"]} == {
        cluster.parliament,
        cluster.library,
    }
    assert one["version"]["id"] == cluster.earlier


def test_both_versions_name_each_other(visitor: Visitor, cluster: Cluster) -> None:
    page = visitor.get("/").text
    assert "Revised version of" in row(page, cluster.ferry)
    assert "Earlier version of" in row(page, cluster.earlier)
    body = visitor.get(f"/articles/{cluster.ferry}").text
    assert "<ins>" in body
    assert "<del>" in body


def test_a_difference_is_escaped(world: World, visitor: Visitor, cluster: Cluster) -> None:
    body = visitor.get(f"/articles/{world.named(NEWS[0]['title'])}").text
    changes = "".join(re.findall(r"<(?:ins|del)>.*?</(?:ins|del)>", body, re.DOTALL))
    assert "Corrected on Thursday" in changes
    page = visitor.get(f"/articles/{cluster.ferry}").text
    assert EVIL not in page
    assert "&lt;img src=x" in page


def test_the_article_says_why_and_opens_each(visitor: Visitor, cluster: Cluster) -> None:
    page = visitor.get(f"/articles/{cluster.ferry}?at=order%3Dnewest").text
    related = page.partition('id="related"')[2].partition("</details>")[0]
    assert "the same event: <bdi>title: 3 names in common" in related
    assert "as “Parliament votes on the river bill tonight”" in related
    for one in (cluster.parliament, cluster.library):
        assert f'href="/articles/{one}?at=order%3Dnewest"' in related
        assert f'action="/articles/{one}/split"' in related
    first = visitor.get("/articles/1").text
    assert first.count('/split"') == 2, "its copies can be parted too"


def test_not_the_same_and_taken_back(world: World, visitor: Visitor, cluster: Cluster) -> None:
    at = f"page=article&article={cluster.ferry}"
    answer = visitor.post(f"/articles/{cluster.library}/split", {"at": at})
    assert answer.headers["location"] == f"/articles/{cluster.ferry}?did=split"
    assert cluster.library in world.ids(limit=200, unread_only=True)
    page = visitor.get(f"/articles/{cluster.library}").text
    assert "you marked these as different" in page
    back = visitor.post(f"/articles/{cluster.library}/rejoin", {"at": at})
    assert back.headers["location"] == f"/articles/{cluster.ferry}?did=rejoined"
    assert cluster.library not in world.ids(limit=200, unread_only=True)
    again = visitor.post(f"/articles/{cluster.library}/rejoin", {"at": at})
    assert again.headers["location"].endswith("did=nothing")
    assert visitor.post("/articles/999/split").status_code == 404


def test_reading_the_row_reads_all_of_it_and_undo_says_one_title(
    world: World, visitor: Visitor, cluster: Cluster
) -> None:
    part = visitor.htmx(f"/articles/{cluster.ferry}/marks", {"kind": "read", "at": ""}).text
    assert '<span id="count-unread" hx-swap-oob="innerHTML">77</span>' in part
    assert world.reader().article(cluster.library).listed.state.read
    undone = visitor.htmx("/undo", {"at": ""}).text
    assert f"Undone: “{FERRY['title']}”" in undone
    assert not world.reader().article(cluster.library).listed.state.read


def test_each_is_read_alone_where_that_is_set(world: World, cluster: Cluster) -> None:
    world.read_together = False
    visitor = Visitor(world)
    visitor.post(f"/articles/{cluster.ferry}/marks", {"kind": "read", "at": ""})
    page = visitor.get("/").text
    assert f'id="a{cluster.ferry}"' not in page
    subscriptions = [f'id="a{one}"' in page for one in (cluster.library, cluster.parliament)]
    assert sorted(subscriptions) == [False, True]


def test_why_says_by_whose_score_a_row_stands(
    world: World, visitor: Visitor, cluster: Cluster
) -> None:
    world.score({cluster.parliament: (99.0, 1)})
    listed = next(one for one in world.listed() if one.id == cluster.ferry)
    assert listed.stands_by == cluster.parliament
    page = visitor.get(f"/articles/{cluster.ferry}/why").text
    assert re.search(r"highest score in it, <strong>99</strong> of .*Parliament votes", page)
    assert "ranked by the highest" not in visitor.get(f"/articles/{cluster.parliament}/why").text


def test_the_next_after_another_of_a_row_follows_the_row(
    visitor: Visitor, cluster: Cluster
) -> None:
    def onward(article: int) -> str:
        page = visitor.get(f"/articles/{article}").text
        found = re.search(r'id="after"[^>]*href="([^"]+)"', page)
        assert found is not None
        return found[1]

    assert onward(cluster.library) == onward(cluster.ferry)


def test_the_page_of_a_feed_tells_what_is_elsewhere(
    world: World, visitor: Visitor, cluster: Cluster
) -> None:
    feeds = [one.feed_id for one in world.reader().subscriptions()]
    page = "".join(visitor.get(f"/feeds/{one}").text for one in feeds)
    assert "also elsewhere" in page
    assert "shares a text with another" in page


def test_the_articles_of_one_cluster_are_a_list(visitor: Visitor, cluster: Cluster) -> None:
    page = visitor.get(f"/?with={cluster.library}&show=all").text
    for one in (cluster.ferry, cluster.parliament, cluster.library):
        assert f'id="a{one}"' in page
    assert "one event" in page


def counted(articles: int, texts: int, sources: int, feeds: int) -> Counted:
    return Counted(articles, texts, sources, feeds, NOW, ())


@pytest.mark.parametrize(
    ("cluster", "words"),
    [
        (counted(3, 1, 3, 3), "same text in 3 feeds"),
        (counted(2, 1, 1, 1), "same text 2 times"),
        (counted(5, 5, 4, 1), "5 reports of this event from 4 sources"),
        (counted(4, 3, 1, 1), "3 reports of this event from 1 source"),
        (counted(6, 3, 5, 3), "3 reports of this event from 5 sources, this text in 3 feeds"),
    ],
    ids=["copies", "in one feed", "reports", "of one publisher", "both"],
)
def test_the_words_tell_copies_from_reports(cluster: Counted, words: str) -> None:
    assert cluster_words(cluster) == words


@pytest.mark.parametrize(
    ("found", "articles", "words"),
    [
        (
            Elsewhere(3, 3),
            10,
            "30% also elsewhere, 3 of 10 articles: 3 share a text with others.",
        ),
        (
            Elsewhere(1, 3),
            3,
            "100% also elsewhere, 3 of 3 articles: 1 shares a text with another, 2 share an event.",
        ),
    ],
    ids=["copies", "in every way"],
)
def test_how_much_of_a_feed_is_elsewhere_in_words(
    found: Elsewhere, articles: int, words: str
) -> None:
    assert share_words(found, articles) == words
