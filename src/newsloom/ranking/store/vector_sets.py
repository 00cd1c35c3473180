"""All vectors of one encoder together: how many there are, how many are wanting, their removal."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import func, select, text

from newsloom.articles.store.tables import embeddings
from newsloom.kernel.db import producers
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.producers import producers as makers_table
from newsloom.work.values import StageKey

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
_REMOVE = text("""
    DELETE FROM embeddings WHERE id IN (
        SELECT id FROM embeddings WHERE maker_id = :maker ORDER BY id LIMIT :limit
    )
""")


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
