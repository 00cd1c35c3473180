"""What a reader changed in their interest profile."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import text

from newsloom.store.aggregate import Aggregate
from newsloom.store.columns import micros
from newsloom.types import UserId

_EDITS = text("SELECT term, factor FROM interest_edits WHERE user_id = :user ORDER BY term")
_DROP = text("DELETE FROM interest_edits WHERE user_id = :user AND term = :term")
_KEEP = text("""
    INSERT INTO interest_edits (user_id, term, factor, at) VALUES (:user, :term, :factor, :at)
    ON CONFLICT (user_id, term) DO UPDATE SET factor = excluded.factor, at = excluded.at
""")


class InterestEdits(Aggregate):
    """Edited topics."""

    def interest_edits(self, user: UserId) -> Mapping[str, float]:
        """What the weight of each edited topic is multiplied by."""
        with self.database.read() as connection:
            return {row.term: row.factor for row in connection.execute(_EDITS, {"user": user})}

    def edit_interest(self, user: UserId, term: str, factor: float | None, now: datetime) -> None:
        """None takes the edit back."""
        with self.database.write() as connection:
            if factor is None:
                connection.execute(_DROP, {"user": user, "term": term})
            else:
                values = {"user": user, "term": term, "factor": factor, "at": micros(now)}
                connection.execute(_KEEP, values)
