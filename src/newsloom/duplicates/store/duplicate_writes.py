"""What the duplicates stage reads and writes: signatures, candidates, links. Decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, text

from newsloom.articles.store.derived import digests
from newsloom.articles.store.keys import copies_of, drop_keys
from newsloom.duplicates.decide import link_by_address
from newsloom.duplicates.layers import TEXT
from newsloom.duplicates.packed import unpack
from newsloom.duplicates.store import cluster_rows
from newsloom.duplicates.store.candidate_pairs import full, meet, move
from newsloom.duplicates.store.link_writes import insert_links, mark_copies_read
from newsloom.duplicates.store.tables import signatures
from newsloom.duplicates.values import Link, Relation, Signed, Unsigned
from newsloom.kernel.db import makers
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.columns import moment
from newsloom.kernel.db.sql import CHUNK, many, rows_of
from newsloom.kernel.errors import StoreError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.urls import publisher
from newsloom.work.store import pending
from newsloom.work.store.leases import batch_of, finish
from newsloom.work.values import Batch, Lease, Place, Put, StageKey

# Of a larger cluster not every link is kept that there could be (the stage stops looking), so that
# one that goes may have been all that two others hung together by.
WHOLE = 16
# Most of one cluster that are judged again when a link of it goes.
JUDGED_AGAIN = 1_000

_UNSIGNED = many("""
    SELECT o.id, o.feed_id, o.url, o.dated_at, o.guid, f.author, f.language,
        t.title, t.lead, t.rest, t.digest
    FROM texts t
    JOIN articles o ON o.id = t.article_id
    JOIN articles f ON f.id = o.fullest_id
    LEFT JOIN signatures s ON s.maker_id = :maker AND s.article_id = t.article_id
    WHERE t.article_id IN :ids AND s.article_id IS NULL
    ORDER BY o.id
""")
_KNOWN = many(
    "SELECT article_id, maker_id, digest, signature FROM signatures WHERE article_id IN :ids"
)
_PACKED = many(
    "SELECT article_id, signature FROM signatures WHERE maker_id = :maker AND article_id IN :ids"
)
_FORGET = many("DELETE FROM signatures WHERE article_id IN :ids")
_PARTNERS = (
    many("SELECT other_id AS id FROM links WHERE article_id IN :ids"),
    many("SELECT article_id AS id FROM links WHERE other_id IN :ids"),
)
Keys = Sequence[int]  # of all layers, 64-bit

_UNLINK = (
    many("DELETE FROM links WHERE article_id IN :ids"),
    many("DELETE FROM links WHERE other_id IN :ids"),
)
# Evidence begins with the layer that decided.
_BY_ADDRESS = tuple(
    many(
        "SELECT article_id, other_id, at FROM links"  # noqa: S608
        f" WHERE {one} IN :ids AND evidence LIKE '[[\"url\"%'"
    )
    for one in ("article_id", "other_id")
)
_UNLINK_PAIR = text("DELETE FROM links WHERE article_id = :article AND other_id = :other")
_LARGE = many("""
    SELECT m.article_id FROM clusters m WHERE m.cluster_id IN (
        SELECT n.cluster_id FROM clusters n
        WHERE n.cluster_id IN (SELECT cluster_id FROM clusters WHERE article_id IN :ids)
        GROUP BY n.cluster_id HAVING COUNT(*) > :whole
    ) ORDER BY m.article_id DESC LIMIT :most
