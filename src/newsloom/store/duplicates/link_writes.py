"""Links between articles written, and what follows for readers who have several of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, text

from newsloom.store.bulk import insert_rows
from newsloom.store.columns import micros
from newsloom.store.duplicates import cluster_rows
from newsloom.store.duplicates.tables import links
from newsloom.store.sql import many, rows_of
from newsloom.types import Link

_READ_ELSEWHERE = many("""
    SELECT DISTINCT c.article_id, r.user_id
    FROM clusters c CROSS JOIN clusters m CROSS JOIN states r
    WHERE c.article_id IN :ids AND m.article_id <> c.article_id AND r.read = TRUE
    AND m.cluster_id = c.cluster_id AND m.text_id = c.text_id AND r.article_id = m.article_id
""")
_READ = text("""
    UPDATE states SET read = TRUE WHERE user_id = :user AND article_id = :article
    AND read = FALSE AND starred = FALSE AND rating = 0 AND later = FALSE
""")
_COLUMNS = ("article_id", "other_id", "relation", "evidence", "at")


def insert_links(connection: Connection, found: Sequence[Link], at: datetime) -> None:
    """Store links between pairs that have none. Leaves the clusters as they are."""
    rows = [
        (
            one.article,
            one.other,
            one.relation.value,
            json.dumps([[why.layer, why.score, why.detail] for why in one.evidence]),
            micros(at),
        )
        for one in found
    ]
    insert_rows(connection, links, _COLUMNS, rows)


def mark_copies_read(connection: Connection, articles: Sequence[int]) -> None:
    """Mark articles as read for every reader who has read another copy of the same text.

    What a reader has starred, rated or set aside stays as it is.
    """
    found = rows_of(connection, _READ_ELSEWHERE, articles)
    if found:
        values = [{"article": row.article_id, "user": row.user_id} for row in found]
        connection.execute(_READ, values)


def link_copies(connection: Connection, found: Sequence[Link], at: datetime) -> None:
    """Join articles that a poll added with those they are copies of, once they have states."""
    if found:
        insert_links(connection, found, at)
        cluster_rows.join(connection, found)
        mark_copies_read(connection, [one.article for one in found])
