"""Lists of articles: which ids in which order, then the rows of one page. Reads only.

Ids come from an index alone; the rows behind them are read for the page shown and no further.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, Row, TextClause, text

from newsloom.feeds.values.published import EARLIEST
from newsloom.kernel.db.columns import EPOCH, MICRO, micros, moment
from newsloom.kernel.db.sql import Aggregate, fetch, many, rows_by, rows_of, value
from newsloom.kernel.ids import ArticleId, EventId, FeedId
from newsloom.ranking import rank_key
from newsloom.reading.store.lists import ranking_queries, rows, streams
from newsloom.reading.store.lists.importance_queries import DAY_MICROS
from newsloom.reading.store.lists.rows import ListPosition
from newsloom.reading.store.lists.streams import Stream
from newsloom.reading.values.reading import (
    ArticleState,
    AsOf,
    Listed,
    Listing,
    ListQuery,
    Order,
    Rows,
)

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.ranking.ports import HalfLives
    from newsloom.reading.store.lists.rows import ClusterSummary
    from newsloom.reading.store.lists.streams import Part
    from newsloom.reading.values.reading import RowStory
    from newsloom.reading.values.searching import Cursor

# Hours are millionths of a second in the database; a fade that is slower than this is none.
_HOUR = 3.6e9
_SLOWEST = 0.0001

# Characters of text under a title in the list: two lines on a wide screen.
EXCERPT = 300


_SHOWN: Callable[[ListPosition], ArticleId] = attrgetter("shown")

_ROWS = many(f"""
    SELECT s.article_id, s.dated_at, s.read, s.starred, s.rating, s.later, s.relevance,
        s.sensitivity, s.points, s.weighed_by, o.feed_id, o.url, o.source,
        CASE WHEN o.published_at >= {micros(EARLIEST)} OR o.updated_at >= {micros(EARLIEST)}
            THEN s.dated_at ELSE o.first_seen_at END AS shown_at,
        f.title, f.author, f.language,
        CASE WHEN f.image = '' THEN o.image ELSE f.image END AS image,
        substr(t.lead, 1, {EXCERPT}) AS excerpt
    FROM states s
    JOIN articles o ON o.id = s.article_id
    JOIN articles f ON f.id = o.fullest_id
    LEFT JOIN texts t ON t.article_id = s.article_id
    WHERE s.user_id = :user AND s.article_id IN :ids
""")  # noqa: S608

_ANNOTATED = many("""
    SELECT article_id FROM article_notes WHERE user_id = :user AND article_id IN :ids
    UNION SELECT article_id FROM highlights WHERE user_id = :user AND article_id IN :ids
""")
# CROSS JOIN holds SQLite to this order: articles first, few; not every feed of the reader first.
_PLACES = many("""
    SELECT a.original_id, a.id AS article_id, a.feed_id, a.url, a.source, c.title AS own_name,
        f.title AS feed_title, f.url AS feed_url, f.host
    FROM articles a CROSS JOIN subscriptions c CROSS JOIN feeds f
    WHERE a.original_id IN :ids AND c.user_id = :user AND c.feed_id = a.feed_id
    AND f.id = a.feed_id
    ORDER BY a.original_id, a.id
""")
_STANDING = many("""
    SELECT article_id, dated_at, relevance, sensitivity FROM states
    WHERE user_id = :user AND article_id IN :ids
""")
_LEFT = many("SELECT id, '' AS own_name, title, url, host FROM feeds WHERE id IN :ids")

_LAST = text("""
    SELECT COALESCE((SELECT MAX(id) FROM events), 0),
        COALESCE((SELECT arrivals FROM users WHERE id = :user), 0)
""")
_LAST_ARTICLE = text("SELECT MAX(id) FROM articles")

# A list whatever its articles are marked as.
_UNMARKED: Mapping[str, Any] = {
    "unread_only": False,
    "starred_only": False,
    "liked_only": False,
    "later_only": False,
    "tag": None,
}

# Each is found by one step in the index, past all articles of the one before it.
_NEXT_LANGUAGE = text("""
    SELECT MIN(language) FROM states
    WHERE user_id = :user AND read = FALSE AND language > :last
