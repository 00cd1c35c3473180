"""Which articles a reader has: unread states made and taken away. SQL only."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, text

from newsloom.articles.store.reader_tables import states
from newsloom.kernel.db.bulk import insert_rows, rows_of_those
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable
from newsloom.ranking.rank_key import UNIT, UNSCORED_RELEVANCE
from newsloom.ranking.scoring import UNSCORED_HALF_LIFE
from newsloom.rules.store import queue

if TYPE_CHECKING:
    from newsloom.articles.store.records import Stored
    from newsloom.kernel.ids import FeedId, UserId

# What someone finds on subscribing to a feed that is here already: the last month of it, and of a
# feed that writes less, its newest twenty; not years of it at once.
BACKLOG = timedelta(days=30)
BACKLOG_LEAST = 20

# The unscored rank key is _BASE + dated * _RATE, with half-lives of UNSCORED_HALF_LIFE.
_BASE = math.log2(UNSCORED_RELEVANCE) * UNIT
_RATE = UNIT / (UNSCORED_HALF_LIFE / timedelta(microseconds=1))

# Subscribers of feeds and originals they have no state of, with the language of what is shown.
_LACKING = """
    SELECT DISTINCT s.user_id, o.id, o.feed_id, o.dated_at, f.language
    FROM articles a
    JOIN articles o ON o.id = a.original_id
    JOIN articles f ON f.id = o.fullest_id
    JOIN subscriptions s ON s.feed_id = {feed}
    WHERE {which} AND NOT EXISTS (
        SELECT 1 FROM states x WHERE x.user_id = s.user_id AND x.article_id = o.id
    ) AND NOT EXISTS (
        SELECT 1 FROM muted_articles m WHERE m.user_id = s.user_id AND m.article_id = o.id
    ) AND NOT EXISTS (
        SELECT 1 FROM aged_articles g WHERE g.article_id = o.id AND g.articles_at IS NOT NULL
    )
"""
_THOSE = "a.id IN numbers_in(:those)"
_OF_THOSE = portable(_LACKING.format(feed=":feed", which=_THOSE))
_OF_REVISED = portable(_LACKING.format(feed="a.feed_id", which=_THOSE))
_OF_BACKLOG = portable(
    _LACKING.format(
        feed=":feed", which="s.user_id = :user AND a.feed_id = :feed AND a.dated_at >= :since"
    )
)
_READERS = portable(
    "SELECT feed_id, user_id FROM subscriptions WHERE feed_id IN numbers_in(:those)"
)
_COLUMNS = (
    "user_id", "article_id", "feed_id", "dated_at", "rank_key", "language", "arrival", "arrived_at",
    "read",
)  # fmt: skip
_NEWEST = portable(
    "SELECT dated_at FROM articles WHERE feed_id = :feed ORDER BY dated_at DESC LIMIT 1 OFFSET :n"
)
_KEPT_COLUMNS = (
    "user_id, article_id, feed_id, dated_at, sensitivity, relevance, rank_key, scored_by, language"
)
# Of a row of `states`: the reader keeps it, whatever becomes of its feed.
KEPT = "({})".format(
    " OR ".join(
        (
            "states.later = TRUE",
            *(
                f"EXISTS (SELECT 1 FROM {table} k WHERE k.user_id = states.user_id"  # noqa: S608
                " AND k.article_id = states.article_id)"
                for table in ("article_tags", "article_notes", "highlights")
            ),
        )
    )
)

_UNREAD_OF_LEFT = f"""
    WHERE user_id = :user AND read = FALSE AND starred = FALSE AND rating = 0 AND NOT {KEPT}
    AND article_id IN (SELECT original_id FROM articles WHERE feed_id = :feed)
    AND NOT EXISTS (
        SELECT 1 FROM articles a JOIN subscriptions s ON s.feed_id = a.feed_id
        WHERE a.original_id = states.article_id AND s.user_id = :user
    )
"""  # noqa: S608
_KEEP = portable(f"""
    INSERT INTO left_states (left_id, {_KEPT_COLUMNS})
    SELECT :feed, {_KEPT_COLUMNS} FROM states {_UNREAD_OF_LEFT}
""")  # noqa: S608
_DROP = portable(f"DELETE FROM states {_UNREAD_OF_LEFT}")  # noqa: S608
_LEFT = portable("SELECT article_id FROM left_states WHERE user_id = :user AND left_id = :feed")
_PUT_BACK = portable(f"""
    INSERT INTO states ({_KEPT_COLUMNS})
    SELECT {_KEPT_COLUMNS} FROM left_states WHERE user_id = :user AND left_id = :feed
    ON CONFLICT DO NOTHING
