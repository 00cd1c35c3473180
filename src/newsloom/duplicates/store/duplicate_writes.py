"""What the duplicates stage reads and writes: signatures, candidates, links. Decides nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row

from newsloom.articles.store.derived import digests
from newsloom.articles.store.keys import copies_of, drop_keys
from newsloom.duplicates.decide import link_by_address
from newsloom.duplicates.layers import TEXT
from newsloom.duplicates.packed import unpack
from newsloom.duplicates.store import cluster_rows
from newsloom.duplicates.store.cluster_rows import UNLINK_PAIR, insert_links, mark_copies_read
from newsloom.duplicates.store.tables import fresh_keys, signatures
from newsloom.duplicates.values import Link, Relation, Signed, Unsigned
from newsloom.kernel.db import bulk, producers
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.columns import moment
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import CHUNK, Aggregate, many, rows_by, rows_of
from newsloom.kernel.errors import StoreError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.urls import publisher
from newsloom.work.store.leases import batch_of, finish
from newsloom.work.values import Batch, Lease, Put

# Which articles share keys, and where the keys are kept. Compares nothing, knows no layer.
#
# New keys go to `fresh_keys`, which is small enough to be written anywhere, and from there into
# `dedup_keys`, one stretch of all numbers at a time and in their order.

Numbers = NDArray[np.int64]

# Of a key that more articles share, only the newest are kept: a boilerplate sentence of a thousand
# articles proves nothing about two of them, and of ten thousand copies each meets enough others.
PER_KEY = 64

# Most others that one article is compared with; those that share most keys go first.
PER_ARTICLE = 512

# Rows of `fresh_keys` at most, and the stretches they leave it by: one is moved when it has grown
# to its share.
FRESH = 1_000_000
STRETCHES = 16

_STORED = portable("""
    SELECT k.key, k.article_id FROM numbers_in(:keys) AS w CROSS JOIN fresh_keys k
    WHERE k.key = w.value
    UNION ALL
    SELECT k.key, k.article_id FROM numbers_in(:keys) AS w CROSS JOIN dedup_keys k
    WHERE k.key = w.value
