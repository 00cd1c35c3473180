"""`store.syncing`."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from newsloom.articles.store.tables import SHOWN
from newsloom.feeds.values.published import Enclosure
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import Aggregate, many, rows_by, rows_of
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.store.article_detail import fuller, page_with_feed_text
from newsloom.reading.store.lists.lists import listed
from newsloom.reading.store.lists.rows import ListPosition
from newsloom.reading.tag_names import key
from newsloom.reading.values.reading import ArticleState, ListQuery, Rows
from newsloom.reading.values.syncing import (
    UNCATEGORIZED,
    KnownArticle,
    StreamArticle,
    StreamKind,
    StreamOrder,
    StreamPage,
    StreamRef,
)

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.ranking.ports import HalfLives
    from newsloom.reading.values.reading import Listed
    from newsloom.reading.values.syncing import StreamPart, StreamQuery


# Streams of articles for programs that keep copies of them. Reads only; decides nothing.
#
# Every query begins at the states of one reader: what is not theirs cannot be named.

# The folder of a subscription `c`.
_FOLDER = f"COALESCE(NULLIF(c.category, ''), '{UNCATEGORIZED}')"
_FROM = "FROM states s WHERE s.user_id = :user"

_CONDITIONS: Mapping[StreamKind, str] = {
    StreamKind.ALL: "TRUE",
    StreamKind.NOTHING: "FALSE",
    StreamKind.READ: "s.read = TRUE",
    StreamKind.UNREAD: "s.read = FALSE",
    StreamKind.STARRED: "s.starred = TRUE",
    StreamKind.LIKED: "s.rating = 1",
    StreamKind.DISLIKED: "s.rating = -1",
    StreamKind.LATER: "s.later = TRUE",
    StreamKind.TAG: """s.article_id IN (
        SELECT article_id FROM article_tags WHERE user_id = :user AND key = :{name})""",
    StreamKind.FEED_TAG: """EXISTS (
        SELECT 1 FROM articles o JOIN articles f ON f.id = o.fullest_id
        WHERE o.id = s.article_id AND f.categories LIKE :{name} ESCAPE '!')""",
    StreamKind.FEED: "s.article_id IN (SELECT original_id FROM articles WHERE feed_id = :{name})",
    StreamKind.CATEGORY: f"""s.article_id IN (
        SELECT a.original_id FROM subscriptions c CROSS JOIN articles a
        WHERE c.user_id = :user AND {_FOLDER} = :{{name}} AND a.feed_id = c.feed_id)""",  # noqa: S608
    StreamKind.THESE: "s.article_id IN numbers_in(:{name})",
    StreamKind.ARRIVED: "s.arrival IN numbers_in(:{name})",
}
_CHANGED = """COALESCE(
    (SELECT MAX(e.at) FROM events e WHERE e.user_id = :user AND e.article_id = s.article_id),
    s.arrived_at)"""
_SHOWN_COLUMN = """(
    SELECT f.{name} FROM articles o JOIN articles f ON f.id = o.fullest_id
    WHERE o.id = s.article_id)"""
_ORDERS: Mapping[StreamOrder, str] = {
    StreamOrder.DATE: "s.dated_at",
    StreamOrder.CHANGED: _CHANGED,
    StreamOrder.STATUS: "s.read",
    StreamOrder.TITLE: _SHOWN_COLUMN.format(name="title"),
    StreamOrder.AUTHOR: _SHOWN_COLUMN.format(name="author"),
    StreamOrder.CATEGORY: f"""(
        SELECT {_FOLDER} FROM subscriptions c
        WHERE c.user_id = :user AND c.feed_id = s.feed_id)""",  # noqa: S608
}
# Conditions on numbers and times of a query, by the name of its field.
_BOUNDS = {
    "since": "s.arrived_at >= :since",
    "until": "s.arrived_at <= :until",
    "above": "s.arrival > :above",
    "below": "s.arrival < :below",
    "dated_after": "s.dated_at > :dated_after",
    "dated_before": "s.dated_at < :dated_before",
    "changed_after": f"{_CHANGED} > :changed_after",
    "changed_before": f"{_CHANGED} < :changed_before",
}
# Few of a reader's articles: found by an index of their own and then put in order, rather than
# looked for among all in that order.
_FEW = frozenset(
    {
        StreamKind.STARRED,
        StreamKind.LIKED,
        StreamKind.LATER,
        StreamKind.TAG,
        StreamKind.FEED,
        StreamKind.THESE,
        StreamKind.ARRIVED,
    }
)

_KNOWN = many("""
    SELECT a.id AS asked, s.article_id, s.read, s.starred, s.rating, s.later
    FROM articles a CROSS JOIN states s
    WHERE a.id IN :ids AND s.user_id = :user AND s.article_id = a.original_id
