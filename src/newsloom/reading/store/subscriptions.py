"""Feeds that readers follow: to begin with one, to name it, to know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import (
    Connection,
    Row,
    exists,
    func,
    insert,
    select,
    update,
)

from newsloom.articles.store.reader_tables import subscriptions
from newsloom.feeds.store.tables import feeds
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.columns import EPOCH, micros
from newsloom.kernel.db.dialects import allocate_ids
from newsloom.kernel.db.sql import CHUNK, Aggregate
from newsloom.kernel.ids import FeedId
from newsloom.reading.store import arranging, states
from newsloom.reading.store.arranging import forget_left
from newsloom.reading.store.marks import change_taste

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

# The interval a feed starts from, before its publisher's habits are known.
FIRST_INTERVAL = timedelta(hours=1)


class Subscriptions(Aggregate):
    """Subscriptions."""

    def shared_feeds(self) -> Mapping[str, int]:
        """Feeds that several readers follow: address to how many."""
        readers = func.count().label("readers")
        query = (
            select(feeds.c.url, readers)
            .join(subscriptions, subscriptions.c.feed_id == feeds.c.id)
            .group_by(feeds.c.id)
            .having(readers > 1)
        )
        return dict(self._rows(query, tuple))

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
        return self._value(query, str)

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
        if title is None and category is None:
            return
        with self.database.write() as connection:
            if title is not None:
                named = update(subscriptions).where(_mine(user, feed)).values(title=title)
                connection.execute(named)
            if category is not None:
                arranging.file(connection, user, [feed], category)
            change_taste(connection, user)


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
    first = allocate_ids(connection, "feeds", len(unheard))
    at, interval = micros(now), micros(EPOCH + FIRST_INTERVAL)
    numbered = list(enumerate(unheard, start=first))
    insert_rows(
        connection,
        feeds,
        ("id", "url", "host", "next_poll_at", "interval"),
        [(feed, one.url, _host(one.url), at, interval) for feed, one in numbered],
    )
    insert_rows(
        connection,
        subscriptions,
        ("user_id", "feed_id", "title", "category", "since"),
        [(user, feed, one.title, one.category, at) for feed, one in numbered],
    )
    change_taste(connection, user)


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
    change_taste(connection, user)
    return feed, True


def _host(url: str) -> str:
    from newsloom.kernel.text.urls import (
        shared_host,  # slow to import, and only needed for new feeds
    )

    return shared_host(url)


def _feed(connection: Connection, url: str, now: datetime) -> FeedId:
    """The feed of an address, made or woken if need be."""
    followed = exists().where(subscriptions.c.feed_id == feeds.c.id)
    found = connection.execute(
        select(feeds.c.id, feeds.c.dead, followed.label("followed")).where(feeds.c.url == url)
    ).one_or_none()
    if found is None:
        made = connection.execute(
            insert(feeds).values(
                url=url, host=_host(url), next_poll_at=now, interval=FIRST_INTERVAL
            )
        )
        return FeedId(_key(made.inserted_primary_key))
    if found.dead or not found.followed:
        connection.execute(
            update(feeds).where(feeds.c.id == found.id).values(next_poll_at=now, dead=False)
        )
    if not found.followed:
        from newsloom.feeds.store import quarantine  # slow to import, and seldom needed

        quarantine.forget(connection, FeedId(found.id))
    return FeedId(found.id)


def _key(key: Any) -> int:
    return int(key[0])


def _mine(user: UserId, feed: FeedId) -> Any:
    return (subscriptions.c.user_id == user) & (subscriptions.c.feed_id == feed)
