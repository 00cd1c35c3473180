"""The planted duplicates and revisions, as the duplicate layers judge them, poll after poll."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newsloom.duplicates import judge_document, prepare
from newsloom.duplicates.values import Action, Copy
from newsloom.feeds.parse import parse_feed
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.sample.content import LAST_GENERATION, planted, sample
from newsloom.sample.render import render
from newsloom.sample.wire import Edition, base_of

PORT = 8767
NOW = datetime(2026, 11, 21, 5, 0, tzinfo=UTC)


class Shelf:
    """Remembers copies under their keys, as much as judging needs of a store."""

    def __init__(self) -> None:
        self.by_key: dict[tuple[str, str], list[Copy]] = defaultdict(list)
        self.names: dict[ArticleId, tuple[str, str]] = {}

    def poll(self, number: int, generation: int) -> list[tuple[Action, str, str]]:
        feed = sample()[number]
        document = render(Edition(feed, PORT, NOW, generation))
        read = parse_feed(
            document.body, base_of(feed.name, PORT), content_type=document.content_type
        )
        seen = NOW + timedelta(hours=generation)
        keys = {
            one.url: article.key
            for one, article in zip(read.articles, feed.shown(generation), strict=True)
        }
        assert len(keys) == len(read.articles)
        judged = judge_document(prepare(read, FeedId(number), seen), self.by_key)
        result = []
        for one in judged:
            copy, judgement = one.incoming.copy, one.judgement
            key = keys[one.incoming.parsed.url]
            result.append((judgement.action, feed.name, key))
            self.keep(copy, one.incoming.keys, judgement.action, judgement.target, key)
            if judgement.action is Action.DUPLICATE:
                assert self.names[judgement.target][1] == key
            if judgement.action is Action.REVISED:
                assert self.names[judgement.target] == (feed.name, key)
        return result

    def keep(self, copy, keys, action, target, key) -> None:
        if action is Action.UNCHANGED:
            return
        if action is Action.REVISED:
            for copies in self.by_key.values():
                copies[:] = [one for one in copies if one.id != target]
            article, original = target, target
        else:
            article = ArticleId(len(self.names) + 1)
            original = target if action is Action.DUPLICATE else article
            self.names[article] = (sample()[copy.feed_id].name, key)
        for one in keys:
            self.by_key[one].append(replace(copy, id=article, original=original))


@pytest.mark.parametrize(
    "order",
    [range(len(sample())), range(len(sample()) - 1, -1, -1)],
    ids=["first to last", "last to first"],
)
def test_duplicates_and_revisions_are_found(order):
    shelf = Shelf()
    first = [one for number in order for one in shelf.poll(number, 0)]
    assert {action for action, _feed, _key in first} == {Action.NEW, Action.DUPLICATE}
    # Whichever feed comes second has the duplicate.
    repeated = {key for action, _feed, key in first if action is Action.DUPLICATE}
    assert repeated == {key for _feed, key in planted().duplicates}
    found = sum(action is Action.DUPLICATE for action, _feed, _key in first)
    assert found == len(planted().duplicates)

    again = [one for number in order for one in shelf.poll(number, 0)]
    assert {action for action, _feed, _key in again} == {Action.UNCHANGED}

    for generation in range(1, LAST_GENERATION + 1):
        later = [one for number in order for one in shelf.poll(number, generation)]
        revised = {key for action, _feed, key in later if action is Action.REVISED}
        new = {key for action, _feed, key in later if action is Action.NEW}
        assert revised == {key for key, since in planted().revisions if since == generation}
        assert new == {key for key, since in planted().late if since == generation}
