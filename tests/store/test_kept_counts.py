"""Counts that the database keeps are those that it would count, and what a list shows never changes
without its reader's token: whatever is written, by this process or another."""

from __future__ import annotations

import random
from contextlib import closing
from dataclasses import asdict, replace

from sqlalchemy import text

from newsloom.duplicates.values import Relation
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Rows
from quick import quick_folder

from .builders import HALF_LIVES, NOW, add, article, duplicate, publish, relate, run_stages

STEPS = 60
EVERYTHING = 1_000
KINDS = (EventKind.READ, EventKind.UNREAD, EventKind.LIKE, EventKind.STAR, EventKind.UNSTAR)

_COUNTED = text("""
    SELECT feed_id, COUNT(*) FROM states WHERE user_id = :user AND read = FALSE GROUP BY feed_id
""")
_KEPT = text("SELECT feed_id, unread FROM unread_counts WHERE user_id = :user AND unread <> 0")
_CLUSTERED = text("""
    SELECT c.cluster_id, COUNT(*) FROM clusters c JOIN states s ON s.article_id = c.article_id
    WHERE s.user_id = :user AND s.read = FALSE GROUP BY c.cluster_id
""")
_KEPT_CLUSTERS = text("SELECT cluster_id, unread FROM unread_clusters WHERE user_id = :user")
_ARTICLES = text("SELECT feed_id, COUNT(*) FROM articles GROUP BY feed_id")
_KEPT_ARTICLES = text("SELECT feed_id, articles FROM article_counts WHERE articles <> 0")


class Writer:
    """Does something at random to a store, as readers and passes do."""

    def __init__(self, store, seed):
        self.store, self.chance = store, random.Random(seed)
        self.users = [store.users.user(name, NOW) for name in ("one", "two")]
        self.feeds = []
        for number in range(4):
            for user in self.users:
                category = "News" if number % 2 else ""
                url = f"https://feed-{number}.test/"
                feed, _new = store.reading.subscribe(user, url, NOW, category=category)
            self.feeds.append(feed)
        self.articles = []
        self.made = 0

    def step(self, store):
        steps = (self.mark, self.mark, self.mark, self.poll, self.poll, self.copy, self.tie)
        steps += (self.stages, self.undo, self.clear, self.leave, self.rename, self.split)
        self.chance.choice(steps if self.articles else (self.poll,))(store)

    def some(self, most):
        return self.chance.sample(self.articles, min(most, len(self.articles)))

    def mark(self, store):
        user, kind = self.chance.choice(self.users), self.chance.choice(KINDS)
        rows = self.chance.choice((Rows.ARTICLE, Rows.CLUSTER))
        store.reading.mark(user, self.some(3), kind, NOW, "test", rows=rows, read_together=True)

    def poll(self, store):
        self.made += 2
        names = f"n{self.made}", f"n{self.made + 1}"
        language = self.chance.choice(("en", "de"))
        self.articles += add(store, self.chance.choice(self.feeds), *names, language=language)

    def copy(self, store):
        self.made += 1
        feed, (of,) = self.chance.choice(self.feeds), self.some(1)
        publish(store, feed, duplicate(article(feed, f"c{self.made}"), of))

    def tie(self, store):
        if len(pair := self.some(2)) == 2:
            relate(store, Relation.NEAR_DUPLICATE, tuple(pair))

    def split(self, store):
        store.duplicates.separate(self.chance.choice(self.users), self.some(1)[0], NOW)

    def stages(self, store):
        run_stages(store, self.chance.choice(self.users))

    def undo(self, store):
        store.reading.undo(self.chance.choice(self.users), NOW, "test")

    def clear(self, store):
        query = ListQuery(feed=self.chance.choice(self.feeds))
        store.reading.clear(self.chance.choice(self.users), query, NOW, "test", HALF_LIVES)

    def leave(self, store):
        user, feed = self.chance.choice(self.users), self.chance.choice(self.feeds)
        if not store.reading.follow_again(user, feed):
            store.reading.unsubscribe(user, feed)

    def rename(self, store):
        user, feed = self.chance.choice(self.users), self.chance.choice(self.feeds)
        store.reading.edit_subscription(user, feed, title=f"Name {self.made}")


