"""What the same-event stage reads and writes: vectors, signatures, links. Decides nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, TextClause

from newsloom.articles.store.derived import article_texts, digests, versioned_texts
from newsloom.duplicates.packed import Signature, unpack
from newsloom.duplicates.store import cluster_rows
from newsloom.duplicates.store.cluster_rows import UNLINK_PAIR, insert_links
from newsloom.duplicates.store.tables import entities, same_event_marks
from newsloom.duplicates.values import Link, Relation
from newsloom.kernel.db import producers
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.sql import CHUNK, Aggregate, many, rows_of
from newsloom.kernel.errors import StoreError
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.store.vectors import by_article
from newsloom.ranking.values.models import ArticleText
from newsloom.work.store.leases import batch_of, finish, still_pending, unchanged
from newsloom.work.values import Batch, Lease, Put

_SIGNATURES = many("SELECT article_id, signature FROM signatures WHERE article_id IN :ids")
_FORGET = many("DELETE FROM same_event_marks WHERE article_id IN :ids")
_MARK = ("article_id", "maker_id", "digest")
# A pair that is one text, or one headline, or a revision, needs no other tie.
_LINKED = many("SELECT article_id, other_id FROM links WHERE article_id IN :ids")
_SAME_EVENT = tuple(
    many(f"""
        SELECT article_id, other_id FROM links WHERE {side} IN :ids
        AND relation = '{Relation.SAME_EVENT.value}'
    """)  # noqa: S608
    for side in ("article_id", "other_id")
)
_NAMES = many("""
    SELECT e.article_id, e.names FROM entities e
    JOIN texts t ON t.article_id = e.article_id AND t.digest = e.digest
    WHERE e.maker_id = :maker AND e.article_id IN :ids
""")
_FORGET_NAMES = many("DELETE FROM entities WHERE article_id IN :ids")
_NAMES_ROW = ("article_id", "maker_id", "digest", "names")
_ASKED = many(
    "SELECT article_id FROM same_event_marks WHERE maker_id = :maker AND article_id IN :ids"
)
_DONE = many("""
    SELECT m.article_id FROM same_event_marks m
    JOIN texts t ON t.article_id = m.article_id AND t.digest = m.digest
    WHERE m.maker_id = :maker AND m.article_id IN :ids
