"""The rules on real feeds: nothing said twice is shown twice, nothing said once is lost."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from newsloom.duplicates import judge_document, prepare
from newsloom.duplicates.values import Action
from newsloom.feeds.parse import parse_feed
from newsloom.kernel.errors import ParseError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.headlines import normal_title

SEEN = datetime(2026, 11, 21, tzinfo=UTC)


class Shelf:
    """A store in memory, through which documents pass as they do through a pass."""

    def __init__(self):
        self.stored = {}
        self.under = defaultdict(list)

    def add(self, document):
        candidates = {
            key: [self.stored[number] for number in self.under[key]]
            for one in document
            for key in one.keys
            if key in self.under
        }
        found = judge_document(document, candidates)
        for one in found:
            action, target = one.judgement.action, one.judgement.target
            if action is Action.REVISED:
                known = self.stored[target]
                self.stored[target] = replace(one.incoming.copy, id=target, original=known.original)
            elif action is not Action.UNCHANGED:
                number = ArticleId(len(self.stored) + 1)
                original = target if action is Action.DUPLICATE else number
                self.stored[number] = replace(one.incoming.copy, id=number, original=original)
                for key in one.incoming.keys:
                    self.under[key].append(number)
        return [(one.incoming.copy, one.judgement) for one in found]

    def groups(self):
        found = defaultdict(set)
        for one in self.stored.values():
            found[one.original].add((one.feed_id, one.guid))
        return {frozenset(group) for group in found.values()}


def read(file, number):
    try:
        return parse_feed(file.read_bytes(), f"https://feed{number}.test/feed")
    except ParseError:
        return None


@pytest.fixture(scope="module")
def feeds(shared):
    files = sorted((shared / "data/feeds/real").iterdir())
    found = [read(file, number) for number, file in enumerate(files)]
    return {FeedId(number): feed for number, feed in enumerate(found) if feed is not None}


@pytest.fixture(scope="module")
def documents(feeds):
    return [prepare(feed, number, SEEN) for number, feed in feeds.items()]


def test_no_two_different_articles_are_merged(documents):
    shelf = Shelf()
    for document in documents:
        for copy, judgement in shelf.add(document):
            if judgement.action is not Action.NEW:
                known = shelf.stored[judgement.target]
                assert (
                    normal_title(copy.title) == normal_title(known.title)
                    or copy.content_hash == known.content_hash
                ), (copy.url, known.url)


def test_no_article_of_a_document_is_lost(feeds, documents):
    dropped = 0
    for feed, document in zip(feeds.values(), documents, strict=True):
        kept = {id(one.parsed) for one in document}
        known = {(one.parsed.guid, one.parsed.url) for one in document}
        for article in feed.articles:
            if id(article) not in kept:
                dropped += 1
                assert (article.guid, article.url) in known
    assert sum(map(len, documents)) > 5_000
    assert dropped < 20


def test_a_second_pass_finds_nothing_new(documents):
    shelf = Shelf()
    for document in documents:
        shelf.add(document)
    for document in documents:
        assert all(judgement.action is Action.UNCHANGED for _, judgement in shelf.add(document))


def test_any_order_of_feeds_makes_the_same_groups(documents):
    def groups(order):
        shelf = Shelf()
        for document in order:
            shelf.add(document)
        return shelf.groups()

    groups_in_order = groups(documents)
    assert any(len(group) > 1 for group in groups_in_order)
    for seed in range(3):
        assert groups(random.Random(seed).sample(documents, len(documents))) == groups_in_order


@pytest.mark.parametrize("feed", ["aljazeeraenglish", "bbc", "nationalgeographic", "pa", "rnz"])
def test_a_feed_polled_for_months(shared, feed):
    """One article an id, however often its title, text and link change."""
    files = sorted((shared / "data/feeds/polling" / feed).iterdir())[:60]
    shelf, ids = Shelf(), set()
    for file in files:
        parsed = read(file, 1)
        if parsed is not None:
            ids |= {re.sub(r"\s+", " ", one.guid.strip()) for one in parsed.articles}
            shelf.add(prepare(parsed, FeedId(1), SEEN))
    assert {one.guid for one in shelf.stored.values()} == ids
    assert len(shelf.stored) == len(ids) > 20
