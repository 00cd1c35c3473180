"""What is left for each stage to do, and keeping what it made. Computes nothing.

A result and its done-mark are one row, so a kill loses at most a batch. What a stage was handed may
change before its result comes back, when another process polls; such a result is not kept.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, TextClause, bindparam, delete, insert, select, text, update

from newsloom.ports import HalfLives, Vectors
from newsloom.store import makers, ranking, tables
from newsloom.store.columns import moment
from newsloom.store.derived import STORED, article_texts, categories, rows_of, vectors
from newsloom.store.engine import Database
from newsloom.store.keys import hashed
from newsloom.store.opened import fuller
from newsloom.store.tables import embeddings, ratings, states, texts, users
from newsloom.types import ArticleId, ArticleText, PlainText, Rating, RawArticle, Score, UserId

# Characters that models may see; the encoder reads a quarter of them, and one page of SQLite holds
# a row with this much.
LEAD = 2_000

_PENDING_TEXTS = text("""
    SELECT o.id, f.title, f.content, f.summary,
        f.id AS fullest, f.version_at, f.content_hash
    FROM (
        SELECT a.original_id AS id FROM articles a
        LEFT JOIN texts t ON t.article_id = a.original_id AND t.maker_id = :maker
        WHERE a.id = a.original_id AND t.article_id IS NULL
        ORDER BY a.original_id DESC LIMIT :limit
    ) AS p
    JOIN articles o ON o.id = p.id
    JOIN articles f ON f.id = o.fullest_id
    ORDER BY o.id DESC
""")
_PENDING_VECTORS = text("""
    SELECT t.article_id FROM texts t
    LEFT JOIN embeddings e ON e.maker_id = :maker AND e.article_id = t.article_id
    WHERE t.maker_id > 0 AND e.article_id IS NULL
    ORDER BY t.article_id DESC LIMIT :limit
""")
_PENDING_RATINGS = text("""
    SELECT e.article_id FROM embeddings e
    LEFT JOIN ratings r ON r.maker_id = :maker AND r.article_id = e.article_id
    WHERE e.maker_id = :vectors AND r.article_id IS NULL
    ORDER BY e.article_id DESC LIMIT :limit
""")
_NEXT_SCORER = text("SELECT MIN(scored_by) FROM states WHERE user_id = :user AND scored_by > :last")
_PENDING_SCORES = text("""
    SELECT s.article_id, s.dated_at, r.rating
    FROM states s CROSS JOIN embeddings e CROSS JOIN ratings r
    WHERE s.user_id = :user AND s.scored_by = :scorer
    AND e.maker_id = :vectors AND e.article_id = s.article_id
    AND r.maker_id = :ratings AND r.article_id = s.article_id
    ORDER BY s.dated_at DESC, s.article_id DESC LIMIT :limit
""")


def _many(query: str) -> TextClause:
    return text(query).bindparams(bindparam("ids", expanding=True))


_VERSIONS = _many("""
    SELECT o.id, f.title, f.id AS fullest, f.version_at, f.content_hash
    FROM articles o JOIN articles f ON f.id = o.fullest_id WHERE o.id IN :ids
""")
_DIGESTS = _many("SELECT article_id, digest FROM texts WHERE article_id IN :ids")
_DATED = _many(
    "SELECT article_id, dated_at FROM states WHERE user_id = :user AND article_id IN :ids"
)
_LABELLED_BY = _many("""
    SELECT DISTINCT user_id FROM states
    WHERE article_id IN :ids AND (rating <> 0 OR starred = TRUE)
