"""What language models rated, for a head to be trained on. Decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from newsloom.articles.store.derived import article_texts
from newsloom.articles.store.tables import embeddings, ratings
from newsloom.kernel.db import producers
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.producers import producers as makers_table
from newsloom.ranking.store.vectors import matrix
from newsloom.ranking.values.models import ArticleText

if TYPE_CHECKING:
    from newsloom.ranking.ports import Vectors


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
