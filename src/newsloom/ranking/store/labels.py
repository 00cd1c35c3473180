"""What a reader's model may learn from: standing events, and interests. Weighs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, delete, insert, select, text

from newsloom.accounts.store.users.tables import users
from newsloom.articles.store.derived import article_texts, categories
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros, moment
from newsloom.ranking.store.tables import interests
from newsloom.ranking.values.models import Interest, Label
from newsloom.reading.store.marks import GROUPS, WITHDRAWING, change_taste
from newsloom.reading.store.tables import TEACHING
from newsloom.reading.values.reading import EventKind

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

# Every event that teaches or takes back, but for what was undone or forgotten. What takes back
# holds even then: nobody wants to be taught by what they withdrew.
_TOLD = text(f"""
    SELECT e.article_id, e.kind, e.at, e.via FROM events e
    WHERE e.user_id = :user AND {TEACHING} AND (
        e.kind IN ('unrate', 'unstar') OR NOT EXISTS (
            SELECT 1 FROM forgettings f WHERE f.user_id = e.user_id AND f.lifted_at IS NULL
            AND e.at >= f.since AND e.at < f.until
        )
    )
    ORDER BY e.id
""")  # noqa: S608

_NEGATIVE = {EventKind.DISLIKE, EventKind.SKIPPED}


_EDITS = text("SELECT term, factor FROM interest_edits WHERE user_id = :user ORDER BY term")
_DROP = text("DELETE FROM interest_edits WHERE user_id = :user AND term = :term")
_KEEP = text("""
    INSERT INTO interest_edits (user_id, term, factor, at) VALUES (:user, :term, :factor, :at)
    ON CONFLICT (user_id, term) DO UPDATE SET factor = excluded.factor, at = excluded.at
""")


class Labels(Aggregate):
    """Labels and interests."""

    def labels(self, user: UserId) -> tuple[Label, ...]:
        """What stands of every event that may teach, by article and kind, oldest first: not
        withdrawn, undone or forgotten. classify.label_weights says what it comes to."""
        with self.database.read() as connection:
            rows = _standing(connection, user)
            ids = list(dict.fromkeys(row.article_id for row in rows))
            found = article_texts(connection, ids)
            shelves = categories(connection, user, ids)
        return tuple(
            Label(
                article=found[row.article_id],
                category=shelves.get(row.article_id, ""),
                positive=row.kind not in _NEGATIVE,
                at=moment(row.at),
                kind=EventKind(row.kind),
                via=row.via,
            )
            for row in rows
        )

    def labels_mark(self, user: UserId) -> str:
        """Changes whenever labels(), interests() or the feeds' categories could have."""
        return str(self._value(select(users.c.taste).where(users.c.id == user), int))

    def interests(self, user: UserId) -> tuple[Interest, ...]:
        query = select(interests).where(interests.c.user_id == user).order_by(interests.c.id)
        return self._rows(query, Interest)

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

    def interest_edits(self, user: UserId) -> Mapping[str, float]:
        """What the weight of each edited topic is multiplied by."""
        return dict(self._rows(_EDITS, tuple, user=user))

    def edit_interest(self, user: UserId, term: str, factor: float | None, now: datetime) -> None:
        """None takes the edit back."""
        with self.database.write() as connection:
            if factor is None:
                connection.execute(_DROP, {"user": user, "term": term})
            else:
                values = {"user": user, "term": term, "factor": factor, "at": micros(now)}
                connection.execute(_KEEP, values)


def _standing(connection: Connection, user: UserId) -> list[Row[Any]]:
    """The latest event of each article and group, in the order of events."""
    latest: dict[tuple[int, str], Row[Any]] = {}
    for row in connection.execute(_TOLD, {"user": user}):
        place = row.article_id, GROUPS[EventKind(row.kind)]
        latest.pop(place, None)
        latest[place] = row
    return [row for row in latest.values() if EventKind(row.kind) not in WITHDRAWING]