""")


class Stages:
    """The StageStore role."""

    database: Database
    # Per stage, what tells the version of each article that was handed out.
    _handed: dict[str, Mapping[int, object]]

    def pending_texts(self, version: str, limit: int) -> tuple[RawArticle, ...]:
        with self.database.read() as connection:
            values = {"maker": makers.known(connection, version), "limit": limit}
            rows = connection.execute(_PENDING_TEXTS, values).all()
        self._handed["texts"] = {row.id: _version(row) for row in rows}
        return tuple(
            RawArticle(ArticleId(row.id), row.title, fuller(row.content, row.summary))
            for row in rows
        )

    def put_texts(self, version: str, texts: Sequence[PlainText]) -> None:
        """What was made of a text goes when the part of it that models see has changed."""
        if not texts:
            return
        with self.database.write() as connection:
            maker = makers.numbered(connection, version)
            ids = [one.id for one in texts]
            fresh = self._still("texts", ids, _versions(connection, ids))
            rows = [_text_row(one, maker) for one in texts if one.id in fresh]
            known = _digests(connection, ids)
            _put(connection, rows, known)
            changed = [one for one in rows if known.get(one["article_id"]) != one["digest"]]
            changed_ids = [one["article_id"] for one in changed]
            _forget_derived(connection, [one for one in changed_ids if one in known])
            _tell_learners(connection, changed_ids)

    def pending_vectors(self, model_id: str, limit: int) -> tuple[ArticleText, ...]:
        with self.database.read() as connection:
            values = {"maker": makers.known(connection, model_id), "limit": limit}
            ids = list(connection.scalars(_PENDING_VECTORS, values))
            return self._hand_out(connection, "vectors", ids)

    def put_vectors(self, model_id: str, ids: Sequence[ArticleId], vectors: Vectors) -> None:
        stored = np.asarray(vectors).astype(STORED)
        with self.database.write() as connection:
            maker = makers.numbered(connection, model_id)
            fresh = self._still("vectors", ids, _digests(connection, ids))
            connection.execute(
                delete(embeddings).where(
                    embeddings.c.maker_id == maker, embeddings.c.article_id.in_(fresh)
                )
            )
            rows = [
                {"maker_id": maker, "article_id": article, "vector": line.tobytes()}
                for article, line in zip(ids, stored, strict=True)
                if article in fresh
            ]
            if rows:
                connection.execute(insert(embeddings), rows)

    def pending_ratings(
        self, sensitivity_model: str, vector_model: str, limit: int
    ) -> tuple[tuple[ArticleText, ...], Vectors]:
        with self.database.read() as connection:
            vector_maker = makers.known(connection, vector_model)
            values = {
                "maker": makers.known(connection, sensitivity_model),
                "vectors": vector_maker,
                "limit": limit,
            }
            ids = list(connection.scalars(_PENDING_RATINGS, values))
            articles = self._hand_out(connection, "ratings", ids)
            return articles, _matrix(connection, vector_maker, ids)

    def put_ratings(
        self, model_id: str, ids: Sequence[ArticleId], ratings: Sequence[Rating], at: datetime
    ) -> None:
        with self.database.write() as connection:
            maker = makers.numbered(connection, model_id)
            fresh = self._still("ratings", ids, _digests(connection, ids))
            _put_ratings(
                connection,
                maker,
                [(one, rating) for one, rating in zip(ids, ratings, strict=True) if one in fresh],
                at,
            )

    def pending_scores(
        self,
        user: UserId,
        *,
        scored_by: str,
        sensitivity_model: str,
        vector_model: str,
        limit: int,
    ) -> tuple[tuple[ArticleText, ...], Vectors, tuple[str, ...], tuple[int, ...]]:
        """Newest first: articles, vectors, the reader's categories, ratings."""
        with self.database.read() as connection:
            vector_maker = makers.known(connection, vector_model)
            values = {
                "user": user,
                "vectors": vector_maker,
                "ratings": makers.known(connection, sensitivity_model),
                "limit": limit,
            }
            present = makers.known(connection, scored_by)
            # Each scorer before the present one has its range of the index, newest first.
            ranges = [
                connection.execute(_PENDING_SCORES, {**values, "scorer": scorer}).all()
                for scorer in _scorers(connection, user)
                if scorer != present
            ]
            newest = heapq.merge(*ranges, key=lambda row: (row[1], row[0]), reverse=True)
            rows = [row for row, _ in zip(newest, range(limit), strict=False)]
            ids = [row.article_id for row in rows]
            articles = self._hand_out(connection, f"scores {user}", ids)
            shelves = categories(connection, user, ids)
            return (
                articles,
                _matrix(connection, vector_maker, ids),
                tuple(shelves.get(one, "") for one in ids),
                tuple(row.rating for row in rows),
            )

    def put_scores(
        self, user: UserId, scored_by: str, scores: Sequence[Score], half_lives: HalfLives
    ) -> None:
        """Sets relevance, sensitivity and the static rank key derived from both."""
        with self.database.write() as connection:
            maker = makers.numbered(connection, scored_by)
            ids = [one.article_id for one in scores]
            fresh = self._still(f"scores {user}", ids, _digests(connection, ids))
            dated = {
                row.article_id: moment(row.dated_at)
                for row in rows_of(connection, _DATED, ids, user=user)
            }
            rows = [
                {
                    "of_user": user,
                    "of_article": one.article_id,
                    "relevance": one.relevance,
                    "sensitivity": one.sensitivity,
                    "rank_key": ranking.stored_key(
                        one.relevance, dated[one.article_id], half_lives[one.sensitivity]
                    ),
                    "scored_by": maker,
                }
                for one in scores
                if one.article_id in fresh and one.article_id in dated
            ]
            if rows:
                connection.execute(_SCORE, rows)

    def vectors(self, model_id: str, ids: Sequence[ArticleId]) -> Any:
        with self.database.read() as connection:
            return vectors(connection, makers.known(connection, model_id), ids)

    def texts(self, ids: Sequence[ArticleId]) -> tuple[ArticleText, ...]:
        with self.database.read() as connection:
            found = article_texts(connection, ids)
            return tuple(found[one] for one in ids if one in found)

    def rating(self, model_id: str, article: ArticleId) -> Rating | None:
        with self.database.read() as connection:
            query = select(ratings.c.rating, ratings.c.confidence, ratings.c.explanation).where(
                ratings.c.maker_id == makers.known(connection, model_id),
                ratings.c.article_id == article,
            )
            row = connection.execute(query).one_or_none()
            return None if row is None else Rating(row.rating, row.confidence, row.explanation)

    def _hand_out(
        self, connection: Connection, stage: str, ids: Sequence[int]
    ) -> tuple[ArticleText, ...]:
        self._handed[stage] = _digests(connection, ids)
        found = article_texts(connection, ids)
        return tuple(found[one] for one in ids)

    def _still(
        self, stage: str, ids: Sequence[ArticleId], present: Mapping[int, object]
    ) -> set[int]:
        """Those that are still what was handed out."""
        handed = self._handed.pop(stage, {})
        return {one for one in ids if handed.get(one, present.get(one)) == present.get(one)}


