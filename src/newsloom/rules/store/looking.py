"""What rules may know of articles, and what they did to them. Reads only."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, delete, insert, select, text, update

from newsloom.articles.store.derived import digests
from newsloom.kernel.db.columns import moment
from newsloom.kernel.db.sql import Aggregate, many, rows_of
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.rules.store import queue
from newsloom.rules.store.tables import rule_sets, rules
from newsloom.rules.values import Rule, RuleEffect, RuleFacts, RuleId, RuleSet
from newsloom.rules.written import body, did_of, rule_of
from newsloom.work.store.leases import batch_of
from newsloom.work.values import Batch, Lease

if TYPE_CHECKING:
    from newsloom.rules.values import RuleDid

_WAITING = many("""
    SELECT q.article_id FROM rule_queue q WHERE q.user_id = :user AND q.article_id IN :ids
""")
_LEFT = text("""
    SELECT q.article_id FROM rule_queue q CROSS JOIN texts t
    WHERE q.user_id = :user AND t.article_id = q.article_id AND t.maker_id > 0
    ORDER BY q.article_id DESC LIMIT :limit
""")
_FACTS = many("""
    SELECT o.id, COALESCE(t.title, f.title) AS title, COALESCE(t.lead, '') AS lead,
        COALESCE(t.rest, '') AS rest, f.author, f.language, o.source, o.first_seen_at, o.dated_at,
        f.url, o.canonical_url, f.categories,
        COALESCE(e.spared, FALSE) AS spared
    FROM articles o
    JOIN articles f ON f.id = o.fullest_id
    LEFT JOIN texts t ON t.article_id = o.id
    LEFT JOIN rule_effects e ON e.user_id = :user AND e.article_id = o.id
    WHERE o.id IN :ids
""")
_FEEDS = many("""
    SELECT a.original_id, c.feed_id, c.category
    FROM articles a CROSS JOIN subscriptions c
    WHERE a.original_id IN :ids AND c.user_id = :user AND c.feed_id = a.feed_id
    ORDER BY a.original_id, a.id
""")
_LATELY = text("""
    SELECT article_id FROM (
        SELECT article_id, dated_at FROM states WHERE user_id = :user AND dated_at >= :since
        AND read = FALSE
        UNION ALL
        SELECT article_id, dated_at FROM states WHERE user_id = :user AND dated_at >= :since
        AND read = TRUE
        UNION ALL
        SELECT article_id, dated_at FROM muted_articles
        WHERE user_id = :user AND dated_at >= :since
    ) AS found ORDER BY dated_at DESC, article_id DESC LIMIT :limit
""")
_EFFECTS = many("""
    SELECT article_id, points, raised, base, did FROM rule_effects
    WHERE user_id = :user AND article_id IN :ids
""")


_READERS = text(
    "SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM rule_queue q WHERE q.user_id = u.id)"
)


class Looking(Aggregate):
    """Facts for rules."""

    def waiting_readers(self) -> frozenset[UserId]:
        """Those whose rules have articles to look at, be they without a text yet."""
        with self.database.read() as connection:
            return frozenset(map(UserId, connection.scalars(_READERS)))

    def leased_rules(
        self, lease: Lease, limit: int
    ) -> tuple[Batch, tuple[ArticleId, ...], RuleSet, tuple[RuleFacts, ...]]:
        """Those of a lease that are still to be looked at, the reader's rules, and the facts."""
        user = UserId(lease.key.scope)
        with self.database.read() as connection:
            found = rows_of(connection, _WAITING, lease.ids, user=user)
            ids = tuple(ArticleId(row.article_id) for row in found)
            versions = {one: str(digest) for one, digest in digests(connection, ids).items()}
            batch = batch_of(connection, lease, versions, limit)
            return batch, ids, rules_of(connection, user), facts_of(connection, user, ids)

    def rules_waiting(self, user: UserId, limit: int) -> tuple[ArticleId, ...]:
        """What the reader's rules are still to look at, whoever holds a lease of it; the newest."""
        return self._column(_LEFT, ArticleId, user=user, limit=limit)

    def rule_facts(self, user: UserId, ids: Sequence[ArticleId]) -> tuple[RuleFacts, ...]:
        """Of some articles, in that order; those that are not there are absent."""
        with self.database.read() as connection:
            return facts_of(connection, user, ids)

    def articles_lately(self, user: UserId, since: datetime, limit: int) -> tuple[ArticleId, ...]:
        """Of a reader's articles, read, unread or muted, the newest that are dated since then."""
        return self._column(_LATELY, ArticleId, user=user, since=since, limit=limit)

    def rule_effects(
        self, user: UserId, ids: Sequence[ArticleId]
    ) -> Mapping[ArticleId, RuleEffect]:
        """What rules did to articles; those to which they did nothing are absent."""
        with self.database.read() as connection:
            return {
                ArticleId(row.article_id): RuleEffect(
                    row.points, bool(row.raised), row.base, read_did(row.did)
                )
                for row in rows_of(connection, _EFFECTS, ids, user=user)
            }


