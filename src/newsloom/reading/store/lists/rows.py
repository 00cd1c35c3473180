"""Rows of a list that stand for several articles: which one is shown, what stands behind it.

Reads only. Nothing is kept: rows follow from the sparse table `clusters` when a page is made, so a
filter, a mark or a feed that was left changes them at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, TextClause

from newsloom.kernel.db.columns import beginning, moment, row_title
from newsloom.kernel.db.sql import fetch, many, rows_of
from newsloom.kernel.ids import ArticleId
from newsloom.reading.store.lists import ranking_queries
from newsloom.reading.store.lists.row_names import MARKED_AS_ONE, is_story
from newsloom.reading.values.reading import Cluster, Order, RowArticle, Rows, Version

# Other articles of a row that are named in a list; the article page has all of them.
MOST_NAMED = 8


class ListPosition(NamedTuple):
    """A row of a list: the article shown, and the one whose place it has."""

    shown: int
    best: int
    shared: bool = True  # whether others may stand in it
    demoted: bool = False  # by variety


class ClusterSummary(NamedTuple):
    """What a row shows of the articles it stands for."""

    cluster: Cluster
    starred: bool
    liked: bool
    disliked: bool
    later: bool


_MINE = """
    FROM clusters g CROSS JOIN clusters c CROSS JOIN states s
    CROSS JOIN articles o CROSS JOIN articles f
    WHERE g.article_id IN :ids AND c.cluster_id = g.cluster_id {same}
    AND s.user_id = :user AND s.article_id = c.article_id
    AND o.id = s.article_id AND f.id = o.fullest_id
"""
_COUNTED = f"""
    SELECT g.article_id AS asked, COUNT(*) AS articles, COUNT(DISTINCT c.text_id) AS texts,
        distinct_list(o.feed_id || ' ' || o.source) AS sources,
        MAX(s.dated_at) AS latest, MAX(CAST(s.starred AS INTEGER)) AS starred,
        MAX(s.rating) AS most, MIN(s.rating) AS least, MAX(CAST(s.later AS INTEGER)) AS later
    {_MINE} GROUP BY g.article_id HAVING COUNT(*) > 1
"""
_NAMED = f"""
    SELECT * FROM (
        SELECT g.article_id AS asked, s.article_id AS id, s.dated_at, s.read, f.title, o.source,
            o.feed_id, {beginning("s.article_id")}, c.text_id = g.text_id AS same_text,
            ROW_NUMBER() OVER (
                PARTITION BY g.article_id
                ORDER BY f.length DESC, s.dated_at, s.article_id
            ) AS place
        {_MINE} AND c.article_id <> g.article_id
    ) AS others WHERE place <= {MOST_NAMED}
    ORDER BY asked, place
"""  # noqa: S608
_CARRYING = many("""
    SELECT g.article_id AS asked, COUNT(DISTINCT a.feed_id) AS feeds
    FROM clusters g CROSS JOIN clusters c CROSS JOIN articles a CROSS JOIN subscriptions u
    WHERE g.article_id IN :ids AND c.cluster_id = g.cluster_id AND c.text_id = g.text_id
    AND a.original_id = c.article_id AND u.user_id = :user AND u.feed_id = a.feed_id
    GROUP BY g.article_id
""")
# A feed that the reader left has no name of theirs.
_FEEDS = many("""
    SELECT f.id, COALESCE(c.title, '') AS own_name, f.title, f.url
    FROM feeds f LEFT JOIN subscriptions c ON c.feed_id = f.id AND c.user_id = :user
    WHERE f.id IN :ids
""")
_URLS = many("SELECT id, url FROM feeds WHERE id IN :ids")
_VERSIONS = many(
    " UNION ALL ".join(  # noqa: S608
        f"""
        SELECT l.{own} AS asked, s.article_id AS id, f.title, s.dated_at AS dated_at,
            {beginning("s.article_id")}, (s.dated_at, s.article_id) > (m.dated_at, m.id) AS later
        FROM links l CROSS JOIN states s CROSS JOIN articles m
        CROSS JOIN articles o CROSS JOIN articles f
        WHERE l.{own} IN :ids AND l.relation = 'revision' AND s.user_id = :user
        AND s.article_id = l.{other} AND m.id = l.{own}
        AND o.id = s.article_id AND f.id = o.fullest_id
        """  # noqa: S608
        for own, other in (("article_id", "other_id"), ("other_id", "article_id"))
    )
    + " ORDER BY later, dated_at"
)
_COUNTED_BY = {rows: many(_COUNTED.format(same=same)) for rows, same in MARKED_AS_ONE.items()}
_NAMED_BY = {rows: many(_NAMED.format(same=same)) for rows, same in MARKED_AS_ONE.items()}
_TAGS = many("""
    SELECT article_id, name FROM article_tags
    WHERE user_id = :user AND article_id IN :ids ORDER BY key
