"""Where feeds stand in a reader's list: their categories, and the order the reader gave them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.store.marks import change_taste

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

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
