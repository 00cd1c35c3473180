"""Users and their feeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Row,
    RowMapping,
    exists,
    func,
    insert,
    select,
    text,
    update,
)

from newsloom.store import holding, states
from newsloom.store.bulk import insert_rows
from newsloom.store.columns import EPOCH, micros
from newsloom.store.engine import Database
from newsloom.store.keys import CHUNK
from newsloom.store.leaving import forget_left
from newsloom.store.orders import GROUP
from newsloom.store.tables import feeds, subscriptions, users
from newsloom.text.urls import shared_host
from newsloom.types import Elsewhere, FeedId, FeedState, Rows, Subscription, UserId

# The interval a feed starts from, before its publisher's habits are known.
FIRST_INTERVAL = timedelta(hours=1)

# Most articles stand in one feed, which their state names; the others are counted where they are.
_UNREAD = text("""
    SELECT feed_id, COUNT(*) FROM states WHERE user_id = :user AND read = FALSE GROUP BY feed_id
""")
_UNREAD_COPIES = text("""
    SELECT a.feed_id, COUNT(DISTINCT a.original_id)
    FROM subscriptions c CROSS JOIN articles a CROSS JOIN states s
    WHERE c.user_id = :user AND a.feed_id = c.feed_id AND a.original_id <> a.id
    AND s.user_id = :user AND s.article_id = a.original_id AND s.read = FALSE
    AND s.feed_id <> a.feed_id
    GROUP BY a.feed_id
""")
_ARTICLES = text("""
    SELECT s.feed_id, (SELECT COUNT(*) FROM articles a WHERE a.feed_id = s.feed_id) AS articles
    FROM subscriptions s WHERE s.user_id = :user
""")


_ALL_UNREAD = text("SELECT COUNT(*) FROM states WHERE user_id = :user AND read = FALSE")
_SHARING = text("SELECT COUNT(*) FROM (SELECT 1 FROM clusters LIMIT :most) AS few")
# What is unread beside the first of each row. The clusters are gone through in the order of their
# index, so that nothing is sorted.
_EXTRA = {
    rows: text(f"""
        SELECT SUM(unread - 1) FROM (
            SELECT COUNT(*) AS unread FROM clusters c CROSS JOIN states s
            WHERE s.user_id = :user AND s.article_id = c.article_id AND s.read = FALSE
            GROUP BY {group}
        ) AS several
    """)  # noqa: S608
    for rows, group in {Rows.CLUSTER: "c.cluster_id", Rows.TEXT: "c.cluster_id, c.text_id"}.items()
}
_EXTRA_OF_UNREAD = {
    rows: text(f"""
        SELECT COUNT(*) - COUNT(DISTINCT c.{group}) FROM states s CROSS JOIN clusters c
        WHERE s.user_id = :user AND s.read = FALSE AND c.article_id = s.article_id
    """)  # noqa: S608
    for rows, group in GROUP.items()
}

_COPIES = text("""
    SELECT a.feed_id, COUNT(*) FROM subscriptions u CROSS JOIN articles a
    WHERE u.user_id = :user AND a.feed_id = u.feed_id AND a.original_id <> a.id
    GROUP BY a.feed_id
""")
_COPIED = text("""
    SELECT s.feed_id, COUNT(DISTINCT a.original_id) FROM articles a CROSS JOIN states s
    WHERE a.original_id <> a.id AND s.user_id = :user AND s.article_id = a.original_id
    AND a.feed_id IN (SELECT feed_id FROM subscriptions WHERE user_id = :user)
    GROUP BY s.feed_id
""")
_CLUSTERED = text("""
    SELECT s.feed_id AS feed_id, COUNT(*) AS clustered, SUM(CASE WHEN EXISTS (
        SELECT 1 FROM clusters o
        WHERE o.cluster_id = c.cluster_id AND o.text_id = c.text_id AND o.article_id <> c.article_id
    ) THEN 1 ELSE 0 END) AS same_text
    FROM clusters c CROSS JOIN states s
    WHERE s.user_id = :user AND s.article_id = c.article_id GROUP BY s.feed_id
""")
# Originals in a cluster, or with a copy in another place.
_ELSEWHERE = text("""
    SELECT s.feed_id, COUNT(*) FROM (
        SELECT article_id FROM clusters
        UNION SELECT original_id FROM articles WHERE original_id <> id
        AND feed_id IN (SELECT feed_id FROM subscriptions WHERE user_id = :user)
    ) e CROSS JOIN states s
    WHERE s.user_id = :user AND s.article_id = e.article_id GROUP BY s.feed_id