_SCORED = ("relevance", "sensitivity", "rank_key", "scored_by")
_SCORE = (
    update(states)
    .where(states.c.user_id == bindparam("of_user"), states.c.article_id == bindparam("of_article"))
    .values(
        {name: bindparam(name) for name in ("relevance", "sensitivity", "rank_key", "scored_by")}
    )
)
_RETEXT = (
    update(texts)
    .where(texts.c.article_id == bindparam("of_article"))
    .values({name: bindparam(name) for name in ("maker_id", "digest", "title", "lead", "rest")})
)


def _text_row(one: PlainText, maker: int) -> dict[str, Any]:
    lead, rest = split(one.text)
    return {
        "article_id": one.id,
        "maker_id": maker,
        "digest": hashed(f"{one.title}\0{lead}"),
        "title": one.title,
        "lead": lead,
        "rest": rest,
    }


def split(plain: str) -> tuple[str, str]:
    """The lead and the rest, parted between two words."""
    if len(plain) <= LEAD:
        return plain, ""
    cut = max(plain.rfind(" ", 0, LEAD + 1), plain.rfind("\n", 0, LEAD + 1))
    cut = cut if cut > 0 else LEAD
    return plain[:cut], plain[cut:]


def _put(connection: Connection, rows: Iterable[dict[str, Any]], known: Mapping[int, int]) -> None:
    new = [row for row in rows if row["article_id"] not in known]
    old = [{"of_article": row["article_id"], **row} for row in rows if row["article_id"] in known]
    for row in old:
        del row["article_id"]
    if new:
        connection.execute(insert(texts), new)
    if old:
        connection.execute(_RETEXT, old)


def _forget_derived(connection: Connection, ids: Sequence[int]) -> None:
    if not ids:
        return
    every = select(tables.makers.c.id)
    for table in (embeddings, ratings):
        connection.execute(
            delete(table).where(table.c.maker_id.in_(every), table.c.article_id.in_(ids))
        )
    connection.execute(
        update(states).where(states.c.article_id.in_(ids)).values(scored_by=makers.NOBODY)
    )


def _tell_learners(connection: Connection, ids: Sequence[int]) -> None:
    """What a reader has labelled reads differently now."""
    learners = {row.user_id for row in rows_of(connection, _LABELLED_BY, ids)}
    if learners:
        connection.execute(
            update(users).where(users.c.id.in_(learners)).values(taste=users.c.taste + 1)
        )


def _put_ratings(
    connection: Connection, maker: int, made: Sequence[tuple[ArticleId, Rating]], at: datetime
) -> None:
    if not made:
        return
    connection.execute(
        delete(ratings).where(
            ratings.c.maker_id == maker, ratings.c.article_id.in_([one for one, _ in made])
        )
    )
    connection.execute(
        insert(ratings),
        [
            {
                "maker_id": maker,
                "article_id": article,
                "rating": one.rating,
                "confidence": one.confidence,
                "explanation": one.explanation,
                "made_at": at,
            }
            for article, one in made
        ],
    )


def _versions(connection: Connection, ids: Sequence[int]) -> dict[int, object]:
    return {row.id: _version(row) for row in rows_of(connection, _VERSIONS, ids)}


def _version(row: Row[Any]) -> object:
    return row.fullest, row.version_at, row.content_hash, row.title


def _digests(connection: Connection, ids: Sequence[int]) -> dict[int, int]:
    return {row.article_id: row.digest for row in rows_of(connection, _DIGESTS, ids)}


def _matrix(connection: Connection, maker: int, ids: Sequence[int]) -> Vectors:
    found = vectors(connection, maker, ids)
    if not ids:
        return np.empty((0, 0), dtype=np.float32)
    return np.stack([found[ArticleId(one)] for one in ids])


def _scorers(connection: Connection, user: UserId) -> Iterable[int]:
    """Who scored anything of a reader, each found by one step in the index."""
    last = makers.UNKNOWN
    while (scorer := connection.scalar(_NEXT_SCORER, {"user": user, "last": last})) is not None:
        yield scorer
        last = scorer