""")


@dataclass(frozen=True, slots=True)
class ComparedArticle:
    """An article as the same-event stage sees it."""

    text: ArticleText
    vector: NDArray[np.float32]  # unit length
    signature: Signature


class SameEventWrites(Aggregate):
    """What the same-event stage works on."""

    def leased_same_event(
        self, lease: Lease, limit: int
    ) -> tuple[Batch, Mapping[ArticleId, ComparedArticle]]:
        """Those of a lease that are still to be asked, as a batch with their versions."""
        with self.database.read() as connection:
            ids = still_pending(connection, _DONE, lease)
            _, versions = versioned_texts(connection, ids)
            found = _articles(connection, lease.key.inputs[0], ids)
            return batch_of(connection, lease, versions, limit), found

    def compared_articles(
        self, vector_model: str, ids: Sequence[ArticleId]
    ) -> Mapping[ArticleId, ComparedArticle]:
        """Those that have a vector of that model and a signature."""
        with self.database.read() as connection:
            return _articles(connection, vector_model, ids)

    def names(self, producer: str, ids: Sequence[ArticleId]) -> Mapping[ArticleId, frozenset[str]]:
        """What that maker found in the present texts; those it has not looked at are absent."""
        with self.database.read() as connection:
            numbered = producers.known(connection, producer)
            return {
                ArticleId(row.article_id): frozenset(":".join(one) for one in json.loads(row.names))
                for row in rows_of(connection, _NAMES, ids, maker=numbered)
            }

    def put_names(self, producer: str, found: Mapping[ArticleId, frozenset[str]]) -> None:
        """Keep the names found in texts, in place of any before."""
        with self.database.write() as connection:
            present = digests(connection, list(found))
            numbered = producers.numbered(connection, producer)
            rows = [
                (one, numbered, present[one], _packed_names(names))
                for one, names in found.items()
                if one in present
            ]
            _delete(connection, _FORGET_NAMES, [one for one, *_ in rows])
            insert_rows(connection, entities, _NAMES_ROW, rows)

    def put_same_event(
        self,
        producer: str,
        ids: Sequence[ArticleId],
        found: Sequence[Link],
        at: datetime,
        *,
        batch: Batch | None = None,
        until: datetime | None = None,
    ) -> Put:
        """Keep the links of a batch, in place of another maker's, and mark its articles asked."""
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            if put is None or not ids:
                return put or Put(0)
            present = {one: str(digest) for one, digest in digests(connection, ids).items()}
            fresh = unchanged(batch, ids, present) & present.keys()
            numbered = producers.numbered(connection, producer)
            gone = _unlink(connection, numbered, sorted(fresh))
            kept = [one for one in found if one.article in fresh or one.other in fresh]
            rows = rows_of(connection, _LINKED, sorted({one.article for one in kept}))
            linked = {(row.article_id, row.other_id) for row in rows}
            new = [one for one in kept if (one.article, one.other) not in linked]
            insert_links(connection, new, at)
            _regroup(connection, gone, new)
            _delete(connection, _FORGET, sorted(fresh))
            marks = [(one, numbered, int(present[one])) for one in sorted(fresh)]
            insert_rows(connection, same_event_marks, _MARK, marks)
            return replace(put, stored=len(fresh))


def _articles(
    connection: Connection, vector_model: str, ids: Sequence[ArticleId]
) -> dict[ArticleId, ComparedArticle]:
    vectors = by_article(connection, producers.known(connection, vector_model), ids)
    texts = article_texts(connection, ids)
    signatures = _signatures(connection, ids)
    return {
        one: ComparedArticle(texts[one], vectors[one], signatures[one])
        for one in ids
        if one in vectors and one in texts and one in signatures
    }


def _signatures(connection: Connection, ids: Sequence[ArticleId]) -> dict[ArticleId, Signature]:
    found = {}
    for row in rows_of(connection, _SIGNATURES, ids):
        try:
            found[ArticleId(row.article_id)] = unpack(row.signature)
        except StoreError:  # of a form that nobody reads any more; it is made again
            continue
    return found


def _unlink(connection: Connection, producer: int, ids: Sequence[ArticleId]) -> set[ArticleId]:
    """Take away the links as reports of one event that another maker made of those; who had some.

    A link to an article that this maker has asked is its own: it was found from the other side.
    """
    pairs = {
        (row.article_id, row.other_id)
        for query in _SAME_EVENT
        for row in rows_of(connection, query, ids)
    }
    others = sorted({one for pair in pairs for one in pair} - set(ids))
    asked = {row.article_id for row in rows_of(connection, _ASKED, others, maker=producer)}
    gone = [pair for pair in sorted(pairs) if asked.isdisjoint(pair)]
    if gone:
        connection.execute(UNLINK_PAIR, [{"article": one, "other": other} for one, other in gone])
    return {ArticleId(one) for pair in gone for one in pair}


def _regroup(connection: Connection, gone: set[ArticleId], new: Sequence[Link]) -> None:
    if gone:
        cluster_rows.regroup(
            connection, gone | {one for link in new for one in (link.article, link.other)}
        )
    else:
        cluster_rows.join(connection, new)


def _delete(connection: Connection, statement: TextClause, ids: Sequence[ArticleId]) -> None:
    for start in range(0, len(ids), CHUNK):
        connection.execute(statement, {"ids": ids[start : start + CHUNK]})


def _packed_names(names: frozenset[str]) -> str:
    return json.dumps([name.split(":", 1) for name in sorted(names)])
