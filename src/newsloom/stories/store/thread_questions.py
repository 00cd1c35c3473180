"""What a language model is asked about threads, and whom of those that answered one may believe.

Functions with a connection run within a transaction of who asks; see llm/purpose.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, text

from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.sql import many, rows_of
from newsloom.stories.store.tables import thread_questions
from newsloom.stories.values.pages import StoryId, ThreadId
from newsloom.stories.values.threads import (
    OfferedThread,
    ThreadAsk,
    ThreadCandidate,
    ThreadQuestion,
)

_QUESTIONS = thread_questions.c

_WAITING = text("""
    SELECT q.story_id, q.control, q.offered, s.thread_id, s.began AS dated_at, x.title,
        substr(x.lead, 1, 600) AS lead
    FROM thread_questions q
    JOIN stories s ON s.id = q.story_id AND s.size > 0 AND s.thread_by <> 'reader'
    JOIN texts x ON x.article_id = (
        SELECT MIN(m.article_id) FROM story_members m WHERE m.story_id = s.id
    )
    WHERE q.answered_by <> :producer AND q.asked_at >= :since
    ORDER BY q.control DESC, q.story_id DESC LIMIT :limit
""")
_EVENTS = many("""
    SELECT s.thread_id, s.id, s.size, s.began, s.latest, (
        SELECT x.title FROM texts x WHERE x.article_id = (
            SELECT MIN(m.article_id) FROM story_members m WHERE m.story_id = s.id
        )
    ) AS title
    FROM stories s WHERE s.thread_id IN :ids AND s.size > 0 AND s.id <> :story
    ORDER BY s.thread_id, s.began, s.id
""")
LATEST = 3


def ask(connection: Connection, wanted: Sequence[ThreadAsk], now: datetime) -> None:
    """Note what is to be asked, in place of what was to be asked of the same stories."""
    if not wanted:
        return
    ids = [one.story for one in wanted]
    connection.execute(many("DELETE FROM thread_questions WHERE story_id IN :ids"), {"ids": ids})
    connection.execute(
        insert(thread_questions),
        [
            {
                "story_id": one.story,
                "control": one.control,
                "asked_at": now,
                "offered": listed(one.offered),
            }
            for one in wanted
        ],
    )


def unanswered(
    connection: Connection, producer: str, *, since: datetime, limit: int
) -> Sequence[ThreadQuestion]:
    """Questions that this model has not answered: clear cases first, then the newest."""
    values = {"producer": producer, "since": micros(since), "limit": limit}
    rows = connection.execute(_WAITING, values).all()
    found = (_question(connection, row) for row in rows)
    return [one for one in found if one.offered]


def _question(connection: Connection, row: Row[Any]) -> ThreadQuestion:
    candidates = offered(row.offered)
    events: dict[int, list[Row[Any]]] = {one.thread: [] for one in candidates}
    for each in rows_of(connection, _EVENTS, list(events), story=row.story_id):
        events[each.thread_id].append(each)
    shown = tuple(
        _offered(one.thread, events[one.thread]) for one in candidates if events[one.thread]
    )
    own = row.thread_id if row.thread_id in {one.thread for one in shown} else None
    return ThreadQuestion(
        story=StoryId(row.story_id),
        title=row.title,
        lead=row.lead,
        dated=moment(row.dated_at),
        thread=own,
        offered=shown,
        candidates=candidates,
        control=bool(row.control),
    )


def _offered(thread: ThreadId, events: Sequence[Row[Any]]) -> OfferedThread:
    largest = max(events, key=lambda one: (one.size, one.id))
    return OfferedThread(
        thread=thread,
        title=largest.title or "",
        first=events[0].title or "",
        latest=tuple(one.title or "" for one in reversed(events[-LATEST:])),
        began=moment(events[0].began),
        ended=max(moment(one.latest) for one in events),
        size=len(events),
    )


def listed(candidates: Sequence[ThreadCandidate]) -> list[list[Any]]:
    """Candidates as they are stored."""
    return [[one.thread, round(one.link, 4), round(one.best, 4)] for one in candidates]


def offered(stored: Any) -> tuple[ThreadCandidate, ...]:
    """Candidates as they are stored; of a statement in words they come as text."""
    found = json.loads(stored) if isinstance(stored, str) else stored
    return tuple(ThreadCandidate(ThreadId(one[0]), one[1], one[2]) for one in found or ())
