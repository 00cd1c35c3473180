"""The feeds that a reader follows, as they are listed, and how much of them is unread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

from newsloom.feeds.values.health import FeedState
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.sql import Aggregate, fetch, value
from newsloom.kernel.ids import FeedId
from newsloom.reading.store.lists import row_names
from newsloom.reading.values.reading import Elsewhere, FeedFigures, Rows, Subscription

if TYPE_CHECKING:
    from datetime import datetime

    from newsloom.kernel.ids import UserId

# Of a feed, what a list of feeds shows. To read the other columns took longer than all the rest;
# as plain SQL, since to make values of their kinds for each row took half of what was left.
_FOLLOWED = text("""
    SELECT f.id, f.url, f.title, f.site_url, f.problem, f.failures, f.polled_at, f.next_poll_at,
        f.dead, f.full_text, f.state, c.title AS own_title, c.category,
        COALESCE(c.position, 0) AS place, COALESCE(g.position, 0) AS section
    FROM subscriptions c CROSS JOIN feeds f
    LEFT JOIN categories g ON g.user_id = c.user_id AND g.name = c.category
    WHERE c.user_id = :user AND f.id = c.feed_id
""")

# Most articles stand in one feed, which their state names; the others are counted where they are.
_UNREAD = text("SELECT feed_id, unread FROM unread_counts WHERE user_id = :user AND unread > 0")
_UNREAD_COPIES = text("""
    SELECT a.feed_id, COUNT(DISTINCT a.original_id)
    FROM subscriptions c CROSS JOIN articles a CROSS JOIN states s
    WHERE c.user_id = :user AND a.feed_id = c.feed_id AND a.original_id <> a.id
    AND s.user_id = :user AND s.article_id = a.original_id AND s.read = FALSE
    AND s.feed_id <> a.feed_id
    GROUP BY a.feed_id
""")
_ARTICLES = text("""
    SELECT s.feed_id, a.articles FROM subscriptions s CROSS JOIN article_counts a
    WHERE s.user_id = :user AND a.feed_id = s.feed_id
""")


_LATER = text("SELECT COUNT(*) FROM states WHERE user_id = :user AND later = TRUE")
_UNSCORED = text("""
    SELECT COUNT(*) FROM states WHERE user_id = :user AND read = FALSE AND sensitivity = 0
""")
_READ = text("""
    SELECT feed_id, COUNT(*) FROM states WHERE user_id = :user AND read = TRUE GROUP BY feed_id
""")
_FIGURES = text("""
    SELECT s.feed_id,
        (SELECT MAX(a.dated_at) FROM articles a WHERE a.feed_id = s.feed_id) AS newest,
        (SELECT COUNT(*) FROM articles a WHERE a.feed_id = s.feed_id
            AND a.dated_at > :since AND a.dated_at <= :until) AS recent
    FROM subscriptions s WHERE s.user_id = :user
""")
_ALL_UNREAD = text("SELECT SUM(unread) FROM unread_counts WHERE user_id = :user")
_CLUSTERED_ONES = "SELECT 1 FROM clusters LIMIT :most"
# How much longer it takes to find the row of something unread than to look at one that shares a
# row. The names of stories are spread over three tables: 4.2 against 0.5 us among 100,000 unread.
_DEARER = {Rows.STORY: 8, Rows.CLUSTER: 1, Rows.TEXT: 1}
_SHARING = {
    Rows.STORY: text(
        "SELECT COALESCE(SUM(size), 0) FROM ("  # noqa: S608
        " SELECT size FROM (SELECT size FROM stories WHERE size > 1 LIMIT :most) AS told"
        f" UNION ALL SELECT COUNT(*) FROM ({_CLUSTERED_ONES}) AS few) AS sharing"
    ),
    **dict.fromkeys(
        (Rows.CLUSTER, Rows.TEXT),
        text(f"SELECT COUNT(*) FROM ({_CLUSTERED_ONES}) AS few"),  # noqa: S608
    ),
}
# What is unread of each row. Clusters and stories are gone through in the order of an index, so
# that nothing is sorted.
_OF_CLUSTERS = """
    SELECT COUNT(*) AS unread FROM clusters c CROSS JOIN states s
    WHERE s.user_id = :user AND s.article_id = c.article_id AND s.read = FALSE{more}
    GROUP BY {group}
"""
_OF_STORIES = """
    SELECT COUNT(*) AS unread FROM stories z CROSS JOIN story_members m CROSS JOIN states s
    WHERE z.size > 1 AND m.story_id = z.id AND s.user_id = :user AND s.article_id = m.article_id
    AND s.read = FALSE
    GROUP BY z.id
"""
_EACH = {
    Rows.STORY: f"{_OF_STORIES} UNION ALL "
    + _OF_CLUSTERS.format(
        more=f" AND NOT {row_names.in_story('c.article_id')}", group="c.cluster_id"
    ),
    Rows.CLUSTER: "SELECT unread FROM unread_clusters WHERE user_id = :user AND unread > 1",
    Rows.TEXT: _OF_CLUSTERS.format(more="", group="c.cluster_id, c.text_id"),
}
# What is unread beside the first of each row.
_EXTRA = {
    rows: text(f"SELECT SUM(unread - 1) FROM ({each}) AS several")  # noqa: S608
    for rows, each in _EACH.items()
}
_EXTRA_OF_UNREAD = {
    rows: text(f"""
        SELECT COUNT(*) - COUNT(DISTINCT c.{group}) FROM states s CROSS JOIN clusters c
        WHERE s.user_id = :user AND s.read = FALSE AND c.article_id = s.article_id
    """)  # noqa: S608
    for rows, group in {Rows.CLUSTER: "cluster_id", Rows.TEXT: "text_id"}.items()
}
_EXTRA_OF_UNREAD[Rows.STORY] = text(f"""
    SELECT COUNT(name) - COUNT(DISTINCT name) FROM (
        SELECT {row_names.NAME[Rows.STORY]} AS name
        FROM states s{row_names.join(Rows.STORY, "s.article_id")}
        WHERE s.user_id = :user AND s.read = FALSE
    ) AS named