""")
_COUNT = portable("SELECT COUNT(*) FROM fresh_keys WHERE key BETWEEN :first AND :last")
_MOVE = (
    portable("""
        INSERT INTO dedup_keys (key, article_id)
        SELECT key, article_id FROM fresh_keys AS f
        WHERE key BETWEEN :first AND :last AND NOT EXISTS (
            SELECT 1 FROM dedup_keys d WHERE d.key = f.key AND d.article_id = f.article_id
        )
        ORDER BY key, article_id
    """),
    portable("DELETE FROM fresh_keys WHERE key BETWEEN :first AND :last"),
)
_COLUMNS = ("key", "article_id")
_NONE = np.empty((0, 2), np.int64)


def meet(connection: Connection, own: Numbers) -> Numbers:
    """Of different rows (key, article): the pairs (article, another) that share a key.

    Then keeps the rows. An article meets whoever was there before, and those of `own` with lesser
    ids. Those whose rows were kept before may be among `own`.
    """
    if not len(own):
        return _NONE
    found = bulk.rows(connection, _STORED, keys=json.dumps(np.unique(own[:, 0]).tolist()))
    stored = np.array(found, np.int64) if found else _NONE
    again = np.isin(stored[:, 1], own[:, 1])
    table = np.concatenate((stored[~again], own))
    new = np.arange(len(table)) >= len(table) - len(own)
    order = np.lexsort((table[:, 1], new, table[:, 0]))
    table, new = table[order], new[order]
    _save(connection, table, new, set(map(tuple, stored[again].tolist())))
    rows = _pairs(table, new)
    # For each article those that share most keys with it, of equals the newest.
    rows = rows[np.lexsort((-rows[:, 1], -rows[:, 2], rows[:, 0]))]
    begins, sizes = _groups(rows[:, 0])
    place = np.arange(len(rows)) - np.repeat(begins, sizes)
    return rows[place < PER_ARTICLE, :2]


def full(connection: Connection, stretch: int) -> bool:
    """Whether a stretch of the new keys has grown to its share."""
    rows = connection.scalar(_COUNT, _ends(stretch)) or 0
    return rows * STRETCHES > FRESH


def move(connection: Connection, stretch: int) -> None:
    """Put a stretch of the new keys to the others."""
    for statement in _MOVE:
        connection.execute(statement, _ends(stretch))


def _ends(stretch: int) -> dict[str, int]:
    width = 2**64 // STRETCHES
    first = -(2**63) + stretch % STRETCHES * width
    return {"first": first, "last": first + width - 1}


def _pairs(table: Numbers, new: NDArray[np.bool_]) -> Numbers:
    """(new article, one before it under the same key, number of such keys), each pair once."""
    found = [np.empty((0, 3), np.int64)]
    places = np.flatnonzero(new)
    for lag in range(1, PER_KEY + 1):
        places = places[places >= lag]
        places = places[table[places, 0] == table[places - lag, 0]]
        if not len(places):
            break
        ones = np.ones(len(places), np.int64)
        # Summed up here already: copies of one text share all their keys.
        found.append(_summed(np.column_stack((table[places, 1], table[places - lag, 1], ones))))
    return _summed(np.concatenate(found))


def _summed(rows: Numbers) -> Numbers:
    if not len(rows):
        return rows
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    begins = np.append(0, np.flatnonzero((np.diff(rows[:, :2], axis=0) != 0).any(axis=1)) + 1)
    return np.column_stack((rows[begins, :2], np.add.reduceat(rows[:, 2], begins)))


def _groups(values: Numbers) -> tuple[Numbers, Numbers]:
    """Where each run of equal values begins, and how long it is."""
    if not len(values):
        return values, values
    begins = np.append(0, np.flatnonzero(np.diff(values)) + 1)
    return begins, np.diff(np.append(begins, len(values)))


def _save(
    connection: Connection, table: Numbers, new: NDArray[np.bool_], known: set[tuple[int, ...]]
) -> None:
    """Add the new rows that are not known, and take away what a key has too many of."""
    begins, sizes = _groups(table[:, 0])
    behind = np.repeat(begins + sizes, sizes) - np.arange(len(table)) - 1
    crowded = behind >= PER_KEY
    add = table[new & ~crowded]
    rows = list(zip(add[:, 0].tolist(), add[:, 1].tolist(), strict=True))
    if known:
        rows = [row for row in rows if row not in known]
    bulk.insert_rows(connection, fresh_keys, _COLUMNS, rows)
    gone = list(map(tuple, table[crowded & ~new].tolist()))
    gone += [row for row in map(tuple, table[crowded & new].tolist()) if row in known]
    drop_keys(connection, gone)


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

    def leased_signatures(self, lease: Lease, limit: int) -> tuple[Batch, tuple[Unsigned, ...]]:
        """Those of a lease that are still to be signed, in order of id; see StageStore."""
        with self.database.read() as connection:
            articles = _unsigned_of(connection, lease.key.producer, lease.ids)
            versions: dict[int, str] = {one.id: str(one.digest) for one in articles}
            return batch_of(connection, lease, versions, limit), articles

    def unsigned(self, version: str, ids: Sequence[ArticleId]) -> tuple[Unsigned, ...]:
        """Those of the articles that are still to be signed, in order of id."""
        with self.database.read() as connection:
            return _unsigned_of(connection, version, ids)

    @contextmanager
    def duplicate_session(
        self, version: str, *, batch: Batch | None = None, until: datetime | None = None
    ) -> Iterator[DuplicateSession]:
        """One write transaction for what that version signed; commits on a clean exit.

        With a batch it ends its lease, and takes the following one until then.
        """
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            yield DuplicateSession(connection, producers.numbered(connection, version), put)
        # In a transaction of its own: at most a sixteenth of all keys is rewritten in it.
        self._stretch += 1
        with self.database.read() as connection:
            moving = full(connection, self._stretch)
        if moving:
            with self.database.write() as connection:
                move(connection, self._stretch)


class DuplicateSession:
    """One open write transaction of the duplicates stage; what it sees cannot change under it."""

    def __init__(self, connection: Connection, producer: int, ended: Put | None) -> None:
        self.ended = ended
        self._connection = connection
        self._producer = producer
        self._born: list[ArticleId] = []
        self._unlinked: set[ArticleId] = set()
        self._left: set[ArticleId] = set()

    def put(self, signed: Sequence[Signed]) -> Sequence[ArticleId]:
        """Keep those whose text is still what was signed and that nobody signed since: which.

        Of one signed before, the keys and the links go.
        """
        ids = [one.id for one in signed]
        present = digests(self._connection, ids)
        known = rows_by(self._connection, _KNOWN, "article_id", ids)
        kept = [one for one in signed if present.get(one.id) == one.digest]
        kept = [one for one in kept if not self._is(known.get(one.id), one)]
        self._forget([known[one.id] for one in kept if one.id in known])
        insert_rows(
            self._connection,
            signatures,
            _SIGNATURE,
            [(one.id, self._producer, one.digest, one.agency, one.packed) for one in kept],
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
        rows = rows_of(self._connection, _PACKED, articles, maker=self._producer)
        return {ArticleId(row.article_id): row.signature for row in rows}

    def positions(
        self, articles: Sequence[ArticleId]
    ) -> Mapping[ArticleId, tuple[ArticleId, ArticleId]]:
        """Cluster and text of those that share one."""
        found = cluster_rows.positions(self._connection, articles)
        return {one: (position.cluster, position.text) for one, position in found.items()}

    def link(self, found: Sequence[Link], at: datetime) -> int:
        """Keep decisions and bring the clusters to what all say: how many came into one.

        A link that an address gave while polling stays: it says as much.
        """
        found = self._without_addresses(found)
        if found:
            pairs = [{"article": one.article, "other": one.other} for one in found]
            self._connection.execute(UNLINK_PAIR, pairs)
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
        return known is not None and (known.maker_id, known.digest) == (self._producer, one.digest)

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
            for start in range(0, len(ids), CHUNK):
                self._connection.execute(statement, {"ids": list(ids[start : start + CHUNK])})
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
    producer = producers.known(connection, version)
    return tuple(map(_unsigned, rows_of(connection, _UNSIGNED, sorted(ids), maker=producer)))


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
