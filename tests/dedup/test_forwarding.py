"""Articles whose links only forward: compared by where they lead, known by what was published."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from newsloom.duplicates import forwarding, judge, prepare
from newsloom.duplicates.values import Action
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.kernel.ids import ArticleId, FeedId

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
STORY = "https://news.example/a-story"
WRAPPED = "https://www.google.com/url?sa=t&url=https%3A%2F%2Fnews.example%2Fa-story&ct=ga"
SHORT = "https://t.co/abc"
SEALED = "https://news.google.com/rss/articles/CBMiVkFVX3lxTE4zaGU2bTY2?oc=5"
BURNED = "http://feedproxy.google.com/~r/News/~3/abc/a-story"


def article(url: str, **more: str) -> ParsedArticle:
    values = {"guid": "1", "title": "A title", "content": "<p>Text</p>"} | more
    return ParsedArticle(url=url, **values)


def prepared(*articles, feed=7, targets=None):
    document = ParsedFeed("rss 2.0", articles=articles)
    return prepare(document, FeedId(feed), NOON, targets or {})


SAYS = {
    "a direct link": (article(STORY), {}, ""),
    "an address inside it": (article(WRAPPED), {}, STORY),
    "the network": (article(SHORT), {SHORT: STORY}, STORY),
    "the network, behind another": (
        article("https://l.facebook.com/l.php?u=https%3A%2F%2Ft.co%2Fabc"),
        {SHORT: STORY},
        STORY,
    ),
    "the feed": (article(BURNED, origin=STORY), {}, STORY),
    "the feed, wrapped again": (article(BURNED, origin=WRAPPED), {}, STORY),
    "its author": (article("https://copies.example/1", origin=STORY), {}, STORY),
}


@pytest.mark.parametrize(("parsed", "targets", "origin"), SAYS.values(), ids=SAYS.keys())
def test_it_is_compared_by_where_it_leads(parsed, targets, origin):
    (one,) = prepared(parsed, targets=targets)
    assert one.copy.canonical_url == STORY
    assert one.copy.url == parsed.url
    assert one.origin == origin


UNKNOWN = {
    "nobody could say": (article(SHORT), SHORT),
    "a feed's own word that is no address": (article(SHORT, origin="news:1"), SHORT),
    "it leads to a home page": (article("https://href.li/?https://news.example/"), ""),
}


@pytest.mark.parametrize(("parsed", "address"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_what_leads_to_no_article_is_compared_as_it_stands(parsed, address):
    (one,) = prepared(parsed)
    assert one.copy.canonical_url == address


def test_only_what_must_be_asked_is_asked_once():
    document = ParsedFeed(
        "rss 2.0",
        articles=(
            article(SHORT),
            article("https://href.li/?https://t.co/abc"),
            article(STORY),
            article(WRAPPED),
            article(SEALED),
            article(BURNED, origin=STORY),
        ),
    )
    assert forwarding(document) == (SHORT,)


def test_an_article_without_an_id_keeps_its_own_whatever_is_known_of_its_link():
    before = prepared(article(SHORT, guid=""))
    after = prepared(article(SHORT, guid=""), targets={SHORT: STORY})
    assert [one.copy.guid for one in before] == [one.copy.guid for one in after] == [SHORT]


def test_an_id_that_stands_twice_keeps_its_place_too():
    other = article("https://t.co/def", title="Another", content="<p>Other</p>")
    before = prepared(article(SHORT), other)
    after = prepared(article(SHORT), other, targets={SHORT: STORY})
    assert [one.copy.guid for one in before] == [one.copy.guid for one in after]


def test_two_links_that_lead_to_one_page_are_one_article_if_they_say_the_same():
    again = article("https://t.co/def", guid="2")
    targets = {SHORT: STORY, "https://t.co/def": STORY}
    assert len(prepared(article(SHORT), again, targets=targets)) == 1
    other = again._replace(title="Another", content="<p>Other</p>")
    both = prepared(article(SHORT), other, targets=targets)
    assert [one.copy.canonical_url for one in both] == ["", ""]


def test_google_news_names_the_publisher():
    parsed = article(
        SEALED,
        title="Ministers agree - again - The Example",
        publisher="The Example",
        publisher_url="https://www.example.com",
    )
    (one,) = prepared(parsed)
    assert one.copy.title == "Ministers agree - again"
    assert one.origin == "https://www.example.com"
    assert (
        one.copy.canonical_url
        == "https://news.google.com/rss/articles/CBMiVkFVX3lxTE4zaGU2bTY2?oc=5"
    )
    (alone,) = prepared(parsed._replace(title=" - The Example"))
    assert alone.copy.title == " - The Example"


def test_a_planet_s_titles_and_sources_stay():
    parsed = article(
        STORY, title="A post - A blog", publisher="A blog", publisher_url="https://b.example"
    )
    (one,) = prepared(parsed)
    assert (one.copy.title, one.origin) == ("A post - A blog", "")


def _stored(incoming):
    copy = replace(incoming.copy, id=ArticleId(1), original=ArticleId(1))
    return {key: [copy] for key in incoming.keys}


def test_a_link_found_out_later_moves_the_article_and_revises_nothing():
    (before,) = prepared(article(SHORT))
    (after,) = prepared(article(SHORT), targets={SHORT: STORY})
    judgement = judge(after, _stored(before))
    assert (judgement.action, judgement.amended) == (Action.UNCHANGED, True)
    assert judge(after, _stored(after)).amended is False
    assert judge(before, _stored(after)).amended is False


def test_another_feed_s_direct_link_is_its_copy():
    (first,) = prepared(article(SHORT), targets={SHORT: STORY})
    (second,) = prepared(article(f"{STORY}?utm_source=rss", guid="x"), feed=8)
    assert judge(second, _stored(first)).action is Action.DUPLICATE
