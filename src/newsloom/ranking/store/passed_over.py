"""What a reader passed over without a word, when they were there, what tells of one thing.

Weighs nothing: classify.passed_over says what it is worth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import text

from newsloom.articles.store.derived import article_texts, categories
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import moment
from newsloom.kernel.db.sql import many, rows_of
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.values.models import PassedOver

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

_DAY = 86_400_000_000  # microseconds

# Nothing was ever said of them, not even taken back, and they were not opened: that would say
# that the title worked. What was read when it was first seen may have been read with joy. What came
# in a forgotten stretch teaches nothing either. An article of another program was in its list since
# it came out, whenever Newsloom first saw it.
_PASSED_OVER = text("""
    SELECT s.article_id, s.read, CASE WHEN EXISTS (
        SELECT 1 FROM bridge_entries b JOIN bridge_accounts c ON c.id = b.account_id
        WHERE b.article_id = s.article_id AND c.user_id = s.user_id
    ) THEN s.dated_at ELSE o.first_seen_at END AS came, EXISTS (
        SELECT 1 FROM events r WHERE r.user_id = s.user_id AND r.article_id = s.article_id
        AND r.kind = 'read' AND r.undone_by IS NULL
    ) AS alone
    FROM states s JOIN articles o ON o.id = s.article_id
    WHERE s.user_id = :user AND s.read = :read AND s.rating = 0 AND s.starred = FALSE
    AND NOT EXISTS (
        SELECT 1 FROM events e WHERE e.user_id = s.user_id AND e.article_id = s.article_id
        AND e.kind IN ('like', 'dislike', 'star', 'opened', 'finished', 'skipped')
    )
    AND (s.read = FALSE OR EXISTS (
        SELECT 1 FROM events e WHERE e.user_id = s.user_id AND e.article_id = s.article_id
        AND e.kind IN ('read', 'bulk read') AND e.undone_by IS NULL AND e.at > o.first_seen_at
    ))
    AND NOT EXISTS (
        SELECT 1 FROM forgettings f WHERE f.user_id = s.user_id AND f.lifted_at IS NULL
        AND o.first_seen_at >= f.since AND o.first_seen_at < f.until
    )
    ORDER BY s.dated_at DESC, s.article_id DESC LIMIT :limit
""")
_VISITS = text(f"""
    SELECT MAX(e.at) AS at FROM events e
    WHERE e.user_id = :user AND e.via <> 'import' AND NOT EXISTS (
        SELECT 1 FROM forgettings f WHERE f.user_id = e.user_id AND f.lifted_at IS NULL
        AND e.at >= f.since AND e.at < f.until
    )
    GROUP BY e.at / {_DAY} ORDER BY 1
""")  # noqa: S608 - a number of ours
_STORIES = many("SELECT article_id, story_id AS number FROM story_members WHERE article_id IN :ids")
_CLUSTERS = many("SELECT article_id, cluster_id AS number FROM clusters WHERE article_id IN :ids")


class PassedOverArticles(Aggregate):
    """Articles without a word."""

    def passed_over(self, user: UserId, limit: int) -> tuple[PassedOver, ...]:
        """The newest `limit` of the read and as many of the unread, of which nothing was ever
        said."""
        with self.database.read() as connection:
            rows = [
                row
                for read in (True, False)
                for row in connection.execute(
                    _PASSED_OVER, {"user": user, "read": read, "limit": limit}
                )
            ]
            ids = [row.article_id for row in rows]
            found = article_texts(connection, ids)
            shelves = categories(connection, user, ids)
        return tuple(
            PassedOver(
                article=found[row.article_id],
                category=shelves.get(row.article_id, ""),
                came=moment(row.came),
                read=bool(row.read),
                alone=bool(row.alone),
            )
            for row in rows
        )

    def visits(self, user: UserId) -> tuple[datetime, ...]:
        """The last moment of each day (UTC) on which the reader did anything, oldest first."""
        with self.database.read() as connection:
            rows = connection.execute(_VISITS, {"user": user})
            return tuple(moment(row.at).astimezone(UTC) for row in rows)

    def told_together(self, articles: Sequence[ArticleId]) -> Mapping[ArticleId, tuple[str, ...]]:
        """Names of the story and the event that each belongs to; what is in none is absent."""
        found: dict[ArticleId, list[str]] = defaultdict(list)
        with self.database.read() as connection:
            for name, statement in (("story", _STORIES), ("event", _CLUSTERS)):
                for row in rows_of(connection, statement, articles):
                    found[ArticleId(row.article_id)].append(f"{name} {row.number}")
        return {article: tuple(names) for article, names in found.items()}