def shown(store, user):
    """All that lists and what stands around them show."""
    lists = store.lists
    queries = [
        ListQuery(order=order, unread_only=unread, rows=rows, limit=EVERYTHING)
        for order in (Order.RANKED, Order.NEWEST)
        for unread in (True, False)
        for rows in (Rows.ARTICLE, Rows.CLUSTER)
    ]
    return (
        [asdict(lists.listing(user, one, NOW, HALF_LIVES)) for one in queries],
        [asdict(one) for one in lists.subscriptions(user)],
        [lists.unread(user, rows) for rows in Rows],
        lists.languages(user),
        lists.unscored(user),
    )


def check_counts(store, users):
    with store.database.read() as connection:
        pairs = [(_ARTICLES, _KEPT_ARTICLES, {})]
        for user in users:
            pairs += [(_COUNTED, _KEPT, {"user": user})]
            pairs += [(_CLUSTERED, _KEPT_CLUSTERS, {"user": user})]
        for counted, kept, values in pairs:
            there = {tuple(row) for row in connection.execute(kept, values)}
            assert there == {tuple(row) for row in connection.execute(counted, values)}
    for user in users:
        for rows in (Rows.ARTICLE, Rows.CLUSTER):
            query = ListQuery(rows=rows, limit=EVERYTHING)
            found = store.lists.listing(user, query, NOW, HALF_LIVES).rows
            assert store.lists.unread(user, rows) == len(found)


def around(store, user):
    """What no mark changes."""
    followed = [replace(one, unread=0) for one in store.lists.subscriptions(user)]
    return followed, store.stories.followed_news(user), store.models.interests(user)


def test_nothing_a_list_shows_changes_without_its_token(backend):
    with (
        quick_folder() as folder,
        closing(backend.open(folder / "kept.db")) as store,
        closing(backend.open(folder / "kept.db")) as other,
    ):
        writer = Writer(store, 1)
        known = {}
        for number in range(STEPS):
            # The second has connections of its own, as another process has.
            writer.step(other if number % 2 else store)
            check_counts(store, writer.users)
            for user in writer.users:
                tokens = store.database.change_token(user)
                for part, now in enumerate((shown(store, user), around(store, user))):
                    before = known.get((user, part))
                    assert before is None or before[1] == now or before[0] != tokens[part]
                    known[user, part] = tokens[part], now


def test_what_one_reader_marks_is_no_news_to_another(sqlite, store):
    """PostgreSQL's token is of the whole database."""
    writer = Writer(store, 2)
    writer.poll(store)
    one, two = writer.users
    tokens = store.database.change_token(one), store.database.change_token(two)
    store.reading.mark(one, writer.articles, EventKind.READ, NOW, "test")
    token, unmarked = store.database.change_token(one)
    assert token != tokens[0][0]
    assert unmarked == tokens[0][1]
    assert store.database.change_token(two) == tokens[1]


def test_what_no_list_shows_is_no_news(sqlite, store):
    from newsloom.store.migrations.reader_changes import NOT_SHOWN
    from newsloom.store.tables import metadata

    assert set(metadata.tables) >= NOT_SHOWN
    writer = Writer(store, 3)
    token = store.database.change_token(writer.users[0])
    with store.database.write() as connection:
        connection.execute(text("UPDATE feeds SET polled_at = 1 WHERE polled_at IS NOT NULL"))
        connection.execute(text("DELETE FROM sign_ins"))
    assert store.database.change_token(writer.users[0]) == token


def test_a_person_who_is_gone_leaves_no_counts(store):
    writer = Writer(store, 4)
    writer.poll(store)
    assert store.accounts.remove_person(writer.users[0])
    with store.database.read() as connection:
        kept = ("unread_clusters", "reader_changes") * (connection.dialect.name == "sqlite")
        for name in ("unread_counts", *kept):
            left = text(f"SELECT COUNT(*) FROM {name} WHERE user_id = :user")
            assert connection.scalar(left, {"user": writer.users[0]}) == 0
