"""What a language model is to say of how fast articles expire, and what it said.

Functions within a transaction of the caller's: see ranking/purposes/sensitivity.py.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select, text, update

from newsloom.accounts.store.users.tables import users
from newsloom.articles.store.derived import article_texts, digests
from newsloom.articles.store.reader_tables import states
from newsloom.kernel.db import producers
from newsloom.kernel.db.columns import micros
from newsloom.llm.values import ArticleQuestion
from newsloom.ranking.store.model_outputs import put_ratings_of
from newsloom.ranking.values.models import Rating

_UNRATED = text("""
    SELECT s.article_id, s.dated_at
    FROM states s
    JOIN texts t ON t.article_id = s.article_id AND t.maker_id > 0
    LEFT JOIN ratings r ON r.maker_id = :maker AND r.article_id = s.article_id
    WHERE s.user_id = :user AND s.read = FALSE AND s.dated_at >= :since
    AND r.article_id IS NULL
    ORDER BY s.dated_at DESC, s.article_id DESC LIMIT :limit
""")


def unrated_articles(
    connection: Connection, producer: str, *, since: datetime, limit: int
) -> tuple[ArticleQuestion, ...]:
    """Articles since then that some user has not read and this maker has not rated, the newest
    first."""
    values = {
        "maker": producers.known(connection, producer),
        "since": micros(since),
        "limit": limit,
    }
    found: dict[int, int] = {}
    for user in connection.scalars(select(users.c.id)).all():
        rows = connection.execute(_UNRATED, {**values, "user": user})
        found |= {row.article_id: row.dated_at for row in rows}
    ids = sorted(found, key=lambda one: (found[one], one), reverse=True)[:limit]
    known = digests(connection, ids)
    articles = article_texts(connection, ids)
    return tuple(ArticleQuestion(articles[one], known[one]) for one in ids)


def put_rating(
    connection: Connection, question: ArticleQuestion, rating: Rating, producer: str, at: datetime
) -> bool:
    """The rating, and the article's scores to be made anew; nothing if its text has changed."""
    article = question.article.id
    if digests(connection, [article]).get(article) != question.digest:
        return False
    number = producers.numbered(connection, producer)
    put_ratings_of(connection, number, [(article, rating)], at)
    connection.execute(
        update(states).where(states.c.article_id == article).values(scored_by=producers.NOBODY)
    )
    return True
