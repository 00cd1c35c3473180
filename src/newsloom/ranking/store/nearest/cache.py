"""Keeps the vectors of each model at hand, in step with the table, for databases without pgvector.

A process maps the file of a model, or makes it, and keeps in memory what was changed since: rows of
the file that no longer count, and fresh vectors. When that is a tenth, the file is made anew.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from newsloom.kernel.db.sql import many, rows_of
from newsloom.ranking.store.nearest import log
from newsloom.ranking.store.nearest.block import Block, made, opened
from newsloom.ranking.store.nearest.log import Position
from newsloom.ranking.store.nearest.scan import best, cosines, guessed, nearest_rows_each, unit
from newsloom.ranking.store.vectors import STORED

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


class Turn:
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
    def turn(self) -> Iterator[Turn]:
        """The right to ask for views; waits for whoever has it. Ends early by `Turn.end`."""
        self._lock.acquire()
        turn = Turn(self._lock)
        try:
            yield turn
        finally:
            turn.end()

    def view(self, connection: Connection, maker: int, *, keep: bool = True) -> View:
        """As of the transaction, which began within the caller's turn.

        Without `keep`, for what is not committed yet: nobody else sees it.
        """
        view = self._views.get(maker)
        found = None if view is None else refreshed(view, connection, maker)
        if found is None:
            found = self._from_file(connection, maker)
        if found is None:
            found = self._made(connection, maker, keep=keep)
        if keep:
            self._views[maker] = found
        return found

    def _path(self, maker: int) -> Path | None:
        return self.folder / f"{maker}.vectors" if self.folder else None

    def _from_file(self, connection: Connection, maker: int) -> View | None:
        path = self._path(maker)
        block = opened(path) if path else None
        return None if block is None else refreshed(_plain(block), connection, maker)

    def _made(self, connection: Connection, maker: int, *, keep: bool) -> View:
        position = log.newest(connection) or Position(0, 0)  # no later transaction has that one
        return _plain(made(connection, maker, position, self._path(maker) if keep else None))


def refreshed(view: View, connection: Connection, maker: int) -> View | None:
    """The view as of the transaction; None when it must be made of the whole table."""
    newest = log.newest(connection)
    if newest is None:
        return None
    if newest == view.position:
        return view
    changed = log.changed(connection, view.position, maker)
    if changed is None:
        return None
    if not changed:
        return replace(view, position=newest)
    gone = np.array(changed, np.int64)
    dead = np.union1d(view.dead, np.flatnonzero(np.isin(view.block.ids, gone)))
    stays = ~np.isin(view.ids, gone)
    if _too_many(len(view.block.ids), len(dead) + int(stays.sum()) + len(gone)):
        return None
    ids, dates, vectors = _read(connection, maker, changed, view.block)
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


def _too_many(rows: int, changes: int) -> bool:
    return changes > max(MOST_CHANGES, int(rows * CHANGED_SHARE))


def _plain(block: Block) -> View:
    none = np.empty(0, np.int64)
    fresh = np.empty((0, block.vectors.shape[1]), np.float16)
    return View(block.position, block, none, none, none, fresh)


def _read(
    connection: Connection, maker: int, ids: Sequence[int], block: Block
) -> tuple[Ids, Ids, NDArray[np.float16]]:
    found = rows_of(connection, _ROWS, ids, maker=maker)
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64), block.vectors[:0]
    vectors = np.frombuffer(b"".join(row.vector for row in found), STORED)
    return (
        np.array([row.article_id for row in found], np.int64),
        np.array([row.dated_at for row in found], np.int64),
        vectors.reshape(len(found), -1),
    )
