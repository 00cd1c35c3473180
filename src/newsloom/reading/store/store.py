"""`store.reading`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from newsloom.kernel.db.bulk import rows_of_those
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.ids import ArticleId
from newsloom.reading.store.arranging import Arranging, Leaving
from newsloom.reading.store.article_detail import ArticleDetail
from newsloom.reading.store.lists.lists import ordered
from newsloom.reading.store.marks import Marks, Step, add_others, next_event
from newsloom.reading.store.sent_marks import SentMarks
from newsloom.reading.store.subscriptions import Subscriptions
from newsloom.reading.store.undoing import BATCH, REST, Undoing
from newsloom.reading.values.reading import EventKind, Order, Rows

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.ranking.ports import HalfLives
    from newsloom.reading.values.reading import ListQuery


# A whole list marked read, batch by batch: one step for undo. Nobody waits long to write.

# More than anyone has.
_ALL = 2**31

_UNREAD = """
    WHERE user_id = :user AND read = FALSE
    AND article_id IN numbers_in(:those)
"""
_ADD = portable(f"""
    INSERT INTO events (id, user_id, article_id, kind, at, via, step, before)
    SELECT :first - 1 + ROW_NUMBER() OVER (ORDER BY article_id), user_id, article_id, 'bulk read',
        :at, :via, :step,
        CAST(starred AS INTEGER) * 2 + (rating + 1) * 4 + CAST(later AS INTEGER) * 16
    FROM states {_UNREAD}
""")  # noqa: S608
_READ = portable(f"UPDATE states SET read = TRUE {_UNREAD}")  # noqa: S608

_STANDS = portable("SELECT COUNT(*) FROM events WHERE id = :event AND undone_by IS NULL")


def _clear(connection: Connection, step: Step, batch: Sequence[ArticleId], rows: Rows) -> list[int]:
    """One batch; the numbers of its events."""
    first = next_event(connection)
    number = step.number or first
    values = {
        "user": step.user,
        "first": first,
        "step": number,
        "at": micros(step.at),
        "via": step.via,
        "those": json.dumps(batch),
    }
    count = connection.execute(_ADD, values).rowcount
    if not count:
        return []
    connection.execute(_READ, values)
    made = list(range(first, first + count))
    if rows is not Rows.ARTICLE:
        going_on = step._replace(number=number)
        made += add_others(connection, going_on, batch, rows, read_together=True)
    return made


# Other reports in a story are articles of their own.
_ROW = {
    Rows.STORY: "COALESCE(g.cluster_id, -s.article_id)",
    Rows.CLUSTER: "COALESCE(g.cluster_id, -s.article_id)",
    Rows.TEXT: "COALESCE(g.text_id, -s.article_id)",
    Rows.ARTICLE: "-s.article_id",
}
_NAMES = {
    rows: portable(f"""
        SELECT DISTINCT {name} FROM states s LEFT JOIN clusters g ON g.article_id = s.article_id
        WHERE s.user_id = :user AND s.article_id IN numbers_in(:those)
        AND (s.read = FALSE OR :unread = 0)
    """)  # noqa: S608
    for rows, name in _ROW.items()
}


def row_names(
    connection: Connection,
    user: UserId,
    articles: Sequence[ArticleId],
    rows: Rows,
    *,
    unread: bool = False,
) -> set[int]:
    """What names the rows of a list that these articles are, or only the unread among them."""
    found = rows_of_those(connection, _NAMES[rows], articles, user=user, unread=int(unread))
    return {name for (name,) in found}


class ReadingStore(Subscriptions, Arranging, Leaving, ArticleDetail, Marks, SentMarks, Undoing):
    """One reader's subscriptions, articles and marks."""

    def clear(
        self,
        user: UserId,
        query: ListQuery,
        at: datetime,
        via: str,
        half_lives: HalfLives,
        *,
        read_together: bool = False,
        heard: Callable[[int, int], bool] = lambda _done, _of: True,
    ) -> int:
        """Mark read all that a query lists now, in a way that teaches nothing; how many rows of it.

        What comes into the list meanwhile stays unread. Done in batches, so that others can write
        in between, and one step for undo. `heard` is told after each batch how many of how many are
        done; it says whether to go on. Taking the step back ends it as well.
        """
        # By date: what is written together then lies together in most indexes.
        every = replace(
            query,
            order=Order.NEWEST,
            rows=Rows.ARTICLE,
            unread_only=True,
            limit=_ALL,
            offset=0,
        )
        with self.database.read() as connection:
            found = [
                ArticleId(place.shown) for place in ordered(connection, user, every, at, half_lives)
            ]
        return self.clear_these(
            user,
            found,
            at,
            via,
            rows=query.rows if read_together else Rows.ARTICLE,
            counted=query.rows,
            heard=heard,
        )

    def clear_these(
        self,
        user: UserId,
        found: Sequence[ArticleId],
        at: datetime,
        via: str,
        *,
        rows: Rows = Rows.ARTICLE,
        counted: Rows = Rows.ARTICLE,
        heard: Callable[[int, int], bool] = lambda _done, _of: True,
    ) -> int:
        """The same of articles that are named; `rows`: what is read together with each; `counted`:
        what is one row."""
        step = Step(user, EventKind.BULK_READ, at, via)
        last: int | None = None
        done: set[int] = set()
        for start in range(0, len(found), BATCH):
            if start:
                time.sleep(REST)
            with self.database.write() as connection:
                if last and not connection.scalar(_STANDS, {"event": last}):
                    break
                batch = found[start : start + BATCH]
                done |= row_names(connection, user, batch, counted, unread=True)
                made = _clear(connection, step, batch, rows)
            if made:
                last = made[-1]
                step = step if step.number else step._replace(number=made[0])
            if not heard(min(start + BATCH, len(found)), len(found)):
                break
        return len(done)

    def count_rows(self, user: UserId, articles: Sequence[ArticleId], rows: Rows) -> int:
        """How many rows of a list these articles are: copies share one."""
        with self.database.read() as connection:
            return len(row_names(connection, user, articles, rows))
