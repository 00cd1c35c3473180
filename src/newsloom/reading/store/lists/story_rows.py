"""Rows of a list that stand for stories: what stands behind each. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row

from newsloom.kernel.db.columns import beginning, moment, row_title
from newsloom.kernel.db.sql import many, rows_of
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.reading.store.lists.row_names import OF_STORIES
from newsloom.reading.store.lists.rows import count_sources
from newsloom.reading.values.reading import RowArticle, RowStory
from newsloom.stories.values.pages import StoryId

# Other articles of a story that are named in a list; the page of the story has all of them.
MOST_NAMED = 8

_MINE = f"""
    FROM ({OF_STORIES}) m CROSS JOIN states s CROSS JOIN articles o
    WHERE s.user_id = :user AND s.article_id = m.article_id AND o.id = s.article_id
"""
_COUNTED = many(f"""
    SELECT m.asked, m.story, COUNT(*) AS articles,
        distinct_list(o.feed_id || ' ' || o.source) AS sources,
        SUM(CASE WHEN s.read THEN 0 ELSE 1 END) AS unread, MAX(s.dated_at) AS latest
    {_MINE} GROUP BY m.asked, m.story
""")
_NAMED = many(f"""
    SELECT n.asked, n.id, n.dated_at, n.read, n.source, n.same_text, f.title,
        {beginning("n.id")},
        COALESCE(c.title, '') AS own_name, w.title AS feed_title, w.url AS feed_url
    FROM (
        SELECT m.asked, s.article_id AS id, s.dated_at, s.read, o.source, o.feed_id, o.fullest_id,
            EXISTS (
                SELECT 1 FROM clusters a CROSS JOIN clusters b
                WHERE a.article_id = m.asked AND b.article_id = s.article_id
                AND b.text_id = a.text_id AND b.cluster_id = a.cluster_id
            ) AS same_text,
            ROW_NUMBER() OVER (
                PARTITION BY m.asked ORDER BY s.dated_at DESC, s.article_id DESC
            ) AS place
        {_MINE} AND m.article_id <> m.asked
    ) n JOIN articles f ON f.id = n.fullest_id JOIN feeds w ON w.id = n.feed_id
    LEFT JOIN subscriptions c ON c.feed_id = n.feed_id AND c.user_id = :user
    WHERE n.place <= {MOST_NAMED} ORDER BY n.asked, n.place
""")  # noqa: S608
_TITLES = many("SELECT id, title FROM stories WHERE id IN :ids")
_TITLE = many(f"SELECT id, title, {beginning('id', 'title')} FROM articles WHERE id IN :ids")  # noqa: S608


def behind_stories(connection: Connection, user: int, ids: Sequence[int]) -> Mapping[int, RowStory]:
    """The stories of which those articles stand in front; ones that are in none, or the only one
    of the reader's in it, are absent."""
    counted = [row for row in rows_of(connection, _COUNTED, ids, user=user) if row.articles > 1]
    if not counted:
        return {}
    sources = count_sources(connection, {row.asked: row.sources for row in counted})
    titles = _titles(connection, user, {row.story: row.asked for row in counted})
    named: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in rows_of(connection, _NAMED, [row.asked for row in counted], user=user):
        named[row.asked].append(row)
    return {
        row.asked: RowStory(
            id=StoryId(row.story),
            title=titles[row.story],
            articles=row.articles,
            unread=row.unread,
            sources=sources[row.asked],
            latest=moment(row.latest),
            others=tuple(map(_other, named[row.asked])),
        )
        for row in counted
    }


def _titles(connection: Connection, user: int, leading: Mapping[int, int]) -> dict[int, str]:
    """The title of each story; that of its leading article where it may be made of other feeds."""
    from newsloom.stories.store.pages import foreign

    titles = {row.id: row.title for row in rows_of(connection, _TITLES, list(leading))}
    others = foreign(connection, UserId(user), list(leading))
    own = rows_of(connection, _TITLE, [leading[story] for story in others])
    by_article = {row.id: row_title(row) for row in own}
    return titles | {story: by_article.get(leading[story], "") for story in others}


def _other(row: Row[Any]) -> RowArticle:
    from newsloom.articles.publishers import source_name  # marks need no names

    return RowArticle(
        id=ArticleId(row.id),
        title=row_title(row),
        source=row.source,
        feed_title=source_name(row.own_name, row.feed_title, row.feed_url),
        dated=moment(row.dated_at),
        read=bool(row.read),
        same_text=bool(row.same_text),
    )
