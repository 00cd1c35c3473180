"""Which chapters of briefs a language model is to write, and what it wrote.

Functions within a transaction of the caller's: see briefs/purposes/brief.py. A brief waits for them
until its moment; with the last answer it can be spoken at once. `answered` has each chapter that
was answered for, by its number, and the sentences that did not stand if it is to be asked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from newsloom.articles.store.derived import article_texts
from newsloom.briefs.rewriting import chapters_of_news, rewritten, words_of
from newsloom.briefs.store.tables import briefs
from newsloom.briefs.values import BriefScript, BriefState, ChapterQuestion
from newsloom.briefs.written import read_script
from newsloom.digests.values import Checked
from newsloom.digests.written import values
from newsloom.llm.purpose import model_of

_BRIEFS = briefs.c
# So many words more than the chapter had: the model's are as many as it likes below.
ROOM = 1.03
FEWEST_WORDS = 20  # of a chapter that is worth a question


def unwritten(connection: Connection, *, now: datetime, limit: int) -> tuple[ChapterQuestion, ...]:
    """Chapters without an answer, or whose first answer had sentences that did not stand."""
    query = (
        select(briefs)
        .where(_BRIEFS.state == BriefState.WRITING.value, _BRIEFS.ready_at > now)
        .order_by(_BRIEFS.id)
    )
    found: list[ChapterQuestion] = []
    for row in connection.execute(query):
        for question in _questions(connection, row):
            if len(found) >= limit:
                return tuple(found)
            found.append(question)
    return tuple(found)


def put_chapter(
    connection: Connection, question: ChapterQuestion, checked: Checked, producer: str
) -> bool:
    """Put the sentences in the place of those that are there; whether any of them was taken."""
    row = connection.execute(select(briefs).where(_BRIEFS.id == question.brief)).one_or_none()
    if row is None or row.state != BriefState.WRITING.value:
        return False
    answered = dict(row.answered or {})
    script = read_script(row.script)
    if question.chapter not in _left(script, answered):
        return False
    script, taken = rewritten(script, question.chapter, checked, model_of(producer))
    refused = [one.text for one in checked.refused]
    answered[str(question.chapter)] = [] if question.refused else refused
    state = row.state if _left(script, answered) else BriefState.SPEAKING.value
    changed = {"script": values(script), "answered": answered, "state": state}
    connection.execute(update(briefs).where(_BRIEFS.id == row.id).values(changed))
    return taken


def _left(script: BriefScript, answered: Mapping[str, Sequence[str]]) -> list[int]:
    """Chapters that are asked about still: never answered for, or with something refused."""
    return [
        number
        for number in chapters_of_news(script)
        if words_of(script.chapters[number].lines) >= FEWEST_WORDS
        and (str(number) not in answered or answered[str(number)])
    ]


def _questions(connection: Connection, row: Row[Any]) -> Iterator[ChapterQuestion]:
    script, answered = read_script(row.script), row.answered or {}
    for number in _left(script, answered):
        chapter = script.chapters[number]
        ids = list(dict.fromkeys(one for line in chapter.lines for one in line.articles))
        known, texts = {one.id: one for one in script.articles}, article_texts(connection, ids)
        articles = tuple(
            replace(known[one], text=texts[one].text)
            for one in ids
            if one in texts and one in known
        )
        if articles:
            words = int(words_of(chapter.lines) * ROOM)
            refused = tuple(answered.get(str(number), ()))
            yield ChapterQuestion(row.id, number, articles, words, script.language, refused)
