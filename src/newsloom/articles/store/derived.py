"""Reading what stages made of articles: texts, and the reader's categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row

from newsloom.kernel.db.columns import moment
from newsloom.kernel.db.sql import many, rows_of
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.ranking.values.models import ArticleText

# The text of an article that no stage has read yet is its title alone.
_TEXTS = many("""
    SELECT o.id, COALESCE(t.title, f.title) AS title, COALESCE(t.lead, '') AS lead,
        o.source, f.language, o.dated_at, o.feed_id, w.url AS feed_url, t.digest
    FROM articles o
    JOIN articles f ON f.id = o.fullest_id
    JOIN feeds w ON w.id = o.feed_id
    LEFT JOIN texts t ON t.article_id = o.id
    WHERE o.id IN :ids
""")
_CATEGORIES = many("""
    SELECT a.original_id, c.category
    FROM articles a CROSS JOIN subscriptions c
    WHERE a.original_id IN :ids AND c.user_id = :user AND c.feed_id = a.feed_id
    ORDER BY a.original_id, a.id DESC
""")

_DIGESTS = many("SELECT article_id, digest FROM texts WHERE article_id IN :ids")


def article_texts(connection: Connection, ids: Sequence[int]) -> Mapping[int, ArticleText]:
    return {row.id: _article_text(row) for row in rows_of(connection, _TEXTS, ids)}


def versioned_texts(
    connection: Connection, ids: Sequence[int]
) -> tuple[Mapping[int, ArticleText], Mapping[int, str]]:
    """Texts, and what tells the version of each."""
    rows = rows_of(connection, _TEXTS, ids)
    return {row.id: _article_text(row) for row in rows}, {row.id: str(row.digest) for row in rows}


def _article_text(row: Row[Any]) -> ArticleText:
    return ArticleText(
        id=ArticleId(row.id),
        title=row.title,
        text=row.lead,
        source=row.source,
        language=row.language,
        dated=moment(row.dated_at),
        feed_id=row.feed_id,
        feed_url=row.feed_url,
    )


def categories(connection: Connection, user: UserId, ids: Sequence[int]) -> Mapping[int, str]:
    """The reader's category of the first of their feeds that carries each article."""
    return {
        row.original_id: row.category for row in rows_of(connection, _CATEGORIES, ids, user=user)
    }


def digests(connection: Connection, ids: Sequence[int]) -> dict[int, int]:
    """What tells the text of each article that has one."""
    return {row.article_id: row.digest for row in rows_of(connection, _DIGESTS, ids)}
