"""Feeds that a reader leaves, and what it takes to follow them again as if they never had."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, select, text

from newsloom.articles.store.reader_tables import left_feeds, left_states, subscriptions
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.bulk import rows
from newsloom.kernel.db.columns import micros
from newsloom.kernel.ids import FeedId, UserId
from newsloom.reading.store import states
from newsloom.reading.store.marks import change_taste
from newsloom.reading.values.reading import LeftFeed

if TYPE_CHECKING:
    pass

# How long it can be taken back.
KEPT = timedelta(days=30)

_NOTE = text("""
    INSERT INTO left_feeds
        (user_id, feed_id, title, category, since, position, left_at, newest_id)
    SELECT user_id, feed_id, title, category, since, position, :now,
        COALESCE((SELECT MAX(id) FROM articles), 0)
    FROM subscriptions WHERE user_id = :user AND feed_id = :feed
""")
_RETURN = text("""
    INSERT INTO subscriptions (user_id, feed_id, title, category, since, position)
    SELECT user_id, feed_id, title, category, since, position FROM left_feeds
    WHERE user_id = :user AND feed_id = :feed
    ON CONFLICT DO NOTHING
""")
_LEFT = text("""
    SELECT l.feed_id, l.left_at AS at, l.category, f.url,
        COALESCE(NULLIF(l.title, ''), NULLIF(f.title, ''), f.url) AS title,
        (SELECT COUNT(*) FROM left_states s WHERE s.user_id = l.user_id AND s.left_id = l.feed_id)
            AS unread
    FROM left_feeds l JOIN feeds f ON f.id = l.feed_id
    WHERE l.user_id = :user AND l.left_at >= :since
    ORDER BY l.left_at DESC, l.feed_id DESC
""")
_ARRIVED = text("""
    SELECT a.id FROM left_feeds l CROSS JOIN articles a
    WHERE l.user_id = :user AND l.feed_id = :feed AND a.id > l.newest_id AND a.feed_id = :feed
""")


class Leaving(Aggregate):
    """Unsubscribing."""

    _now: Callable[[], datetime]

    def unsubscribe(self, user: UserId, feed: FeedId) -> None:
        """Leave a feed. What was unread of it goes with it; for 30 days it can be taken back."""
        self.unsubscribe_all(user, [feed])

    def unsubscribe_all(self, user: UserId, feeds: Sequence[FeedId]) -> datetime:
        """Leave feeds, all or none; the moment under which `follow_again_all` finds them."""
        now = self._now()
        with self.database.write() as connection:
            _forget_old(connection, now)
            for feed in feeds:
                values = {"user": user, "feed": feed, "now": micros(now)}
                forget_left(connection, user, feed)
                connection.execute(_NOTE, values)
                of_feed = (subscriptions.c.user_id == user) & (subscriptions.c.feed_id == feed)
                connection.execute(delete(subscriptions).where(of_feed))
                states.drop_unread(connection, user, feed)
            change_taste(connection, user)
        return now

    def left(self, user: UserId, now: datetime) -> tuple[LeftFeed, ...]:
        """Feeds that were left and can be followed again as they were, the last first."""
        return self._rows(
            _LEFT,
            LeftFeed,
            user=user,
            since=now - KEPT,
        )

    def follow_again(self, user: UserId, feed: FeedId) -> bool:
        """Take leaving a feed back: its name, category, marks and scores as they were, and what
        came since for others. False when it was not left, or too long ago."""
        with self.database.write() as connection:
            now = self._now()
            _forget_old(connection, now)
            if not _follow_again(connection, user, feed, now):
                return False
            change_taste(connection, user)
        return True

    def follow_again_all(self, user: UserId, left_at: datetime) -> int:
        """The same for all that were left together, all or none; how many."""
        query = select(left_feeds.c.feed_id).where(
            left_feeds.c.user_id == user, left_feeds.c.left_at == left_at
        )
        with self.database.write() as connection:
            now = self._now()
            _forget_old(connection, now)
            feeds = connection.scalars(query).all()
            back = sum(_follow_again(connection, user, FeedId(one), now) for one in feeds)
            if back:
                change_taste(connection, user)
        return back


def _follow_again(connection: Connection, user: UserId, feed: FeedId, now: datetime) -> bool:
    values = {"user": user, "feed": feed}
    if not connection.execute(_RETURN, values).rowcount:
        return False
    states.put_back(connection, user, feed, now)
    arrived = [row[0] for row in rows(connection, _ARRIVED, **values)]
    states.add_those(connection, feed, arrived, now)
    forget_left(connection, user, feed)
    return True


def forget_left(connection: Connection, user: UserId, feed: FeedId) -> None:
    """That the feed was left cannot be taken back any more: it is followed, or left anew."""
    connection.execute(
        delete(left_states).where(left_states.c.user_id == user, left_states.c.left_id == feed)
    )
    connection.execute(
        delete(left_feeds).where(left_feeds.c.user_id == user, left_feeds.c.feed_id == feed)
    )


def _forget_old(connection: Connection, now: datetime) -> None:
    query = select(left_feeds.c.user_id, left_feeds.c.feed_id).where(
        left_feeds.c.left_at < now - KEPT
    )
    for user, feed in connection.execute(query).all():
        forget_left(connection, UserId(user), FeedId(feed))
