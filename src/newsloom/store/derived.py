"""Reading what stages made of articles: texts, vectors, ratings, and the reader's categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, TextClause, bindparam, text

from newsloom.ports import Vectors
from newsloom.store.columns import moment
from newsloom.store.keys import CHUNK
from newsloom.types import ArticleId, ArticleText, UserId

# Vectors are kept in half precision: between 3,000 real titles no cosine moved by more than 0.00008
# and 99.97% of the ten nearest stayed, and a million vectors take 0.8 GB in place of 1.5.
STORED = np.dtype("<f2")


def many(query: str) -> TextClause:
    """A query with an IN :ids, for rows_of."""
    return text(query).bindparams(bindparam("ids", expanding=True))


# The text of an article that no stage has read yet is its title alone.
_TEXTS = many("""
    SELECT o.id, COALESCE(t.title, f.title) AS title, COALESCE(t.lead, '') AS lead,
        o.source, f.language, o.dated_at, o.feed_id
    FROM articles o
    JOIN articles f ON f.id = o.fullest_id
    LEFT JOIN texts t ON t.article_id = o.id
    WHERE o.id IN :ids
""")
_VECTORS = many(
    "SELECT article_id, vector FROM embeddings WHERE maker_id = :maker AND article_id IN :ids"
)
_CATEGORIES = many("""
    SELECT a.original_id, c.category
    FROM articles a CROSS JOIN subscriptions c
    WHERE a.original_id IN :ids AND c.user_id = :user AND c.feed_id = a.feed_id
    ORDER BY a.original_id, a.id DESC
""")


_DIGESTS = many("SELECT article_id, digest FROM texts WHERE article_id IN :ids")


def rows_of(
    connection: Connection, query: TextClause, ids: Sequence[int], **values: Any
) -> list[Row[Any]]:
    """What a query with an IN of ids finds, asked in parts."""
    found: list[Row[Any]] = []
    for start in range(0, len(ids), CHUNK):
        found += connection.execute(query, {**values, "ids": list(ids[start : start + CHUNK])})
    return found


def article_texts(connection: Connection, ids: Sequence[int]) -> Mapping[int, ArticleText]:
    return {
        row.id: ArticleText(
            id=ArticleId(row.id),
            title=row.title,
            text=row.lead,
            source=row.source,
            language=row.language,
            dated=moment(row.dated_at),
            feed_id=row.feed_id,
        )
        for row in rows_of(connection, _TEXTS, ids)
    }


def categories(connection: Connection, user: UserId, ids: Sequence[int]) -> Mapping[int, str]:
    """The reader's category of the first of their feeds that carries each article."""
    return {
        row.original_id: row.category for row in rows_of(connection, _CATEGORIES, ids, user=user)
    }


def vectors(
    connection: Connection, maker: int, ids: Sequence[int]
) -> Mapping[ArticleId, NDArray[np.float32]]:
    """Unit-length rows; rounding to half precision is corrected for in their length."""
    found = rows_of(connection, _VECTORS, ids, maker=maker)
    if not found:
        return {}
    rows = np.frombuffer(b"".join(row.vector for row in found), STORED).astype(np.float32)
    rows = rows.reshape(len(found), -1)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths > 0, lengths, 1)
    return {ArticleId(row.article_id): line for row, line in zip(found, rows, strict=True)}


def digests(connection: Connection, ids: Sequence[int]) -> dict[int, int]:
    """What tells the text of each article that has one."""
    return {row.article_id: row.digest for row in rows_of(connection, _DIGESTS, ids)}


def matrix(connection: Connection, maker: int, ids: Sequence[int]) -> Vectors:
    """The vectors of those articles, in that order; all must have one."""
    found = vectors(connection, maker, ids)
    if not ids:
        return np.empty((0, 0), dtype=np.float32)
    return np.stack([found[ArticleId(one)] for one in ids])