""")  # noqa: S608


def add_stored(
    connection: Connection, stored: Stored, now: datetime, read_by: UserId | None = None
) -> None:
    """Give each subscriber a state of each stored article of their feeds, where they have none:
    read for `read_by`, unread for everybody else."""
    if stored.fresh:
        # Nobody can have a state of what was not there a moment ago.
        readers: dict[int, list[int]] = defaultdict(list)
        feeds = sorted({one.feed for one in stored.fresh})
        for feed, user in rows_of_those(connection, _READERS, feeds):
            readers[feed].append(user)
        new = [
            (user, a, feed, dated, tag)
            for a, feed, dated, tag in stored.fresh
            for user in readers[feed]
        ]
        _add(connection, new, now, read_by)
    lacking = rows_of_those(connection, _OF_REVISED, stored.revised)
    _add_lacking(connection, lacking, now, read_by)


def add_those(connection: Connection, feed: FeedId, articles: Sequence[int], now: datetime) -> None:
    """An unread state for every subscriber of a feed, of any articles they have none of."""
    _add_lacking(connection, rows_of_those(connection, _OF_THOSE, articles, feed=feed), now)


def add_backlog(connection: Connection, user: UserId, feed: FeedId, now: datetime) -> None:
    """An unread state for the newest of what is known of a feed already."""
    since = micros(now - BACKLOG)
    least = connection.scalar(_NEWEST, {"feed": feed, "n": BACKLOG_LEAST - 1})
    since = -(2**62) if least is None else min(since, least)
    values = {"feed": feed, "user": user, "since": since}
    _add_lacking(connection, connection.execute(_OF_BACKLOG, values).all(), now)
    # What they kept of it when they left it, they see again too.
    arrive_again(connection, user, feed, now)


def _add_lacking(
    connection: Connection,
    lacking: Sequence[Sequence[Any]],
    now: datetime,
    read_by: UserId | None = None,
) -> None:
    """Of articles that may have been there for long."""
    users = {row[0] for row in lacking}
    queue.begin_anew(connection, sorted(users), sorted({row[1] for row in lacking}))
    _add(connection, sorted(map(tuple, lacking)), now, read_by)


def _add(
    connection: Connection,
    lacking: Sequence[Sequence[Any]],
    now: datetime,
    read_by: UserId | None,
) -> None:
    """States of user, article, feed, date and language of the text."""
    from newsloom.kernel.text.language import language  # only needed for new states

    arrived = take(connection, Counter(row[0] for row in lacking), now)
    numbers = {user: count(one.first) for user, one in arrived.items()}
    made = [
        (
            user,
            article,
            feed,
            dated,
            int(_BASE + dated * _RATE),
            language(tag),
            next(numbers[user]),
            arrived[user].at,
            user == read_by,
        )
        for user, article, feed, dated, tag in lacking
    ]
    insert_rows(connection, states, _COLUMNS, made)
    queue.look_at(connection, sorted({article for _user, article, *_rest in made}))


def drop_unread(connection: Connection, user: UserId, feed: FeedId) -> None:
    """Take away what a reader who left a feed has neither read nor marked of it, and keep it
    for their return.

    What another of their feeds carries stays. Called when the subscription is gone.
    """
    connection.execute(_KEEP, {"feed": feed, "user": user})
    connection.execute(_DROP, {"feed": feed, "user": user})
    queue.drop_muted(connection, user, feed)


def put_back(connection: Connection, user: UserId, feed: FeedId, now: datetime) -> None:
    """What was taken away when they left it."""
    values = {"feed": feed, "user": user}
    back = list(connection.scalars(_LEFT, values))
    connection.execute(_PUT_BACK, values)
    arrive_again(connection, user, feed, now)
    queue.look_at(connection, back)


# Arrival numbers: the order in which articles reached a reader, which apps sync by. A reader's
# numbers only grow, and so do the times beside them, whatever the clock does: an app that asks
# for what is newer than the last it has misses nothing. Writers take turns, so that numbers
# become visible in order.


class Arrival(NamedTuple):
    """The first of some numbers of one reader, and when they were taken, in microseconds."""

    first: int
    at: int


_TAKE = portable("""
    UPDATE users SET arrivals = arrivals + :count, arrived_at = greatest(arrived_at, :now)
    WHERE id IN numbers_in(:those) RETURNING id, arrivals, arrived_at
""")
_WITHDRAW = text("UPDATE states SET arrival = 0 WHERE user_id = :user AND feed_id = :feed")
_WITHOUT = portable("""
    SELECT user_id, COUNT(*) FROM states WHERE arrival = 0 AND user_id IN numbers_in(:those)
    GROUP BY user_id
""")
_GIVE = portable("""
    UPDATE states SET arrival = :first + n.place, arrived_at = :at
    FROM (
        SELECT article_id, ROW_NUMBER() OVER (ORDER BY article_id) - 1 AS place
        FROM states WHERE user_id = :user AND arrival = 0
    ) n
    WHERE states.user_id = :user AND states.article_id = n.article_id
""")


def take(connection: Connection, counts: Mapping[int, int], now: datetime) -> dict[int, Arrival]:
    """New numbers, so many for each reader."""
    alike: dict[int, list[int]] = defaultdict(list)
    for user, number in counts.items():
        alike[number].append(user)
    return {
        user: Arrival(last - count + 1, at)
        for count, users in alike.items()
        for user, last, at in rows_of_those(connection, _TAKE, users, count=count, now=micros(now))
    }


def give(connection: Connection, users: Iterable[int], now: datetime) -> None:
    """Numbers for all states of these readers that have none."""
    counts = dict(map(tuple, rows_of_those(connection, _WITHOUT, sorted(set(users)))))
    for user, (first, at) in take(connection, counts, now).items():
        connection.execute(_GIVE, {"user": user, "first": first, "at": at})


def arrive_again(connection: Connection, user: int, feed: int, now: datetime) -> None:
    """New numbers for what a reader still has of a feed: an app that they left it in has nothing
    of it any more."""
    connection.execute(_WITHDRAW, {"user": user, "feed": feed})
    give(connection, [user], now)
