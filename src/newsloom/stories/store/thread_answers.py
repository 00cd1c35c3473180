"""What comes of a language model's answer about a thread. Decides nothing."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select, update

from newsloom.stories.store.tables import stories, thread_questions, threads
from newsloom.stories.store.threads import begin, generation, move, note
from newsloom.stories.values.pages import READER, StoryChoice, ThreadId
from newsloom.stories.values.threads import ThreadAnswer, ThreadDecision, ThreadQuestion


def put_answer(
    connection: Connection,
    question: ThreadQuestion,
    answer: ThreadAnswer,
    producer: str,
    prompt: str,
    now: datetime,
    *,
    taken: bool,
    agreed: bool | None,
) -> bool:
    """Store what a model said; where it is `taken` and says otherwise, the story moves.

    Not of a story that a reader moved meanwhile, nor of one that was placed otherwise since.
    """
    held = connection.execute(
        select(stories.c.thread_id, stories.c.thread_by).where(stories.c.id == question.story)
    ).one_or_none()
    if held is None or held.thread_id is None or held.thread_by == READER:
        return False
    connection.execute(
        update(thread_questions)
        .where(thread_questions.c.story_id == question.story)
        .values(answered_by=producer, agreed=agreed, begins=question.thread is None)
    )
    before = ThreadId(held.thread_id)
    listed = {one.thread for one in question.offered}
    if before != question.thread if question.thread is not None else before in listed:
        return True  # it was placed otherwise meanwhile
    target = _target(connection, question, answer, before) if taken else None
    decision = ThreadDecision(
        now,
        answer.choice,
        question.story,
        target or before,
        None if target in (None, before) else before,
        question.candidates,
        answer.reason,
        producer,
        answer.confidence,
        answer.relation,
        prompt,
    )
    if target is None:
        note(connection, [decision])
        return True
    known = {int(target)} if target <= generation(connection)[1] else set()
    begin(connection, [decision], known)
    move(connection, [decision], now, by=producer)  # also where it is: no repair moves it any more
    return True


def _target(
    connection: Connection, question: ThreadQuestion, answer: ThreadAnswer, before: ThreadId
) -> ThreadId | None:
    """Where an answer puts the story; None: it stays."""
    size = select(threads.c.size)
    if answer.choice is StoryChoice.ASSIGN and answer.thread is not None:
        alive = connection.scalar(size.where(threads.c.id == answer.thread))
        return answer.thread if alive else None
    if answer.choice is StoryChoice.NEW and question.thread is not None:
        if (connection.scalar(size.where(threads.c.id == before)) or 0) < 2:
            return None  # it is alone already
        return ThreadId(generation(connection)[1] + 1)
    return None
