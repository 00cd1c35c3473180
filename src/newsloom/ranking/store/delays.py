"""When a reader read what was published: facts for the correction by observed delays."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import text

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import FeedId, UserId
from newsloom.reading.values.reading import EventKind, Reading

# An article first seen later than this after it was published was waiting in its feed when that
# was subscribed to: its delay is the feed's age here, not the reader's.
BACKLOG = timedelta(days=1)

# The first thing that says it was read, and by what. What was read without an event (an import)
# has no moment and is left out.
_READINGS = text("""
    SELECT s.feed_id, s.dated_at, s.read, e.kind, e.at
    FROM states s
    JOIN articles a ON a.id = s.article_id
    LEFT JOIN events e ON e.id = (
        SELECT MIN(x.id) FROM events x
        WHERE x.user_id = s.user_id AND x.article_id = s.article_id AND x.undone_by IS NULL
        AND x.kind IN ('read', 'opened', 'finished', 'bulk read', 'like', 'dislike')
    )
    WHERE s.user_id = :user AND s.dated_at >= :since AND s.dated_at < :until
    AND a.first_seen_at - s.dated_at <= :backlog
    ORDER BY s.article_id
""")


class ReadingDelays(Aggregate):
    """How long after their dates articles were read."""

    def readings(self, user: UserId, since: datetime, until: datetime) -> tuple[Reading, ...]:
        """Articles published from `since` to `until`, and when they were read, if by `until`.

        Without those that were old news when their feed was first polled.
        """
        values = {
            "user": user,
            "since": micros(since),
            "until": micros(until),
            "backlog": BACKLOG // timedelta(microseconds=1),
        }
        with self.database.read() as connection:
            rows = connection.execute(_READINGS, values).all()
        return tuple(
            Reading(FeedId(row.feed_id), moment(row.dated_at))
            if row.at is None or row.at >= values["until"]
            else Reading(
                FeedId(row.feed_id),
                moment(row.dated_at),
                moment(row.at),
                row.kind == EventKind.BULK_READ,
            )
            for row in rows
            if row.at is not None or not row.read
        )
