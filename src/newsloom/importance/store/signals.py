"""The signals of importance of every article, and each reader's points. Weighs nothing itself.

A signal goes stale when the cluster of an article changes, or its text: then its row has no maker,
and so have the points of every reader that were made of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, text, update

from newsloom.articles.store.derived import digests, versioned_texts
from newsloom.articles.store.reader_tables import states
from newsloom.articles.store.tables import SHOWN, importances
from newsloom.duplicates.values import Witness
from newsloom.importance.values import ArticleImportance, ImportanceFacts, ReaderPoints
from newsloom.kernel.db import producers
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.columns import MICRO
from newsloom.kernel.db.sql import CHUNK, Aggregate, many, rows_by, rows_of
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.kernel.text.urls import publisher
from newsloom.ranking.values.models import ArticleText
from newsloom.work.store import pending
from newsloom.work.store.leases import batch_of, finish, still_pending, unchanged
from newsloom.work.values import Batch, Lease, Put

# Of a larger cluster the witnesses beyond these are not counted: corroboration is full long before.
MOST_WITNESSES = 200

_RAW = many(f"""
    SELECT o.id, o.source, COALESCE(p.html, f.content) AS html, f.summary, t.lead, t.rest, t.digest
    FROM articles o
    JOIN articles f ON f.id = o.fullest_id
    JOIN texts t ON t.article_id = o.id
    {SHOWN}
    WHERE o.id IN :ids
""")  # noqa: S608
_CLUSTERS = many("SELECT article_id, cluster_id FROM clusters WHERE article_id IN :ids")
_WITNESSES = text("""
    SELECT c.article_id, c.text_id AS text, o.source, COALESCE(g.agency, '') AS agency
    FROM clusters c
    JOIN articles o ON o.id = c.article_id
    LEFT JOIN signatures g ON g.article_id = c.article_id
    WHERE c.cluster_id = :cluster
    ORDER BY c.article_id LIMIT :most
""")
_FEEDS = many("""
    SELECT DISTINCT a.original_id, f.url FROM articles a CROSS JOIN feeds f
    WHERE a.original_id IN :ids AND f.id = a.feed_id
""")
_SMALL = many("""
    SELECT c.article_id FROM clusters c WHERE c.cluster_id IN (
        SELECT n.cluster_id FROM clusters n WHERE n.cluster_id IN (
            SELECT cluster_id FROM clusters WHERE article_id IN :ids
        ) GROUP BY n.cluster_id HAVING COUNT(*) <= :most
    )
""")
_SIGNALS = many("""
    SELECT article_id, authority, corroboration, depth, sources FROM importances
    WHERE article_id IN :ids
""")
_HAVING = many("SELECT article_id FROM importances WHERE maker_id = :maker AND article_id IN :ids")
_WEIGHED = many("""
    SELECT article_id FROM states
    WHERE user_id = :user AND weighed_by = :maker AND article_id IN :ids
