"""Threads: which story is of which, who decided it, how readers stand to them. Decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, or_, select, text, update

from newsloom.kernel.db import producers, sql
from newsloom.kernel.db.dialects import allocate_ids
from newsloom.kernel.db.sql import CHUNK, Aggregate, many, rows_of
from newsloom.kernel.ids import UserId
from newsloom.stories.store.membership import tell_lists
from newsloom.stories.store.tables import (
    stories,
    thread_corrections,
    thread_decisions,
    thread_readers,
    threads,
)
from newsloom.stories.store.thread_questions import ask, listed, offered
from newsloom.stories.values.pages import CALIBRATED, READER, StoryChoice, StoryId, ThreadId
from newsloom.stories.values.threads import (
    StoredEvent,
    ThreadChanges,
    ThreadCorrection,
    ThreadDecision,
    ThreadHead,
    ThreadKind,
)

_THREADS, _DECISIONS, _CORRECTIONS = threads.c, thread_decisions.c, thread_corrections.c

# A story without a vector yet waits until it has one.
_WAITING = text("""
    SELECT s.id FROM stories s
    JOIN story_centroids c ON c.story_id = s.id AND c.maker_id = :maker
    WHERE s.thread_id IS NULL AND s.size > 0 AND s.latest >= :since
    ORDER BY s.began, s.id LIMIT :limit
""")
_CHECKED = text("""
    SELECT s.id FROM stories s
    JOIN story_centroids c ON c.story_id = s.id AND c.maker_id = :maker
    WHERE s.thread_by = :by AND s.size > 0 AND s.latest >= :since AND s.began >= :since
    AND s.threaded_at < :before
    ORDER BY s.began, s.id LIMIT :limit
""")
_STORED = """
    SELECT s.id AS story_id, s.thread_id, s.thread_by, s.began, s.latest, c.total, t.terms
    FROM stories s
    JOIN story_centroids c ON c.story_id = s.id AND c.maker_id = :maker
    LEFT JOIN event_terms t ON t.story_id = s.id
"""
_BETWEEN = text(f"""{_STORED}
    WHERE s.thread_id IS NOT NULL AND s.size > 0 AND s.latest >= :first AND s.began <= :last
    ORDER BY s.latest DESC, s.id DESC LIMIT :limit
""")
_THOSE = many(f"{_STORED} WHERE s.id IN :ids")
_PUT_TERMS = text("""
    INSERT INTO event_terms (story_id, terms) VALUES (:story, :terms)
    ON CONFLICT (story_id) DO UPDATE SET terms = excluded.terms
""")
_DROP_TERMS = text("""
    DELETE FROM event_terms WHERE story_id IN (
        SELECT s.id FROM stories s JOIN event_terms t ON t.story_id = s.id
        WHERE s.latest < :before OR s.size = 0 LIMIT :limit
    )
""")
_TITLES = many("""
    SELECT story_id, title FROM (
        SELECT m.story_id, x.title, ROW_NUMBER() OVER (
            PARTITION BY m.story_id ORDER BY m.dated_at, m.article_id
        ) AS place FROM story_members m
        JOIN stories s ON s.id = m.story_id JOIN texts x ON x.article_id = m.article_id
        WHERE m.story_id IN :ids
    ) AS first WHERE place = 1
""")
_OF = many("""
    SELECT s.id, s.thread_id FROM stories s WHERE s.thread_id IN :ids AND s.size > 0
    ORDER BY s.began DESC, s.id DESC
""")
_REFRESH = many("""
    UPDATE threads SET
        size = (SELECT COUNT(*) FROM stories s WHERE s.thread_id = threads.id AND s.size > 0),
        began = COALESCE((SELECT MIN(s.began) FROM stories s
            WHERE s.thread_id = threads.id AND s.size > 0), began),
        latest = COALESCE((SELECT MAX(s.latest) FROM stories s
            WHERE s.thread_id = threads.id AND s.size > 0), latest)
    WHERE id IN :ids
