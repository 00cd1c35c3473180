"""What models made of texts, the same for every reader: vectors and sensitivity ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, delete, insert, select, text

from newsloom.ports import Vectors
from newsloom.store import makers
from newsloom.store.articles.derived import digests
from newsloom.store.articles.handed import Handed
from newsloom.store.articles.vectors import STORED, by_article, matrix
from newsloom.store.tables import embeddings, ratings
from newsloom.types import ArticleId, ArticleText, Rating

_PENDING_VECTORS = text("""
    SELECT t.article_id FROM texts t
    LEFT JOIN embeddings e ON e.maker_id = :maker AND e.article_id = t.article_id
    WHERE t.maker_id > 0 AND e.article_id IS NULL
    ORDER BY t.article_id DESC LIMIT :limit
""")
_PENDING_RATINGS = text("""
    SELECT e.article_id FROM embeddings e
    LEFT JOIN ratings r ON r.maker_id = :maker AND r.article_id = e.article_id
    WHERE e.maker_id = :vectors AND r.article_id IS NULL
    ORDER BY e.article_id DESC LIMIT :limit
""")


class ModelOutputs(Handed):
    """The encoder's and the sensitivity stage."""

    def pending_vectors(self, model_id: str, limit: int) -> tuple[ArticleText, ...]:
        with self.database.read() as connection:
            values = {"maker": makers.known(connection, model_id), "limit": limit}
            ids = list(connection.scalars(_PENDING_VECTORS, values))
            return self.hand_out(connection, "vectors", ids)

    def put_vectors(self, model_id: str, ids: Sequence[ArticleId], vectors: Vectors) -> None:
        stored = np.asarray(vectors).astype(STORED)
        with self.database.write() as connection:
            maker = makers.numbered(connection, model_id)
            fresh = self.still("vectors", ids, digests(connection, ids))
            connection.execute(
                delete(embeddings).where(
                    embeddings.c.maker_id == maker, embeddings.c.article_id.in_(fresh)
                )
            )
            rows = [
                {"maker_id": maker, "article_id": article, "vector": line.tobytes()}
                for article, line in zip(ids, stored, strict=True)
                if article in fresh
            ]
            if rows:
                connection.execute(insert(embeddings), rows)

    def pending_ratings(
        self, sensitivity_model: str, vector_model: str, limit: int
    ) -> tuple[tuple[ArticleText, ...], Vectors]:
        with self.database.read() as connection:
            vector_maker = makers.known(connection, vector_model)
            values = {
                "maker": makers.known(connection, sensitivity_model),
                "vectors": vector_maker,
                "limit": limit,
            }
            ids = list(connection.scalars(_PENDING_RATINGS, values))
            articles = self.hand_out(connection, "ratings", ids)
            return articles, matrix(connection, vector_maker, ids)

    def put_ratings(
        self, model_id: str, ids: Sequence[ArticleId], ratings: Sequence[Rating], at: datetime
    ) -> None:
        with self.database.write() as connection:
            maker = makers.numbered(connection, model_id)
            fresh = self.still("ratings", ids, digests(connection, ids))
            put_ratings_of(
                connection,
                maker,
                [(one, rating) for one, rating in zip(ids, ratings, strict=True) if one in fresh],
                at,
            )

    def vectors(
        self, model_id: str, ids: Sequence[ArticleId]
    ) -> Mapping[ArticleId, NDArray[np.float32]]:
        with self.database.read() as connection:
            return by_article(connection, makers.known(connection, model_id), ids)

    def rating(self, model_id: str, article: ArticleId) -> Rating | None:
        with self.database.read() as connection:
            query = select(ratings.c.rating, ratings.c.confidence, ratings.c.explanation).where(
                ratings.c.maker_id == makers.known(connection, model_id),
                ratings.c.article_id == article,
            )
            row = connection.execute(query).one_or_none()
            return None if row is None else Rating(row.rating, row.confidence, row.explanation)


def put_ratings_of(
    connection: Connection, maker: int, made: Sequence[tuple[ArticleId, Rating]], at: datetime
) -> None:
    """Within a write transaction; those that stood there go."""
    if not made:
        return
    connection.execute(
        delete(ratings).where(
            ratings.c.maker_id == maker, ratings.c.article_id.in_([one for one, _ in made])
        )
    )
    connection.execute(
        insert(ratings),
        [
            {
                "maker_id": maker,
                "article_id": article,
                "rating": one.rating,
                "confidence": one.confidence,
                "explanation": one.explanation,
                "made_at": at,
            }
            for article, one in made
        ],
    )
