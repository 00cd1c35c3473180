"""Marks that a browser sends some time after they were made, and may send again: done once each.

Each has a key that the browser made. The key is kept in the transaction that does the mark, so
after an answer that was lost the same mark changes nothing and gets the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection, text

from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import Aggregate, many, rows_of
from newsloom.kernel.ids import ArticleId
from newsloom.reading.store.marks import Step, add_marks, add_others
from newsloom.reading.values.reading import EventKind, Rows, SentOutcome

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

# Keys are kept for so long; what was made before is not taken any more, or it could be done twice.
KEPT = timedelta(days=30)

_FORGET = text("DELETE FROM sent_marks WHERE user_id = :user AND taken_at < :old")
_KNOWN = text("SELECT outcome, step FROM sent_marks WHERE user_id = :user AND key = :key")
_KEEP = text("""
    INSERT INTO sent_marks (user_id, key, taken_at, outcome, step)
    VALUES (:user, :key, :now, :outcome, :step)
""")
_WITHIN = "user_id = :user AND undone_by IS NULL AND article_id IN :ids"
_SAID_LATER = many(f"SELECT article_id, kind FROM events WHERE {_WITHIN} AND at > :made")  # noqa: S608
_OF_STEP = text("""
    SELECT DISTINCT article_id FROM events
    WHERE user_id = :user AND step = :step AND undone_by IS NULL AND before IS NOT NULL
""")
_FOLLOWED = many(f"SELECT article_id FROM events WHERE {_WITHIN} AND step > :step")  # noqa: S608

_RATING = frozenset((EventKind.LIKE, EventKind.DISLIKE, EventKind.UNRATE))
_STAR = frozenset((EventKind.STAR, EventKind.UNSTAR))
# Who judges an article has read it.
_READING = frozenset(
    (
        EventKind.READ,
        EventKind.UNREAD,
        EventKind.BULK_READ,
        EventKind.FINISHED,
        EventKind.SKIPPED,
        EventKind.LIKE,
        EventKind.DISLIKE,
    )
)


class Sent(NamedTuple):
    """A mark as a browser sends it."""

    user: UserId
    key: str
    articles: Sequence[ArticleId]
    kinds: Sequence[EventKind]  # each a step of its own, the first is the one to take back
    made: datetime


class SentMarks(Aggregate):
    """Marks that are done once."""

    def mark_once(
        self,
        sent: Sent,
        now: datetime,
        via: str,
        *,
        rows: Rows = Rows.ARTICLE,
        read_together: bool = False,
    ) -> tuple[SentOutcome, bool]:
        """What came of it; and whether it was new, so that something may have changed.

        An article of which the reader said something else of the same kind since it was made stays
        as that left it: the later word holds, wherever it was said.
        """
        with self.database.write() as connection:
            known = connection.execute(_KNOWN, {"user": sent.user, "key": sent.key}).one_or_none()
            if known is not None:
                return SentOutcome(known.outcome), False
            connection.execute(_FORGET, {"user": sent.user, "old": micros(now - KEPT)})
            if sent.made < now - KEPT:
                return SentOutcome.LATE, False
            outcome, step = _done(connection, sent, via, rows, read_together)
            kept = {"user": sent.user, "key": sent.key, "now": micros(now)}
            connection.execute(_KEEP, kept | {"outcome": outcome.value, "step": step})
            return outcome, True

    def step_of_sent(self, user: UserId, key: str) -> tuple[SentOutcome, int | None]:
        """The step that a mark was, if it still can be taken back by itself.

        GONE: no mark with that key was done, or it is taken back. OVERTAKEN: something was done to
        one of its articles since, which taking it back would change as well.
        """
        with self.database.read() as connection:
            known = connection.execute(_KNOWN, {"user": user, "key": key}).one_or_none()
            if known is None or known.step is None:
                return SentOutcome.GONE, None
            values = {"user": user, "step": known.step}
            articles = [row.article_id for row in connection.execute(_OF_STEP, values)]
            if not articles:
                return SentOutcome.GONE, None
            if rows_of(connection, _FOLLOWED, articles, **values):
                return SentOutcome.OVERTAKEN, None
            return SentOutcome.DONE, known.step


def _done(
    connection: Connection, sent: Sent, via: str, rows: Rows, read_together: bool
) -> tuple[SentOutcome, int | None]:
    group = next((one for one in (_RATING, _STAR, _READING) if sent.kinds[0] in one), frozenset())
    values = {"user": sent.user, "made": micros(sent.made)}
    later = rows_of(connection, _SAID_LATER, sent.articles, **values)
    overtaken = {row.article_id for row in later if EventKind(row.kind) in group}
    wanted = [one for one in sent.articles if one not in overtaken]
    if not wanted and sent.articles:
        return SentOutcome.OVERTAKEN, None
    first = None
    for kind in sent.kinds:
        step = Step(sent.user, kind, sent.made, via)
        made = add_marks(connection, step, wanted)
        if made and rows is not Rows.ARTICLE:
            add_others(connection, step._replace(number=made[0]), wanted, rows, read_together)
        first = first or (made[0] if made else None)
    return (SentOutcome.GONE if first is None else SentOutcome.DONE), first
