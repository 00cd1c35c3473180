"""A feed's address given up for another, its articles with it, and all of that taken back.

Does as it is told, inside the caller's transaction; decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, text, update

from newsloom.articles.store.keys import add_keys, drop_keys, number
from newsloom.articles.store.reader_tables import states as state_rows
from newsloom.articles.store.reader_tables import subscriptions
from newsloom.articles.store.tables import articles
from newsloom.feeds.store.tables import feeds, moves
from newsloom.feeds.values.health import FeedState
from newsloom.feeds.values.polling import PollRecord
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.sql import CHUNK
from newsloom.kernel.ids import FeedId, UserId
from newsloom.kernel.text.urls import shared_host
from newsloom.reading.store import states
from newsloom.reading.store.annotations import tags
from newsloom.reading.store.marks import change_taste

_NOT_MOVING = {"moved_to": "", "moved_at": None, "moved_times": 0}
# What a poll under way brings is of a feed that it is not any more: it is refused.
UNLEASED = {"lease_owner": None, "lease_token": None, "lease_until": None}

# Articles of one feed that another has not, under whatever number: they change hands.
_OWN = text("""
    SELECT a.id, a.guid FROM articles a WHERE a.feed_id = :source AND NOT EXISTS (
        SELECT 1 FROM articles b WHERE b.feed_id = :target AND b.original_id = a.original_id
    ) ORDER BY a.id
""")
# The same id in both, or the same address with the same title or text: one article, as in one feed.
_PAIRS = text("""
    SELECT a.id AS given, b.id AS kept FROM articles a
    JOIN articles b ON b.feed_id = :target AND (
        (b.guid = a.guid AND a.guid <> '')
        OR (b.canonical_url = a.canonical_url AND a.canonical_url <> ''
            AND (b.content_hash = a.content_hash OR b.title = a.title))
    )
    WHERE a.feed_id = :source AND a.original_id = a.id AND b.original_id = b.id
    ORDER BY a.id, CASE WHEN b.guid = a.guid THEN 0 ELSE 1 END, b.id
""")
# What each reader made of the one that is given up, where they have the other too.
_BOTH = text("""
    UPDATE states SET
        read = states.read OR o.read, starred = states.starred OR o.starred,
        rating = CASE WHEN states.rating = 0 THEN o.rating ELSE states.rating END,
        later = states.later OR o.later
    FROM states o
    WHERE states.article_id = :kept AND o.article_id = :given AND o.user_id = states.user_id
""")
_HAND_OVER = text("""
    INSERT INTO states (user_id, article_id, feed_id, dated_at, read, starred, rating, later,
        sensitivity, relevance, rank_key, scored_by, language)
    SELECT o.user_id, :kept, :target, o.dated_at, o.read, o.starred, o.rating, o.later,
        o.sensitivity, o.relevance, o.rank_key, o.scored_by, o.language
    FROM states o WHERE o.article_id = :given AND NOT EXISTS (
        SELECT 1 FROM states x WHERE x.user_id = o.user_id AND x.article_id = :kept
    )
""")

# And what rules had done to it, which is in its rank key.
_EFFECTS = text("""
    INSERT INTO rule_effects (user_id, article_id, points, raised, base, read, starred, tags,
        notified, spared, did, at)
    SELECT user_id, CAST(:kept AS BIGINT), points, raised, base, read, starred, tags, notified,
        spared, did, at
    FROM rule_effects WHERE article_id = :given
    ON CONFLICT DO NOTHING