def facts_of(connection: Connection, user: int, ids: Sequence[int]) -> tuple[RuleFacts, ...]:
    """Within the caller's transaction."""
    from newsloom.kernel.text.language import language

    carried: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in rows_of(connection, _FEEDS, ids, user=user):
        carried[row.original_id].append(row)
    found = {
        row.id: RuleFacts(
            article=ArticleId(row.id),
            title=row.title,
            text=row.lead + row.rest,
            author=row.author,
            feeds=tuple(FeedId(one.feed_id) for one in carried[row.id]),
            categories=tuple(dict.fromkeys(one.category for one in carried[row.id])),
            language=language(row.language),
            source=row.source,
            links=tuple(dict.fromkeys(filter(None, (row.url, row.canonical_url)))),
            tags=tuple(json.loads(row.categories or "[]")),
            seen=moment(row.first_seen_at),
            dated=moment(row.dated_at),
            spared=bool(row.spared),
        )
        for row in rows_of(connection, _FACTS, ids, user=user)
    }
    return tuple(found[one] for one in ids if one in found)


def read_did(kept: str | None) -> tuple[RuleDid, ...]:
    """Of a column that statements in words give as text."""
    return did_of(json.loads(kept)) if kept else ()


# The rules themselves. Always the whole set of a reader at once: its order is part of it.

_RULES, _SETS = rules.c, rule_sets.c
_MAKE = text("""
    INSERT INTO rule_sets (user_id, version, active) VALUES (:user, 0, FALSE)
    ON CONFLICT DO NOTHING
""")


class RuleSets(Aggregate):
    """Sets of rules."""

    def rules(self, user: UserId) -> RuleSet:
        """All of a reader's, in order."""
        with self.database.read() as connection:
            return rules_of(connection, user)

    def put_rules(
        self, user: UserId, wanted: Sequence[Rule], version: int, now: datetime, since: datetime
    ) -> RuleSet | None:
        """Keep exactly these, in this order, and let them look at what is dated since then.

        A rule without a number gets one; one that is not among them is gone. None: the rules are
        not those of that version any more, and nothing was changed.
        """
        with self.database.write() as connection:
            connection.execute(_MAKE, {"user": user})
            mine = _SETS.user_id == user
            known = connection.scalar(select(_SETS.version).where(mine))
            if known != version:
                return None
            connection.execute(
                delete(rules).where(
                    _RULES.user_id == user, _RULES.id.not_in([one.id for one in wanted if one.id])
                )
            )
            for place, one in enumerate(wanted):
                _put(connection, user, place, one, now)
            active = any(one.enabled for one in wanted)
            connection.execute(
                update(rule_sets).where(mine).values(version=version + 1, active=active)
            )
            queue.look_at_all(connection, user, since)
            return rules_of(connection, user)


def rules_of(connection: Connection, user: int) -> RuleSet:
    """Within the caller's transaction."""
    version = connection.scalar(select(_SETS.version).where(_SETS.user_id == user))
    if version is None:
        return RuleSet(())
    query = select(rules).where(_RULES.user_id == user).order_by(_RULES.place, _RULES.id)
    return RuleSet(tuple(_rule(row) for row in connection.execute(query)), version)


def _put(connection: Connection, user: int, place: int, one: Rule, now: datetime) -> None:
    row = {
        "place": place,
        "name": one.name,
        "enabled": one.enabled,
        "body": body(one),
        "since": one.since or now,
    }
    mine = (_RULES.id == one.id) & (_RULES.user_id == user)
    if not one.id or not connection.execute(update(rules).where(mine).values(row)).rowcount:
        connection.execute(insert(rules).values(user_id=user, **row))


def _rule(row: Any) -> Rule:
    kept = json.loads(row.body) if isinstance(row.body, str) else row.body
    return replace(rule_of(row.name, bool(row.enabled), kept), id=RuleId(row.id), since=row.since)
