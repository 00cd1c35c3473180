"""What one reader's model made of articles: relevance, and with sensitivity the rank key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, bindparam, text, update

from newsloom.accounts.store.users.store import own_half_lives
from newsloom.articles.store.derived import categories, versioned_texts
from newsloom.articles.store.reader_tables import states
from newsloom.importance.score import NO_BLEND, Blend
from newsloom.kernel.db import producers
from newsloom.kernel.db.columns import MICRO, moment
from newsloom.kernel.db.sql import Aggregate, many, rows_by, rows_of
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.llm.purpose import held
from newsloom.ranking import rank_key
from newsloom.ranking.ports import HalfLives, Vectors
from newsloom.ranking.scoring import lasting, raised
from newsloom.ranking.store.vectors import by_article
from newsloom.ranking.values.models import ArticleText, Score
from newsloom.work.store import pending
from newsloom.work.store.leases import batch_of, finish, unchanged
from newsloom.work.values import Batch, Lease, Put, StageKey

# Articles, their vectors, the reader's categories, ratings in force; all in one order.
Scorable = tuple[tuple[ArticleText, ...], Vectors, tuple[str, ...], tuple[int, ...]]

_STAGE = pending.SOURCES["relevance"]
_RATED = many("""
    SELECT s.article_id, r.rating, l.rating AS told
    FROM states s CROSS JOIN ratings r
    LEFT JOIN ratings l ON l.maker_id = :told_by AND l.article_id = s.article_id
    WHERE s.user_id = :user AND s.article_id IN :ids AND s.scored_by <> :present
    AND r.maker_id = :ratings AND r.article_id = s.article_id
""")
_DATED = many("""
    SELECT s.article_id, s.dated_at, s.points, s.weighed_by,
        COALESCE(e.points, 0) AS by_rules, COALESCE(e.raised, FALSE) AS raised
    FROM states s
    LEFT JOIN rule_effects e ON e.user_id = s.user_id AND e.article_id = s.article_id
    WHERE s.user_id = :user AND s.article_id IN :ids
