"""What a language model is asked about stories, and what comes of its answers. Decides nothing.

Functions with a connection run within a transaction of who asks; see llm/purpose.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Table, func, select, text, update

from newsloom.articles.store.derived import article_texts
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.sql import Aggregate, many, rows_of
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.values.models import ArticleText
from newsloom.stories import judging
from newsloom.stories.store import membership
from newsloom.stories.store.audit import offered, put_decisions
from newsloom.stories.store.corrections import apart
from newsloom.stories.store.tables import stories, story_members, story_questions
from newsloom.stories.store.work import newest
from newsloom.stories.values.pages import (
    READER,
    CheckedWords,
    Membership,
    StoryAnswer,
    StoryChoice,
    StoryDecision,
    StoryId,
    StoryQuestion,
    StoryWordsQuestion,
)
from newsloom.summaries.credited import credited

_QUESTIONS = story_questions.c
_WAITING = text("""
    SELECT q.article_id, q.control, t.title, substr(t.lead, 1, 600) AS lead, m.dated_at,
        m.story_id, q.offered
    FROM story_questions q
    JOIN story_members m ON m.article_id = q.article_id AND m.maker_id > 0
    JOIN texts t ON t.article_id = q.article_id
    WHERE q.answered_by <> :maker AND q.asked_at >= :since AND m.decided_by <> 'reader'
    ORDER BY q.control DESC, q.article_id DESC LIMIT :limit
""")
_RECENT = many("""
    SELECT story_id, title FROM (
        SELECT m.story_id, t.title, ROW_NUMBER() OVER (
            PARTITION BY m.story_id ORDER BY m.dated_at DESC, m.article_id DESC
        ) AS place FROM story_members m JOIN texts t ON t.article_id = m.article_id
        WHERE m.story_id IN :ids AND m.article_id <> :article
    ) AS newest WHERE place <= 3 ORDER BY story_id, place
