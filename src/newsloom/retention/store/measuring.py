"""What removing would free, in bytes as the database keeps them: compressed, where it does that."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from newsloom.kernel.db.sql import many, rows_of
from newsloom.retention.values import Removal

# What SQLite and PostgreSQL call the size of a value.
_SIZE = {"sqlite": "LENGTH", "postgresql": "pg_column_size"}

_HTML = (
    ("articles", "content", "original_id"),
    ("articles", "summary", "original_id"),
    ("pages", "html", "article_id"),
    ("revisions", "content", "article_id"),
    ("revisions", "summary", "article_id"),
    ("texts", "rest", "article_id"),
)
_VECTORS = (("embeddings", "vector", "article_id"),)
_REST = (("texts", "lead", "article_id"), ("signatures", "signature", "article_id"))
_MEASURED = {
    Removal.TEXTS: _HTML,
    Removal.VECTORS: _VECTORS,
    Removal.KEYS: (),
    Removal.ARTICLES: (*_HTML, *_VECTORS, *_REST),
}
# A key of a text in the table and its index; some 16 an article. docs/run/backup.md.
KEYS_BYTES = 16 * 60


def measured(connection: Connection, what: Removal, ids: Sequence[int]) -> int:
    """Bytes of so many articles."""
    total = KEYS_BYTES * len(ids) if what in {Removal.KEYS, Removal.ARTICLES} else 0
    size = _SIZE[connection.dialect.name]
    for table, column, of in _MEASURED[what]:
        makers = " AND maker_id IN (SELECT id FROM makers)" if table == "embeddings" else ""
        asked = many(
            f"SELECT COALESCE(SUM({size}({column})), 0) AS bytes FROM {table}"  # noqa: S608
            f" WHERE {of} IN :ids{makers}"
        )
        total += sum(int(row.bytes) for row in rows_of(connection, asked, ids))
    return total