""")


class _Place(NamedTuple):
    article_id: int
    feed_id: int
    url: str
    source: str
    own_name: str  # the reader's, of the feed; "" for none
    feed_title: str
    feed_url: str
    host: str  # of the feed, as text.urls.shared_host has it


class Listings(Aggregate):
    """Pages of articles."""

    def page(
        self, user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives
    ) -> tuple[Listed, ...]:
        """Ranked: the exact order of R(now), by merging five ranges of the static key.

        A row that stands for several articles has the place of the best of those that the query
        lets through, and shows the fullest of them, or of a story that best one. With variety,
        rows of a feed that has its share give way to others (reading/diversification.py).
        """
        with self.database.read() as connection:
            found = ordered(connection, user, query, now, half_lives)
            return listed(connection, user, found, now, half_lives, query)

    def listing(
        self, user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives
    ) -> Listing:
        """The same rows, and a cursor. The page after it has every row that stands below in the
        order and is still there, and none that was shown, whatever is read or comes meanwhile."""
        with self.database.read() as connection:
            found = paged(connection, user, query, now, half_lives)
            rows = listed(connection, user, found.places, now, half_lives, query)
            return Listing(rows, found.after)

    def listing_ids(
        self, user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives
    ) -> tuple[tuple[ArticleId, ...], Cursor | None]:
        """The articles that those rows show, and the cursor."""
        with self.database.read() as connection:
            found = paged(connection, user, query, now, half_lives)
            return tuple(map(_SHOWN, found.places)), found.after

    def page_ids(
        self, user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives
    ) -> tuple[ArticleId, ...]:
        """The ids of a page alone."""
        with self.database.read() as connection:
            found = ordered(connection, user, query, now, half_lives)
            return tuple(map(_SHOWN, found))

    def listed(
        self,
        user: UserId,
        ids: Sequence[ArticleId],
        now: datetime,
        half_lives: HalfLives,
        query: ListQuery | None = None,
    ) -> tuple[Listed, ...]:
        """Those articles, in that order; ones the reader has no state for are absent.

        With a query, each as its row stands in that list, read or not; in one as of a moment,
        exactly as that list has it.
        """
        with self.database.read() as connection:
            if query is None or query.row_kind is Rows.ARTICLE:
                found = [ListPosition(one, one) for one in ids]
            else:
                wide = query if query.as_of else replace(query, **_UNMARKED)
                form, values = ranking_queries.shape(wide), _values(user, wide, now, half_lives)
                found = rows.of_list(connection, form, ids, values)
            return listed(connection, user, found, now, half_lives, query or ListQuery())

    def as_of(self, user: UserId) -> AsOf:
        """The moment it is, for lists of a reader that are to be the same later."""
        with self.database.read() as connection:
            ((event, arrival),) = fetch(connection, _LAST, {"user": user})
            return AsOf(EventId(event), arrival)

    def newest_article(self) -> ArticleId:
        """The last that the store got; 0 in an empty one."""
        with self.database.read() as connection:
            return ArticleId(value(connection, _LAST_ARTICLE, int) or 0)

    def languages(self, user: UserId) -> tuple[str, ...]:
        """The languages that unread articles say they are in."""
        found: list[str] = [""]
        with self.database.read() as connection:
            while (
                language := value(connection, _NEXT_LANGUAGE, str, user=user, last=found[-1])
            ) is not None:
                found.append(language)
        return tuple(found[1:])


def ordered(
    connection: Connection, user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives
) -> list[ListPosition]:
    """The rows of one page, in order."""
    if query.diversification is not None or query.after is not None:
        return list(paged(connection, user, query, now, half_lives).places)
    form = ranking_queries.shape(query)
    values = _values(user, query, now, half_lives)
    statement = _statement(connection, form, values)
    if form.rows is Rows.ARTICLE:
        return [ListPosition(row[0], row[0]) for row in fetch(connection, statement, values)]
    return rows.places(connection, form, rows.collapsed(connection, statement, values), values)


def paged(
    connection: Connection, user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives
) -> Part:
    """The same, and where the next page begins. A list goes on as of the moment of its first page.
    It is read from its top: a cursor says what was shown, which an offset does not."""
    at = now if query.after is None else min(query.after.at, now)
    form = replace(ranking_queries.shape(query), stream=True)
    values = _values(user, query, at, half_lives)
    stream = Stream(connection, form, _statement(connection, form, values), values)
    end = query.offset + query.limit
    part = streams.part(stream, at, end, query.diversification, query.after)
    return replace(part, places=part.places[query.offset :])


def _values(user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives) -> dict[str, Any]:
    """What the statements of a query bind."""
    earliest = query.since
    if query.within is not None:
        earliest = max(earliest or EPOCH, now - query.within)
    values: dict[str, Any] = {
        "user": user,
        "limit": query.limit,
        "offset": query.offset,
        "upto": query.limit + query.offset,
        "feed": query.feed,
        "category": query.category,
        "cluster": query.cluster,
        "language": query.language,
        "since": None if earliest is None else micros(earliest),
        "newer_than": query.newer_than,
        "arrived_after": query.arrived_after,
        "tag": None,
    }
    if query.tag is not None:
        from newsloom.reading.tag_names import key  # few lists are of a tag

        values["tag"] = key(query.tag)
    if query.order is Order.RANDOM:
        values["seed"] = ranking_queries.chance(query.seed or 0)
    if query.as_of is not None:
        values |= {"as_of_event": query.as_of.event, "as_of_arrival": query.as_of.arrival}
    if query.order is Order.IMPORTANT or query.importance > 0:
        values |= _of_importance(query, now)
    shifts = rank_key.shifts(now, half_lives)
    least = rank_key.sort_key(query.score) if query.score > 0 else 0
    for level, shift in shifts.items():
        values[f"shift_{level}"] = shift
        values[f"least_{level}"] = least + shift
    return values


def _of_importance(query: ListQuery, now: datetime) -> dict[str, Any]:
    """What the order by importance binds, and a least importance."""
    new, fade = query.recency.points * MICRO, max(query.recency.fade, _SLOWEST)
    settled = now - timedelta(hours=math.log(max(new, 1.0)) / fade)
    least = math.ceil(query.importance * MICRO)
    return {
        "now_at": micros(now),
        "settled_at": micros(max(settled, EPOCH)),
        "new_points": new,
        "fade": fade / _HOUR,
        "least_importance": least,
        "least_points": least - math.ceil(new),
        "first_day": micros(max(settled, EPOCH)) // DAY_MICROS,
        "last_day": micros(now) // DAY_MICROS,
        "coming_at": (micros(now) // DAY_MICROS + 1) * DAY_MICROS,
        "highest": streams.HIGHEST,
    }


def _statement(
    connection: Connection, form: ranking_queries.QueryShape, values: Mapping[str, Any]
) -> TextClause:
    """A merge; or a sort, when there is a filter that lets little through."""
    for source in ranking_queries.sources(form):
        # The newest are a range of an index, which a merge by date reads no further than it has
        # to, and a sort in any other order reads without touching a row.
        if source == "since":
            return (
                ranking_queries.merge(form)
                if form.order in (Order.NEWEST, Order.OLDEST)
                else ranking_queries.sort(form, "since")
            )
        ((found,),) = fetch(connection, ranking_queries.count(form, source), values)
        if found <= ranking_queries.few(source):
            return ranking_queries.sort(form, source)
    return ranking_queries.merge(form)


def listed(
    connection: Connection,
    user: UserId,
    wanted: Sequence[ListPosition],
    now: datetime,
    half_lives: HalfLives,
    query: ListQuery,
) -> tuple[Listed, ...]:
    """The rows of a list, in order."""
    ids, several, bests = [], [], []
    for place in wanted:
        ids.append(place.shown)
        if place.shared:
            several.append(place.shown)
        if place.best != place.shown:
            bests.append(place.best)
    behind = rows.behind(connection, user, several, query.row_kind)
    stories: Mapping[int, RowStory] = {}
    if query.row_kind is Rows.STORY:
        from newsloom.reading.store.lists.story_rows import behind_stories  # few lists are

        stories = behind_stories(connection, user, several)
    versions = rows.versions(connection, user, ids)
    tags = rows.names_of(connection, user, ids)
    noted = rows_by(connection, _ANNOTATED, "article_id", ids, user=user)
    best = rows_by(connection, _STANDING, "article_id", bests, user=user)
    found = rows_by(connection, _ROWS, "article_id", ids, user=user)
    places = _places(connection, user, found)
    made: list[Listed] = []
    for place in wanted:
        one = place.shown
        if one not in found:
            continue
        # It may have the place of another of its articles.
        ranked = best.get(place.best, found[one])
        scored = ranked.sensitivity != rank_key.UNSCORED
        age = now - moment(ranked.dated_at)
        base = ranked.relevance
        made.append(
            _listed(
                found[one],
                places[one],
                behind.get(one),
                relevance=rank_key.UNSCORED_RELEVANCE if base is None else base,
                sensitivity=ranked.sensitivity if scored else rank_key.UNSCORED_SENSITIVITY,
                score=rank_key.score(base, ranked.sensitivity, age, half_lives),
                scored=scored,
                story=stories.get(one),
                version=versions.get(one),
                tags=tags.get(ArticleId(one), ()),
                noted=one in noted,
                stands_by=ArticleId(place.best) if place.best in best else None,
                lowered=place.demoted,
            )
        )
    if query.order is Order.IMPORTANT or query.importance:
        made = _weighed(made, query, now)
    return tuple(made)


def _weighed(rows: Sequence[Listed], query: ListQuery, now: datetime) -> list[Listed]:
    """With their importance now: the list is about that."""
    from newsloom.importance.score import importance  # few lists are

    weights = {"recency": query.recency.points / 100}
    return [
        one
        if one.points is None
        else replace(
            one,
            importance=importance(one.points, now - one.sort_date, query.recency.fade, weights),
        )
        for one in rows
    ]


def _places(
    connection: Connection, user: UserId, rows: Mapping[int, Row[Any]]
) -> dict[int, list[Any]]:
    """Where each article stands among the reader's feeds; its own feed when they left it."""
    places: dict[int, list[Any]] = defaultdict(list)
    for place in rows_of(connection, _PLACES, list(rows), user=user):
        places[place.original_id].append(place)
    if len(places) < len(rows):
        homeless = [row for article, row in rows.items() if article not in places]
        left = rows_of(connection, _LEFT, [row.feed_id for row in homeless])
        titles = {row[0]: row[1:] for row in left}
        for row in homeless:
            places[row.article_id].append(
                _Place(row.article_id, row.feed_id, row.url, row.source, *titles[row.feed_id])
            )
    return places


