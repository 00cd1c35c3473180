"""Which articles a reader has: unread states made and taken away. SQL only."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from sqlalchemy import Connection, text

from newsloom.store.articles import Stored
from newsloom.store.columns import micros
from newsloom.store.ranking import UNIT, UNSCORED_HALF_LIFE, UNSCORED_RELEVANCE
from newsloom.types import FeedId, UserId

# What someone finds on subscribing to a feed that is here already: the last month of it, and of a
# feed that writes less, its newest twenty; not years of it at once.
BACKLOG = timedelta(days=30)
BACKLOG_LEAST = 20

# The unscored rank key, as ranking.unscored_key makes it, so that one statement can fill in a
# whole poll for every subscriber.
_KEY = "CAST(:base + o.dated_at * :rate AS BIGINT)"
_KEY_VALUES = {
    "base": math.log2(UNSCORED_RELEVANCE) * UNIT,
    "rate": UNIT / (UNSCORED_HALF_LIFE / timedelta(microseconds=1)),
}

_ADD = """
    INSERT INTO states (user_id, article_id, feed_id, dated_at, rank_key)
    SELECT DISTINCT s.user_id, o.id, o.feed_id, o.dated_at, {key}
    FROM articles a
    JOIN articles o ON o.id = a.original_id
    JOIN subscriptions s ON s.feed_id = :feed
    WHERE {which} AND NOT EXISTS (
        SELECT 1 FROM states x WHERE x.user_id = s.user_id AND x.article_id = o.id
    )
"""
_ADD_NEW = text(_ADD.format(key=_KEY, which="a.id BETWEEN :first AND :last"))
_ADD_ONE = text(_ADD.format(key=_KEY, which="a.id = :article"))
_ADD_SINCE = text(
    _ADD.format(key=_KEY, which="s.user_id = :user AND a.feed_id = :feed AND a.dated_at >= :since")
)
_NEWEST = text(
    "SELECT dated_at FROM articles WHERE feed_id = :feed ORDER BY dated_at DESC LIMIT 1 OFFSET :n"
)
_DROP = text("""
    DELETE FROM states
    WHERE user_id = :user AND read = FALSE AND starred = FALSE AND rating = 0
    AND article_id IN (SELECT original_id FROM articles WHERE feed_id = :feed)
    AND NOT EXISTS (
        SELECT 1 FROM articles a JOIN subscriptions s ON s.feed_id = a.feed_id
        WHERE a.original_id = states.article_id AND s.user_id = :user
    )
""")


def add_unread(connection: Connection, feed: FeedId, stored: Stored) -> None:
    """An unread state for every subscriber of a feed who has none, of what a poll stored."""
    values = {"feed": feed, **_KEY_VALUES}
    if stored.first <= stored.last:
        connection.execute(_ADD_NEW, {**values, "first": stored.first, "last": stored.last})
    for article in stored.revised:
        connection.execute(_ADD_ONE, {**values, "article": article})


def add_backlog(connection: Connection, user: UserId, feed: FeedId, now: datetime) -> None:
    """An unread state for the newest of what is known of a feed already."""
    values = {"feed": feed, "user": user}
    since = micros(now - BACKLOG)
    least = connection.scalar(_NEWEST, {"feed": feed, "n": BACKLOG_LEAST - 1})
    since = -(2**62) if least is None else min(since, least)
    connection.execute(_ADD_SINCE, {**values, **_KEY_VALUES, "since": since})


def drop_unread(connection: Connection, user: UserId, feed: FeedId) -> None:
    """Take away what a reader who left a feed has neither read, starred nor rated of it.

    What another of their feeds carries stays. Called when the subscription is gone.
    """
    connection.execute(_DROP, {"feed": feed, "user": user})