""")


class Subscriptions:
    """Users and subscriptions: part of the ReadingStore role."""

    database: Database

    def user(self, name: str, now: datetime) -> UserId:
        """The user of that name, made if there is none."""
        wanted = select(users.c.id).where(users.c.name == name)
        with self.database.read() as connection:
            found = connection.scalar(wanted)
        if found is None:
            with self.database.write() as connection:
                found = connection.scalar(wanted)
                if found is None:
                    made = connection.execute(insert(users).values(name=name, made_at=now))
                    found = _key(made.inserted_primary_key)
        return UserId(found)

    def users(self) -> tuple[tuple[UserId, str], ...]:
        with self.database.read() as connection:
            rows = connection.execute(select(users.c.id, users.c.name).order_by(users.c.id))
            return tuple((UserId(row.id), row.name) for row in rows)

    def shared_feeds(self) -> Mapping[str, int]:
        """Feeds that several readers follow: address to how many."""
        readers = func.count().label("readers")
        query = (
            select(feeds.c.url, readers)
            .join(subscriptions, subscriptions.c.feed_id == feeds.c.id)
            .group_by(feeds.c.id)
            .having(readers > 1)
        )
        with self.database.read() as connection:
            return {row.url: row.readers for row in connection.execute(query)}

    def polled_feed(self, url: str) -> str | None:
        """The title of a feed of exactly this address that is polled for somebody and was read
        well the last time; None when there is none."""
        query = select(feeds.c.title).where(
            feeds.c.url == url,
            feeds.c.ok_at.is_not(None),
            feeds.c.failures == 0,
            feeds.c.next_poll_at.is_not(None),
            exists().where(subscriptions.c.feed_id == feeds.c.id),
        )
        with self.database.read() as connection:
            return connection.scalar(query)

    def subscribe(
        self, user: UserId, url: str, now: datetime, *, title: str = "", category: str = ""
    ) -> tuple[FeedId, bool]:
        """The feed, and whether the subscription is new. Known articles become unread for them.

        A feed that nobody followed, or that had been given up, is due now; one that others follow
        keeps its time, which may be what its publisher asked for.
        """
        with self.database.write() as connection:
            return _subscribe(connection, user, Wanted(url, title, category), now)

    def subscribe_all(
        self, user: UserId, feeds: Sequence[tuple[str, str, str]], now: datetime
    ) -> int:
        """Subscribe to many, each a URL, a title and a category; how many are new. All or none."""
        wanted: dict[str, Wanted] = {}
        for feed in feeds:
            wanted.setdefault(feed[0], Wanted(*feed))
        with self.database.write() as connection:
            known = {row.url: row for row in _known(connection, user, list(wanted))}
            unheard = [one for one in wanted.values() if one.url not in known]
            heard = [known[url] for url in wanted if url in known]
            _subscribe_unheard(connection, user, unheard, now)
            new = [
                _subscribe(connection, user, wanted[row.url], now)[1]
                for row in heard
                if row.dead or not row.mine
            ]
            return len(unheard) + sum(new)

    def edit_subscription(
        self, user: UserId, feed: FeedId, *, title: str | None = None, category: str | None = None
    ) -> None:
        named = {"title": title, "category": category}
        values = {name: value for name, value in named.items() if value is not None}
        if values:
            with self.database.write() as connection:
                connection.execute(update(subscriptions).where(_mine(user, feed)).values(**values))
                _change_taste(connection, user)

    def subscriptions(self, user: UserId) -> tuple[Subscription, ...]:
        """By category, then title, with unread counts (each article counts once per feed)."""
        query = (
            select(
                feeds,
                subscriptions.c.title.label("own_title"),
                subscriptions.c.category,
            )
            .join(subscriptions, subscriptions.c.feed_id == feeds.c.id)
            .where(subscriptions.c.user_id == user)
        )
        with self.database.read() as connection:
            rows = connection.execute(query).mappings().all()
            unread = Counter(_counts(connection, _UNREAD, user))
            unread.update(_counts(connection, _UNREAD_COPIES, user))
            articles = _counts(connection, _ARTICLES, user)
        found = [_subscription(row, unread, articles) for row in rows]
        return tuple(sorted(found, key=_shelf))

    def unread(self, user: UserId, rows: Rows = Rows.ARTICLE) -> int:
        """How many rows an unread list has."""
        with self.database.read() as connection:
            unread = connection.scalar(_ALL_UNREAD, {"user": user}) or 0
            if rows is Rows.ARTICLE or not unread:
                return unread
            # Whichever is fewer is gone through: most articles share no row, and most are read.
            sharing = connection.scalar(_SHARING, {"most": unread}) or 0
            extra = (_EXTRA if sharing < unread else _EXTRA_OF_UNREAD)[rows]
            return unread - (connection.scalar(extra, {"user": user}) or 0)

    def elsewhere(self, user: UserId) -> Mapping[FeedId, Elsewhere]:
        """How much of each of the reader's feeds other places have too; absent: none of it."""
        with self.database.read() as connection:
            copies = _counts(connection, _COPIES, user)
            copied = _counts(connection, _COPIED, user)
            clustered = connection.execute(_CLUSTERED, {"user": user}).all()
            shared = _counts(connection, _ELSEWHERE, user)
            texts = {row.feed_id: (row.same_text, row.clustered) for row in clustered}
        return {
            FeedId(feed): Elsewhere(
                copies.get(feed, 0),
                copied.get(feed, 0),
                *texts.get(feed, (0, 0)),
                shared=copies.get(feed, 0) + shared.get(feed, 0),
            )
            for feed in sorted({*copies, *texts, *shared})
        }

    def unscored(self, user: UserId) -> int:
        """Unread articles that have no relevance of any model yet."""
        query = text(
            "SELECT COUNT(*) FROM states WHERE user_id = :user AND read = FALSE AND sensitivity = 0"
        )
        with self.database.read() as connection:
            return connection.scalar(query, {"user": user}) or 0


