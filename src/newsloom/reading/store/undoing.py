"""Steps taken back. A large one in several transactions, so that nobody waits long to write."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

from newsloom.articles.store.reader_tables import TEACHING
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import Aggregate
from newsloom.reading.store.marks import BITS, RATING, change_taste, events_of, next_event

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.reading.values.reading import Event

# Articles of one transaction where a step has many: some 50 ms.
BATCH = 2_000

# Seconds between two of them. Who waits for SQLite's lock looks again after 25 ms or less at first.
REST = 0.03

_LAST_STEP = text("""
    SELECT MAX(step) FROM events
    WHERE user_id = :user AND undone_by IS NULL AND before IS NOT NULL
""")
_NEWEST = text("""
    SELECT MIN(id) AS low, MAX(id) AS high, COUNT(*) AS events FROM (
        SELECT id FROM events
        WHERE user_id = :user AND step = :step AND undone_by IS NULL AND before IS NOT NULL
        ORDER BY id DESC LIMIT :limit
    ) AS newest
""")

# The plus keeps SQLite from going through all events of the user instead of the range.
_OF_BATCH = "id BETWEEN :low AND :high AND +user_id = :user AND step = :step"

# Of several events of a step on one article, what the first of them met.
_MET = f"""
    SELECT article_id, before FROM (
        SELECT article_id, before, ROW_NUMBER() OVER (PARTITION BY article_id ORDER BY id) AS place
        FROM events WHERE {_OF_BATCH} AND undone_by IS NULL AND before IS NOT NULL
    ) AS met WHERE place = 1
"""  # noqa: S608
_ADD = text(f"""
    INSERT INTO events (id, user_id, article_id, kind, at, via, step)
    SELECT :first - 1 + ROW_NUMBER() OVER (ORDER BY article_id), :user, article_id, 'undo', :at,
        :via, :number
    FROM ({_MET}) AS was
""")  # noqa: S608
_RESTORE = text(f"""
    UPDATE states SET rating = ((was.before >> {RATING}) & 3) - 1,
        {", ".join(f"{name} = (was.before & {bit}) = {bit}" for name, bit in BITS.items())}
    FROM ({_MET}) AS was
    WHERE states.user_id = :user AND states.article_id = was.article_id
""")  # noqa: S608
_CLOSE = text(f"UPDATE events SET undone_by = :number WHERE {_OF_BATCH}")  # noqa: S608
_TAUGHT = text(f"SELECT 1 FROM events WHERE {_OF_BATCH} AND {TEACHING} LIMIT 1")  # noqa: S608
# What becomes unread again was not finished either.
_TAKE_BACK_NOTICED = text(f"""
    UPDATE events SET undone_by = :number WHERE id IN (
        SELECT n.id FROM (
            SELECT id, article_id FROM events
            WHERE user_id = :user AND id > :step AND {TEACHING}
            AND kind = 'finished' AND before IS NULL
        ) AS n CROSS JOIN events e
        WHERE e.user_id = :user AND e.article_id = n.article_id AND e.step = :step
        AND e.id BETWEEN :low AND :high AND (e.before & 1) = 0
    )
""")  # noqa: S608


class Undoing(Aggregate):
    """Taking back."""

    def undo(
        self, user: UserId, at: datetime, via: str, step: int | None = None
    ) -> tuple[Event, ...]:
        """Take back the last step that is not taken back yet; what it was, or nothing. `step`: that
        one, and nothing where it is taken back already.

        Looking at an article changed nothing, so there is nothing of it to take back. The newest
        events go first: a step whose taking back was interrupted is still the last one.
        """
        values: dict[str, Any] = {"user": user, "at": micros(at), "via": via, "limit": BATCH}
        last = None
        more = True
        while more:
            with self.database.write() as connection:
                if last is None:
                    values["step"] = step or connection.scalar(_LAST_STEP, values)
                batch = connection.execute(_NEWEST, values).one()
                if not batch.events:
                    break
                last = batch.high if last is None else last
                more = batch.events == BATCH
                # What changed nothing goes with the last of them.
                values |= {"low": batch.low if more else values["step"], "high": batch.high}
                values["number"] = _take_back(connection, values)
            if more:
                time.sleep(REST)
        if last is None:
            return ()
        with self.database.read() as connection:
            return events_of(connection, values["step"], last, values["number"])


def _take_back(connection: Connection, values: Mapping[str, Any]) -> int:
    """Restore what the events of one batch met; the number of the undoing."""
    first = next_event(connection)
    values = {**values, "first": first, "number": values.get("number", first)}
    taught = connection.scalar(_TAUGHT, values)
    connection.execute(_ADD, values)
    connection.execute(_RESTORE, values)
    noticed = connection.execute(_TAKE_BACK_NOTICED, values).rowcount
    connection.execute(_CLOSE, values)
    if taught or noticed:
        change_taste(connection, values["user"])
    return int(values["number"])
