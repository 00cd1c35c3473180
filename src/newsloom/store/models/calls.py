"""What a language model is to be asked, and each question once it was answered or not.

An answer's rating, its audit row, what it cost and how the service does are one transaction: a kill
leaves all of them or none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import takewhile

from sqlalchemy import Connection, delete, func, insert, select, text, update

from newsloom.store import makers
from newsloom.store.aggregate import Aggregate
from newsloom.store.articles.derived import article_texts, digests
from newsloom.store.columns import micros
from newsloom.store.models.services import put_service, service_state
from newsloom.store.tables import model_calls, states, users
from newsloom.types import OK, UNUSABLE, Asked, ModelCall, Question, Rating, ServiceState

# An article waits when so many of the last answers about its present text were unusable.
MOST_UNUSABLE = 2

# Audit rows kept: a month of seed 000's traffic (700 articles a day). Answers are a few hundred
# characters, so this is some 10 MB.
MOST_CALLS = 20_000

# Calls of a day that are counted, by their numbers: looked at for each page that is shown.
MOST_A_DAY = 5_000

# Used answers that are compared: so many in a row never were letter by letter alike by chance.
ALIKE = 30

_PENDING = text("""
    SELECT p.article_id, p.dated_at, p.tried FROM (
        SELECT s.article_id, s.dated_at, (
            SELECT COUNT(*) FROM model_calls c
            WHERE c.article_id = s.article_id AND c.maker = :name AND c.at >= :lately
            AND c.verdict LIKE :unusable AND c.text_hash = CAST(t.digest AS TEXT)
        ) AS tried
        FROM states s
        JOIN texts t ON t.article_id = s.article_id AND t.maker_id > 0
        LEFT JOIN ratings r ON r.maker_id = :maker AND r.article_id = s.article_id
        WHERE s.user_id = :user AND s.read = FALSE AND s.dated_at >= :since
        AND r.article_id IS NULL
    ) AS p
    WHERE p.tried < :most
    ORDER BY p.tried, p.dated_at DESC, p.article_id DESC LIMIT :limit
""")


class Calls(Aggregate):
    """What language models were asked, and the audit of it."""

    def pending_questions(
        self, maker: str, *, since: datetime, lately: datetime, limit: int
    ) -> tuple[Question, ...]:
        """Unread articles since then that this maker has not rated, the newest first.

        Those come last whose text got an unusable answer lately, and then wait.
        """
        with self.database.read() as connection:
            values = {
                "maker": makers.known(connection, maker),
                "name": maker,
                "since": micros(since),
                "lately": micros(lately),
                "unusable": f"{UNUSABLE}%",
                "most": MOST_UNUSABLE,
                "limit": limit,
            }
            found: dict[int, tuple[int, int, int]] = {}
            for user in connection.scalars(select(users.c.id)).all():
                rows = connection.execute(_PENDING, {**values, "user": user})
                found |= {
                    row.article_id: (row.tried, -row.dated_at, -row.article_id) for row in rows
                }
            ids = sorted(found, key=found.__getitem__)[:limit]
            known = digests(connection, ids)
            articles = article_texts(connection, ids)
            return tuple(Question(articles[one], known[one]) for one in ids)

    def settle_call(
        self,
        call: ModelCall,
        *,
        day: int,
        returned: int,
        after: Callable[[ServiceState], ServiceState],
        rating: Rating | None = None,
    ) -> bool:
        """Keep what a call came to, and its rating; whether that is of the article's present text.

        `returned` of the tokens reserved that day were not spent (negative: more were); `after`
        says how the service does now, from how it did.
        """
        with self.database.write() as connection:
            state = after(service_state(connection, call.service))
            if state.day == day:
                state = replace(state, tokens=max(state.tokens - returned, 0))
            put_service(connection, state)
            kept = rating is not None and _rate(connection, call, rating)
            _keep(connection, call)
            return kept

    def asked(self, maker: str, since: datetime) -> Asked:
        """What the questions of this maker came to since then."""
        newest_id = select(func.max(model_calls.c.id)).scalar_subquery()
        mine = (model_calls.c.maker == maker) & (model_calls.c.id > newest_id - MOST_A_DAY)
        used = model_calls.c.verdict == OK
        recent = mine & (model_calls.c.at >= since)
        newest = (
            select(model_calls.c.answer)
            .where(mine, used)
            .order_by(model_calls.c.id.desc())
            .limit(ALIKE)
        )
        with self.database.read() as connection:
            answers = connection.scalars(newest).all()
            return Asked(
                calls=connection.scalar(select(func.count()).where(recent)) or 0,
                used=connection.scalar(select(func.count()).where(recent, used)) or 0,
                alike=sum(1 for _ in takewhile(lambda one: one == answers[0], answers)),
            )


def _rate(connection: Connection, call: ModelCall, rating: Rating) -> bool:
    """The rating, and the article's scores to be made anew; nothing if its text has changed."""
    article = call.article_id
    if article is None or str(digests(connection, [article]).get(article)) != call.text_hash:
        return False
    maker = makers.numbered(connection, call.maker)
    from newsloom.store.articles.model_outputs import put_ratings_of  # and numpy

    put_ratings_of(connection, maker, [(article, rating)], call.at)
    connection.execute(
        update(states).where(states.c.article_id == article).values(scored_by=makers.NOBODY)
    )
    return True


def _keep(connection: Connection, call: ModelCall) -> None:
    row = {
        column.name: getattr(call, column.name)
        for column in model_calls.columns
        if column is not model_calls.c.id
    }
    key = connection.execute(insert(model_calls).values(row)).inserted_primary_key
    assert key is not None
    connection.execute(delete(model_calls).where(model_calls.c.id <= key[0] - MOST_CALLS))