def _listed(
    row: Row[Any],
    places: Sequence[Any],
    behind: ClusterSummary | None,
    **facts: Any,
) -> Listed:
    from newsloom.articles.publishers import source_name  # marks need no names

    for seen in places:
        if seen.article_id == row.article_id:
            break
    else:
        seen = places[0]
    host = seen.host.partition(":")[0]
    elsewhere = bool(seen.source) and not f".{seen.source}".endswith(f".{host}")
    if elsewhere:  # to another host, but maybe one of who serves the feed
        from newsloom.importance.sources.authority import owner_of  # its table is large

        elsewhere = owner_of(host) != owner_of(seen.source)
    # What another article of its row carries shows too, but that it is read.
    starred, rating, later = bool(row.starred), row.rating, bool(row.later)
    if behind is not None:
        starred, later = starred or behind.starred, later or behind.later
        rating = rating or (1 if behind.liked else -1 if behind.disliked else 0)
    return Listed(
        id=ArticleId(row.article_id),
        title=row.title,
        url=seen.url,
        source=seen.source,
        feed_id=FeedId(seen.feed_id),
        feed_title=source_name(seen.own_name, seen.feed_title, seen.feed_url),
        links_elsewhere=elsewhere,
        dated=moment(row.shown_at),
        sorted_as=None if row.shown_at == row.dated_at else moment(row.dated_at),
        state=ArticleState(bool(row.read), starred, rating, later),
        also_in=behind.cluster.feeds - 1 if behind else 0,
        excerpt=row.excerpt or "",
        image=row.image,
        language=row.language,
        author=row.author,
        cluster=behind.cluster if behind else None,
        points=row.points / MICRO if row.weighed_by else None,
        **facts,
    )
