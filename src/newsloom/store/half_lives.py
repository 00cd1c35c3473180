"""A reader's own half-lives, and the rank keys made of them: both change in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, bindparam, select, text, update

from newsloom.ports import HalfLives
from newsloom.store import ranking
from newsloom.store.columns import moment
from newsloom.store.engine import Database
from newsloom.store.tables import states, users
from newsloom.types import UserId

BATCH = 5_000

_SCORED = text("""
    SELECT article_id, sensitivity, relevance, dated_at, rank_key FROM states
    WHERE user_id = :user AND article_id > :after AND sensitivity > 0
    ORDER BY article_id LIMIT :limit
""")
_REKEY = (
    update(states)
    .where(states.c.user_id == bindparam("of_user"), states.c.article_id == bindparam("of_article"))
    .values(rank_key=bindparam("key"))
)


class OwnHalfLives:
    """Half-lives of one reader: part of the ReadingStore and StageStore roles."""

    database: Database

    def half_lives(self, user: UserId) -> tuple[float, ...] | None:
        """Days for sensitivity 1 to 5; None when the reader has none of their own."""
        with self.database.read() as connection:
            return own_half_lives(connection, user)

    def set_half_lives(
        self, user: UserId, days: Sequence[float] | None, in_force: HalfLives
    ) -> None:
        """Keep them (None: none of their own) and make every rank key anew with those in force.

        The list would be wrong until the last key is made: a key holds decades of half-lives.
        """
        with self.database.write() as connection:
            connection.execute(
                update(users)
                .where(users.c.id == user)
                .values(half_lives=None if days is None else list(days))
            )
            for batch in _rekeyed(connection, user, in_force):
                connection.execute(_REKEY, batch)


def own_half_lives(connection: Connection, user: UserId) -> tuple[float, ...] | None:
    """Days for sensitivity 1 to 5, if the reader has set them."""
    kept = connection.scalar(select(users.c.half_lives).where(users.c.id == user))
    return None if kept is None else tuple(float(one) for one in kept)


def _rekeyed(
    connection: Connection, user: UserId, in_force: HalfLives
) -> Iterator[list[dict[str, int]]]:
    """The keys that change, some at a time."""
    after = 0
    while True:
        values = {"user": user, "after": after, "limit": BATCH}
        rows = connection.execute(_SCORED, values).all()
        if not rows:
            return
        after = rows[-1].article_id
        keys = [
            ranking.stored_key(row.relevance, moment(row.dated_at), in_force[row.sensitivity])
            for row in rows
        ]
        changed = [
            {"of_user": user, "of_article": row.article_id, "key": key}
            for row, key in zip(rows, keys, strict=True)
            if key != row.rank_key
        ]
        if changed:
            yield changed