""")


def collapsed(
    connection: Connection, statement: TextClause, values: Mapping[str, Any]
) -> list[tuple[int, int | None]]:
    """The best article of each row of a page, and the name of the row if others may share it.

    Asked for some more than the page has, and for more of them until there are enough rows.
    """
    start = values["offset"]
    end = start + values["limit"]
    asked = end + end // 8 + 1
    while True:
        bounds = {"upto": asked, "limit": asked, "offset": 0}
        found = fetch(connection, statement, {**values, **bounds})
        rows: dict[tuple[bool, int], tuple[int, int | None]] = {}
        for article, name in found:
            alone = name is None
            rows.setdefault((alone, article if alone else name), (article, name))
        if len(rows) >= end or len(found) < asked:
            return list(rows.values())[start:end]
        asked = asked * end * 5 // (4 * max(len(rows), 1)) + 1


def places(
    connection: Connection,
    form: ranking_queries.QueryShape,
    best: Sequence[tuple[int, int | None]],
    values: Mapping[str, Any],
) -> list[ListPosition]:
    """Which article each row shows: the fullest of those that the filters let through; of a
    story, the one that stands highest.

    Only a ranked list shows what each row stands by; in another the score is the article's own.
    """
    shared = [article for article, name in best if name is not None and not is_story(name)]
    if not shared:
        return [ListPosition(article, article, name is not None) for article, name in best]
    found = rows_of(connection, ranking_queries.foremost(form), shared, **values)
    shown = {row.asked: row.article_id for row in found if row.fullness == 1}
    fullest = [(shown.get(article, article), article, name) for article, name in best]
    ranked = form.order is Order.RANKED
    return [
        ListPosition(one, best if ranked else one, name is not None) for one, best, name in fullest
    ]


def of_list(
    connection: Connection,
    form: ranking_queries.QueryShape,
    ids: Sequence[int],
    values: Mapping[str, Any],
) -> list[ListPosition]:
    """Those articles, each with the place of its row in a list."""
    if form.order is not Order.RANKED:
        return [ListPosition(article, article) for article in ids]
    found = rows_of(connection, ranking_queries.foremost(form), ids, **values)
    # What leads a story is shown by its own score, and is not among these.
    best = {row.asked: row.article_id for row in found if row.place == 1}
    return [ListPosition(article, best.get(article, article)) for article in ids]


def behind(
    connection: Connection, user: int, ids: Sequence[int], rows: Rows
) -> Mapping[int, ClusterSummary]:
    """What the reader has in the rows of those articles, of a story only the copies of one; ones
    that share none are absent."""
    if rows is Rows.ARTICLE or not ids:
        return {}
    from newsloom.articles.publishers import source_name  # marks need no names

    counted = rows_of(connection, _COUNTED_BY[rows], ids, user=user)
    if not counted:
        return {}
    several = [row.asked for row in counted]
    named: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in rows_of(connection, _NAMED_BY[rows], several, user=user):
        named[row.asked].append(row)
    carrying = {row.asked: row.feeds for row in rows_of(connection, _CARRYING, several, user=user)}
    sources = count_sources(connection, {row.asked: row.sources for row in counted})
    feeds = sorted({one.feed_id for others in named.values() for one in others})
    titles = {
        row.id: source_name(row.own_name, row.title, row.url)
        for row in rows_of(connection, _FEEDS, feeds, user=user)
    }
    return {
        row.asked: ClusterSummary(
            cluster=Cluster(
                articles=row.articles,
                texts=row.texts,
                sources=sources[row.asked],
                feeds=max(carrying.get(row.asked, 1), 1),
                latest=moment(row.latest),
                others=tuple(_other(one, titles[one.feed_id]) for one in named[row.asked]),
            ),
            starred=bool(row.starred),
            liked=row.most > 0,
            disliked=row.least < 0,
            later=bool(row.later),
        )
        for row in counted
    }


def versions(connection: Connection, user: int, ids: Sequence[int]) -> Mapping[int, Version]:
    """The version to name beside each article that has others among the reader's."""
    found: dict[int, Version] = {}
    for row in rows_of(connection, _VERSIONS, ids, user=user):  # the last is the latest
        found[row.asked] = Version(ArticleId(row.id), row_title(row), bool(row.later))
    return found


def names_of(
    connection: Connection, user: int, articles: Sequence[int]
) -> Mapping[ArticleId, tuple[str, ...]]:
    """The tags of those articles, by name; ones without are absent."""
    found: dict[ArticleId, tuple[str, ...]] = {}
    for row in rows_of(connection, _TAGS, articles, user=user):
        found[row.article_id] = (*found.get(row.article_id, ()), row.name)
    return found


def count_sources(connection: Connection, texts: Mapping[int, str]) -> Mapping[int, int]:
    """How many publishers each list of feeds and hosts names: registrable domains; where there is
    none, feeds. The host of a link counts only where its feed may speak for it."""
    from newsloom.importance.sources.speaking import credited_source  # marks need no addresses
    from newsloom.kernel.text.urls import source

    pairs = {
        asked: [(int(feed), host) for feed, _, host in (one.partition(" ") for one in parts)]
        for asked, parts in ((asked, text.split(",")) for asked, text in texts.items())
    }
    feeds = sorted({feed for found in pairs.values() for feed, _host in found})
    urls = {row.id: row.url for row in rows_of(connection, _URLS, feeds)}

    def publisher(feed: int, host: str) -> str | int:
        host = credited_source(host, urls[feed]) if host else ""
        name = source(f"https://{host}/") if host else ""
        return feed if not name or name[-1].isdigit() or ":" in name else name

    return {asked: len({publisher(*one) for one in found}) for asked, found in pairs.items()}


def _other(row: Row[Any], feed_title: str) -> RowArticle:
    return RowArticle(
        id=ArticleId(row.id),
        title=row_title(row),
        source=row.source,
        feed_title=feed_title,
        dated=moment(row.dated_at),
        read=bool(row.read),
        same_text=bool(row.same_text),
    )
