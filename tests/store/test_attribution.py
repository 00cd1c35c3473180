"""Law: whatever feeds say and readers do, a reader gets only what the feeds they followed said."""

from __future__ import annotations

import json
import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsloom.cli.common import plain
from newsloom.duplicates import judge_document, prepare
from newsloom.duplicates.stage import DuplicateDetector
from newsloom.duplicates.values import Thresholds
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.reading.search_language import parse
from newsloom.reading.values.reading import EventKind, ListQuery, Rows
from newsloom.reading.values.searching import SearchOrder

from .builders import HALF_LIVES, HOUR, NOW, TEXT, claim, poll, read_texts

# Two feeds of one server, one of another.
FEEDS = ("https://one.test/a", "https://one.test/b", "https://two.test/c")
PADDING = "The council voted on the harbour after hours of talk about cranes and quays. " * 3

same = st.booleans()
polls = st.tuples(st.just("poll"), st.integers(0, 2), same, same, same, same, st.integers(0, 1))
changes = st.tuples(
    st.sampled_from(("follow", "leave", "like", "read", "stages")),
    st.integers(0, 1),
    st.integers(0, 2),
)


class World:
    """Feeds, two readers, and which feeds each of them ever followed."""

    def __init__(self, store, name):
        self.store = store
        self.readers = [store.users.user(f"{name} {reader}", NOW) for reader in "ab"]
        self.urls = [f"{url}?{name}" for url in FEEDS]
        self.numbers = {}
        self.followed = [set(), set()]
        self.name = name
        self.now = NOW

    def follow(self, reader, feed):
        number, _new = self.store.reading.subscribe(self.readers[reader], self.urls[feed], NOW)
        self.numbers[feed] = number
        self.followed[reader].add(feed)

    def leave(self, reader, feed):
        if feed in self.numbers:
            self.store.reading.unsubscribe(self.readers[reader], self.numbers[feed])

    def like(self, reader, _feed):
        self._mark(reader, EventKind.LIKE)

    def read(self, reader, _feed):
        self._mark(reader, EventKind.READ)

    def _mark(self, reader, kind):
        user, query = self.readers[reader], ListQuery(limit=2, rows=Rows.CLUSTER)
        ids = self.store.lists.page_ids(user, query, NOW, HALF_LIVES)
        self.store.reading.mark(user, ids, kind, NOW, "test", rows=Rows.CLUSTER, read_together=True)

    def stages(self, _reader, _feed):
        read_texts(self.store)
        DuplicateDetector(Thresholds()).step(self.store, TEXT, lambda: self.now)

    def poll(self, feed, guid, url, title, text, version):
        """One article, which shares so much with those of the other feeds."""
        if feed not in self.numbers:
            return

        def word(kind, shared):
            return f"zq{kind}{'x' if shared else feed}v{version}qz"

        article = ParsedArticle(
            guid=word("guid", guid) + self.name,
            url=f"https://one.test/news/{self.name}/{word('url', url)}",
            title=f"Council of {word('title', title)} votes on the quay",
            content=f"<p>{PADDING} {word('text', text)} {PADDING}</p>",
            author=word("author", False),
            published=NOW,
        )
        self.now += HOUR
        due = next(iter(claim(self.store, self.numbers[feed])), None)
        if due is None:  # nobody follows it
            return
        incoming = prepare(ParsedFeed("rss 2.0", articles=(article,)), due.id, NOW)
        with self.store.feeds.ingest() as ingest:
            keys = {key for one in incoming for key in one.keys}
            judged = judge_document(incoming, ingest.candidates(keys))
            ingest.record(poll(due, *judged, feed=ParsedFeed("rss", title=word("feed", False))))

    def shown(self, reader, articles):
        """Everything that the store gives this reader."""
        user, store = self.readers[reader], self.store
        for rows in (Rows.ARTICLE, Rows.TEXT, Rows.CLUSTER):
            query = ListQuery(unread_only=False, limit=100, rows=rows)
            yield store.lists.page(user, query, NOW, HALF_LIVES)
        yield store.lists.search(user, parse("council"), SearchOrder.NEWEST, 100, NOW, HALF_LIVES)
        yield store.syncing.stream_articles(user, articles, NOW, HALF_LIVES)
        yield [store.reading.article(user, one, NOW, HALF_LIVES) for one in articles]
        yield store.models.labels(user)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(st.one_of(polls, polls, changes), min_size=3, max_size=10), data=st.data())
def test_readers_get_only_what_their_feeds_said(store, steps, data):
    world = World(store, f"w{data.draw(st.integers(0, 10**12))}")
    world.follow(0, 0)
    world.follow(1, 2)
    for what, *how in steps:
        getattr(world, what)(*how)
    articles = list(range(1, store.lists.newest_article() + 1))[-20:]
    for reader in (0, 1):
        for found in world.shown(reader, articles):
            text = json.dumps(plain(found), default=str)
            sources = set(re.findall(r"zq[a-z]+?([0-9x])v[0-9]qz", text)) - {"x"}
            assert sources <= {str(feed) for feed in world.followed[reader]}, text
