"""The duplicates stage: whatever the order, the batches, the restarts, the same clusters."""

from __future__ import annotations

import random
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise, product

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select, text

from newsloom.articles.entities.finder import Entity
from newsloom.articles.store.reader_tables import states
from newsloom.articles.store.tables import articles as article_table
from newsloom.duplicates.stage import FIRST_BATCH, LINKS, DuplicateDetector
from newsloom.duplicates.store.tables import clusters, links, signatures
from newsloom.duplicates.values import Thresholds
from newsloom.ranking.values.models import PlainText
from newsloom.reading.values.reading import EventKind
from newsloom.store import open_store
from newsloom.store.tables import metadata
from newsloom_lab.evaluate.grouping import grouped
from quick import quick_folder
from store.builders import (
    HOUR,
    NOW,
    TEXT,
    article,
    ids_of,
    new,
    pending_signatures,
    pending_texts,
    publish,
    revised,
)

WORDS = [f"{one}{two}" for one in ("ba", "ke", "lo", "mi", "tu") for two in map(str, range(120))]


class Capitals:
    """A recognizer that takes every capitalised word for a place."""

    model_id = "capitals@test"

    def recognise(self, texts):
        return [
            tuple(Entity("place", word.casefold()) for word in one.split() if word[0].isupper())
            for one in texts
        ]


