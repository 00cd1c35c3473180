"""Tags of articles. A name is as text.tags gives it; names with one key are one tag."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import ArticleId
from newsloom.reading.store.lists.rows import names_of
from newsloom.reading.tag_names import key
from newsloom.reading.values.annotations import Tag

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

# A name that is there already keeps the spelling it has.
_ADD = portable("""
    INSERT INTO article_tags (user_id, key, article_id, name, made_at)
    SELECT s.user_id, CAST(:key AS TEXT), s.article_id, COALESCE((
        SELECT MIN(t.name) FROM article_tags t WHERE t.user_id = :user AND t.key = :key
    ), :name), :now
    FROM states s WHERE s.user_id = :user AND s.article_id IN numbers_in(:those)
    ON CONFLICT DO NOTHING
""")
_REMOVE = portable("""
    DELETE FROM article_tags
    WHERE user_id = :user AND key = :key AND article_id IN numbers_in(:those)
""")
# The articles that have the other name already lose this one; the others change it.
_MERGE = text("""
    DELETE FROM article_tags WHERE user_id = :user AND key = :key AND :key <> :new
    AND article_id IN (SELECT article_id FROM article_tags WHERE user_id = :user AND key = :new)
""")
_RENAME = text("""
    UPDATE article_tags SET key = :new, name = :name
    WHERE user_id = :user AND (key = :key OR key = :new)
""")
_DROP = text("DELETE FROM article_tags WHERE user_id = :user AND key = :key")
_KNOWN = text("SELECT 1 FROM article_tags WHERE user_id = :user AND key = :key LIMIT 1")
_ALL = text("""
    SELECT MIN(t.name) AS name, COUNT(*) AS articles,
        SUM(CASE WHEN s.read = TRUE THEN 0 ELSE 1 END) AS unread
    FROM article_tags t JOIN states s ON s.user_id = t.user_id AND s.article_id = t.article_id
    WHERE t.user_id = :user GROUP BY t.key ORDER BY t.key
""")


class Tags(Aggregate):
    """Names that a reader gives to articles."""

    def add_tags(
        self, user: UserId, articles: Sequence[ArticleId], names: Sequence[str], now: datetime
    ) -> int:
        """Give each of the names to each of the articles that the reader has; how many were new."""
        values: dict[str, Any] = {"user": user, "those": json.dumps(articles), "now": micros(now)}
        with self.database.write() as connection:
            return sum(
                connection.execute(_ADD, {**values, "key": key(name), "name": name}).rowcount
                for name in names
            )

    def remove_tags(self, user: UserId, articles: Sequence[ArticleId], names: Sequence[str]) -> int:
        """Take them off; how many were there."""
        values: dict[str, Any] = {"user": user, "those": json.dumps(articles)}
        with self.database.write() as connection:
            return sum(
                connection.execute(_REMOVE, {**values, "key": key(name)}).rowcount for name in names
            )

    def rename_tag(self, user: UserId, name: str, to: str) -> bool:
        """Call it otherwise; where there is one of that name, the two become one, spelt so.

        Whether there was such a tag.
        """
        values = {"user": user, "key": key(name), "new": key(to), "name": to}
        with self.database.write() as connection:
            if connection.scalar(_KNOWN, values) is None:
                return False
            connection.execute(_MERGE, values)
            connection.execute(_RENAME, values)
            return True

    def drop_tag(self, user: UserId, name: str) -> int:
        """Take it off every article; how many had it."""
        return self._change(_DROP, user=user, key=key(name))

    def tags(self, user: UserId) -> tuple[Tag, ...]:
        """By name, whatever the case."""
        return self._rows(_ALL, Tag, user=user)

    def tags_of(
        self, user: UserId, articles: Sequence[ArticleId]
    ) -> Mapping[ArticleId, tuple[str, ...]]:
        """The names that those articles have, by name; ones without are absent."""
        with self.database.read() as connection:
            return names_of(connection, user, articles)


# What readers added to one article, given to another that it becomes one with or was one with.
# Within the caller's transaction. SQL only.

# Only to readers who have the other.
_HAVING = """
    AND EXISTS (SELECT 1 FROM states s WHERE s.user_id = k.user_id AND s.article_id = :to)
"""
_GIVE = tuple(
    f"""
    INSERT INTO {table} (article_id, {columns})
    SELECT CAST(:to AS BIGINT), {columns} FROM {table} k WHERE k.article_id = :of {{which}}
    ON CONFLICT DO NOTHING
    """  # noqa: S608
    for table, columns in (
        ("article_tags", "user_id, key, name, made_at"),
        ("article_notes", "user_id, text, made_at, changed_at"),
        ("highlights", 'user_id, exact, prefix, suffix, "start", note, made_at'),
    )
)
# What stands at both already: they were one before.
_TWICE = text("""
    DELETE FROM highlights WHERE article_id = :of AND EXISTS (
        SELECT 1 FROM highlights o WHERE o.article_id = :to AND o.user_id = highlights.user_id
        AND o.exact = highlights.exact AND o."start" = highlights."start"
    )
""")
_COPY = tuple(text(one.format(which=_HAVING)) for one in _GIVE)
# Of two notes the one is put under the other.
_MOVE = (
    _TWICE,
    text("""
    UPDATE article_notes SET text = article_notes.text || '\n\n' || o.text,
        changed_at = CASE WHEN o.changed_at > article_notes.changed_at THEN o.changed_at
            ELSE article_notes.changed_at END
    FROM article_notes o
    WHERE article_notes.article_id = :to AND o.article_id = :of
    AND o.user_id = article_notes.user_id AND o.text <> article_notes.text
    """),
    *(text(one.format(which="")) for one in _GIVE),
    *(
        text(f"DELETE FROM {table} WHERE article_id = :of")  # noqa: S608
        for table in ("article_tags", "article_notes", "highlights")
    ),
)


def copy(connection: Connection, of: int, to: int) -> None:
    """Both have it then: nobody knows which of the two it was added to."""
    for statement in _COPY:
        connection.execute(statement, {"of": of, "to": to})


def move(connection: Connection, of: int, to: int) -> None:
    """The other has it then, beside what it has."""
    for statement in _MOVE:
        connection.execute(statement, {"of": of, "to": to})