""")
_SIGNATURE = ("article_id", "maker_id", "digest", "agency", "signature")


class DuplicateWrites(Aggregate):
    """What the duplicates stage works on."""

    _stretch = 0

    def pending_signatures(
        self, version: str, *, texts: str, limit: int, after: int = 0
    ) -> tuple[Unsigned, ...]:
        """Originals not signed by that version whose text that maker read, in order of id."""
        key = StageKey("duplicates", version, (texts,))
        window = pending.Window(Place(after + 1, after + 1), pending.EVERYTHING.high)
        with self.database.read() as connection:
            places = pending.SOURCES[key.stage].places(connection, key, window, limit)
            return _unsigned_of(connection, version, [one.article for one in places])

    def leased_signatures(self, lease: Lease, limit: int) -> tuple[Batch, tuple[Unsigned, ...]]:
        """Those of a lease that are still to be signed, in order of id; see StageStore."""
        with self.database.read() as connection:
            articles = _unsigned_of(connection, lease.key.maker, lease.ids)
            versions: dict[int, str] = {one.id: str(one.digest) for one in articles}
            return batch_of(connection, lease, versions, limit), articles

    def unsigned(self, version: str, ids: Sequence[ArticleId]) -> tuple[Unsigned, ...]:
        """Those of the articles that are still to be signed, in order of id."""
        with self.database.read() as connection:
            return _unsigned_of(connection, version, ids)

    @contextmanager
    def judging(
        self, version: str, *, batch: Batch | None = None, until: datetime | None = None
    ) -> Iterator[OpenJudging]:
        """One write transaction for what that version signed; commits on a clean exit.

        With a batch it ends its lease, and takes the following one until then.
        """
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            yield OpenJudging(connection, makers.numbered(connection, version), put)
        # In a transaction of its own: at most a sixteenth of all keys is rewritten in it.
        self._stretch += 1
        with self.database.read() as connection:
            moving = full(connection, self._stretch)
        if moving:
            with self.database.write() as connection:
                move(connection, self._stretch)


class OpenJudging:
    """One open write transaction of the duplicates stage; what it sees cannot change under it."""

    def __init__(self, connection: Connection, maker: int, ended: Put | None) -> None:
        self.ended = ended
        self._connection = connection
        self._maker = maker
        self._born: list[ArticleId] = []
        self._unlinked: set[ArticleId] = set()
        self._left: set[ArticleId] = set()

    def put(self, signed: Sequence[Signed]) -> Sequence[ArticleId]:
        """Keep those whose text is still what was signed and that nobody signed since: which.

        Of one signed before, the keys and the links go.
        """
        ids = [one.id for one in signed]
        present = digests(self._connection, ids)
        known = {row.article_id: row for row in rows_of(self._connection, _KNOWN, ids)}
        kept = [one for one in signed if present.get(one.id) == one.digest]
        kept = [one for one in kept if not self._is(known.get(one.id), one)]
        self._forget([known[one.id] for one in kept if one.id in known])
        insert_rows(
            self._connection,
            signatures,
            _SIGNATURE,
            [(one.id, self._maker, one.digest, one.agency, one.packed) for one in kept],
        )
        self._born += [one.id for one in kept if one.id not in known]
        return [one.id for one in kept]

    def left(self) -> Sequence[ArticleId]:
        """Who may have hung together only by links that went: to be judged again."""
        return sorted(self._left)

    def pairs(self, keys: Mapping[ArticleId, Keys]) -> Sequence[tuple[ArticleId, ArticleId]]:
        """Each article with those signed that share a key, most keys first; then keeps the keys.

        Of a key that very many share, the last of them are looked at.
        """
        sizes = [len(own) for own in keys.values()]
        own = np.empty((sum(sizes), 2), np.int64)
        own[:, 0] = np.fromiter(chain.from_iterable(keys.values()), np.int64, len(own))
        own[:, 1] = np.repeat(np.fromiter(keys, np.int64, len(keys)), sizes)
        found = meet(self._connection, own)
        return [(ArticleId(one), ArticleId(other)) for one, other in found.tolist()]

    def packed(self, articles: Sequence[ArticleId]) -> Mapping[ArticleId, bytes]:
        """Signatures as they were put."""
        rows = rows_of(self._connection, _PACKED, articles, maker=self._maker)
        return {ArticleId(row.article_id): row.signature for row in rows}

    def places(
        self, articles: Sequence[ArticleId]
    ) -> Mapping[ArticleId, tuple[ArticleId, ArticleId]]:
        """Cluster and text of those that share one."""
        found = cluster_rows.places(self._connection, articles)
        return {one: (place.cluster, place.text) for one, place in found.items()}

    def link(self, found: Sequence[Link], at: datetime) -> int:
        """Keep decisions and bring the clusters to what all say: how many came into one.

        A link that an address gave while polling stays: it says as much.
        """
        found = self._without_addresses(found)
        if found:
            pairs = [{"article": one.article, "other": one.other} for one in found]
            self._connection.execute(_UNLINK_PAIR, pairs)
        insert_links(self._connection, found, at)
        if self._unlinked:
            touched = {one for link in found for one in (link.article, link.other)}
            touched |= self._unlinked
            self._unlinked.clear()
            return cluster_rows.regroup(self._connection, touched)
        return cluster_rows.join(self._connection, found)

    def _without_addresses(self, found: Sequence[Link]) -> Sequence[Link]:
        weaker = [one for one in found if one.relation is not Relation.SAME_TEXT]
        rows = rows_of(self._connection, _BY_ADDRESS[0], sorted({one.article for one in weaker}))
        linked = {(row.article_id, row.other_id) for row in rows}
        return [
            one
            for one in found
            if one.relation is Relation.SAME_TEXT or (one.article, one.other) not in linked
        ]

    def read_along(self) -> None:
        """Mark what was first put here as read for everyone who has read the same text."""
        mark_copies_read(self._connection, self._born)

    def _is(self, known: Row[Any] | None, one: Signed) -> bool:
        return known is not None and (known.maker_id, known.digest) == (self._maker, one.digest)

    def _forget(self, known: Sequence[Row[Any]]) -> None:
        """What was made of an earlier text or by an earlier version."""
        ids = [ArticleId(row.article_id) for row in known]
        if not ids:
            return
        drop_keys(self._connection, [row for one in known for row in keys_of(one)])
        partners = {
            ArticleId(row.id)
            for query in _PARTNERS
            for row in rows_of(self._connection, query, ids)
        }
        self._left |= {
            ArticleId(row.article_id)
            for row in rows_of(self._connection, _LARGE, ids, whole=WHOLE, most=JUDGED_AGAIN)
        } - set(ids)
        self._unlinked |= partners | set(ids)
        by_address = [row for query in _BY_ADDRESS for row in rows_of(self._connection, query, ids)]
        for statement in (*_UNLINK, _FORGET):
            _execute(self._connection, statement, ids)
        self._link_by_address(by_address)

    def _link_by_address(self, pairs: Sequence[Row[Any]]) -> None:
        """Link again those of the pairs whose present texts still allow it."""
        articles = copies_of(
            self._connection, {one for row in pairs for one in (row.article_id, row.other_id)}
        )
        for row in {(row.article_id, row.other_id): row for row in pairs}.values():
            link = link_by_address(articles[row.article_id], articles[row.other_id])
            if link is not None:
                insert_links(self._connection, [link], moment(row.at))


def _unsigned_of(
    connection: Connection, version: str, ids: Sequence[ArticleId] | Sequence[int]
) -> tuple[Unsigned, ...]:
    """Those of the articles that this version has not signed, in the order of their ids."""
    maker = makers.known(connection, version)
    return tuple(map(_unsigned, rows_of(connection, _UNSIGNED, sorted(ids), maker=maker)))


def _unsigned(row: Row[Any]) -> Unsigned:
    return Unsigned(
        id=ArticleId(row.id),
        feed_id=FeedId(row.feed_id),
        source=publisher(row.url),
        dated=moment(row.dated_at),
        title=row.title,
        text=row.lead + row.rest,
        author=row.author,
        language=row.language,
        guid=row.guid,
        digest=row.digest,
    )


def keys_of(known: Row[Any]) -> list[tuple[int, int]]:
    """The keys of a stored signature, as they are kept."""
    try:
        signature = unpack(known.signature)
    except StoreError:  # of a form that nobody reads any more: what it left behind harms nothing
        return []
    return [(key, known.article_id) for layer in TEXT for key in layer.keys(signature)]


def _execute(connection: Connection, statement: Any, ids: Sequence[int]) -> None:
    for start in range(0, len(ids), CHUNK):
        connection.execute(statement, {"ids": list(ids[start : start + CHUNK])})