""")


class StoryQuestions(Aggregate):
    """Questions for a language model."""


def believed(connection: Connection, questions: Table, producer: str) -> bool:
    """Whether a model is believed about what a table of questions asks, by its last answers to
    clear cases and to borderline ones."""
    mine, (key,) = questions.c, questions.primary_key
    answered = select(mine.begins, mine.agreed).where(mine.answered_by == producer)
    clear = answered.where(mine.control).order_by(key.desc()).limit(judging.CONTROLS)
    borderline = (
        answered.where(~mine.control, mine.agreed.is_not(None))
        .order_by(key.desc())
        .limit(judging.BORDERLINES)
    )
    return judging.trusted(
        [(bool(row.begins), bool(row.agreed)) for row in connection.execute(clear)],
        [bool(row.agreed) for row in connection.execute(borderline)],
    )


def unanswered(
    connection: Connection, producer: str, *, since: datetime, limit: int
) -> Sequence[StoryQuestion]:
    """Questions that this model has not answered: clear cases first, then the newest."""
    values = {"maker": producer, "since": micros(since), "limit": limit}
    rows = connection.execute(_WAITING, values).all()
    return [_question(connection, row) for row in rows]


def _question(connection: Connection, row: Row[Any]) -> StoryQuestion:
    found = offered(row.offered)
    recent: dict[int, list[str]] = {one.story: [] for one in found}
    for each in rows_of(connection, _RECENT, list(recent), article=row.article_id):
        recent[each.story_id].append(each.title)
    listed = [one for one in found if recent[one.story]]  # those that are left
    own = row.story_id if row.story_id in {one.story for one in listed} else None
    return StoryQuestion(
        article=ArticleId(row.article_id),
        title=row.title,
        lead=row.lead,
        dated=moment(row.dated_at),
        story=own,
        offered=tuple(listed),
        recent=tuple(tuple(recent[one.story]) for one in listed),
        control=bool(row.control),
    )


def _alive(connection: Connection, story: int) -> bool:
    return bool(connection.scalar(select(stories.c.size).where(stories.c.id == story)))


def put_answer(
    connection: Connection,
    question: StoryQuestion,
    answer: StoryAnswer,
    producer: str,
    prompt: str,
    now: datetime,
    *,
    taken: bool,
    agreed: bool | None,
) -> bool:
    """Keep what a model said; where it is `taken` and says otherwise, the article moves.

    Not of an article that a reader placed meanwhile, nor of one that was placed otherwise since.
    """
    held = connection.execute(
        select(
            story_members.c.story_id, story_members.c.decided_by, story_members.c.maker_id
        ).where(story_members.c.article_id == question.article)
    ).one_or_none()
    if held is None or held.decided_by == READER:
        return False
    connection.execute(
        update(story_questions)
        .where(_QUESTIONS.article_id == question.article)
        .values(answered_by=producer, agreed=agreed, begins=question.story is None)
    )
    before = StoryId(held.story_id)
    listed = {one.story for one in question.offered}
    if (question.story is not None and before != question.story) or (
        question.story is None and before in listed
    ):
        return True  # it was placed otherwise meanwhile
    target = _target(connection, question, answer, before) if taken else None
    decision = StoryDecision(
        now,
        answer.choice,
        target or before,
        question.article,
        None if target in (None, before) else before,
        question.offered,
        answer.reason,
        answer.confidence,
        answer.relation,
        producer,
        prompt,
    )
    if target is not None:  # also where it is already: no repair moves it any more
        member = Membership(question.article, target, answer.confidence, producer, answer.relation)
        membership.put_members(connection, [member], now)
    put_decisions(connection, [decision])
    return True


def _target(
    connection: Connection, question: StoryQuestion, answer: StoryAnswer, before: StoryId
) -> StoryId | None:
    """Where an answer puts the article; None: it stays."""
    if answer.choice is StoryChoice.ASSIGN and answer.story is not None:
        kept = (question.article, answer.story) not in apart(connection).articles
        return answer.story if kept and _alive(connection, answer.story) else None
    if answer.choice is StoryChoice.NEW and question.story is not None:
        others = select(func.count()).where(story_members.c.story_id == before)
        if (connection.scalar(others) or 0) < 2:
            return None  # it is alone already
        new = StoryId((connection.scalar(select(func.max(stories.c.id))) or 0) + 1)
        membership.begin(connection, [(new, question.dated)])
        return new
    return None


# Which stories a language model is to title and sum up, and what it wrote.
# Functions within a transaction of the caller's: see stories/purposes/wording.py.

# Articles of a story that are read, the newest.
READ = 12

# Words of before, with what was answered for them, are not asked about again.
_UNWRITTEN = text("""
    SELECT s.id, s.worded FROM stories s
    WHERE s.worded > 0 AND s.answered <> s.worded AND s.size > 1 AND s.latest >= :since
    ORDER BY CASE WHEN EXISTS (
        SELECT 1 FROM story_readers r WHERE r.story_id = s.id AND r.stand > 0
    ) THEN 0 ELSE 1 END, s.size DESC, s.id DESC LIMIT :limit
""")


def unwritten(
    connection: Connection, *, since: datetime, limit: int
) -> tuple[StoryWordsQuestion, ...]:
    """Stories with words of their articles for which no model has answered, those that somebody
    follows first, then the largest."""
    rows = connection.execute(_UNWRITTEN, {"since": micros(since), "limit": limit}).all()
    members = newest(connection, [StoryId(row.id) for row in rows], READ)
    texts = article_texts(connection, [one for those in members.values() for one in those])
    return tuple(
        _wording_question(StoryId(row.id), row.worded, members.get(StoryId(row.id), ()), texts)
        for row in rows
    )


def _wording_question(
    story: StoryId,
    worded: int,
    members: Sequence[ArticleId],
    texts: Mapping[int, ArticleText],
) -> StoryWordsQuestion:
    articles = tuple(credited(texts[one]) for one in members if one in texts)
    language = articles[0].language if articles else ""
    return StoryWordsQuestion(story, worded, articles, language)


def put_written(connection: Connection, question: StoryWordsQuestion, words: CheckedWords) -> bool:
    """In the place of the articles' own words, which stay where nothing was taken. Whether
    anything was; nothing is when the story got other words since."""
    changed: dict[str, str | int] = {"answered": question.worded}
    if words.title:
        changed |= {"title": words.title, "title_by": words.model}
    if words.summary:
        changed |= {"summary": words.summary, "summary_by": words.model}
    done = connection.execute(
        update(stories)
        .where(stories.c.id == question.story, stories.c.worded == question.worded)
        .values(**changed)
    )
    return bool(done.rowcount) and len(changed) > 1