""")
# What rules add to is kept, so that it can be taken back.
_BASE = text("UPDATE rule_effects SET base = :base WHERE user_id = :user AND article_id = :article")
# Each end is one step in an index, where a claim for each reader is 1.3 ms.
_SOLE = {
    stage: text(f"""
        SELECT e.id, m.name FROM (
            SELECT u.id, (SELECT MIN(s.{by}) FROM states s WHERE s.user_id = u.id) AS least,
                (SELECT MAX(s.{by}) FROM states s WHERE s.user_id = u.id) AS most
            FROM users u
        ) e JOIN makers m ON m.id = e.least
        WHERE e.most = e.least
    """)  # noqa: S608
    for stage, by in (("relevance", "scored_by"), ("interest", "weighed_by"))
}
_SCORED = ("relevance", "sensitivity", "rank_key", "scored_by")
_SCORE = (
    update(states)
    .where(states.c.user_id == bindparam("of_user"), states.c.article_id == bindparam("of_article"))
    .values(
        {name: bindparam(name) for name in ("relevance", "sensitivity", "rank_key", "scored_by")}
    )
)


class Scores(Aggregate):
    """The relevance stage."""

    def sole_producers(self, stage: str) -> Mapping[UserId, str]:
        """Of each reader all of whose articles one producer scored (`relevance`) or weighed
        (`interest`), its name: that one has nothing left to do."""
        with self.database.read() as connection:
            return {UserId(row.id): row.name for row in connection.execute(_SOLE[stage])}

    def leased_scores(
        self, lease: Lease, limit: int, language_model: str = ""
    ) -> tuple[Batch, Scorable]:
        """The first `limit` of a lease that are still pending, as a batch with their versions."""
        with self.database.read() as connection:
            found, versions = _scorable(connection, lease.key, lease.ids, language_model)
            return batch_of(connection, lease, versions, limit), found

    def put_scores(
        self,
        user: UserId,
        scored_by: str,
        scores: Sequence[Score],
        half_lives: HalfLives,
        *,
        blend: Blend = NO_BLEND,
        batch: Batch | None = None,
        until: datetime | None = None,
    ) -> Put:
        """Sets relevance, sensitivity and the static rank key derived from both.

        With a blend, relevance has that share of importance in it, where that is known. By the
        reader's own half-lives, where they have some: read here, so that no key is made with those
        of a moment ago.
        """
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            if put is None:
                return Put(0)
            in_force = lasting(own_half_lives(connection, user), half_lives)
            producer = producers.numbered(connection, scored_by)
            ids = [one.article_id for one in scores]
            fresh = unchanged(batch, ids, _STAGE.versions(connection, ids))
            known = rows_by(connection, _DATED, "article_id", ids, user=user)
            rows = [
                _scored(user, one, known[one.article_id], producer, in_force, blend)
                for one in scores
                if one.article_id in fresh and one.article_id in known
            ]
            if rows:
                connection.execute(_SCORE, [_by_rules(one, known) for one in rows])
            bases = [
                {"base": one["relevance"], "user": user, "article": one["of_article"]}
                for one in rows
                if known[one["of_article"]].by_rules
            ]
            if bases:
                connection.execute(_BASE, bases)
            return replace(put, stored=len(rows))


def _scored(
    user: UserId, score: Score, row: Row[Any], producer: int, half_lives: HalfLives, blend: Blend
) -> dict[str, Any]:
    """The values of a state that its score sets."""
    relevance = score.relevance
    if blend.share and row.weighed_by:
        relevance = blend.of(relevance, row.points / MICRO)
    relevance = raised(relevance, followed=score.followed)
    half_life = half_lives[score.sensitivity]
    return {
        "of_user": user,
        "of_article": score.article_id,
        "relevance": relevance,
        "sensitivity": score.sensitivity,
        "rank_key": rank_key.stored_key(relevance, moment(row.dated_at), half_life),
        "scored_by": producer,
    }


def _by_rules(values: dict[str, Any], known: Mapping[ArticleId, Row[Any]]) -> dict[str, Any]:
    """The same, with what rules of the reader add."""
    row = known[values["of_article"]]
    if not (row.by_rules or row.raised):
        return values
    relevance = rank_key.by_rules(values["relevance"], row.by_rules)
    key = (
        values["rank_key"]
        + rank_key.sort_key(relevance)
        - rank_key.sort_key(values["relevance"])
        + rank_key.RAISED * bool(row.raised)
    )
    return {**values, "relevance": relevance, "rank_key": key}


def _scorable(
    connection: Connection, key: StageKey, ids: Sequence[int], language_model: str
) -> tuple[Scorable, Mapping[int, str]]:
    """Those of the articles that are still to be scored, in that order, and their versions."""
    user, (vector_model, sensitivity_model) = UserId(key.scope), key.inputs
    rated = {
        row.article_id: row
        for row in rows_of(
            connection,
            _RATED,
            ids,
            user=user,
            present=producers.known(connection, key.producer),
            ratings=producers.known(connection, sensitivity_model),
            told_by=producers.known(connection, language_model),
        )
    }
    vectors = by_article(connection, producers.known(connection, vector_model), ids)
    left = [ArticleId(one) for one in ids if one in rated and one in vectors]
    texts, versions = versioned_texts(connection, left)
    shelves = categories(connection, user, left)
    found = (
        tuple(texts[one] for one in left),
        np.stack([vectors[one] for one in left]) if left else np.empty((0, 0), np.float32),
        tuple(shelves.get(one, "") for one in left),
        tuple(_rating(rated[one]) for one in left),
    )
    return found, versions


def _rating(row: Row[Any]) -> int:
    """The one in force: what a language model said, as far as it may move the other."""
    rating: int = row.rating
    return rating if row.told is None else held(rating, row.told)
