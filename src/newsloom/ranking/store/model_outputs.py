"""What models made of texts, the same for every reader: vectors and sensitivity ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, delete, func, insert, select, text, update

from newsloom.accounts.store.tables import users
from newsloom.articles.store.derived import article_texts, digests, versioned_texts
from newsloom.articles.store.reader_tables import states
from newsloom.articles.store.tables import embeddings, ratings
from newsloom.kernel.db import producers, sql
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.producers import producers as makers_table
from newsloom.kernel.db.sql import Aggregate, many
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.llm.values import ArticleQuestion
from newsloom.ranking.ports import Vectors
from newsloom.ranking.store.nearest import pgvector
from newsloom.ranking.store.vectors import STORED, by_article, matrix
from newsloom.ranking.values.models import ArticleText, Rating
from newsloom.work.store import pending
from newsloom.work.store.leases import batch_of, finish, still_pending, unchanged
from newsloom.work.values import Batch, Lease, Put, StageKey

_VECTORS, _RATINGS = pending.SOURCES["embed"], pending.SOURCES["sensitivity"]
_EMBEDDED, _RATED = (
    many(f"SELECT article_id FROM {table} WHERE maker_id = :maker AND article_id IN :ids")  # noqa: S608
    for table in ("embeddings", "ratings")
)


class ModelOutputs(Aggregate):
    """The encoder's and the sensitivity stage."""

    def leased_vectors(self, lease: Lease, limit: int) -> tuple[Batch, tuple[ArticleText, ...]]:
        """The first `limit` of a lease that are still pending, as a batch with their versions."""
        with self.database.read() as connection:
            ids = still_pending(connection, _EMBEDDED, lease)
            texts, versions = versioned_texts(connection, ids)
            batch = batch_of(connection, lease, versions, limit)
            return batch, tuple(texts[one] for one in ids)

    def put_vectors(
        self,
        model_id: str,
        ids: Sequence[ArticleId],
        vectors: Vectors,
        *,
        batch: Batch | None = None,
        until: datetime | None = None,
    ) -> Put:
        stored = np.asarray(vectors).astype(STORED)
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            if put is None:
                return Put(0)
            producer = producers.numbered(connection, model_id)
            fresh = unchanged(batch, ids, _VECTORS.versions(connection, ids))
            connection.execute(
                delete(embeddings).where(
                    embeddings.c.maker_id == producer, embeddings.c.article_id.in_(fresh)
                )
            )
            rows = [
                {"maker_id": producer, "article_id": article, "vector": line.tobytes()}
                for article, line in zip(ids, stored, strict=True)
                if article in fresh
            ]
            if rows:
                connection.execute(insert(embeddings), rows)
                if pgvector.there(connection):
                    pgvector.put(connection, [tuple(row.values()) for row in rows])
            return replace(put, stored=len(rows))

    def leased_ratings(
        self, lease: Lease, limit: int
    ) -> tuple[Batch, tuple[ArticleText, ...], Vectors]:
        """The first `limit` of a lease that are still pending, as a batch with their versions."""
        with self.database.read() as connection:
            vector_maker = producers.known(connection, lease.key.inputs[0])
            found = by_article(connection, vector_maker, still_pending(connection, _RATED, lease))
            ids = [one for one in lease.ids if one in found]
            texts, versions = versioned_texts(connection, ids)
            batch = batch_of(connection, lease, versions, limit)
            vectors = np.stack([found[one] for one in ids]) if ids else np.empty((0, 0), np.float32)
            return batch, tuple(texts[one] for one in ids), vectors

    def put_ratings(
        self,
        model_id: str,
        ids: Sequence[ArticleId],
        ratings: Sequence[Rating],
        at: datetime,
        *,
        batch: Batch | None = None,
        until: datetime | None = None,
    ) -> Put:
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            if put is None:
                return Put(0)
            producer = producers.numbered(connection, model_id)
            fresh = unchanged(batch, ids, _RATINGS.versions(connection, ids))
            made = [(one, rating) for one, rating in zip(ids, ratings, strict=True) if one in fresh]
            put_ratings_of(connection, producer, made, at)
            return replace(put, stored=len(made))

    def vectors(
        self, model_id: str, ids: Sequence[ArticleId]
    ) -> Mapping[ArticleId, NDArray[np.float32]]:
        with self.database.read() as connection:
            return by_article(connection, producers.known(connection, model_id), ids)

    def rating(self, model_id: str, article: ArticleId) -> Rating | None:
        with self.database.read() as connection:
            query = select(ratings.c.rating, ratings.c.confidence, ratings.c.explanation).where(
                ratings.c.maker_id == producers.known(connection, model_id),
                ratings.c.article_id == article,
            )
            row = connection.execute(query).one_or_none()
            return None if row is None else Rating(row.rating, row.confidence, row.explanation)


def put_ratings_of(
    connection: Connection, producer: int, made: Sequence[tuple[ArticleId, Rating]], at: datetime
) -> None:
    """Within a write transaction; those that stood there go."""
    if not made:
        return
    connection.execute(
        delete(ratings).where(
            ratings.c.maker_id == producer, ratings.c.article_id.in_([one for one, _ in made])
        )
    )
    connection.execute(
        insert(ratings),
        [
            {
                "maker_id": producer,
                "article_id": article,
                "rating": one.rating,
                "confidence": one.confidence,
                "explanation": one.explanation,
                "made_at": at,
            }
            for article, one in made
        ],
    )


