"""Sweeps over all articles in the order of their ids, which is that in which they came.

What is due is found while others write; only what removes it keeps them waiting, and it looks once
more whether somebody has kept the article meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import text

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.bulk import rows_of_those
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import CHUNK
from newsloom.kernel.ids import ArticleId
from newsloom.retention.store.kept import due
from newsloom.retention.store.measuring import measured
from newsloom.retention.store.removing import REMOVING
from newsloom.retention.values import Aging, Removal, SweepPlace

# Articles that are looked at in one read.
STRETCH = 2_000

_STRETCH = text("""
    SELECT id, original_id, first_seen_at FROM articles WHERE id > :place ORDER BY id LIMIT :limit
""")
_DUE = {what: portable(due(what)) for what in Removal}
_MARK = {
    what: text(f"""
        INSERT INTO aged_articles (article_id, {what}_at) VALUES (:article, :at)
        ON CONFLICT (article_id) DO UPDATE SET {what}_at = excluded.{what}_at
    """)  # noqa: S608
    for what in Removal
} | {
    # With the article all of it goes.
    Removal.ARTICLES: text("""
        INSERT INTO aged_articles (article_id, texts_at, vectors_at, keys_at, articles_at)
        VALUES (:article, :at, :at, :at, :at)
        ON CONFLICT (article_id) DO UPDATE SET texts_at = excluded.texts_at,
            vectors_at = excluded.vectors_at, keys_at = excluded.keys_at,
            articles_at = excluded.articles_at
    """)
}
_STATE = text("SELECT place, begun_at, ended_at FROM prunings WHERE name = :name")
_PUT = text("""
    INSERT INTO prunings (name, place, begun_at, ended_at) VALUES (:name, :place, :at, :ended)
    ON CONFLICT (name) DO UPDATE SET place = excluded.place, ended_at = excluded.ended_at,
        begun_at = CASE WHEN :begins THEN excluded.begun_at ELSE prunings.begun_at END
""")


class Sweeps(Aggregate):
    """What is removed of articles for their age."""

    def sweep_place(
        self, what: Removal, now: datetime, *, rest: timedelta, anew: timedelta
    ) -> SweepPlace | None:
        """Where to go on; None while it rests, `rest` after it came to an end. It begins anew
        `anew` after it last began. A clock that was set back lets nothing wait for ever."""
        with self.database.read() as connection:
            row = connection.execute(_STATE, {"name": str(what)}).one_or_none()
        if row is None or not timedelta(0) <= now - moment(row.begun_at) < anew:
            return SweepPlace(ArticleId(0), begins=True)
        if row.ended_at is not None and timedelta(0) <= now - moment(row.ended_at) < rest:
            return None
        return SweepPlace(ArticleId(row.place), begins=False)

    def aging(
        self, what: Removal, place: ArticleId, before: datetime, unread_before: datetime
    ) -> Aging:
        """The next articles behind a place, and of which something is to go. Reads only."""
        times = {"before": micros(before), "unread_before": micros(unread_before)}
        with self.database.read() as connection:
            rows = connection.execute(_STRETCH, {"place": place, "limit": STRETCH}).all()
            old = [row for row in rows if row.first_seen_at < times["before"]]
            ended = len(old) < len(rows) or len(rows) < STRETCH
            upto = old[-1].id if old else place
            originals = [row.id for row in old if row.id == row.original_id]
            found = rows_of_those(connection, _DUE[what], originals, **times)
        return Aging(tuple(ArticleId(row[0]) for row in found), ArticleId(upto), ended)

    def freed(self, what: Removal, ids: Sequence[ArticleId]) -> int:
        """The bytes that removing it from those articles would free, as far as they are counted."""
        with self.database.read() as connection:
            return sum(
                measured(connection, what, ids[start : start + CHUNK])
                for start in range(0, len(ids), CHUNK)
            )

    def remove_aged(
        self,
        what: Removal,
        ids: Sequence[ArticleId],
        before: datetime,
        unread_before: datetime,
        at: datetime,
    ) -> int:
        """Remove it from those of the articles of which it is still due, in one transaction; of
        how many. Whoever calls sees to it that they are few."""
        times = {"before": micros(before), "unread_before": micros(unread_before)}
        with self.database.write() as connection:
            found = [int(row[0]) for row in rows_of_those(connection, _DUE[what], ids, **times)]
            if found:
                REMOVING[what](connection, found, times["before"])
                marks = [{"article": one, "at": micros(at)} for one in found]
                connection.execute(_MARK[what], marks)
        return len(found)

    def swept(
        self, what: Removal, place: ArticleId, at: datetime, *, begins: bool, ended: bool
    ) -> None:
        """A sweep has come so far."""
        with self.database.write() as connection:
            values = {"name": str(what), "place": place, "at": micros(at), "begins": begins}
            connection.execute(_PUT, values | {"ended": micros(at) if ended else None})