""")  # noqa: S608

# The other member must be among the reader's articles too.
_ELSEWHERE = text("""
    SELECT s.feed_id, COUNT(DISTINCT c.article_id) AS shared,
        COUNT(DISTINCT CASE WHEN o.text_id = c.text_id THEN c.article_id END) AS same_text
    FROM clusters c CROSS JOIN states s CROSS JOIN clusters o CROSS JOIN states x
    WHERE s.user_id = :user AND s.article_id = c.article_id
    AND o.cluster_id = c.cluster_id AND o.article_id <> c.article_id
    AND x.user_id = :user AND x.article_id = o.article_id
    GROUP BY s.feed_id
""")


class Followed(Aggregate):
    """Subscriptions as they are read."""

    def subscriptions(self, user: UserId) -> tuple[Subscription, ...]:
        """As the reader put them, else by category, then label, with unread counts (each article
        counts once per feed)."""
        with self.database.read() as connection:
            rows = fetch(connection, _FOLLOWED, {"user": user})
            unread = _unread(connection, user)
            articles = dict(fetch(connection, _ARTICLES, {"user": user}))
        placed = any(row.place or row.section for row in rows)
        return tuple(
            _subscription(row, unread[row.id], articles.get(row.id, 0), place if placed else 0)
            for place, row in enumerate(sorted(rows, key=_shelf), start=1)
        )

    def unread_by_feed(self, user: UserId) -> Mapping[int, int]:
        """How much of each feed is unread; feeds without any are absent."""
        with self.database.read() as connection:
            return _unread(connection, user)

    def later(self, user: UserId) -> int:
        """How many articles are to be read later."""
        return self._value(_LATER, int, user=user) or 0

    def unread(self, user: UserId, rows: Rows = Rows.ARTICLE) -> int:
        """How many rows an unread list has."""
        with self.database.read() as connection:
            unread = int(value(connection, _ALL_UNREAD, int, user=user) or 0)
            if rows is Rows.ARTICLE or not unread:
                return unread
            # Whichever takes less is gone through: most articles share no row, and most are read.
            # What SQLite keeps of clusters (migrations/kept_counts.py) takes less than either.
            most = unread * _DEARER[rows]
            kept = rows is Rows.CLUSTER and connection.dialect.name == "sqlite"
            sharing = 0 if kept else value(connection, _SHARING[rows], int, most=most) or 0
            extra = (_EXTRA if sharing < most else _EXTRA_OF_UNREAD)[rows]
            # PostgreSQL's sums of counts are decimals, which JSON has no form for.
            return unread - int(value(connection, extra, int, user=user) or 0)

    def elsewhere(self, user: UserId) -> Mapping[FeedId, Elsewhere]:
        """How much of each of the reader's feeds their others have too; absent: none of it."""
        with self.database.read() as connection:
            rows = fetch(connection, _ELSEWHERE, {"user": user})
        return {FeedId(row.feed_id): Elsewhere(row.same_text, row.shared) for row in rows}

    def feed_figures(
        self, user: UserId, since: datetime, until: datetime
    ) -> Mapping[FeedId, FeedFigures]:
        """Of each of the reader's feeds; `recent` is of that time."""
        values = {"user": user, "since": micros(since), "until": micros(until)}
        with self.database.read() as connection:
            read = dict(fetch(connection, _READ, {"user": user}))
            rows = fetch(connection, _FIGURES, values)
        return {
            FeedId(row.feed_id): FeedFigures(
                None if row.newest is None else moment(row.newest),
                row.recent,
                read.get(row.feed_id, 0),
            )
            for row in rows
        }

    def unscored(self, user: UserId) -> int:
        """Unread articles that have no relevance of any model yet."""
        return self._value(_UNSCORED, int, user=user) or 0


def _unread(connection: Connection, user: UserId) -> Counter[int]:
    unread = Counter(dict(fetch(connection, _UNREAD, {"user": user})))
    unread.update(dict(fetch(connection, _UNREAD_COPIES, {"user": user})))
    return unread


# Most are as they were on the page before.
@lru_cache(4_096)
def _subscription(row: Any, unread: int, articles: int, place: int) -> Subscription:
    from newsloom.articles.publishers import source_name  # marks need no names
    from newsloom.kernel.text.urls import without_password

    return Subscription(
        feed_id=FeedId(row.id),
        url=row.url,
        title=row.own_title or row.title or without_password(row.url),
        name=source_name(row.own_title, row.title, row.url),
        label=_label(row),
        category=row.category,
        site_url=row.site_url,
        unread=unread,
        problem=row.problem,
        failures=row.failures,
        polled_at=None if row.polled_at is None else moment(row.polled_at),
        next_poll_at=None if row.next_poll_at is None else moment(row.next_poll_at),
        dead=bool(row.dead),
        articles=articles,
        full_text=bool(row.full_text),
        state=FeedState(row.state),
        place=place,
    )


def _label(row: Any) -> str:
    from newsloom.articles.publishers import feed_label

    return feed_label(row.own_title, row.title, row.url)


def _shelf(row: Any) -> tuple[bool, int, str, str, bool, int, str, int]:
    """Without a category first; what has a place before what has none."""
    category, section, place = row.category, row.section, row.place
    return (
        bool(category) and not section,
        section,
        category.casefold(),
        category,
        not place,
        place,
        _label(row).casefold(),
        row.id,
    )
