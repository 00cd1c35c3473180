"""How rare terms are in what was ingested, as counted last: one row."""

from __future__ import annotations

import lzma

from sqlalchemy import delete, insert, select

from newsloom.articles.store.tables import articles, term_background
from newsloom.importance.values import TermBackground
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import ArticleId

_BACKGROUND = term_background.c


class Backgrounds(Aggregate):
    """How rare terms are."""

    def term_background(self, *, counts: bool = True) -> TermBackground | None:
        """What was counted last, without the counts if they are not wanted: they are unpacked for
        some 0.1 s. None: nothing was counted."""
        columns = (_BACKGROUND.made_at, _BACKGROUND.newest, _BACKGROUND.articles)
        query = select(*columns, *([_BACKGROUND.counts] if counts else []))
        with self.database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        found: dict[str, int] = {}
        if counts:
            lines = lzma.decompress(row.counts).decode().split("\n")
            pairs = (line.rpartition("\t") for line in lines if line)
            found = {term: int(count) for term, _tab, count in pairs}
        return TermBackground(row.made_at, ArticleId(row.newest), row.articles, found)

    def put_term_background(self, background: TermBackground) -> None:
        """In the place of the one before."""
        # Terms hold no white space, so lines and tabs part them.
        lines = (f"{term}\t{count}" for term, count in sorted(background.counts.items()))
        packed = lzma.compress("\n".join(lines).encode(), preset=1)
        with self.database.write() as connection:
            connection.execute(delete(term_background))
            connection.execute(
                insert(term_background).values(
                    id=1,
                    made_at=background.made_at,
                    newest=background.newest,
                    articles=background.articles,
                    counts=packed,
                )
            )

    def newest_originals(self, after: ArticleId, limit: int) -> tuple[ArticleId, ...]:
        """The newest articles that came after one and are no copies, ascending."""
        query = (
            select(articles.c.id)
            .where(articles.c.id > after, articles.c.original_id == articles.c.id)
            .order_by(articles.c.id.desc())
            .limit(limit)
        )
        with self.database.read() as connection:
            return tuple(ArticleId(one) for one in reversed(connection.scalars(query).all()))
