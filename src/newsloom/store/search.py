"""Full-text search over the articles of one reader. The only place that speaks FTS5."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

from newsloom.store import orders
from newsloom.store.lists import listed
from newsloom.store.rows import Place, collapsed
from newsloom.store.sql import many, rows_of
from newsloom.types import Rows

if TYPE_CHECKING:
    from newsloom.ports import HalfLives
    from newsloom.store.engine import Database
    from newsloom.types import Listed, UserId

# More words than these only slow a search down; nobody types them.
MOST_WORDS = 32

# A word in the title says more than one in the lead, and that more than one further down.
_FOUND = """
    SELECT s.article_id, bm25(texts_search, 8.0, 2.0, 1.0) AS distance
    FROM texts_search CROSS JOIN states s
    WHERE texts_search MATCH :expression AND s.user_id = :user
    AND s.article_id = texts_search.rowid
    ORDER BY distance, s.article_id DESC
    LIMIT :limit
"""
# A row of those that the words are in: the fullest is shown.
_ROWS = """
    SELECT m.article_id, g.{group} FROM ({found}) m
    LEFT JOIN clusters g ON g.article_id = m.article_id
    ORDER BY m.distance, m.article_id DESC
"""
_FULLEST = """
    SELECT asked, article_id FROM (
        SELECT g.article_id AS asked, s.article_id,
            ROW_NUMBER() OVER (
                PARTITION BY g.article_id
                ORDER BY f.length DESC, s.dated_at, s.article_id
            ) AS place
        FROM texts_search CROSS JOIN clusters c CROSS JOIN clusters g CROSS JOIN states s
        CROSS JOIN articles o CROSS JOIN articles f
        WHERE texts_search MATCH :expression AND c.article_id = texts_search.rowid
        AND g.article_id IN :ids AND c.{group} = g.{group} AND s.user_id = :user
        AND s.article_id = c.article_id AND o.id = s.article_id AND f.id = o.fullest_id
    ) AS matching WHERE place = 1
"""
_STATEMENTS = {
    rows: (text(_ROWS.format(group=group, found=_FOUND)), many(_FULLEST.format(group=group)))
    for rows, group in orders.GROUP.items()
}
_ARTICLES = text(_FOUND)


class Search:
    """Search: part of the ReadingStore role."""

    database: Database

    def search(
        self,
        user: UserId,
        words: str,
        limit: int,
        now: datetime,
        half_lives: HalfLives,
        rows: Rows = Rows.CLUSTER,
    ) -> tuple[Listed, ...]:
        """Full text, best match first. Any input is safe: operators in it are only words."""
        sought = expression(words)
        if not sought:
            return ()
        values = {"expression": sought, "user": user, "limit": limit, "offset": 0}
        with self.database.read() as connection:
            ids = _found(connection, values, rows)
            return listed(connection, user, [Place(one, one) for one in ids], now, half_lives, rows)


def _found(connection: Connection, values: Mapping[str, Any], rows: Rows) -> list[int]:
    """The articles to show, best match first."""
    if rows is Rows.ARTICLE:
        return [row[0] for row in connection.execute(_ARTICLES, values)]
    statement, fullest = _STATEMENTS[rows]
    best = collapsed(connection, statement, values)
    shared = [article for article, others in best if others]
    shown = {row.asked: row.article_id for row in rows_of(connection, fullest, shared, **values)}
    return [shown.get(article, article) for article, _others in best]


def expression(words: str) -> str:
    """What someone typed as an FTS5 expression: every word, the last one perhaps unfinished.

    Each word is quoted, so nothing in it is an operator; one without a letter or digit is left
    out, for FTS5 would take it as matching nothing.
    """
    found = [word for word in words.replace("\0", " ").split() if re.search(r"\w", word)]
    quoted = ['"' + word.replace('"', '""') + '"' for word in found[:MOST_WORDS]]
    finished = not words or words[-1].isspace()
    return " ".join(quoted) + ("*" if quoted and not finished else "")