@dataclass(frozen=True)
class Written:
    """One article of the made-up news: its text is a window that slides over its topic's words."""

    topic: int
    step: int  # neighbours share most of their words, those three steps apart few
    title: int
    source: int
    hours: int

    @property
    def name(self):
        return f"{self.topic} {self.step} {self.title} {self.source} {self.hours}"

    @property
    def words(self):
        chance = random.Random(self.topic)
        words = [chance.choice(WORDS) for _ in range(200)]
        names = [f"Port{self.topic}", f"Lake{self.topic}", f"Mount{self.topic}"]
        for place in range(0, 200, 12):
            words[place] = names[place // 12 % 3]
        return words[self.step * 18 : self.step * 18 + 90]

    @property
    def headline(self):
        kind = ("Ferry strikes rock near Port{0} and Lake{0}", "Breaking: {0} ferry sinks in storm")
        return kind[self.title].format(self.topic)


written = st.builds(
    Written,
    topic=st.integers(1, 3),
    step=st.integers(0, 5),
    title=st.integers(0, 1),
    source=st.integers(0, 2),
    hours=st.sampled_from((0, 3, 30, 24 * 29, 24 * 40)),
)
law = settings(
    max_examples=15,
    phases=(Phase.reuse, Phase.generate),  # every example fills a database: no shrinking
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass
class World:
    store: object
    user: int
    feeds: list

    def publish(self, some):
        by_feed = defaultdict(list)
        for one in some:
            by_feed[one.source].append(one)
        for source, those in by_feed.items():
            feed = self.feeds[source]
            publish(self.store, feed, *(new(self.incoming(one)) for one in those))

    def incoming(self, one, words=None):
        feed = self.feeds[one.source]
        content = " ".join(one.words if words is None else words)
        return article(
            feed,
            one.name,
            title=one.headline,
            content=content,
            dated=NOW + one.hours * HOUR,
            url=f"https://site{one.source}.test/{one.name.replace(' ', '-')}",
        )

    def read_texts(self):
        while raw := pending_texts(self.store, TEXT, 500):
            self.store.articles.put_texts(
                TEXT, [PlainText(one.id, one.title, one.html) for one in raw]
            )

    def run(self, batch=1000, most=1000, **more):
        """The text and the duplicates stage, so many steps at most; how many articles it did."""
        self.read_texts()
        matcher = DuplicateDetector(Thresholds(), batch=batch, **more)
        done = 0
        for _ in range(most):
            step = matcher.step(self.store, TEXT, lambda: NOW)
            done += step
            if not step:
                break
        return done

    def ids(self, *some):
        return [ids_of(self.store, self.feeds[one.source], one.name)[0] for one in some]

    def rows(self, table):
        with self.store.database.read() as connection:
            return connection.execute(select(table)).all()

    def events(self):
        with self.store.database.read() as connection:
            return connection.execute(text("SELECT * FROM events")).all()

    def read(self):
        """Names of what the reader has read."""
        names = {row.id: row.guid for row in self.rows(article_table)}
        return {names[row.article_id] for row in self.rows(states) if row.read}

    def partition(self):
        """Names of articles by cluster and by text, those that are alone left out."""
        with self.store.database.read() as connection:
            rows = connection.execute(
                select(article_table.c.guid, clusters.c.cluster_id, clusters.c.text_id).join(
                    clusters, clusters.c.article_id == article_table.c.id
                )
            ).all()
        return groups((row[0], row[1]) for row in rows), groups((row[0], row[2]) for row in rows)

    def expected(self):
        """The same by the judgement in memory, of all that is stored."""
        everything = pending_signatures(self.store, "nobody@1", limit=10_000)
        found = grouped(everything, Thresholds(), Capitals().recognise)
        names = {row.id: row.guid for row in self.rows(article_table)}
        return (
            groups((names[one], position.cluster) for one, position in found.places.items()),
            groups((names[one], key.text) for one, key in found.places.items()),
        )


def groups(pairs):
    found = defaultdict(set)
    for name, group in pairs:
        found[group].add(name)
    return {frozenset(group) for group in found.values() if len(group) > 1}


@pytest.fixture(scope="module")
def lasting():
    with quick_folder() as folder, closing(open_store(folder / "a.db", now=lambda: NOW)) as opened:
        yield opened


@pytest.fixture
def world(lasting):
    return fresh(lasting)


def fresh(store):
    """The store without a row, and three feeds in it."""
    with store.database.write() as connection:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        for table in reversed(metadata.sorted_tables):
            connection.execute(delete(table))
    user = store.users.user("reader", NOW)
    feeds = [
        store.reading.subscribe(user, f"https://site{one}.test/feed", NOW)[0] for one in range(3)
    ]
    return World(store, user, feeds)


several = st.lists(written, min_size=2, max_size=24, unique_by=lambda one: one.name)


def test_a_backlog_begins_with_a_small_batch(world):
    """Others cannot write while a batch is judged, and nobody knows yet how long one takes."""
    every = product(range(1, 4), range(6), range(2), range(3), (0, 3, 30, 24 * 29))
    world.publish([Written(*values) for values in every])
    world.read_texts()
    matcher = DuplicateDetector(Thresholds())
    assert matcher.step(world.store, TEXT, lambda: NOW) == FIRST_BATCH


@law
@given(some=several, data=st.data())
def test_any_order_and_any_batches_make_the_same_clusters(lasting, some, data):
    world = fresh(lasting)
    order = data.draw(st.permutations(some))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(some)), max_size=4)) | {len(some)})
    for first, last in pairwise([0, *cuts]):
        world.publish(order[first:last])
        world.run(batch=data.draw(st.integers(1, 9)), most=data.draw(st.integers(1, 9)))
    world.run(batch=4)
    found = world.partition()
    assert found == world.expected()
    before = [world.rows(table) for table in (links, clusters, signatures)]
    assert world.run() == 0
    assert [world.rows(table) for table in (links, clusters, signatures)] == before


@law
@given(some=several, data=st.data())
def test_texts_that_change_are_judged_again(lasting, some, data):
    world = fresh(lasting)
    world.publish(some)
    world.run(batch=7)
    changed = data.draw(st.lists(st.sampled_from(some), max_size=4, unique_by=lambda one: one.name))
    for one in changed:
        other = data.draw(st.sampled_from(some))
        (article_id,) = world.ids(one)
        incoming = world.incoming(one, words=[*other.words[:80], "and", "more"])
        publish(world.store, world.feeds[one.source], revised(incoming, article_id))
    assert world.run(batch=3) == len(changed)
    assert world.partition() == world.expected()


CHAIN = [Written(1, step, step % 2, step % 3, step) for step in range(6)]


def test_a_chain_is_one_cluster_though_its_ends_are_unlike(world):
    world.publish(CHAIN)
    world.run()
    assert world.partition()[1] == {frozenset(one.name for one in CHAIN)}
    ends = {world.ids(CHAIN[0])[0], world.ids(CHAIN[-1])[0]}
    assert not any({row.article_id, row.other_id} == ends for row in world.rows(links))


