"""`store.duplicates`."""

from __future__ import annotations

from sqlalchemy import text

from newsloom.duplicates.store.clusters import Clusters
from newsloom.duplicates.store.duplicate_writes import DuplicateWrites
from newsloom.duplicates.store.same_event import SameEventWrites
from newsloom.duplicates.values import Witness
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.kernel.text.urls import publisher

# Who tells of an event: the articles of a cluster with their sources and agencies. Counts none.

_WITNESSES = text("""
    SELECT COALESCE(c.text_id, s.article_id) AS text, o.source, COALESCE(g.agency, '') AS agency
    FROM (
        SELECT m.article_id FROM clusters k JOIN clusters m ON m.cluster_id = k.cluster_id
        WHERE k.article_id = :article
        UNION SELECT CAST(:article AS BIGINT)
    ) AS members JOIN states s ON s.article_id = members.article_id AND s.user_id = :user
    JOIN articles o ON o.id = s.article_id
    LEFT JOIN clusters c ON c.article_id = s.article_id
    LEFT JOIN signatures g ON g.article_id = s.article_id
    ORDER BY s.article_id
""")


class DuplicateStore(DuplicateWrites, SameEventWrites, Clusters):
    """Which articles are the same, and the clusters they form."""

    def witnesses(self, user: UserId, article: ArticleId) -> tuple[Witness, ...]:
        """Who tells of it: the reader's articles of its cluster, itself among them."""
        with self.database.read() as connection:
            rows = connection.execute(_WITNESSES, {"user": user, "article": article})
            return tuple(
                Witness(row.text, publisher(f"//{row.source}"), row.agency) for row in rows
            )