""")
# Stories stand as their thread does, unless the reader stands to the story itself.
_INHERIT = many("""
    INSERT INTO story_readers (user_id, story_id, stand, stand_at, thread_id)
    SELECT r.user_id, s.id, r.stand, r.stand_at, r.thread_id FROM thread_readers r
    JOIN stories s ON s.thread_id = r.thread_id
    WHERE r.stand <> 0 AND s.id IN :ids
    ON CONFLICT (user_id, story_id) DO UPDATE SET stand = excluded.stand,
        stand_at = excluded.stand_at, thread_id = excluded.thread_id
    WHERE story_readers.stand = 0
""")
_DISINHERIT = many("""
    UPDATE story_readers SET stand = 0, thread_id = NULL
    WHERE story_id IN :ids AND thread_id IS NOT NULL
""")
_STAND = text("""
    INSERT INTO thread_readers (user_id, thread_id, stand, stand_at)
    VALUES (:user, :thread, :stand, :at)
    ON CONFLICT (user_id, thread_id) DO UPDATE SET
        stand = excluded.stand, stand_at = excluded.stand_at
""")
_NOT_MINE = many("""
    UPDATE story_readers SET stand = 0, thread_id = NULL
    WHERE user_id = :user AND story_id IN :ids AND thread_id IS NOT NULL
""")
_HAND_ON = text("""
    INSERT INTO thread_readers (user_id, thread_id, stand, stand_at)
    SELECT g.user_id, :kept, g.stand, g.stand_at FROM thread_readers g WHERE g.thread_id = :gone
    ON CONFLICT (user_id, thread_id) DO NOTHING
