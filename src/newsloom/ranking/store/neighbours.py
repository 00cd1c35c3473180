"""Nearest neighbours by vector: one contract, the same answers from every database."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from newsloom.kernel.db import makers
from newsloom.kernel.db.aggregate import Aggregate, OneTransaction
from newsloom.kernel.db.bulk import rows_of_those
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.ranking.ports import Vectors
from newsloom.ranking.store.nearest import pgvector
from newsloom.ranking.store.nearest.cache import VectorCache, View
from newsloom.ranking.values.neighbours import Neighbour

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
        asked = _Asked(window, tuple(exclude), among, limit, exact)
        if limit < 1:
            return ((),) * len(vectors)
        cache, keep = (
            self.database.cached(VectorCache),
            not isinstance(self.database, OneTransaction),
        )
        # One at a time begins to read: a view that another made is never newer than what is read.
        with cache.turn() as turn, self.database.read() as connection:
            maker = makers.known(connection, model_id)
            if maker == makers.UNKNOWN:
                return ((),) * len(vectors)
            if pgvector.there(connection):
                turn.end()
                found = [_matched(connection, maker, one, asked) for one in vectors]
            else:
                view = cache.view(connection, maker, keep=keep)
                turn.end()
                found = _scanned(connection, view, np.asarray(vectors), asked)
        return tuple(
            tuple(Neighbour(ArticleId(one), cosine) for one, cosine in nearest) for nearest in found
        )


@dataclass(frozen=True, slots=True)
class _Asked:
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
    connection: Connection, maker: int, vector: NDArray[np.floating], asked: _Asked
) -> list[tuple[int, float]]:
    return pgvector.match_articles(
        connection,
        maker,
        vector,
        window=asked.window,
        conditions=_CONDITIONS if asked.among is None else _CONDITIONS_AMONG,
        values=asked.values(),
        count=asked.limit,
        exact=asked.exact,
    )


def _scanned(
    connection: Connection, view: View, vectors: Vectors, asked: _Asked
) -> list[list[tuple[int, float]]]:
    """Of ever more of the nearest those that may be named, until they are enough."""
    found: list[list[tuple[int, float]]] = [[] for _ in vectors]
    count, left = 2 * asked.limit + len(asked.exclude) + 50, list(range(len(vectors)))
    while left:
        near = view.top(vectors[left], asked.window, count, exact=asked.exact)
        named = _named(
            connection, np.unique(np.concatenate([ids for ids, _cosines in near])), asked
        )
        again = []
        for place, (ids, cosines) in zip(left, near, strict=True):
            kept = np.flatnonzero(np.isin(ids, named))
            if len(kept) < asked.limit and len(ids) == count:
                again.append(place)
                continue
            kept = kept[: asked.limit]
            found[place] = list(zip(ids[kept].tolist(), cosines[kept].tolist(), strict=True))
        left, count = again, count * WIDER
    return found


def _named(connection: Connection, ids: NDArray[np.int64], asked: _Asked) -> NDArray[np.int64]:
    """Those that may be named."""
    query = _MEETING if asked.among is None else _MEETING_AMONG
    rows = rows_of_those(connection, query, ids.tolist(), **asked.values())
    return np.array([row[0] for row in rows], np.int64)
