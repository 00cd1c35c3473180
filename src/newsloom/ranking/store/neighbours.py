"""Nearest neighbours by vector: one contract, the same answers from every database."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from newsloom.kernel.db import producers
from newsloom.kernel.db.bulk import rows_of_those
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import Aggregate, OneTransaction, many, rows_of
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.ranking.ports import Vectors
from newsloom.ranking.store.nearest import block, pgvector
from newsloom.ranking.store.nearest.block import Block, Position, made, opened
from newsloom.ranking.store.nearest.scan import best, cosines, guessed, nearest_rows_each, unit
from newsloom.ranking.store.vectors import STORED
from newsloom.ranking.values.models import Neighbour

# Keeps the vectors of each model at hand, in step with the table, for databases without pgvector.
#
# A process maps the file of a model, or makes it, and keeps in memory what was changed since: rows
# of the file that no longer count, and fresh vectors. When that is a tenth, the file is made anew.

# So many changes at least, and this share of the rows, are kept in memory before the file is made
# anew: at a million rows that takes about ten seconds.
MOST_CHANGES = 10_000
CHANGED_SHARE = 0.1

_ROWS = many("""
    SELECT e.article_id, a.dated_at, e.vector FROM embeddings e JOIN articles a
    ON a.id = e.article_id WHERE e.maker_id = :maker AND e.article_id IN :ids
