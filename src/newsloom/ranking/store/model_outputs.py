"""What models made of texts, the same for every reader: vectors and sensitivity ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, delete, insert, select

from newsloom.articles.store.derived import article_texts, versioned_texts
from newsloom.articles.store.tables import embeddings, ratings
from newsloom.kernel.db import producers
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.sql import many
from newsloom.kernel.ids import ArticleId
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

    def pending_vectors(self, model_id: str, limit: int) -> tuple[ArticleText, ...]:
        with self.database.read() as connection:
            key = StageKey("embed", model_id)
            places = _VECTORS.pending(connection, key, pending.EVERYTHING, limit)
            return _texts(connection, [one.article for one in places])

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

    def pending_ratings(
        self, sensitivity_model: str, vector_model: str, limit: int
    ) -> tuple[tuple[ArticleText, ...], Vectors]:
        with self.database.read() as connection:
            key = StageKey("sensitivity", sensitivity_model, (vector_model,))
            places = _RATINGS.pending(connection, key, pending.EVERYTHING, limit)
            ids = [one.article for one in places]
            vector_maker = producers.known(connection, vector_model)
            return _texts(connection, ids), matrix(connection, vector_maker, ids)

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


def _texts(connection: Connection, ids: Sequence[int]) -> tuple[ArticleText, ...]:
    found = article_texts(connection, ids)
    return tuple(found[one] for one in ids)


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
