"""What is measured of sources in every database, and the tiers that readers set."""

from __future__ import annotations

from datetime import timedelta

import pytest

from newsloom.articles.store.tables import articles
from newsloom.duplicates.values import Relation
from newsloom.importance.values import SourceFacts
from newsloom.kernel.ids import FeedId

from .builders import HOUR, NOW, add, article, publish, relate, revised

DAY = timedelta(days=1)


@pytest.fixture
def of(store, reader):
    """A feed of a host."""

    def made(host: str) -> FeedId:
        return store.reading.subscribe(reader, f"https://{host}/feed", NOW)[0]

    return made


def seen(store, article_id, at):
    with store.database.write() as connection:
        row = articles.c.id == article_id
        connection.execute(articles.update().where(row).values(first_seen_at=at))


def put(store, feed, host, name, **more):
    return add(store, feed, name, url=f"https://www.{host}/{name}", **more)[0]


def test_nothing_was_measured_yet(store):
    assert store.sources.sources_measured_at() is None
    assert store.sources.source_facts(["bbc.co.uk", "", "\0"]) == {}
    assert store.sources.measure_sources(NOW) == 0
    assert store.sources.sources_measured_at() is None


def test_what_is_measured_of_a_source(store, reader, of):
    feed = of("feeds.small.example")
    first = put(store, feed, "small.example", "a", author="Ann", title="Correction: of the tides")
    put(store, feed, "news.small.example", "b", content='<a href="https://x.test/?utm_source=a">')
    put(store, feed, "small.example", "c", content='<a href="https://x.test/">no mark</a>')
    put(
        store,
        feed,
        "small.example",
        "d",
        author="Bob",
        content="<p>An Earlier Version of this article misspelled a name.</p>",
    )
    seen(store, first, NOW - 10 * DAY)
    again = article(
        feed,
        "a",
        url="https://www.small.example/a",
        author="Ann",
        title="Correction: of the tides",
        content="<p>Other.</p>",
    )
    publish(store, feed, revised(again, first))
    assert store.sources.measure_sources(NOW) == 1
    found = store.sources.source_facts(["https://www.small.example/x"])["small.example"]
    assert found.articles == 4
    assert found.days == pytest.approx(10)
    assert (found.authored, found.revised, found.trackers) == (0.5, 0.25, 0.5)
    assert found.corrected == 0.5
    assert (found.corroborated, found.followed) == (0.0, 0.0)
    assert 0 < found.reliability <= 1
    assert store.sources.sources_measured_at() == NOW
    assert store.sources.feed_sources(reader) == {feed: {"small.example": 4}}


def test_a_feed_counts_for_its_own_source_whatever_it_links_to(store, reader, of):
    evil, small = of("evil.example"), of("small.example")
    put(store, evil, "bbc.co.uk", "a", content='<a href="https://x.test/?utm_source=a">')
    claimed = put(store, evil, "nytimes.com", "b", title="Correction: of the tides")
    told = put(store, small, "small.example", "told")
    relate(store, Relation.SAME_EVENT, (told, claimed))
    store.sources.measure_sources(NOW)
    found = store.sources.source_facts(["evil.example", "bbc.co.uk", "nytimes.com"])
    assert set(found) == {"evil.example"}
    assert found["evil.example"].articles == 2
    assert store.sources.source_facts(["small.example"])["small.example"].corroborated == 0.0
    assert store.sources.feed_sources(reader)[evil] == {"evil.example": 2}


def test_known_sources_corroborate_and_come_after(store, of):
    """One whose text is another's, one of the same owner and unknown ones speak for nobody."""
    small, bbc, other, unknown = map(
        of, ("small.example", "bbc.co.uk", "bbc.com", "unknown.example")
    )
    told = put(store, small, "small.example", "told")
    followed = put(store, bbc, "bbc.co.uk", "followed")
    same = put(store, other, "bbc.com", "same-owner")
    copied = put(store, unknown, "unknown.example", "copied")
    alone = put(store, small, "small.example", "alone")
    made_up = put(store, unknown, "unknown.example", "made-up")
    relate(store, Relation.SAME_EVENT, (told, followed), (followed, same))
    relate(store, Relation.SAME_TEXT, (followed, copied))
    relate(store, Relation.SAME_EVENT, (alone, made_up))
    seen(store, told, NOW - 3 * HOUR)
    seen(store, followed, NOW - HOUR)
    store.sources.measure_sources(NOW)
    found = store.sources.source_facts(["small.example", "bbc.co.uk", "bbc.com", "unknown.example"])
    assert (found["small.example"].corroborated, found["small.example"].followed) == (0.5, 1.0)
    assert found["bbc.co.uk"].corroborated == 0.0
    assert found["unknown.example"].followed == 0.0
    assert found["bbc.com"].corroborated == 0.0


def test_measuring_again_replaces_what_was(store, reader, of):
    feed = of("one.example")
    put(store, feed, "one.example", "a")
    store.sources.measure_sources(NOW)
    put(store, feed, "one.example", "b")
    assert store.sources.source_facts(["one.example"])["one.example"].articles == 1
    store.sources.measure_sources(NOW + DAY)
    assert store.sources.source_facts(["one.example"])["one.example"].articles == 2
    assert store.sources.sources_measured_at() == NOW + DAY
    assert store.sources.feed_sources(store.users.user("another", NOW)) == {}


def test_facts_of_many_sources_are_read_in_parts(store, of):
    for number in range(3):
        put(store, of(f"s{number}.example"), f"s{number}.example", "1")
    store.sources.measure_sources(NOW)
    requests = [f"s{number}.example" for number in range(1_200)]
    found = store.sources.source_facts(requests)
    assert set(found) == {"s0.example", "s1.example", "s2.example"}
    assert all(isinstance(one, SourceFacts) for one in found.values())


def test_a_readers_tiers_are_their_own(store, reader):
    other = store.users.user("another", NOW)
    store.sources.set_tier(reader, "one.example", 2, NOW)
    store.sources.set_tier(reader, "one.example", 3, NOW)
    store.sources.set_tier(reader, "two.example", 5, NOW)
    store.sources.set_tier(other, "one.example", 1, NOW)
    store.sources.set_tier(reader, "two.example", None, NOW)
    store.sources.set_tier(reader, "never.example", None, NOW)
    assert store.sources.own_tiers(reader) == {"one.example": 3}
    assert store.sources.own_tiers(other) == {"one.example": 1}