""")

Ids = NDArray[np.int64]
Nearest = tuple[Ids, NDArray[np.float32]]  # ids and cosines, the nearest first, then the lower id


@dataclass(frozen=True, slots=True)
class View:
    """The vectors of one model as of a position of the log."""

    position: Position
    block: Block
    dead: Ids  # rows of the block that were changed or deleted since
    ids: Ids  # of the fresh ones
    dates: Ids
    vectors: NDArray[np.float16]

    @property
    def rows(self) -> int:
        return len(self.block.ids) - len(self.dead) + len(self.ids)

    def top(
        self,
        vectors: NDArray[np.floating],
        window: tuple[int, int],
        count: int,
        *,
        exact: bool,
    ) -> list[Nearest]:
        """Of each of some vectors (n, dimensions): fewer than `count` when there are no more.

        The window is in microseconds, its end excluded.
        """
        none = np.empty(0, np.int64), np.empty(0, np.float32)
        if self.vectors.shape[1] != vectors.shape[1]:
            return [none] * len(vectors)
        queries = np.stack([unit(one) for one in vectors])
        first, last = np.searchsorted(self.block.dates, window)
        within = int(first), int(last)
        listed = nearest_rows_each(self.block, queries, within, self.dead, count, exact=exact)
        fresh = np.flatnonzero((self.dates >= window[0]) & (self.dates < window[1]))
        guesses = guessed(self.vectors[fresh], queries)
        found = []
        for query, (rows, near), own in zip(queries, listed, guesses, strict=True):
            more = fresh[best(own, count)]
            ids = np.concatenate((self.block.ids[rows], self.ids[more]))
            near = np.concatenate((near, cosines(self.vectors[more], query)))
            order = np.lexsort((ids, -near))[:count]
            found.append((ids[order], near[order]))
        return found


class ViewLease:
    """The right to ask for views, until it ends."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock: threading.Lock | None = lock

    def end(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None


class VectorCache:
    """The views of one database's models, for all threads of a process."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._views: dict[int, View] = {}

    @contextmanager
    def lease(self) -> Iterator[ViewLease]:
        """The right to ask for views; waits for whoever has it. Ends early by `Turn.end`."""
        self._lock.acquire()
        lease = ViewLease(self._lock)
        try:
            yield lease
        finally:
            lease.end()

    def view(self, connection: Connection, producer: int, *, keep: bool = True) -> View:
        """As of the transaction, which began within the caller's turn.

        Without `keep`, for what is not committed yet: nobody else sees it.
        """
        view = self._views.get(producer)
        found = None if view is None else refreshed(view, connection, producer)
        path = self.folder / f"{producer}.vectors" if self.folder else None
        if found is None and path and (kept := opened(path)) is not None:
            found = refreshed(_plain(kept), connection, producer)
        if found is None:
            # No later transaction has that position.
            position = block.newest(connection) or Position(0, 0)
            found = _plain(made(connection, producer, position, path if keep else None))
        if keep:
            self._views[producer] = found
        return found


def refreshed(view: View, connection: Connection, producer: int) -> View | None:
    """The view as of the transaction; None when it must be made of the whole table."""
    newest = block.newest(connection)
    if newest is None:
        return None
    if newest == view.position:
        return view
    changed = block.changed(connection, view.position, producer)
    if changed is None:
        return None
    if not changed:
        return replace(view, position=newest)
    gone = np.array(changed, np.int64)
    dead = np.union1d(view.dead, np.flatnonzero(np.isin(view.block.ids, gone)))
    stays = ~np.isin(view.ids, gone)
    changes = len(dead) + int(stays.sum()) + len(gone)
    if changes > max(MOST_CHANGES, int(len(view.block.ids) * CHANGED_SHARE)):
        return None
    ids, dates, vectors = _read(connection, producer, changed, view.block)
    if vectors.shape[1] != view.vectors.shape[1]:
        return None  # the first vectors of the model
    return View(
        newest,
        view.block,
        dead,
        np.concatenate((view.ids[stays], ids)),
        np.concatenate((view.dates[stays], dates)),
        np.concatenate((view.vectors[stays], vectors)),
    )


def _plain(block: Block) -> View:
    none = np.empty(0, np.int64)
    fresh = np.empty((0, block.vectors.shape[1]), np.float16)
    return View(block.position, block, none, none, none, fresh)


def _read(
    connection: Connection, producer: int, ids: Sequence[int], block: Block
) -> tuple[Ids, Ids, NDArray[np.float16]]:
    found = rows_of(connection, _ROWS, ids, maker=producer)
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64), block.vectors[:0]
    vectors = np.frombuffer(b"".join(row.vector for row in found), STORED)
    return (
        np.array([row.article_id for row in found], np.int64),
        np.array([row.dated_at for row in found], np.int64),
        vectors.reshape(len(found), -1),
    )


# Whether `n.article_id` may be named: it is an original, not left out, and among the articles of
# one reader in a feed they follow, where one is asked for.
_ORIGINAL = "EXISTS (SELECT 1 FROM articles o WHERE o.id = n.article_id AND o.original_id = o.id)"
_OTHER = "n.article_id NOT IN (SELECT value FROM numbers_in(:exclude) AS x)"
_AMONG = """EXISTS (
    SELECT 1 FROM states s CROSS JOIN articles c CROSS JOIN subscriptions u
    WHERE s.user_id = :user AND s.article_id = n.article_id AND c.original_id = s.article_id
    AND u.user_id = :user AND u.feed_id = c.feed_id
)"""
_CONDITIONS = f"{_ORIGINAL} AND {_OTHER}"
_CONDITIONS_AMONG = f"{_CONDITIONS} AND {_AMONG}"
_THOSE = "SELECT n.value FROM (SELECT value AS article_id, value FROM numbers_in(:those) AS t) AS n"
_MEETING = portable(f"{_THOSE} WHERE {_CONDITIONS}")
_MEETING_AMONG = portable(f"{_THOSE} WHERE {_CONDITIONS_AMONG}")

# How many of the nearest are looked at more, when too few of them may be named.
WIDER = 8


class Neighbours(Aggregate):
    """The nearest originals to a vector."""

    def nearest(
        self,
        model_id: str,
        vector: NDArray[np.floating],
        *,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        exclude: Sequence[ArticleId] = (),
        among: UserId | None = None,
        exact: bool = False,
    ) -> tuple[Neighbour, ...]:
        """The nearest first, then the lower id; dated `since` or later and before `until`.

        `among`: only what that reader has, in a feed they follow. Merged copies are never named.
        Vectors and the query are compared as rounded to half precision. Without `exact`, of many
        thousand vectors, some of the nearest may be missed: see docs/work/figures.md.
        """
        (found,) = self.nearest_each(
            model_id,
            np.asarray(vector)[np.newaxis],
            limit=limit,
            since=since,
            until=until,
            exclude=exclude,
            among=among,
            exact=exact,
        )
        return found

    def nearest_each(
        self,
        model_id: str,
        vectors: Vectors,
        *,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        exclude: Sequence[ArticleId] = (),
        among: UserId | None = None,
        exact: bool = False,
    ) -> tuple[tuple[Neighbour, ...], ...]:
        """As `nearest`, of each of many vectors (n, dimensions), all as of one moment."""
        window = (
            pgvector.ALWAYS[0] if since is None else micros(since),
            pgvector.ALWAYS[1] if until is None else micros(until),
        )
        asked = _Query(window, tuple(exclude), among, limit, exact)
        if limit < 1:
            return ((),) * len(vectors)
        cache, keep = (
            self.database.cached(VectorCache),
            not isinstance(self.database, OneTransaction),
        )
        # One at a time begins to read: a view that another made is never newer than what is read.
        with cache.lease() as lease, self.database.read() as connection:
            producer = producers.known(connection, model_id)
            if producer == producers.UNKNOWN:
                return ((),) * len(vectors)
            if pgvector.there(connection):
                lease.end()
                found = [_matched(connection, producer, one, asked) for one in vectors]
            else:
                view = cache.view(connection, producer, keep=keep)
                lease.end()
                found = _scanned(connection, view, np.asarray(vectors), asked)
        return tuple(
            tuple(Neighbour(ArticleId(one), cosine) for one, cosine in nearest) for nearest in found
        )


@dataclass(frozen=True, slots=True)
class _Query:
    """What one call asks of each vector."""

    window: tuple[int, int]  # microseconds, the end excluded
    exclude: tuple[ArticleId, ...]
    among: UserId | None
    limit: int
    exact: bool

    def values(self) -> dict[str, Any]:
        """What the conditions bind."""
        bound: dict[str, Any] = {"exclude": json.dumps(self.exclude)}
        if self.among is not None:
            bound["user"] = self.among
        return bound


def _matched(
    connection: Connection, producer: int, vector: NDArray[np.floating], asked: _Query
) -> list[tuple[int, float]]:
    return pgvector.match_articles(
        connection,
        producer,
        vector,
        window=asked.window,
        conditions=_CONDITIONS if asked.among is None else _CONDITIONS_AMONG,
        values=asked.values(),
        count=asked.limit,
        exact=asked.exact,
    )


def _scanned(
    connection: Connection, view: View, vectors: Vectors, asked: _Query
) -> list[list[tuple[int, float]]]:
    """Of ever more of the nearest those that may be named, until they are enough."""
    found: list[list[tuple[int, float]]] = [[] for _ in vectors]
    count, left = 2 * asked.limit + len(asked.exclude) + 50, list(range(len(vectors)))
    while left:
        near = view.top(vectors[left], asked.window, count, exact=asked.exact)
        unique = np.unique(np.concatenate([ids for ids, _cosines in near]))
        query = _MEETING if asked.among is None else _MEETING_AMONG
        rows = rows_of_those(connection, query, unique.tolist(), **asked.values())
        named = np.array([row[0] for row in rows], np.int64)  # those that may be named
        again = []
        for place, (ids, near_cosines) in zip(left, near, strict=True):
            kept = np.flatnonzero(np.isin(ids, named))
            if len(kept) < asked.limit and len(ids) == count:
                again.append(place)
                continue
            kept = kept[: asked.limit]
            found[place] = list(zip(ids[kept].tolist(), near_cosines[kept].tolist(), strict=True))
        left, count = again, count * WIDER
    return found
