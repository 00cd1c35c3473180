"""What a reader's model learns from: likes, dislikes, stars, interests. Trains nothing."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select, text

from newsloom.store.columns import moment
from newsloom.store.derived import article_texts, categories
from newsloom.store.engine import Database
from newsloom.store.marks import change_taste
from newsloom.store.tables import interests, users
from newsloom.types import EventKind, Interest, Label, UserId

# The latest event of each kind per article that was not taken back and still holds.
_STANDING = text("""
    SELECT e.article_id, e.kind, MAX(e.id) AS latest, MAX(e.at) AS at
    FROM events e
    JOIN states s ON s.user_id = e.user_id AND s.article_id = e.article_id
    WHERE e.user_id = :user AND e.undone_by IS NULL AND (
        (e.kind = 'like' AND s.rating = 1) OR (e.kind = 'dislike' AND s.rating = -1)
        OR (e.kind = 'star' AND s.starred = TRUE)
    )
    GROUP BY e.article_id, e.kind
    ORDER BY latest
""")


class Labels:
    """Labels and interests: part of the ReadingStore role."""

    database: Database

    def labels(self, user: UserId) -> tuple[Label, ...]:
        """The latest standing like, dislike or star of each article, oldest first."""
        with self.database.read() as connection:
            rows = connection.execute(_STANDING, {"user": user}).all()
            latest: dict[int, Row[Any]] = {}
            for row in rows:
                latest.pop(row.article_id, None)
                latest[row.article_id] = row
            found = article_texts(connection, list(latest))
            shelves = categories(connection, user, list(latest))
        return tuple(
            Label(
                article=found[article],
                category=shelves.get(article, ""),
                positive=row.kind != EventKind.DISLIKE,
                at=moment(row.at),
            )
            for article, row in latest.items()
        )

    def labels_mark(self, user: UserId) -> str:
        """Changes whenever labels(), interests() or the feeds' categories could have."""
        with self.database.read() as connection:
            return str(connection.scalar(select(users.c.taste).where(users.c.id == user)))

    def interests(self, user: UserId) -> tuple[Interest, ...]:
        query = select(interests).where(interests.c.user_id == user).order_by(interests.c.id)
        with self.database.read() as connection:
            return tuple(
                Interest(row.id, row.text, row.added_at) for row in connection.execute(query)
            )

    def add_interest(self, user: UserId, text: str, now: datetime) -> Interest:
        with self.database.write() as connection:
            made = connection.execute(
                insert(interests).values(user_id=user, text=text, added_at=now)
            )
            change_taste(connection, user)
            key = made.inserted_primary_key
            assert key is not None
            return Interest(int(key[0]), text, now)

    def remove_interest(self, user: UserId, interest_id: int) -> bool:
        with self.database.write() as connection:
            gone = connection.execute(
                delete(interests).where(interests.c.user_id == user, interests.c.id == interest_id)
            )
            change_taste(connection, user)
            return gone.rowcount == 1