""")
_PUT = (
    update(states)
    .where(states.c.user_id == bindparam("of_user"), states.c.article_id == bindparam("of_article"))
    .values({name: bindparam(name) for name in ("points", "topic", "weighed_by")})
)
_RESCORED = _PUT.values(scored_by=producers.NOBODY)
_ROW = ("article_id", "maker_id", "authority", "corroboration", "depth", "sources")


class Importances(Aggregate):
    """The importance and interest stages."""

    def leased_importance(
        self, lease: Lease, limit: int
    ) -> tuple[Batch, tuple[ImportanceFacts, ...]]:
        """The first `limit` of a lease that are still pending, as a batch with their versions."""
        with self.database.read() as connection:
            ids = still_pending(connection, _HAVING, lease)
            rows = rows_by(connection, _RAW, "id", ids)
            told = _witnesses(connection, ids)
            feeds = _feeds(connection, ids)
            found = tuple(
                ImportanceFacts(
                    id=one,
                    source=row.source,
                    html=row.html if len(row.html) >= len(row.summary) else row.summary,
                    text=row.lead + row.rest,
                    witnesses=told[one],
                    feeds=feeds.get(one, ()),
                )
                for one in ids
                if (row := rows.get(one)) is not None
            )
            versions = {one: _version(row.digest, told[one]) for one, row in rows.items()}
            return batch_of(connection, lease, versions, limit), found

    def put_importance(
        self,
        version: str,
        signals: Sequence[ArticleImportance],
        *,
        batch: Batch | None = None,
        until: datetime | None = None,
    ) -> Put:
        """Keep the signals; the points that readers have of those articles are made again."""
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            if put is None or not signals:
                return put or Put(0)
            producer = producers.numbered(connection, version)
            ids = [one.article_id for one in signals]
            told = _witnesses(connection, ids)
            known = digests(connection, ids)
            present: dict[int, str] = {
                one: _version(known[one], told[one]) for one in ids if one in known
            }
            fresh = unchanged(batch, ids, present)
            kept = [one for one in signals if one.article_id in fresh]
            weigh_again(connection, [one.article_id for one in kept], gone=True)
            insert_rows(
                connection,
                importances,
                _ROW,
                [
                    (
                        one.article_id,
                        producer,
                        one.authority,
                        one.corroboration,
                        one.depth,
                        min(one.sources, 2**15 - 1),
                    )
                    for one in kept
                ],
            )
            return replace(put, stored=len(kept))

    def importance(self, ids: Sequence[ArticleId]) -> Mapping[ArticleId, ArticleImportance]:
        """The signals of those articles that have some."""
        with self.database.read() as connection:
            return _signals(connection, ids)

    def leased_points(
        self, lease: Lease, limit: int
    ) -> tuple[Batch, tuple[tuple[ArticleText, ArticleImportance], ...]]:
        """The first `limit` of a lease that are still pending and have signals, as a batch with
        their versions."""
        with self.database.read() as connection:
            ids = still_pending(connection, _WEIGHED, lease, user=lease.key.scope)
            signals = _signals(connection, ids)
            texts, versions = versioned_texts(connection, ids)
            found = tuple(
                (texts[one], signals[one]) for one in ids if one in signals and one in texts
            )
            return batch_of(connection, lease, versions, limit), found

    def put_points(
        self,
        user: UserId,
        version: str,
        points: Sequence[ReaderPoints],
        *,
        rescore: bool = False,
        batch: Batch | None = None,
        until: datetime | None = None,
    ) -> Put:
        """Keep what a reader's interests made of articles.

        `rescore`: the scores have importance in them, so they are made again.
        """
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            if put is None or not points:
                return put or Put(0)
            producer = producers.numbered(connection, version)
            ids = [one.article_id for one in points]
            fresh = unchanged(batch, ids, pending.SOURCES["interest"].versions(connection, ids))
            rows = [
                {
                    "of_user": user,
                    "of_article": one.article_id,
                    "points": round(one.points * MICRO),
                    "topic": one.topic,
                    "weighed_by": producer,
                }
                for one in points
                if one.article_id in fresh
            ]
            if rows:
                connection.execute(_RESCORED if rescore else _PUT, rows)
            return replace(put, stored=len(rows))


def _version(digest: int, witnesses: Sequence[Witness]) -> str:
    """What signals were made of: a cluster may grow while they are made, too. Of this process."""
    return f"{digest} {hash(tuple(witnesses))}"


def weigh_again(connection: Connection, ids: Sequence[int], *, gone: bool = False) -> None:
    """The signals of those articles are stale, or `gone`; so are all points made of them."""
    mine = importances.c.article_id
    for start in range(0, len(ids), CHUNK):
        some = ids[start : start + CHUNK]
        if gone:
            connection.execute(delete(importances).where(mine.in_(some)))
        else:
            connection.execute(
                update(importances).where(mine.in_(some)).values(maker_id=producers.NOBODY)
            )
        connection.execute(
            update(states)
            .where(states.c.article_id.in_(some), states.c.weighed_by != producers.NOBODY)
            .values(weighed_by=producers.NOBODY)
        )


def _signals(connection: Connection, ids: Sequence[int]) -> Mapping[ArticleId, ArticleImportance]:
    return {
        ArticleId(row.article_id): ArticleImportance(
            ArticleId(row.article_id), row.authority, row.corroboration, row.depth, row.sources
        )
        for row in rows_of(connection, _SIGNALS, ids)
    }


def _witnesses(
    connection: Connection, ids: Sequence[ArticleId]
) -> Mapping[ArticleId, tuple[Witness, ...]]:
    """Who tells of the event of each article, whoever follows them; nobody where it is alone."""
    clusters = {row.article_id: row.cluster_id for row in rows_of(connection, _CLUSTERS, ids)}
    told = {cluster: _of_cluster(connection, cluster) for cluster in set(clusters.values())}
    return {one: told.get(clusters.get(one), ()) for one in ids}


def _of_cluster(connection: Connection, cluster: int) -> tuple[Witness, ...]:
    rows = connection.execute(_WITNESSES, {"cluster": cluster, "most": MOST_WITNESSES}).all()
    feeds = _feeds(connection, [row.article_id for row in rows])
    return tuple(
        Witness(row.text, publisher(f"//{row.source}"), row.agency, feeds.get(row.article_id, ()))
        for row in rows
    )


def _feeds(connection: Connection, ids: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
    """The addresses of the feeds that carry each article."""
    found: dict[int, tuple[str, ...]] = {}
    for row in rows_of(connection, _FEEDS, ids):
        found[row.original_id] = (*found.get(row.original_id, ()), row.url)
    return found


def clusters_changed(connection: Connection, ids: Iterable[int]) -> None:
    """Other articles may tell of the same events now as those: their signals are stale.

    Of a large cluster only those articles themselves: it has all the corroboration there is, and
    ten thousand copies that come in batches would be weighed again with every one.
    """
    named = sorted(set(ids))
    near = {row.article_id for row in rows_of(connection, _SMALL, named, most=MOST_WITNESSES // 4)}
    weigh_again(connection, sorted(near.union(named)))