""")
_ARRIVED = many("""
    SELECT arrival, article_id FROM states WHERE user_id = :user AND arrival IN :ids
""")
_WHOLE = many(f"""
    SELECT o.id, s.arrival, s.arrived_at, f.title, f.content, f.summary, f.url, f.enclosures,
        f.comments_url, f.categories, {_CHANGED} AS changed_at, p.html AS page, p.url AS page_url
    FROM states s CROSS JOIN articles o
    JOIN articles f ON f.id = o.fullest_id {SHOWN}
    WHERE s.user_id = :user AND s.article_id IN :ids AND o.id = s.article_id
""")  # noqa: S608
_CATEGORIES = many(f"""
    SELECT DISTINCT a.original_id, {_FOLDER} AS category
    FROM articles a CROSS JOIN subscriptions c
    WHERE a.original_id IN :ids AND c.user_id = :user AND c.feed_id = a.feed_id
    ORDER BY 1, 2
""")  # noqa: S608
_POSITIONS = many("""
    SELECT article_id, url, seconds FROM playback_positions
    WHERE user_id = :user AND article_id IN :ids
""")
_SITES = many("SELECT id, site_url, url FROM feeds WHERE id IN :ids")
_COUNTS = portable(f"""
    SELECT s.feed_id, COUNT(*) AS articles, SUM(CASE WHEN s.read THEN 0 ELSE 1 END) AS unread
    {_FROM} GROUP BY s.feed_id
""")
_NEWEST_UNREAD = portable(f"""
    SELECT s.feed_id, MAX(s.arrived_at) AS came {_FROM} AND s.read = FALSE GROUP BY s.feed_id
