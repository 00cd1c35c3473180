"""Arrival numbers: the order in which articles reached a reader, which apps sync by. SQL only.

A reader's numbers only grow, and so do the times beside them, whatever the clock does: an app that
asks for what is newer than the last it has misses nothing. Writers take turns, so that numbers
become visible in order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, text

from newsloom.kernel.db.bulk import rows_of_those
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable


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
    for user, count in counts.items():
        alike[count].append(user)
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
