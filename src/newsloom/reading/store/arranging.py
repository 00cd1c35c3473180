"""Where feeds stand in a reader's list: their categories, and the order the reader gave them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select, text

from newsloom.articles.store.reader_tables import left_feeds, left_states, subscriptions
from newsloom.kernel.db.bulk import rows
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.reading.store import states
from newsloom.reading.store.marks import change_taste
from newsloom.reading.values.reading import LeftFeed

_CATEGORIES = text("SELECT name, position FROM categories WHERE user_id = :user ORDER BY name")
_MAKE = text("""
    INSERT INTO categories (user_id, name) VALUES (:user, :name)
    ON CONFLICT (user_id, name) DO NOTHING
""")
_PLACE_CATEGORY = text("""
    INSERT INTO categories (user_id, name, position) VALUES (:user, :name, :position)
    ON CONFLICT (user_id, name) DO UPDATE SET position = excluded.position
""")
_DROP = text("DELETE FROM categories WHERE user_id = :user AND name = :name")
# A feed that comes into another category has no place in its order yet.
_FILE = portable("""
    UPDATE subscriptions SET category = :category, position = 0
    WHERE user_id = :user AND feed_id IN numbers_in(:feeds) AND category <> :category
""")
_REFILE = text("""
    UPDATE subscriptions SET category = :new, position = CASE WHEN :merged = 0 THEN position ELSE 0
    END WHERE user_id = :user AND category = :old
""")
_PLACE_FEED = text("""
    UPDATE subscriptions SET position = :position WHERE user_id = :user AND feed_id = :feed
""")
_UNPLACE = (
    text("UPDATE subscriptions SET position = 0 WHERE user_id = :user AND position <> 0"),
    text("UPDATE categories SET position = 0 WHERE user_id = :user AND position <> 0"),
)
_TAKEN = text("""
    SELECT COUNT(*) FROM subscriptions WHERE user_id = :user AND category = :name
""")
_KEEP_NAME = text("UPDATE categories SET name = :new WHERE user_id = :user AND name = :old")
# How the category's lists look stays with it; what is chosen for the other of two stays as well.
_DROP_LOOKS = text("""
    DELETE FROM preferences WHERE user_id = :user AND scope = :old AND name IN (
        SELECT name FROM preferences WHERE user_id = :user AND scope = :new
    )
""")
_KEEP_LOOKS = text("UPDATE preferences SET scope = :new WHERE user_id = :user AND scope = :old")
_UNREAD_OF = portable("""
    SELECT article_id FROM states
    WHERE user_id = :user AND read = FALSE AND feed_id IN numbers_in(:feeds)
    UNION SELECT a.original_id FROM articles a CROSS JOIN states s
    WHERE a.feed_id IN numbers_in(:feeds) AND a.original_id <> a.id
    AND s.user_id = :user AND s.article_id = a.original_id AND s.read = FALSE
    ORDER BY article_id
""")


class Arranging(Aggregate):
    """The reader's list of feeds, put in order. Every change is whole or not at all."""

    def categories(self, user: UserId) -> Mapping[str, int]:
        """Those made or placed by the reader, with their place; 0: none of its own."""
        return dict(self._rows(_CATEGORIES, tuple, **_of(user)))

    def make_category(self, user: UserId, name: str) -> None:
        """An empty one; one that is there stays as it is."""
        with self.database.write() as connection:
            connection.execute(_MAKE, {**_of(user), "name": name})

    def file_feeds(self, user: UserId, feeds: Sequence[FeedId], category: str) -> int:
        """Feeds into a category, or into none (""); how many stood elsewhere."""
        with self.database.write() as connection:
            moved = file(connection, user, feeds, category)
            if moved:
                change_taste(connection, user)
            return moved

    def rename_category(self, user: UserId, old: str, new: str) -> int:
        """Also into one that is there already: then both are one. How many feeds it has brought."""
        values: dict[str, object] = {**_of(user), "old": old, "new": new}
        with self.database.write() as connection:
            merged = connection.scalar(_TAKEN, {**_of(user), "name": new}) or 0
            moved = connection.execute(_REFILE, values | {"merged": merged}).rowcount
            known = {row.name for row in connection.execute(_CATEGORIES, _of(user))}
            if merged or new in known:
                connection.execute(_DROP, {**_of(user), "name": old})
            else:
                connection.execute(_KEEP_NAME, values)
            scopes = {**_of(user), "old": f"category:{old}", "new": f"category:{new}"}
            connection.execute(_DROP_LOOKS, scopes)
            connection.execute(_KEEP_LOOKS, scopes)
            change_taste(connection, user)
            return moved

    def drop_category(self, user: UserId, name: str) -> int:
        """Its feeds are in none then; how many."""
        values = {**_of(user), "old": name, "new": "", "merged": 1}
        with self.database.write() as connection:
            moved = connection.execute(_REFILE, values).rowcount
            connection.execute(_DROP, {**_of(user), "name": name})
            change_taste(connection, user)
            return moved

    def place_feeds(
        self, user: UserId, feeds: Sequence[FeedId], category: str | None = None
    ) -> None:
        """In this order, the first first; with `category`, and in that one."""
        with self.database.write() as connection:
            if category is not None and file(connection, user, feeds, category):
                change_taste(connection, user)
            rows = [
                {**_of(user), "feed": feed, "position": position}
                for position, feed in enumerate(feeds, start=1)
            ]
            if rows:
                connection.execute(_PLACE_FEED, rows)

    def place_categories(self, user: UserId, names: Sequence[str]) -> None:
        """In this order, the first first."""
        with self.database.write() as connection:
            for position, name in enumerate(names, start=1):
                values = {**_of(user), "name": name, "position": position}
                connection.execute(_PLACE_CATEGORY, values)

    def forget_order(self, user: UserId) -> None:
        """Everything by its name again."""
        with self.database.write() as connection:
            for statement in _UNPLACE:
                connection.execute(statement, _of(user))

    def unread_of(self, user: UserId, feeds: Sequence[FeedId]) -> tuple[ArticleId, ...]:
        """What is unread in any of those feeds."""
        values = {**_of(user), "feeds": json.dumps(list(feeds))}
        with self.database.read() as connection:
            return tuple(ArticleId(one) for one in connection.scalars(_UNREAD_OF, values))


def file(connection: Connection, user: UserId, feeds: Sequence[FeedId], category: str) -> int:
    """Feeds into a category; how many stood elsewhere."""
    values = {**_of(user), "feeds": json.dumps(list(feeds)), "category": category}
    return connection.execute(_FILE, values).rowcount


def _of(user: UserId) -> dict[str, object]:
    return {"user": user}


# Feeds that a reader leaves, and what it takes to follow them again as if they never had.

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