""")


def _narrowed(user: UserId, query: StreamQuery) -> tuple[str, dict[str, Any]]:
    """The conditions of a query besides its place, each beginning with AND, and what they bind."""
    values: dict[str, Any] = {"user": user}
    conditions = []
    for number, part in enumerate((*query.within, *query.without)):
        name = f"part_{number}"
        condition = _CONDITIONS[part.kind].format(name=name)
        values |= _value(part, name)
        conditions.append(condition if number < len(query.within) else f"NOT ({condition})")
    for name, condition in _BOUNDS.items():
        bound = getattr(query, name)
        if bound is not None:
            conditions.append(condition)
            values[name] = micros(bound) if isinstance(bound, datetime) else bound
    return "".join(f" AND {one}" for one in conditions), values


def _value(part: StreamPart, name: str) -> dict[str, Any]:
    if part.kind is StreamKind.FEED:
        return {name: part.feed}
    if part.kind is StreamKind.CATEGORY:
        return {name: part.category}
    if part.kind is StreamKind.TAG:
        return {name: key(part.tag)}
    if part.kind is StreamKind.FEED_TAG:
        written = re.sub("[!%_]", r"!\g<0>", json.dumps(part.tag, ensure_ascii=False))
        return {name: f"%{written}%"}
    named = part.kind in (StreamKind.THESE, StreamKind.ARRIVED)
    return {name: json.dumps(part.these)} if named else {}


def _article(
    one: Listed, row: Any, site: str, categories: Sequence[str], positions: Mapping[str, int]
) -> StreamArticle:
    own = fuller(row.content, row.summary)
    page = page_with_feed_text(row.page, own, row.title, row.url)
    enclosures = json.loads(row.enclosures) if row.enclosures else []
    files = tuple(Enclosure(*each) for each in enclosures)
    return StreamArticle(
        # Of a podcast's episode without a page apps open the file.
        listed=one if one.url or not files else replace(one, url=files[0].url),
        arrival=row.arrival,
        came=moment(row.arrived_at),
        html=page or own,
        base_url=row.page_url if page else row.url or one.url,
        site_url=site,
        categories=tuple(categories),
        enclosures=files,
        changed=moment(row.changed_at),
        comments_url=row.comments_url,
        tags=tuple(json.loads(row.categories or "[]")),
        positions=positions,
    )


class SyncStore(Aggregate):
    """What the sync APIs read. What they change they change as the pages do."""

    def stream(self, user: UserId, query: StreamQuery) -> StreamPage:
        """One page of a stream."""
        conditions, values = _narrowed(user, query)
        arrival = "s.arrival + 0" if _FEW & {one.kind for one in query.within} else "s.arrival"
        if query.after is not None:
            conditions += f" AND {arrival} {'>' if query.oldest_first else '<'} :after"
        way = "ASC" if query.oldest_first else "DESC"
        order = f"{arrival} {way}"
        if query.order is not StreamOrder.ARRIVAL:
            order = f"{_ORDERS[query.order]} {way}, {order}"
        statement = portable(
            f"SELECT s.article_id, s.arrival, s.arrived_at {_FROM} {conditions}"
            f" ORDER BY {order} LIMIT :limit OFFSET :offset"
        )
        values |= {"after": query.after, "limit": query.limit + 1, "offset": query.offset}
        with self.database.read() as connection:
            found = connection.execute(statement, values).all()
        refs = [
            StreamRef(ArticleId(row.article_id), row.arrival, moment(row.arrived_at))
            for row in found
        ]
        return StreamPage(tuple(refs[: query.limit]), len(refs) > query.limit)

    def stream_size(self, user: UserId, query: StreamQuery) -> tuple[int, datetime | None]:
        """How many articles a whole stream has, and when the last of them came."""
        conditions, values = _narrowed(user, query)
        statement = portable(
            f"SELECT COUNT(*) AS articles, MAX(s.arrived_at) AS came {_FROM} {conditions}"
        )
        with self.database.read() as connection:
            row = connection.execute(statement, values).one()
        return row.articles, None if row.came is None else moment(row.came)

    def counts(self, user: UserId) -> Mapping[FeedId, tuple[int, int]]:
        """How many articles of each feed are read, and how many unread."""
        with self.database.read() as connection:
            rows = connection.execute(_COUNTS, {"user": user})
            return {FeedId(row.feed_id): (row.articles - row.unread, row.unread) for row in rows}

    def newest_unread(self, user: UserId) -> Mapping[FeedId, datetime]:
        """When the last unread article of each feed came."""
        with self.database.read() as connection:
            rows = connection.execute(_NEWEST_UNREAD, {"user": user})
            return {FeedId(row.feed_id): moment(row.came) for row in rows}

    def known_articles(
        self, user: UserId, ids: Sequence[ArticleId]
    ) -> Mapping[ArticleId, KnownArticle]:
        """What numbers mean to a reader; absent: nothing."""
        with self.database.read() as connection:
            rows = rows_of(connection, _KNOWN, ids, user=user)
        return {
            ArticleId(row.asked): KnownArticle(
                ArticleId(row.article_id),
                ArticleState(bool(row.read), bool(row.starred), row.rating, bool(row.later)),
            )
            for row in rows
        }

    def arrived(self, user: UserId, numbers: Sequence[int]) -> Mapping[int, ArticleId]:
        """The articles that a reader's arrival numbers mean; absent: none."""
        with self.database.read() as connection:
            rows = rows_of(connection, _ARRIVED, numbers, user=user)
        return {row.arrival: ArticleId(row.article_id) for row in rows}

    def stream_articles(
        self, user: UserId, ids: Sequence[ArticleId], now: datetime, half_lives: HalfLives
    ) -> tuple[StreamArticle, ...]:
        """Those articles whole, in that order; ones that the reader has no state for are absent.

        Each by itself: what shares its row on the pages has a place of its own here.
        """
        with self.database.read() as connection:
            places = [ListPosition(one, one) for one in ids]
            found = listed(connection, user, places, now, half_lives, ListQuery(rows=Rows.ARTICLE))
            wanted = [one.id for one in found]
            whole = rows_by(connection, _WHOLE, "id", wanted, user=user)
            categories: dict[int, list[str]] = defaultdict(list)
            for row in rows_of(connection, _CATEGORIES, wanted, user=user):
                categories[row.original_id].append(row.category)
            positions: dict[int, dict[str, int]] = defaultdict(dict)
            for row in rows_of(connection, _POSITIONS, wanted, user=user):
                positions[row.article_id][row.url] = row.seconds
            feeds = sorted({one.feed_id for one in found})
            sites = {row.id: row.site_url or row.url for row in rows_of(connection, _SITES, feeds)}
        return tuple(
            _article(
                one,
                whole[one.id],
                sites.get(one.feed_id, ""),
                categories[one.id],
                positions[one.id],
            )
            for one in found
            if one.id in whole
        )