# All vectors of one encoder together: how many there are, how many are wanting, their removal.

# Less what was removed for its age, and what the stage set aside: an article that an encoder cannot
# read must not keep all others from their new vectors.
_WANTING = text("""
    SELECT COUNT(*) FROM texts t
    LEFT JOIN embeddings e ON e.maker_id = :maker AND e.article_id = t.article_id
    WHERE t.maker_id > 0 AND e.article_id IS NULL AND NOT EXISTS (
        SELECT 1 FROM work_failures w WHERE w.stage = :stage AND w.scope = 0
        AND w.article_id = t.article_id
    ) AND NOT EXISTS (
        SELECT 1 FROM aged_articles g
        WHERE g.article_id = t.article_id AND g.vectors_at IS NOT NULL
    )
""")
_UNRATED = text("""
    SELECT COUNT(*) FROM embeddings e
    LEFT JOIN ratings r ON r.maker_id = :maker AND r.article_id = e.article_id
    WHERE e.maker_id = :input AND r.article_id IS NULL AND NOT EXISTS (
        SELECT 1 FROM work_failures w WHERE w.stage = :stage AND w.scope = 0
        AND w.article_id = e.article_id
    )
""")
_LANGUAGES = text("SELECT feed_id, language, COUNT(*) FROM articles GROUP BY feed_id, language")
_REMOVE = text("""
    DELETE FROM embeddings WHERE id IN (
        SELECT id FROM embeddings WHERE maker_id = :maker ORDER BY id LIMIT :limit
    )
""")


def _any_vector(connection: Connection) -> bool:
    return connection.scalar(select(embeddings.c.id).limit(1)) is not None


class VectorSets(Aggregate):
    """Vectors by their encoder."""

    def vector_counts(self) -> Mapping[str, int]:
        """How many vectors there are, by the encoder's id."""
        query = (
            select(makers_table.c.name, func.count(embeddings.c.id))
            .join(embeddings, embeddings.c.maker_id == makers_table.c.id)
            .group_by(makers_table.c.name)
            .order_by(makers_table.c.name)
        )
        return dict(self._rows(query, tuple))

    def vectors_begun(self, model_id: str) -> bool:
        """Whether there were ever vectors of that encoder."""
        with self.database.read() as connection:
            return producers.known(connection, model_id) != producers.UNKNOWN

    def languages_before_vectors(self) -> tuple[tuple[FeedId, str, int], ...]:
        """How many articles each feed has in each language; nothing once there are vectors."""
        with self.database.read() as connection:
            return () if _any_vector(connection) else sql.rows(connection, _LANGUAGES, tuple)

    def begin_vectors(self, model_id: str) -> bool:
        """Let that encoder make the first vectors, as vectors_begun() says from then on; False
        once there are any."""
        with self.database.write() as connection:
            if _any_vector(connection):
                return False
            producers.numbered(connection, model_id)
            return True

    def vectors_wanting(self, model_id: str, stage: str) -> int:
        """Articles without a vector of that encoder, less those that the stage set aside."""
        with self.database.read() as connection:
            values = {"maker": producers.known(connection, model_id), "stage": stage}
            return int(connection.scalar(_WANTING, values) or 0)

    def ratings_wanting(self, key: StageKey) -> int:
        """Articles with a vector that the stage's maker has not rated, less those set aside."""
        with self.database.read() as connection:
            values = {
                "maker": producers.known(connection, key.producer),
                "input": producers.known(connection, key.inputs[0]),
                "stage": key.name,
            }
            return int(connection.scalar(_UNRATED, values) or 0)

    def remove_vectors(self, model_id: str, limit: int) -> int:
        """The oldest of them, in one short transaction; how many went."""
        with self.database.write() as connection:
            values = {"maker": producers.known(connection, model_id), "limit": limit}
            return connection.execute(_REMOVE, values).rowcount


class DistillationLabels(Aggregate):
    """Ratings of a language model, to train the sensitivity model on."""

    def rating_makers(self, beginning: str) -> tuple[tuple[str, int], ...]:
        """Who rated, by names that begin so, and how many articles; most first."""
        count = func.count(ratings.c.article_id)
        query = (
            select(makers_table.c.name, count)
            .join(ratings, ratings.c.maker_id == makers_table.c.id)
            .where(makers_table.c.name.startswith(beginning, autoescape=True))
            .group_by(makers_table.c.name)
            .order_by(count.desc(), makers_table.c.name)
        )
        return self._rows(query, tuple)

    def rated_articles(
        self, producer: str, vector_model: str
    ) -> tuple[tuple[ArticleText, ...], Vectors, tuple[int, ...]]:
        """Every article of that maker that has a vector, the oldest first."""
        with self.database.read() as connection:
            encoder = producers.known(connection, vector_model)
            query = (
                select(ratings.c.article_id, ratings.c.rating)
                .join(embeddings, embeddings.c.article_id == ratings.c.article_id)
                .where(
                    ratings.c.maker_id == producers.known(connection, producer),
                    embeddings.c.maker_id == encoder,
                )
                .order_by(ratings.c.article_id)
            )
            rows = connection.execute(query).all()
            ids = [row.article_id for row in rows]
            found = article_texts(connection, ids)
            return (
                tuple(found[one] for one in ids),
                matrix(connection, encoder, ids),
                tuple(row.rating for row in rows),
            )


# Functions within a transaction of the caller's: see ranking/purposes.py.

_TO_ASK = text("""
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
        rows = connection.execute(_TO_ASK, {**values, "user": user})
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