""")


def move(connection: Connection, poll: PollRecord, now: datetime) -> None:
    """Store the address that a poll came to be sure of; become part of the feed that has it."""
    feed, to = poll.due.id, poll.move_to
    other = connection.execute(
        select(feeds.c.id, feeds.c.held_at).where(feeds.c.url == to)
    ).one_or_none()
    row = {"at": poll.at, "from_url": poll.due.url, "to_url": to, "because": poll.move_because}
    # Nobody's articles go into a quarantine: the redirect is followed as before.
    if other is not None and (other.id == feed or other.held_at is not None):
        return
    if other is None:
        _rename(connection, feed, to)
        connection.execute(insert(moves).values(feed_id=feed, **row))
        return
    into = FeedId(other.id)
    followers = _hand_over_followers(connection, feed, into)
    joined = _join(connection, feed, into)
    rows = connection.execute(_OWN, {"source": feed, "target": into}).all()
    _give(connection, [(row.id, row.guid) for row in rows], feed, into)
    joined["articles"] = [row.id for row in rows]
    states.give(connection, [one["user"] for one in followers], now)
    connection.execute(
        insert(moves).values(
            feed_id=feed, merged_id=into, followers=followers, joined=joined, **row
        )
    )
    connection.execute(
        update(feeds)
        .where(feeds.c.id == feed)
        .values(next_poll_at=None, state=FeedState.MOVED.value, **_NOT_MOVING)
    )
    # Nobody may have followed it: it is asked by its own time, or now if it has none.
    connection.execute(
        update(feeds)
        .where(feeds.c.id == into, feeds.c.next_poll_at.is_(None))
        .values(next_poll_at=poll.at, dead=False)
    )


def take_back(connection: Connection, number: int, at: datetime) -> bool:
    """The address as it was, or the feed apart again; False when it cannot be."""
    found = connection.execute(
        select(moves).where(moves.c.id == number, moves.c.undone_at.is_(None))
    ).one_or_none()
    if found is None:
        return False
    feed = FeedId(found.feed_id)
    if found.merged_id is None:
        taken = select(feeds.c.id).where(feeds.c.url == found.from_url, feeds.c.id != feed)
        now_at = connection.scalar(select(feeds.c.url).where(feeds.c.id == feed))
        if connection.scalar(taken) is not None or now_at != found.to_url:
            return False
        _rename(connection, feed, found.from_url)
    else:
        _part(connection, feed, FeedId(found.merged_id), found.followers, found.joined, at)
    connection.execute(update(moves).where(moves.c.id == number).values(undone_at=at))
    connection.execute(
        update(feeds)
        .where(feeds.c.id == feed)
        .values(declined=found.to_url, state=FeedState.HEALTHY.value, state_at=at, **UNLEASED)
    )
    return True


def _rename(connection: Connection, feed: FeedId, to: str) -> None:
    """Another address; validators stay only with the address that gave them (P20)."""
    connection.execute(
        update(feeds).where(feeds.c.id == feed).values(url=to, host=shared_host(to), **_NOT_MOVING)
    )
    connection.execute(
        update(feeds)
        .where(feeds.c.id == feed, feeds.c.validated_url != to)
        .values(etag="", last_modified="", validated_url="")
    )


def _hand_over_followers(
    connection: Connection, source: FeedId, target: FeedId
) -> list[dict[str, Any]]:
    """Who follows the one follows the other; who that was, and who had both before."""
    mine = subscriptions.c.feed_id
    already = set(connection.scalars(select(subscriptions.c.user_id).where(mine == target)))
    followers = [
        {
            "user": row.user_id,
            "title": row.title,
            "category": row.category,
            "since": micros(row.since),
            "both": row.user_id in already,
        }
        for row in connection.execute(select(subscriptions).where(mine == source))
    ]
    for one in followers:
        if not one["both"]:
            _follow(connection, target, one)
        change_taste(connection, one["user"])
    connection.execute(delete(subscriptions).where(mine == source))
    return followers


def _follow(connection: Connection, feed: FeedId, one: dict[str, Any]) -> None:
    connection.execute(
        insert(subscriptions).values(
            user_id=one["user"],
            feed_id=feed,
            title=one["title"],
            category=one["category"],
            since=moment(one["since"]),
        )
    )


def _join(connection: Connection, source: FeedId, target: FeedId) -> dict[str, Any]:
    """Articles of one id become one article, whatever was made of either; what that changed."""
    pairs, given_states = [], []
    kept_once: set[int] = set()
    for given, kept in connection.execute(_PAIRS, {"source": source, "target": target}).all():
        if given in kept_once:
            continue
        kept_once.add(given)
        values = {"given": given, "kept": kept, "target": target}
        of_given = state_rows.c.article_id == given
        given_states += [
            [row.user_id, given, row.read, row.starred, row.rating, row.later]
            for row in connection.execute(select(state_rows).where(of_given))
        ]
        connection.execute(_BOTH, values)
        connection.execute(_HAND_OVER, values)
        tags.move(connection, given, kept)
        connection.execute(_EFFECTS, values)
        connection.execute(delete(state_rows).where(of_given))
        copies = connection.scalars(
            select(articles.c.id).where(articles.c.original_id == given)
        ).all()
        _point(connection, copies, kept)
        pairs.append([given, kept, list(copies)])
    return {"pairs": pairs, "states": given_states}


def _point(connection: Connection, copies: Sequence[int], original: int) -> None:
    connection.execute(
        update(articles).where(articles.c.id.in_(copies)).values(original_id=original)
    )


def _give(
    connection: Connection, rows: Sequence[tuple[int, str]], source: FeedId, target: FeedId
) -> None:
    """Articles of one feed become the other's; an id counts within a feed, so its key follows."""
    for start in range(0, len(rows), CHUNK):
        ids = [article for article, _guid in rows[start : start + CHUNK]]
        for table, key in ((articles, articles.c.id), (state_rows, state_rows.c.article_id)):
            connection.execute(
                update(table).where(key.in_(ids), table.c.feed_id == source).values(feed_id=target)
            )
        # Readers of the other feed get them as new arrivals.
        connection.execute(update(state_rows).where(key.in_(ids)).values(arrival=0))
    named = [(article, guid) for article, guid in rows if guid]
    drop_keys(connection, [(_key(source, guid), article) for article, guid in named])
    add_keys(connection, [(_key(target, guid), article) for article, guid in named])


