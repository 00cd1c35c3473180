"""Taking a merged copy out of its original, and putting it back. SQL only; remembers nothing.

That the two are not the same stays known by `separations`; see clusters.py. At polling nothing
needs to know: what a feed has been seen to carry is recognised as its own again, and only an
article that is new is ever merged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from newsloom.dedup.decide import FULLER_CHARACTERS, FULLER_TIMES
from newsloom.store import makers
from newsloom.store.annotations import moving
from newsloom.store.dialects import portable
from newsloom.store.reading import states
from newsloom.types import FeedId

_ARTICLE = portable("SELECT id, original_id, fullest_id, feed_id FROM articles WHERE id = :article")
_FULLEST = portable("""
    SELECT id FROM articles WHERE original_id = :original
    ORDER BY id <> :original AND length <= (
        SELECT greatest(:times * length, length + :characters) FROM articles WHERE id = :original
    ), length DESC, id LIMIT 1
""")
_OWN = portable("UPDATE articles SET original_id = id, fullest_id = id WHERE id = :copy")
_SHOW = portable("UPDATE articles SET fullest_id = :fullest WHERE id = :original")
_STALE = portable(f"UPDATE texts SET maker_id = {makers.NOBODY} WHERE article_id = :original")  # noqa: S608
# What readers have made of the one, for the other.
_AS_READ = portable("""
    UPDATE states SET
        read = (SELECT m.read FROM states m
            WHERE m.user_id = states.user_id AND m.article_id = :of),
        starred = (SELECT m.starred FROM states m
            WHERE m.user_id = states.user_id AND m.article_id = :of),
        rating = (SELECT m.rating FROM states m
            WHERE m.user_id = states.user_id AND m.article_id = :of),
        later = (SELECT m.later FROM states m
            WHERE m.user_id = states.user_id AND m.article_id = :of)
    WHERE article_id = :article AND user_id IN (
        SELECT user_id FROM states WHERE article_id = :of
    )
""")
_WAS_COPY = portable("""
    SELECT 1 FROM articles c, articles o
    WHERE c.id = :copy AND o.id = :original AND c.original_id = c.id AND o.original_id = o.id
    AND NOT EXISTS (SELECT 1 FROM articles x WHERE x.original_id = :copy AND x.id <> :copy)
    AND EXISTS (
        SELECT 1 FROM judgements j
        WHERE j.article_id = :copy AND j.action = 'duplicate' AND j.target_id = :original
    )
""")
_UNDER = portable(
    "UPDATE articles SET original_id = :original, fullest_id = :copy WHERE id = :copy"
)
_STATES = portable(
    "SELECT user_id, read, starred, rating, later FROM states WHERE article_id = :article"
)
# What was made of it while it stood alone; what readers did to it stays among the events.
_DERIVED = (
    *(
        portable(f"DELETE FROM {table} WHERE article_id = :copy")  # noqa: S608
        for table in ("clusters", "links", "signatures", "entities", "texts", "states")
    ),
    portable("DELETE FROM links WHERE other_id = :copy"),
)
_BOTH = portable("""
    UPDATE states SET read = read OR :read, starred = starred OR :starred,
        rating = CASE rating WHEN 0 THEN :rating ELSE rating END, later = later OR :later
    WHERE article_id = :article AND user_id = :user_id
""")
# Of readers who had it only by the copy: they have that now.
_NO_PLACE = portable("""
    DELETE FROM states WHERE article_id = :original
    AND EXISTS (SELECT 1 FROM states x WHERE x.user_id = states.user_id AND x.article_id = :copy)
    AND NOT EXISTS (
        SELECT 1 FROM articles a JOIN subscriptions s ON s.feed_id = a.feed_id
        WHERE a.original_id = :original AND s.user_id = states.user_id
    )
""")


def part(connection: Connection, copy: int, original: int, now: datetime) -> None:
    """Make a copy an article of its own, for the readers of its feed as they had the original.

    A star or a like of the original is on both then: nobody knows which of the two it was for.
    """
    feed = _article(connection, copy).feed_id
    shown = _article(connection, original).fullest_id
    connection.execute(_OWN, {"copy": copy})
    if shown == copy:
        fullest = _fullest(connection, original)
        connection.execute(_SHOW, {"original": original, "fullest": fullest})
        connection.execute(_STALE, {"original": original})
    states.add_those(connection, FeedId(feed), [copy], now)
    connection.execute(_AS_READ, {"article": copy, "of": original})
    moving.copy(connection, original, copy)
    connection.execute(_NO_PLACE, {"copy": copy, "original": original})


def _fullest(connection: Connection, original: int) -> int:
    """Whose text is shown, as at polling: another only when it is clearly fuller."""
    values = {"original": original, "times": FULLER_TIMES, "characters": FULLER_CHARACTERS}
    return int(connection.execute(_FULLEST, values).scalar_one())


def _article(connection: Connection, article: int) -> Row[Any]:
    return connection.execute(_ARTICLE, {"article": article}).one()


def unite(connection: Connection, article: int, others: Sequence[int], now: datetime) -> None:
    """Put a parted copy back under its original, where that is what it was."""
    for other in others:
        for copy, original in ((article, other), (other, article)):
            values = {"copy": copy, "original": original}
            if connection.scalar(_WAS_COPY, values):
                _put_back(connection, values, now)


def _put_back(connection: Connection, values: Mapping[str, int], now: datetime) -> None:
    from newsloom.store.stories.membership import drop_member

    copy, original = values["copy"], values["original"]
    feed = _article(connection, copy).feed_id
    mine = connection.execute(_STATES, {"article": copy}).mappings().all()
    drop_member(connection, copy, original, now)
    moving.move(connection, copy, original)
    for statement in _DERIVED:
        connection.execute(statement, {"copy": copy})
    connection.execute(_UNDER, values)
    fullest = _fullest(connection, original)
    if fullest != _article(connection, original).fullest_id:
        connection.execute(_SHOW, {"original": original, "fullest": fullest})
        connection.execute(_STALE, {"original": original})
    states.add_those(connection, FeedId(feed), [copy], now)
    for row in mine:
        connection.execute(_BOTH, {**row, "article": original})
