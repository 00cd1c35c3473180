"""Which stories a language model is to title and sum up, and what it wrote.

Functions within a transaction of the caller's: see stories/purposes/wording.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, text, update

from newsloom.articles.store.derived import article_texts
from newsloom.kernel.db.columns import micros
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.values.models import ArticleText
from newsloom.stories.store.tables import stories
from newsloom.stories.store.work import newest
from newsloom.stories.values.pages import CheckedWords, StoryWordsQuestion
from newsloom.stories.values.stories import StoryId
from newsloom.summaries.credited import credited

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
        _question(StoryId(row.id), row.worded, members.get(StoryId(row.id), ()), texts)
        for row in rows
    )


def _question(
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
