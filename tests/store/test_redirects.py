"""What is known of addresses that only forward, and articles moved to where their links lead."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from newsloom.duplicates.values import Action, Evidence, JudgedArticle, Judgement
from newsloom.kernel.db.sql import CHUNK
from newsloom.kernel.http.values import KnownRedirect
from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.reading import ListQuery

from .builders import HALF_LIVES, NOW, add, article, publish

URL, STORY = "https://t.co/abc", "https://news.example/a-story"
KNOWN = KnownRedirect(URL, STORY, NOW)


def test_what_was_found_out_is_remembered(store):
    assert store.feeds.redirects([URL]) == {}
    store.feeds.put_redirects([KNOWN])
    assert store.feeds.redirects([URL, "https://t.co/other"]) == {URL: KNOWN}
    assert store.feeds.redirects([]) == {}


def test_the_last_answer_counts(store):
    failed = KnownRedirect(URL, "", NOW, 2, "the server answered 500")
    store.feeds.put_redirects([failed])
    assert store.feeds.redirects([URL]) == {URL: failed}
    later = KnownRedirect(URL, STORY, NOW + timedelta(days=1), 3)
    store.feeds.put_redirects([later])
    assert store.feeds.redirects([URL]) == {URL: later}
    store.feeds.put_redirects([])
    assert store.feeds.redirects([URL]) == {URL: later}


def test_more_of_them_than_a_statement_takes(store):
    many = [KnownRedirect(f"https://t.co/{n}", f"{STORY}/{n}", NOW) for n in range(2 * CHUNK + 1)]
    store.feeds.put_redirects(many)
    assert store.feeds.redirects([one.url for one in many]) == {one.url: one for one in many}


def test_an_address_may_be_anything_a_feed_writes(store):
    strange = KnownRedirect("https://t.co/'\";--%00\u202e🎉", "https://x.example/'", NOW)
    store.feeds.put_redirects([strange])
    assert store.feeds.redirects([strange.url]) == {strange.url: strange}


@pytest.fixture
def moved(store, reader, feed):
    """An article stored under its forwarding link, and moved when it was known where that leads."""
    guid = ("guid", f"{feed} a")
    add(store, feed, "a", url=URL, keys=[guid, ("url", URL)])
    found = article(feed, "a", url=URL, keys=[guid, ("url", STORY)])
    found = replace(found, copy=replace(found.copy, canonical_url=STORY), origin=STORY)
    why = Evidence("guid", 1.0, "same id in the feed")
    judgement = Judgement(Action.UNCHANGED, ArticleId(1), why, amended=True)
    publish(store, feed, JudgedArticle(found, judgement))


def test_a_moved_article_is_found_by_its_new_address_alone(store, moved):
    with store.feeds.ingest() as ingest:
        found = ingest.candidates([("url", STORY), ("url", URL)])
    assert list(found) == [("url", STORY)]
    (copy,) = found["url", STORY]
    assert (copy.id, copy.canonical_url, copy.url) == (1, STORY, URL)


def test_its_source_is_the_publisher_and_nothing_is_revised(store, reader, moved):
    (listed,) = store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)
    assert listed.source == "news.example"
    assert listed.url == URL
    assert not store.reading.article(reader, ArticleId(1), NOW, HALF_LIVES).revisions


def test_a_private_article_moves_among_its_own(store, feed):
    """What comes over a bridge is compared with nobody else's, wherever its link leads."""
    place = "bridge 1 "
    guid = ("guid", f"{place}{feed} a")
    add(store, feed, "a", url=URL, keys=[("guid", f"{feed} a"), guid, ("url", place + URL)])
    found = article(feed, "a", url=URL, keys=[guid, ("url", place + STORY)])
    copy = replace(found.copy, canonical_url=STORY)
    found = replace(found, copy=copy, origin=STORY, private=place)
    why = Evidence("guid", 1.0, "same id in the feed")
    judgement = Judgement(Action.UNCHANGED, ArticleId(1), why, amended=True)
    publish(store, feed, JudgedArticle(found, judgement))
    with store.feeds.ingest() as ingest:
        asked = [("url", STORY), ("url", URL), ("url", place + URL), ("url", place + STORY)]
        assert list(ingest.candidates(asked)) == [("url", place + STORY)]
