"""Which articles a reader has added something to. SQL only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from newsloom.store.sql import many, rows_of
from newsloom.types import ArticleId

# Of a row of `states`: the reader keeps it, whatever becomes of its feed.
KEPT = "({})".format(
    " OR ".join(
        (
            "states.later = TRUE",
            *(
                f"EXISTS (SELECT 1 FROM {table} k WHERE k.user_id = states.user_id"  # noqa: S608
                " AND k.article_id = states.article_id)"
                for table in ("article_tags", "article_notes", "highlights")
            ),
        )
    )
)

_NAMES = many("""
    SELECT article_id, name FROM article_tags
    WHERE user_id = :user AND article_id IN :ids ORDER BY key
""")
_ANNOTATED = many("""
    SELECT article_id FROM article_notes WHERE user_id = :user AND article_id IN :ids
    UNION SELECT article_id FROM highlights WHERE user_id = :user AND article_id IN :ids
""")


def names_of(
    connection: Connection, user: int, articles: Sequence[int]
) -> Mapping[ArticleId, tuple[str, ...]]:
    """The tags of those articles, by name; ones without are absent."""
    found: dict[ArticleId, list[str]] = defaultdict(list)
    for row in rows_of(connection, _NAMES, articles, user=user):
        found[ArticleId(row.article_id)].append(row.name)
    return {article: tuple(names) for article, names in found.items()}


def annotated(connection: Connection, user: int, articles: Sequence[int]) -> frozenset[int]:
    """Those of the articles with a note or a highlight."""
    return frozenset(row.article_id for row in rows_of(connection, _ANNOTATED, articles, user=user))
