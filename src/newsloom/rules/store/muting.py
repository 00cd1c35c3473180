"""Articles out of a reader's lists by a rule: their states stand apart, so no list knows them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, text

from newsloom.kernel.db import producers
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import beginning, micros, moment, row_title
from newsloom.kernel.db.sql import CHUNK, many
from newsloom.kernel.ids import ArticleId
from newsloom.reading.store import states
from newsloom.rules.store import queue
from newsloom.rules.values import MutedArticle, RuleId

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.rules.values import RuleDid

_COLUMNS = "user_id, article_id, feed_id, dated_at, sensitivity, relevance, rank_key, language"
_MUTABLE = """
    user_id = :user AND article_id IN :ids AND read = FALSE AND starred = FALSE AND later = FALSE
    AND rating = 0
"""
_KEEP = many(f"""
    INSERT INTO muted_articles ({_COLUMNS}, rule_id, rule_name, muted_at)
    SELECT {_COLUMNS}, CAST(:rule AS BIGINT), CAST(:name AS TEXT), CAST(:now AS BIGINT)
    FROM states WHERE {_MUTABLE}
    ON CONFLICT DO NOTHING
""")  # noqa: S608
_HIDE = many(f"DELETE FROM states WHERE {_MUTABLE}")  # noqa: S608
# Scored by nobody: what it would stand by may have changed meanwhile.
_BACK = many(f"""
    INSERT INTO states ({_COLUMNS}, scored_by)
    SELECT {_COLUMNS}, {producers.NOBODY} FROM muted_articles
    WHERE user_id = :user AND article_id IN :ids
    ON CONFLICT DO NOTHING
""")  # noqa: S608
_GONE = many("DELETE FROM muted_articles WHERE user_id = :user AND article_id IN :ids")
_SPARE = text("""
    INSERT INTO rule_effects (user_id, article_id, spared, at)
    SELECT user_id, article_id, TRUE, CAST(:now AS BIGINT) FROM muted_articles
    WHERE user_id = :user AND article_id = :article
    ON CONFLICT (user_id, article_id) DO UPDATE SET spared = TRUE
""")
_LIST = text(f"""
    SELECT m.article_id, f.title, o.url, m.dated_at, m.muted_at, m.rule_id,
        {beginning("m.article_id")},
        COALESCE(r.name, m.rule_name) AS rule_name,
        COALESCE(c.title, '') AS own_name, d.title AS feed_title, d.url AS feed_url
    FROM muted_articles m
    JOIN articles o ON o.id = m.article_id
    JOIN articles f ON f.id = o.fullest_id
    JOIN feeds d ON d.id = m.feed_id
    LEFT JOIN subscriptions c ON c.user_id = m.user_id AND c.feed_id = m.feed_id
    LEFT JOIN rules r ON r.id = m.rule_id AND r.user_id = m.user_id
    WHERE m.user_id = :user
    ORDER BY m.dated_at DESC, m.article_id DESC LIMIT :limit OFFSET :offset
""")  # noqa: S608
_COUNT = text("SELECT COUNT(*) FROM muted_articles WHERE user_id = :user")


class Muting(Aggregate):
    """The list of what is muted."""

    def muted(self, user: UserId, limit: int, offset: int = 0) -> tuple[MutedArticle, ...]:
        """The newest first."""
        return self._rows(_LIST, _muted, user=user, limit=limit, offset=offset)

    def muted_count(self, user: UserId) -> int:
        return self._value(_COUNT, int, user=user) or 0

    def unmute(self, user: UserId, article: ArticleId, now: datetime) -> bool:
        """Put one back into the lists, where no rule mutes it again; whether it was muted."""
        values = {"user": user, "article": article, "now": micros(now)}
        with self.database.write() as connection:
            connection.execute(_SPARE, values)
            if not unhide(connection, user, [article], now):
                return False
            queue.look_at(connection, [article])
            return True


def hide(
    connection: Connection, user: UserId, ids: Sequence[int], by: RuleDid, now: datetime
) -> None:
    """Take states away that nobody has made anything of."""
    for start in range(0, len(ids), CHUNK):
        values = {
            "user": user,
            "ids": list(ids[start : start + CHUNK]),
            "rule": by.rule,
            "name": by.name,
            "now": micros(now),
        }
        connection.execute(_KEEP, values)
        connection.execute(_HIDE, values)


def unhide(connection: Connection, user: UserId, ids: Sequence[int], now: datetime) -> int:
    """Put them back as they were, unscored by anybody; how many."""
    found = 0
    for start in range(0, len(ids), CHUNK):
        values = {"user": user, "ids": list(ids[start : start + CHUNK])}
        connection.execute(_BACK, values)
        found += connection.execute(_GONE, values).rowcount
    if found:
        states.give(connection, [user], now)
    return found


def _muted(row: Row[Any]) -> MutedArticle:
    from newsloom.articles.publishers import source_name  # marks need no names

    return MutedArticle(
        article=ArticleId(row.article_id),
        title=row_title(row),
        url=row.url,
        feed_title=source_name(row.own_name, row.feed_title, row.feed_url),
        dated=moment(row.dated_at),
        muted_at=moment(row.muted_at),
        rule=RuleId(row.rule_id),
        rule_name=row.rule_name,
    )