def _key(feed: FeedId, guid: str) -> int:
    """As dedup.guid.keys says it."""
    return number("guid", f"{feed} {guid.casefold()}")


def _part(
    connection: Connection,
    feed: FeedId,
    into: FeedId,
    followers: Sequence[dict[str, Any]],
    joined: dict[str, Any],
    at: datetime,
) -> None:
    """Undo a merge: what came later to the other feed stays there."""
    given = joined["articles"]
    rows = []
    for start in range(0, len(given), CHUNK):
        ids = given[start : start + CHUNK]
        query = select(articles.c.id, articles.c.guid).where(
            articles.c.id.in_(ids), articles.c.feed_id == into
        )
        rows += [(row.id, row.guid) for row in connection.execute(query)]
    _give(connection, rows, into, feed)
    known = set(
        connection.scalars(select(subscriptions.c.user_id).where(subscriptions.c.feed_id == feed))
    )
    for one in followers:
        if one["user"] not in known:
            _follow(connection, feed, one)
        if not one["both"]:
            _leave(connection, UserId(one["user"]), into)
        change_taste(connection, UserId(one["user"]))
    for article, _kept, copies in joined["pairs"]:
        _point(connection, copies, article)
    again = [article for article, _kept, _copies in joined["pairs"]]
    states.add_those(connection, feed, again, at)
    # What was joined before there was reading later has no word on it.
    for user, article, read, starred, rating, *later in joined["states"]:
        mine = (state_rows.c.user_id == user) & (state_rows.c.article_id == article)
        was = {"read": read, "starred": starred, "rating": rating, "later": any(later)}
        connection.execute(update(state_rows).where(mine).values(**was))
    for article, kept, _copies in joined["pairs"]:
        tags.copy(connection, kept, article)
    states.give(connection, [one["user"] for one in followers], at)
    connection.execute(update(feeds).where(feeds.c.id == feed).values(next_poll_at=at, dead=False))


def _leave(connection: Connection, user: UserId, feed: FeedId) -> None:
    """As unsubscribing does."""
    mine = (subscriptions.c.user_id == user) & (subscriptions.c.feed_id == feed)
    connection.execute(delete(subscriptions).where(mine))
    states.drop_unread(connection, user, feed)
