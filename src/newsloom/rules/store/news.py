"""What rules say to tell of: kept from the transaction that decided it to the one that tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Connection, bindparam, text

from newsloom.digests.values import DigestKind
from newsloom.kernel.db.bulk import run_for_each
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import Aggregate, many
from newsloom.rules.values import RuleNews

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

# Where nothing is sent anywhere, nothing is kept.
_TOLD_OF = text("SELECT COUNT(*) FROM digest_schedules WHERE user_id = :user AND kind = :kind")
_ADD = text("""
    INSERT INTO rule_news (user_id, article_id, rule_name, at)
    VALUES (:user, :article, :name, :now) ON CONFLICT DO NOTHING
""")
_WAITING = text("""
    SELECT article_id, rule_name FROM rule_news WHERE user_id = :user AND at >= :since
    ORDER BY at, article_id LIMIT :limit
""")
_DROP = many("DELETE FROM rule_news WHERE user_id = :user AND article_id IN :ids")
_ALL_BEFORE = text("DELETE FROM rule_news WHERE user_id = :user AND at < :since").bindparams(
    bindparam("since")
)


class News(Aggregate):
    """News by rules."""

    def rule_news(self, user: UserId, since: datetime, limit: int) -> tuple[RuleNews, ...]:
        """What is to be told, the oldest first."""
        return self._rows(
            _WAITING,
            RuleNews,
            user=user,
            since=since,
            limit=limit,
        )

    def drop_rule_news(self, user: UserId, until: datetime) -> int:
        """Forget what was to be told before then."""
        return self._change(_ALL_BEFORE, user=user, since=until)


def add_news(connection: Connection, user: UserId, by: Mapping[int, str], now: datetime) -> None:
    """Articles, and the name of the rule that says to tell of each."""
    wanted = {"user": user, "kind": str(DigestKind.RULES)}
    if by and connection.scalar(_TOLD_OF, wanted):
        rows = [
            {"user": user, "article": article, "name": name, "now": micros(now)}
            for article, name in by.items()
        ]
        run_for_each(connection, _ADD, rows)


def delete_sent(connection: Connection, user: UserId, ids: Sequence[int]) -> None:
    """They are in a message, kept in this transaction."""
    if ids:
        connection.execute(_DROP, {"user": user, "ids": list(ids)})