def test_a_chain_breaks_where_a_text_changes(world):
    world.publish(CHAIN)
    world.run()
    (middle,) = world.ids(CHAIN[2])
    other = world.incoming(CHAIN[2], words=Written(9, 0, 0, 0, 0).words)
    publish(world.store, world.feeds[CHAIN[2].source], revised(other, middle))
    assert world.run() == 1
    assert world.partition() == world.expected()
    assert not any(CHAIN[2].name in group for group in world.partition()[1])


def test_every_decision_has_its_evidence(world):
    world.publish(CHAIN[:2])
    world.run()
    (link,) = world.rows(links)
    assert link.relation == "same text"
    assert '"fingerprint"' in link.evidence
    assert link.article_id > link.other_id


def test_many_copies_of_one_text_are_one_cluster_with_few_links(world):
    many = [Written(1, 0, 0, number % 3, number % 24) for number in range(24)]
    for round_ in range(12):  # ids of their own, one text
        for feed in world.feeds:
            some = many[round_ : round_ + 12]
            publish(
                world.store,
                feed,
                *(
                    new(
                        article(
                            feed,
                            f"{round_} {place}",
                            title=one.headline,
                            content=" ".join(one.words),
                            url=f"https://site{feed}.test/{round_}/{place}",
                        )
                    )
                    for place, one in enumerate(some)
                ),
            )
        world.run(batch=50)
    (cluster,), (same,) = world.partition()
    total = len(world.rows(article_table))
    assert total == 12 * 12 * 3
    assert {row.cluster_id for row in world.rows(clusters)} == {
        min(row.id for row in world.rows(article_table))
    }
    assert len(world.rows(clusters)) == total
    assert total - 1 <= len(world.rows(links)) <= (LINKS + 1) * total
    assert same == cluster


def test_articles_that_share_all_keys_but_no_text_stay_apart(world):
    """Sentences that all have, as a publisher's boilerplate, before a text of their own."""
    shared = [word.lower() for word in Written(1, 0, 0, 0, 0).words[:40]]
    chance = random.Random(1)
    for number in range(200):
        feed = world.feeds[number % 3]
        own = [chance.choice(WORDS) for _ in range(160)]
        publish(
            world.store,
            feed,
            new(
                article(
                    feed,
                    str(number),
                    title=f"Number {WORDS[number]} {WORDS[-number]} of many",
                    content=" ".join([*shared, *own]),
                    url=f"https://site{feed}.test/{number}",
                )
            ),
        )
    assert world.run(batch=60) == 200
    assert world.partition() == (set(), set())


def test_a_copy_of_what_was_read_is_born_read(world):
    first, copy, event = Written(1, 0, 0, 0, 0), Written(1, 0, 1, 1, 3), Written(1, 5, 0, 2, 3)
    world.publish([first])
    world.run()
    world.store.reading.mark(world.user, world.ids(first), EventKind.READ, NOW, "test")
    events = len(world.events())
    world.publish([copy, event])
    world.run()
    assert world.read() == {first.name, copy.name}
    assert len(world.events()) == events, "nothing happened"
    assert len(world.partition()[0]) == 1, "and the event is in the cluster, unread"


def test_a_copy_that_was_starred_or_rated_stays_as_it_is(world):
    first, starred, rated = (Written(1, 0, 0, source, source) for source in range(3))
    world.publish([first])
    world.run()
    world.store.reading.mark(world.user, world.ids(first), EventKind.READ, NOW, "test")
    world.publish([starred, rated])
    for one, kind in ((starred, EventKind.STAR), (rated, EventKind.DISLIKE)):
        world.store.reading.mark(world.user, world.ids(one), kind, NOW, "test")
    before = world.read()
    world.run()
    assert world.read() == before


def test_reading_apart_leaves_copies_unread(world):
    first, copy = Written(1, 0, 0, 0, 0), Written(1, 0, 0, 1, 3)
    world.publish([first])
    world.run()
    world.store.reading.mark(world.user, world.ids(first), EventKind.READ, NOW, "test")
    world.publish([copy])
    world.run(read_together=False)
    assert world.read() == {first.name}
