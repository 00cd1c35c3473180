"""A reader's own half-lives, and the rank keys made of them: both change in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, bindparam, text

from newsloom.kernel.db import sql
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.bulk import run_for_each
from newsloom.kernel.db.columns import Json, moment
from newsloom.ranking import rank_key

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.ranking.ports import HalfLives

_DAYS = Json()
_OWN = text("SELECT half_lives FROM users WHERE id = :user")
_KEEP = text("UPDATE users SET half_lives = :own WHERE id = :user").bindparams(
    bindparam("own", type_=_DAYS)
)
_FADE = text("SELECT fade FROM users WHERE id = :user")
_KEEP_FADE = text("UPDATE users SET fade = :fade WHERE id = :user")
_SCORED = text("""
    SELECT s.article_id, s.relevance, s.dated_at, s.rank_key,
        COALESCE(e.raised, FALSE) AS raised
    FROM states s
    LEFT JOIN rule_effects e ON e.user_id = s.user_id AND e.article_id = s.article_id
    WHERE s.user_id = :user AND s.sensitivity = :level
""")
_REKEY = text("UPDATE states SET rank_key = :key WHERE user_id = :user AND article_id = :article")


class OwnHalfLives(Aggregate):
    """Half-lives that readers chose."""

    def half_lives(self, user: UserId) -> tuple[float, ...] | None:
        """Days for sensitivity 1 to 5; None when the reader has none of their own."""
        return self._value(_OWN, tuple[float, ...], user=user)

    def set_half_lives(
        self, user: UserId, days: Sequence[float] | None, in_force: HalfLives
    ) -> None:
        """Keep them (None: none of their own) and make every rank key anew with those in force.

        The list would be wrong until the last key is made: a key holds decades of half-lives.
        """
        with self.database.write() as connection:
            own = None if days is None else list(days)
            connection.execute(_KEEP, {"user": user, "own": own})
            for level, half_life in in_force.items():
                changed = _rekeyed(connection, user, level, half_life)
                if changed:
                    run_for_each(
                        connection,
                        _REKEY,
                        [{"key": key, "user": user, "article": one} for key, one in changed],
                    )

    def fade(self, user: UserId) -> float | None:
        """How fast recency fades an hour; None when the reader has none of their own."""
        with self.database.read() as connection:
            found = connection.scalar(_FADE, {"user": user})
            return None if found is None else float(found)

    def set_fade(self, user: UserId, fade: float | None) -> None:
        """None: as the settings say."""
        self._change(_KEEP_FADE, user=user, fade=fade)


def own_half_lives(connection: Connection, user: UserId) -> tuple[float, ...] | None:
    """Days for sensitivity 1 to 5, if the reader has set them."""
    return sql.value(connection, _OWN, tuple[float, ...], user=user)


def _rekeyed(
    connection: Connection, user: UserId, level: int, half_life: timedelta
) -> list[tuple[int, int]]:
    """The keys of one class that change, best first.

    Three indexes hold them in that order: a million take a minute so, and nearly three in the order
    of the articles. A reader with 50,000 waits two seconds.
    """
    rows = connection.execute(_SCORED, {"user": user, "level": level})
    keys = ((_key(row, half_life), row) for row in rows)
    return sorted(((key, row.article_id) for key, row in keys if key != row.rank_key), reverse=True)


def _key(row: Row[Any], half_life: timedelta) -> int:
    key = rank_key.stored_key(row.relevance, moment(row.dated_at), half_life)
    return key + rank_key.RAISED * bool(row.raised)