class Wanted(NamedTuple):
    """What a subscription begins with."""

    url: str
    title: str
    category: str


def _known(connection: Connection, user: UserId, urls: Sequence[str]) -> Iterator[Row[Any]]:
    """Which of the addresses there are feeds of, and whether they are the reader's."""
    mine = exists().where(subscriptions.c.feed_id == feeds.c.id, subscriptions.c.user_id == user)
    query = select(feeds.c.url, feeds.c.dead, mine.label("mine"))
    for start in range(0, len(urls), CHUNK):
        some = urls[start : start + CHUNK]
        yield from connection.execute(query.where(feeds.c.url.in_(some)))


def _subscribe_unheard(
    connection: Connection, user: UserId, unheard: Sequence[Wanted], now: datetime
) -> None:
    """Feeds that nobody has had: all at once, for a list may have ten thousand."""
    if not unheard:
        return
    first = (connection.scalar(select(func.max(feeds.c.id))) or 0) + 1
    at, interval = micros(now), micros(EPOCH + FIRST_INTERVAL)
    numbered = list(enumerate(unheard, start=first))
    insert_rows(
        connection,
        feeds,
        ("id", "url", "host", "next_poll_at", "interval"),
        [(feed, one.url, shared_host(one.url), at, interval) for feed, one in numbered],
    )
    insert_rows(
        connection,
        subscriptions,
        ("user_id", "feed_id", "title", "category", "since"),
        [(user, feed, one.title, one.category, at) for feed, one in numbered],
    )
    _change_taste(connection, user)


def _subscribe(
    connection: Connection, user: UserId, wanted: Wanted, now: datetime
) -> tuple[FeedId, bool]:
    feed = _feed(connection, wanted.url, now)
    if connection.scalar(select(exists().where(_mine(user, feed)))):
        return feed, False
    connection.execute(
        insert(subscriptions).values(
            user_id=user, feed_id=feed, title=wanted.title, category=wanted.category, since=now
        )
    )
    forget_left(connection, user, feed)
    states.add_backlog(connection, user, feed, now)
    _change_taste(connection, user)
    return feed, True


def _feed(connection: Connection, url: str, now: datetime) -> FeedId:
    """The feed of an address, made or woken if need be."""
    followed = exists().where(subscriptions.c.feed_id == feeds.c.id)
    found = connection.execute(
        select(feeds.c.id, feeds.c.dead, followed.label("followed")).where(feeds.c.url == url)
    ).one_or_none()
    if found is None:
        made = connection.execute(
            insert(feeds).values(
                url=url, host=shared_host(url), next_poll_at=now, interval=FIRST_INTERVAL
            )
        )
        return FeedId(_key(made.inserted_primary_key))
    if found.dead or not found.followed:
        connection.execute(
            update(feeds).where(feeds.c.id == found.id).values(next_poll_at=now, dead=False)
        )
    if not found.followed:
        holding.forget(connection, FeedId(found.id))
    return FeedId(found.id)


def _key(key: Any) -> int:
    return int(key[0])


def _mine(user: UserId, feed: FeedId) -> Any:
    return (subscriptions.c.user_id == user) & (subscriptions.c.feed_id == feed)


def _change_taste(connection: Connection, user: UserId) -> None:
    connection.execute(update(users).where(users.c.id == user).values(taste=users.c.taste + 1))


def _counts(connection: Connection, query: Any, user: UserId) -> Mapping[int, int]:
    return {row[0]: row[1] for row in connection.execute(query, {"user": user})}


def _subscription(
    row: RowMapping, unread: Mapping[int, int], articles: Mapping[int, int]
) -> Subscription:
    return Subscription(
        feed_id=FeedId(row["id"]),
        url=row["url"],
        title=row["own_title"] or row["title"] or row["url"],
        category=row["category"],
        site_url=row["site_url"],
        unread=unread.get(row["id"], 0),
        problem=row["problem"],
        failures=row["failures"],
        polled_at=row["polled_at"],
        next_poll_at=row["next_poll_at"],
        dead=row["dead"],
        articles=articles.get(row["id"], 0),
        full_text=row["full_text"],
        state=FeedState(row["state"]),
    )


def _shelf(one: Subscription) -> tuple[str, str, int]:
    return one.category.casefold(), one.title.casefold(), one.feed_id