""")


class ThreadStore(Aggregate):
    """Threads."""

    def unthreaded(self, encoder: str, since: datetime, limit: int) -> tuple[StoryId, ...]:
        """Stories in no thread, the first to begin first."""
        with self.database.read() as connection:
            maker = producers.known(connection, encoder)
            values = {"maker": maker, "since": since, "limit": limit}
            return sql.column(connection, _WAITING, StoryId, **values)

    def unchecked(
        self, encoder: str, *, since: datetime, before: datetime, limit: int
    ) -> tuple[StoryId, ...]:
        """Stories that began since then, and whose threads were thought of before that."""
        with self.database.read() as connection:
            maker = producers.known(connection, encoder)
            values = {"maker": maker, "since": since, "before": before, "limit": limit}
            return sql.column(connection, _CHECKED, StoryId, by=CALIBRATED, **values)

    def threaded_events(
        self, encoder: str, first: datetime, last: datetime, limit: int
    ) -> tuple[StoredEvent, ...]:
        """Those of that time that are in a thread, the newest first."""
        with self.database.read() as connection:
            maker = producers.known(connection, encoder)
            values = {"maker": maker, "first": first, "last": last, "limit": limit}
            return sql.rows(connection, _BETWEEN, StoredEvent, **values)

    def stored_events(self, encoder: str, ids: Sequence[StoryId]) -> tuple[StoredEvent, ...]:
        """Those stories that have vectors."""
        found: list[StoredEvent] = []
        with self.database.read() as connection:
            maker = producers.known(connection, encoder)
            for start in range(0, len(ids), CHUNK):
                chunk = ids[start : start + CHUNK]
                found += sql.rows(connection, _THOSE, StoredEvent, maker=maker, ids=chunk)
        return tuple(found)

    def put_event_terms(self, terms: Mapping[StoryId, bytes]) -> None:
        """What stories are compared by."""
        if terms:
            with self.database.write() as connection:
                values = [{"story": one, "terms": packed} for one, packed in terms.items()]
                connection.execute(_PUT_TERMS, values)

    def drop_event_terms(self, before: datetime, limit: int) -> int:
        """Of stories that ended before, at most so many."""
        return self._change(_DROP_TERMS, before=before, limit=limit)

    def first_titles(self, ids: Sequence[StoryId]) -> Mapping[StoryId, str]:
        """The title of the first article of each story."""
        with self.database.read() as connection:
            rows = rows_of(connection, _TITLES, ids)
            return {StoryId(row.story_id): row.title for row in rows}

    def thread_generation(self) -> tuple[int, ThreadId]:
        """The number of the last decision, and of the last thread; 0 where there is none."""
        with self.database.read() as connection:
            return generation(connection)

    def put_threads(self, changes: ThreadChanges, now: datetime) -> bool:
        """All, or nothing: False where something was decided since by others."""
        with self.database.write() as connection:
            if generation(connection)[0] != changes.generation:
                return False
            known = set(
                connection.scalars(
                    select(_THREADS.id).where(
                        _THREADS.id.in_(sorted({one.thread for one in changes.decisions}))
                    )
                )
            )
            begin(connection, changes.decisions, known)
            move(connection, changes.decisions, now, by=CALIBRATED)
            ask(connection, changes.questions, now)
            for thread, kind in changes.kinds.items():
                connection.execute(
                    update(threads).where(_THREADS.id == thread).values(kind=str(kind))
                )
            return True

    def checked_threads(self, ids: Sequence[StoryId], now: datetime) -> None:
        """Their threads were thought of, and stay."""
        with self.database.write() as connection:
            connection.execute(update(stories).where(stories.c.id.in_(ids)).values(threaded_at=now))

    def thread(self, thread: ThreadId) -> ThreadHead | None:
        """A thread, or the one that it went into; None: there is none."""
        into = select(_THREADS.merged_into).where(_THREADS.id == thread)
        with self.database.read() as connection:
            number = connection.scalar(into) or thread
            return sql.one(connection, select(threads).where(_THREADS.id == number), ThreadHead)

    def thread_stories(
        self, ids: Sequence[ThreadId], most: int
    ) -> Mapping[ThreadId, tuple[StoryId, ...]]:
        """The stories of each thread, the last `most`, the newest first."""
        found: dict[ThreadId, list[StoryId]] = {}
        with self.database.read() as connection:
            for row in rows_of(connection, _OF, ids):
                found.setdefault(ThreadId(row.thread_id), []).append(StoryId(row.id))
        return {thread: tuple(those[:most]) for thread, those in found.items()}

    def thread_heads(
        self, *, since: datetime, limit: int, ids: Sequence[ThreadId] = ()
    ) -> tuple[ThreadHead, ...]:
        """Narratives of two stories or more with one since then, and those of `ids`; the latest
        first."""
        lately = (_THREADS.latest >= since) & (_THREADS.size > 1) & (_THREADS.kind == "")
        query = (
            select(threads)
            .where(or_(lately, _THREADS.id.in_(ids)), _THREADS.size > 0)
            .order_by(_THREADS.latest.desc(), _THREADS.id.desc())
            .limit(limit)
        )
        return self._rows(query, ThreadHead)

    def thread_subscriptions(self, user: UserId) -> Mapping[ThreadId, int]:
        """The threads that a reader follows (1) or has muted (-1)."""
        query = select(thread_readers).where(
            thread_readers.c.user_id == user, thread_readers.c.stand != 0
        )
        with self.database.read() as connection:
            return {ThreadId(row.thread_id): row.stand for row in connection.execute(query)}

    def set_thread_subscription(self, user: UserId, thread: ThreadId, subscription: int) -> None:
        """1 follows, -1 mutes, 0 neither; and so with its stories, now and to come."""
        with self.database.write() as connection:
            values = {"user": user, "thread": thread, "stand": subscription}
            sql.change(connection, _STAND, at=self._now(), **values)
            ids = [row.id for row in rows_of(connection, _OF, [thread])]
            for start in range(0, len(ids), CHUNK):
                those = ids[start : start + CHUNK]
                connection.execute(_NOT_MINE, {"user": user, "ids": those})
                connection.execute(_INHERIT, {"ids": those})
                tell_lists(connection, those)

    def move_stories(
        self,
        user: UserId,
        ids: Sequence[StoryId],
        thread: ThreadId | None,
        now: datetime,
    ) -> ThreadId | None:
        """Stories go into a thread, or into a new one, for good; None: none of them moves.

        A thread that has none left has gone into that one.
        """
        with self.database.write() as connection:
            before = {
                StoryId(row.id): (ThreadId(row.thread_id), row.thread_by)
                for row in connection.execute(
                    select(stories.c.id, stories.c.thread_id, stories.c.thread_by)
                    .where(stories.c.id.in_(ids), stories.c.thread_id.is_not(None))
                    .order_by(stories.c.began, stories.c.id)
                )
                if row.thread_id != thread
            }
            if not before:
                return None
            kind = "split" if thread is None else "merge"
            target = ThreadId(generation(connection)[1] + 1) if thread is None else thread
            act = (connection.scalar(select(func.max(_CORRECTIONS.act))) or 0) + 1
            choice = StoryChoice.SPLIT if thread is None else StoryChoice.MERGE
            decisions = [
                ThreadDecision(now, choice, story, target, was, reason=_REASONS[kind], judge=READER)
                for story, (was, _by) in before.items()
            ]
            begin(connection, decisions, set() if thread is None else {thread})
            corrected = {"act": act, "user_id": user, "at": now, "kind": kind, "thread_id": target}
            connection.execute(
                insert(thread_corrections),
                [
                    corrected | {"story_id": story, "before_id": was, "before_by": by}
                    for story, (was, by) in before.items()
                ],
            )
            move(connection, decisions, now, by=READER)
            for gone in {was for was, _by in before.values()}:
                size = select(_THREADS.size).where(_THREADS.id == gone)
                if thread is not None and not connection.scalar(size):
                    connection.execute(
                        update(threads)
                        .where((_THREADS.id == gone) | (_THREADS.merged_into == gone))
                        .values(merged_into=thread)
                    )
                    connection.execute(_HAND_ON, {"gone": gone, "kept": thread})
                    connection.execute(_INHERIT, {"ids": list(before)})
            tell_lists(connection, list(before))
            return target

    def undo_thread_act(self, user: UserId, act: int, now: datetime) -> ThreadId | None:
        """Put the stories of a reader's act back where they were, those that are still where they
        were moved to; which thread they are in again. None: there is nothing to undo."""
        query = select(thread_corrections).where(
            _CORRECTIONS.act == act, _CORRECTIONS.user_id == user, _CORRECTIONS.undone_at.is_(None)
        )
        with self.database.write() as connection:
            rows = connection.execute(query.order_by(_CORRECTIONS.id)).all()
            if not rows:
                return None
            connection.execute(
                update(thread_corrections).where(_CORRECTIONS.act == act).values(undone_at=now)
            )
            connection.execute(
                update(threads)
                .where(_THREADS.id.in_({row.before_id for row in rows}))
                .values(merged_into=None)
            )
            there = set(
                connection.scalars(
                    select(stories.c.id).where(
                        stories.c.id.in_([row.story_id for row in rows]),
                        stories.c.thread_id == rows[0].thread_id,
                    )
                )
            )
            for by in sorted({row.before_by for row in rows}):
                decisions = [
                    ThreadDecision(
                        now,
                        StoryChoice.MOVE,
                        StoryId(row.story_id),
                        ThreadId(row.before_id),
                        ThreadId(row.thread_id),
                        reason="A reader undid a correction.",
                        judge=READER,
                    )
                    for row in rows
                    if row.story_id in there and row.before_by == by
                ]
                move(connection, decisions, now, by=by)
            return ThreadId(rows[0].before_id)

    def thread_corrections(self, thread: ThreadId) -> tuple[ThreadCorrection, ...]:
        """What readers moved into a thread or out of it, the last first."""
        query = (
            select(thread_corrections)
            .where(or_(_CORRECTIONS.thread_id == thread, _CORRECTIONS.before_id == thread))
            .order_by(_CORRECTIONS.id.desc())
        )
        return self._rows(query, ThreadCorrection)

    def thread_decisions(self, thread: ThreadId, limit: int) -> tuple[ThreadDecision, ...]:
        """The last ones about a thread, the newest first."""
        query = (
            select(thread_decisions)
            .where(or_(_DECISIONS.thread_id == thread, _DECISIONS.other_id == thread))
            .order_by(_DECISIONS.id.desc())
            .limit(limit)
        )
        with self.database.read() as connection:
            return tuple(_decision(row) for row in connection.execute(query))


_REASONS = {
    "split": "A reader split these stories from the thread.",
    "merge": "A reader merged the two threads.",
}


def generation(connection: Connection) -> tuple[int, ThreadId]:
    last = connection.scalar(select(func.max(_DECISIONS.id))) or 0
    return last, ThreadId(connection.scalar(select(func.max(_THREADS.id))) or 0)


def begin(connection: Connection, decisions: Sequence[ThreadDecision], known: set[int]) -> None:
    """Threads that are not there yet; their dates come with their stories."""
    for thread in sorted({one.thread for one in decisions} - known):
        at = next(one.at for one in decisions if one.thread == thread)
        connection.execute(insert(threads).values(id=thread, began=at, latest=at))


def move(
    connection: Connection, decisions: Sequence[ThreadDecision], now: datetime, *, by: str
) -> None:
    """Stories into threads, with what follows from it for the readers of both."""
    if not decisions:
        return
    for one in decisions:
        connection.execute(
            update(stories)
            .where(stories.c.id == one.story)
            .values(thread_id=one.thread, thread_by=by, threaded_at=now)
        )
    if by != CALIBRATED:  # a reader or a language model judged that they belong together
        joined = _THREADS.id.in_({one.thread for one in decisions})
        connection.execute(update(threads).where(joined).values(kind=str(ThreadKind.NARRATIVE)))
    note(connection, decisions)
    moved = [one.story for one in decisions]
    left = [one.story for one in decisions if one.other is not None]
    touched = {one.thread for one in decisions} | {
        one.other for one in decisions if one.other is not None
    }
    for statement, ids in ((_REFRESH, sorted(touched)), (_DISINHERIT, left), (_INHERIT, moved)):
        for start in range(0, len(ids), CHUNK):
            connection.execute(statement, {"ids": ids[start : start + CHUNK]})
    tell_lists(connection, moved)


def note(connection: Connection, decisions: Sequence[ThreadDecision]) -> None:
    """Decisions in the audit."""
    first = allocate_ids(connection, "thread_decisions", len(decisions))
    connection.execute(
        insert(thread_decisions),
        [{"id": first + at} | _values(one) for at, one in enumerate(decisions)],
    )


def _values(one: ThreadDecision) -> dict[str, Any]:
    return {
        "at": one.at,
        "choice": str(one.choice),
        "story_id": one.story,
        "thread_id": one.thread,
        "other_id": one.other,
        "candidates": listed(one.candidates),
        "reason": one.reason,
        "judge": one.judge,
        "confidence": one.confidence,
        "relation": one.relation,
        "prompt": one.prompt,
    }


def _decision(row: Any) -> ThreadDecision:
    return ThreadDecision(
        at=row.at,
        choice=StoryChoice(row.choice),
        story=StoryId(row.story_id),
        thread=ThreadId(row.thread_id),
        other=None if row.other_id is None else ThreadId(row.other_id),
        candidates=offered(row.candidates),
        reason=row.reason,
        judge=row.judge,
        confidence=row.confidence,
        relation=row.relation,
        prompt=row.prompt,
    )
