"""Which articles a reader has: unread states made and taken away. SQL only."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, text

from newsloom.scoring.decay import UNSCORED_HALF_LIFE
from newsloom.store.articles import Fresh, Stored
from newsloom.store.bulk import insert_rows, rows_of_those
from newsloom.store.columns import micros
from newsloom.store.keys import CHUNK
from newsloom.store.ranking import UNIT, UNSCORED_RELEVANCE
from newsloom.store.tables import states
from newsloom.text.language import language
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

_FROM = """
    FROM articles a
    JOIN articles o ON o.id = a.original_id
    JOIN articles f ON f.id = o.fullest_id
    JOIN subscriptions s ON s.feed_id = :feed
    WHERE {which} AND NOT EXISTS (
        SELECT 1 FROM states x WHERE x.user_id = s.user_id AND x.article_id = o.id
    )
"""
_TAGS = f"SELECT DISTINCT f.language {_FROM}"
_ADD = f"""
    INSERT INTO states (user_id, article_id, feed_id, dated_at, rank_key, language)
    SELECT DISTINCT s.user_id, o.id, o.feed_id, o.dated_at, {_KEY}, :language
    {_FROM} AND f.language IN :tags
"""
# What is added: the new ones of a poll, one of them, what a new subscriber finds.
_WHICH = {
    "new": "a.id BETWEEN :first AND :last",
    "one": "a.id = :article",
    "since": "s.user_id = :user AND a.feed_id = :feed AND a.dated_at >= :since",
}
_TAGS_OF = {name: text(_TAGS.format(which=which)) for name, which in _WHICH.items()}
_ADD_OF = {
    name: text(_ADD.format(which=which)).bindparams(bindparam("tags", expanding=True))
    for name, which in _WHICH.items()
}
_READERS = "SELECT user_id FROM subscriptions WHERE feed_id IN {those}"
_COLUMNS = ("user_id", "article_id", "feed_id", "dated_at", "rank_key", "language")
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
    _add_fresh(connection, feed, stored.fresh)
    if stored.copies:
        _add(connection, "new", {"feed": feed, "first": stored.first, "last": stored.last})
    for article in stored.revised:
        _add(connection, "one", {"feed": feed, "article": article})


def _add_fresh(connection: Connection, feed: FeedId, fresh: Sequence[Fresh]) -> None:
    """Of originals nobody can have a state for, because they were not there a moment ago."""
    base, rate = _KEY_VALUES["base"], _KEY_VALUES["rate"]
    spoken = [(one, int(base + one.dated * rate), language(one.language)) for one in fresh]
    readers = rows_of_those(connection, _READERS, [feed]) if fresh else ()
    rows = [
        (user, one.article, feed, one.dated, key, tag)
        for (user,) in readers
        for one, key, tag in spoken
    ]
    insert_rows(connection, states, _COLUMNS, rows)


def add_those(connection: Connection, feed: FeedId, articles: Sequence[int]) -> None:
    """An unread state for every subscriber of a feed, of any articles they have none of."""
    for article in articles:
        _add(connection, "one", {"feed": feed, "article": article})


def add_backlog(connection: Connection, user: UserId, feed: FeedId, now: datetime) -> None:
    """An unread state for the newest of what is known of a feed already."""
    values = {"feed": feed, "user": user}
    since = micros(now - BACKLOG)
    least = connection.scalar(_NEWEST, {"feed": feed, "n": BACKLOG_LEAST - 1})
    since = -(2**62) if least is None else min(since, least)
    _add(connection, "since", {**values, "since": since})


def _add(connection: Connection, which: str, values: Mapping[str, Any]) -> None:
    """States of those that have none. One statement for each language: of most polls, one."""
    tags: dict[str, list[str]] = defaultdict(list)
    for tag in connection.scalars(_TAGS_OF[which], values):
        tags[language(tag)].append(tag)
    for name, named in tags.items():
        for start in range(0, len(named), CHUNK):
            of_language = {"language": name, "tags": named[start : start + CHUNK]}
            connection.execute(_ADD_OF[which], {**values, **_KEY_VALUES, **of_language})


def drop_unread(connection: Connection, user: UserId, feed: FeedId) -> None:
    """Take away what a reader who left a feed has neither read, starred nor rated of it.

    What another of their feeds carries stays. Called when the subscription is gone.
    """
    connection.execute(_DROP, {"feed": feed, "user": user})
