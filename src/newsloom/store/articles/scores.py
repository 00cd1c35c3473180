"""What one reader's model made of articles: relevance, and with sensitivity the rank key."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, bindparam, text, update

from newsloom.classify.language_model import held
from newsloom.ports import HalfLives, Vectors
from newsloom.scoring import lasting
from newsloom.store import makers
from newsloom.store.articles.derived import categories, digests
from newsloom.store.articles.handed import Handed
from newsloom.store.articles.vectors import matrix
from newsloom.store.columns import moment
from newsloom.store.lists import rank_key
from newsloom.store.sql import many, rows_of
from newsloom.store.tables import states
from newsloom.store.users.half_lives import own_half_lives
from newsloom.types import ArticleText, Score, UserId

_NEXT_SCORER = text("SELECT MIN(scored_by) FROM states WHERE user_id = :user AND scored_by > :last")
_PENDING_SCORES = text("""
    SELECT s.article_id, s.dated_at, r.rating, l.rating AS told
    FROM states s CROSS JOIN embeddings e CROSS JOIN ratings r
    LEFT JOIN ratings l ON l.maker_id = :told_by AND l.article_id = s.article_id
    WHERE s.user_id = :user AND s.scored_by = :scorer
    AND e.maker_id = :vectors AND e.article_id = s.article_id
    AND r.maker_id = :ratings AND r.article_id = s.article_id
    ORDER BY s.dated_at DESC, s.article_id DESC LIMIT :limit
""")
_DATED = many(
    "SELECT article_id, dated_at FROM states WHERE user_id = :user AND article_id IN :ids"
)
_SCORED = ("relevance", "sensitivity", "rank_key", "scored_by")
_SCORE = (
    update(states)
    .where(states.c.user_id == bindparam("of_user"), states.c.article_id == bindparam("of_article"))
    .values(
        {name: bindparam(name) for name in ("relevance", "sensitivity", "rank_key", "scored_by")}
    )
)


class Scores(Handed):
    """The relevance stage."""

    def pending_scores(
        self,
        user: UserId,
        *,
        scored_by: str,
        sensitivity_model: str,
        vector_model: str,
        limit: int,
        language_model: str = "",
    ) -> tuple[tuple[ArticleText, ...], Vectors, tuple[str, ...], tuple[int, ...]]:
        """Newest first: articles, vectors, the reader's categories, ratings in force.

        An article that the maker `language_model` has rated has that rating, as far as it may move
        the one of the sensitivity model.
        """
        with self.database.read() as connection:
            vector_maker = makers.known(connection, vector_model)
            values = {
                "user": user,
                "vectors": vector_maker,
                "ratings": makers.known(connection, sensitivity_model),
                "told_by": makers.known(connection, language_model),
                "limit": limit,
            }
            present = makers.known(connection, scored_by)
            # Each scorer before the present one has its range of the index, newest first.
            ranges = [
                connection.execute(_PENDING_SCORES, {**values, "scorer": scorer}).all()
                for scorer in _scorers(connection, user)
                if scorer != present
            ]
            newest = heapq.merge(*ranges, key=lambda row: (row[1], row[0]), reverse=True)
            rows = [row for row, _ in zip(newest, range(limit), strict=False)]
            ids = [row.article_id for row in rows]
            articles = self.hand_out(connection, f"scores {user}", ids)
            shelves = categories(connection, user, ids)
            return (
                articles,
                matrix(connection, vector_maker, ids),
                tuple(shelves.get(one, "") for one in ids),
                tuple(
                    row.rating if row.told is None else held(row.rating, row.told) for row in rows
                ),
            )

    def put_scores(
        self, user: UserId, scored_by: str, scores: Sequence[Score], half_lives: HalfLives
    ) -> None:
        """Sets relevance, sensitivity and the static rank key derived from both.

        By the reader's own half-lives, where they have some: read here, so that no key is made with
        those of a moment ago.
        """
        with self.database.write() as connection:
            in_force = lasting(own_half_lives(connection, user), half_lives)
            maker = makers.numbered(connection, scored_by)
            ids = [one.article_id for one in scores]
            fresh = self.still(f"scores {user}", ids, digests(connection, ids))
            dated = {
                row.article_id: moment(row.dated_at)
                for row in rows_of(connection, _DATED, ids, user=user)
            }
            rows = [
                {
                    "of_user": user,
                    "of_article": one.article_id,
                    "relevance": one.relevance,
                    "sensitivity": one.sensitivity,
                    "rank_key": rank_key.stored_key(
                        one.relevance, dated[one.article_id], in_force[one.sensitivity]
                    ),
                    "scored_by": maker,
                }
                for one in scores
                if one.article_id in fresh and one.article_id in dated
            ]
            if rows:
                connection.execute(_SCORE, rows)


def _scorers(connection: Connection, user: UserId) -> Iterable[int]:
    """Who scored anything of a reader, each found by one step in the index."""
    last = makers.UNKNOWN
    while (scorer := connection.scalar(_NEXT_SCORER, {"user": user, "last": last})) is not None:
        yield scorer
        last = scorer
