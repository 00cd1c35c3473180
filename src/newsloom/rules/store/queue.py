"""What the rules of readers are still to look at, kept where articles come, change and go. SQL
only; imported by most commands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Connection, bindparam, text

from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

# Readers with rules first: most have none.
_ADD = portable("""
    INSERT INTO rule_queue (user_id, article_id, version)
    SELECT r.user_id, s.article_id, r.version FROM rule_sets r CROSS JOIN states s
    WHERE r.active = TRUE AND s.user_id = r.user_id AND s.article_id IN numbers_in(:those)
    ON CONFLICT DO NOTHING
""")
_ADD_MUTED = portable("""
    INSERT INTO rule_queue (user_id, article_id, version)
    SELECT r.user_id, m.article_id, r.version FROM rule_sets r CROSS JOIN muted_articles m
    WHERE m.user_id = r.user_id AND m.article_id IN numbers_in(:those)
    ON CONFLICT DO NOTHING
""")
# Also what was read or starred by rules: that is taken back where no rule says so any more.
_ADD_ALL = text("""
    INSERT INTO rule_queue (user_id, article_id, version)
    SELECT found.user_id, found.article_id, r.version FROM (
        SELECT user_id, article_id FROM states
        WHERE user_id = :user AND read = FALSE AND dated_at >= :since
        UNION
        SELECT user_id, article_id FROM muted_articles
        WHERE user_id = :user AND dated_at >= :since
        UNION
        SELECT e.user_id, e.article_id FROM rule_effects e
        JOIN states s ON s.user_id = e.user_id AND s.article_id = e.article_id
        WHERE e.user_id = :user AND s.dated_at >= :since
    ) AS found JOIN rule_sets r ON r.user_id = found.user_id
    WHERE found.user_id = :user
    ON CONFLICT (user_id, article_id) DO UPDATE SET version = excluded.version
""")
# What rules did to a state that is gone is not of the one that takes its place.
_FORGET = portable("""
    UPDATE rule_effects SET points = 0, raised = FALSE, base = NULL, read = FALSE, starred = FALSE,
        did = NULL
    WHERE user_id IN numbers_in(:users) AND article_id IN numbers_in(:those) AND NOT EXISTS (
        SELECT 1 FROM states s
        WHERE s.user_id = rule_effects.user_id AND s.article_id = rule_effects.article_id
    )
""")
# Who left a feed finds what it mutes no more, unless another of their feeds carries it.
_DROP = portable("""
    DELETE FROM muted_articles
    WHERE user_id = :user
    AND article_id IN (SELECT original_id FROM articles WHERE feed_id = :feed)
    AND NOT EXISTS (
        SELECT 1 FROM articles a JOIN subscriptions s ON s.feed_id = a.feed_id
        WHERE a.original_id = muted_articles.article_id AND s.user_id = :user
    )
""")
_DONE = text("""
    DELETE FROM rule_queue
    WHERE user_id = :user AND article_id IN :ids AND version <= :version
    RETURNING article_id
""").bindparams(bindparam("ids", expanding=True))


def look_at(connection: Connection, articles: Sequence[int]) -> None:
    """Articles came, or read differently now: rules of whoever has them look at them."""
    if articles:
        those = {"those": json.dumps(list(articles))}
        connection.execute(_ADD, those)
        connection.execute(_ADD_MUTED, those)


def begin_anew(connection: Connection, users: Sequence[int], articles: Sequence[int]) -> None:
    """Readers are about to get states of articles that they have none of."""
    if articles:
        those = {"users": json.dumps(list(users)), "those": json.dumps(list(articles))}
        connection.execute(_FORGET, those)


def look_at_all(connection: Connection, user: UserId, since: datetime) -> None:
    """The rules of a reader changed: they look again at what is dated since then."""
    connection.execute(_ADD_ALL, {"user": user, "since": micros(since)})


def done(connection: Connection, user: UserId, ids: Sequence[int], version: int) -> set[int]:
    """Take articles out that were looked at by that version; those that it still was."""
    values = {"user": user, "ids": list(ids), "version": version}
    return set(connection.scalars(_DONE, values))


def drop_muted(connection: Connection, user: UserId, feed: int) -> None:
    """A reader left a feed; the subscription is gone already."""
    connection.execute(_DROP, {"user": user, "feed": feed})
