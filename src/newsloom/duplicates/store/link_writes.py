"""Links between articles written, and what follows for readers who have several of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, text

from newsloom.duplicates.store import cluster_rows
from newsloom.duplicates.store.tables import links
from newsloom.duplicates.values import Link
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import many, rows_of

_READ_ELSEWHERE = many("""
    SELECT c.article_id, a.dated_at, r.user_id,
        CASE WHEN o.source = a.source AND o.canonical_url <> a.canonical_url THEN 1 ELSE 0 END
            AS again,
        (
            SELECT MAX(e.at) FROM events e WHERE e.user_id = r.user_id
            AND e.article_id = r.article_id AND e.undone_by IS NULL
            AND e.kind IN ('read', 'opened', 'finished', 'skipped', 'bulk read')
        ) AS read_at
    FROM clusters c CROSS JOIN clusters m CROSS JOIN states r
    CROSS JOIN articles a CROSS JOIN articles o
    WHERE c.article_id IN :ids AND m.article_id <> c.article_id AND r.read = TRUE
    AND m.cluster_id = c.cluster_id AND m.text_id = c.text_id AND r.article_id = m.article_id
    AND a.id = c.article_id AND o.id = m.article_id
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

    What a reader has starred, rated or set aside stays as it is. So does what the same source
    published after the reader read its copy: an alert that is given again is news.
    """
    copies: dict[tuple[int, int], list[Row[Any]]] = defaultdict(list)
    for row in rows_of(connection, _READ_ELSEWHERE, articles):
        copies[row.user_id, row.article_id].append(row)
    values = [
        {"user": user, "article": article}
        for (user, article), found in copies.items()
        if not _published_again(found)
    ]
    if values:
        connection.execute(_READ, values)


def _published_again(copies: Sequence[Row[Any]]) -> bool:
    """Whether an article came out after the last reading of its copies in the same source."""
    readings = [row.read_at for row in copies if row.read_at is not None]
    again = any(row.again for row in copies)
    return again and bool(readings) and copies[0].dated_at > max(readings)


def link_copies(connection: Connection, found: Sequence[Link], at: datetime) -> None:
    """Join articles that a poll added with those they are copies of, once they have states."""
    if found:
        insert_links(connection, found, at)
        cluster_rows.join(connection, found)
        mark_copies_read(connection, [one.article for one in found])
