"""One article whole: its text, related articles, earlier versions. Reads only."""

from __future__ import annotations

import json
from datetime import datetime
from html import escape
from itertools import starmap
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

from newsloom.articles.store.tables import SHOWN
from newsloom.feeds.values.published import EARLIEST, Enclosure
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.sql import Aggregate, fetch, many, rows_of, value
from newsloom.kernel.ids import ArticleId
from newsloom.reading.store.lists.lists import listed
from newsloom.reading.store.lists.rows import ListPosition
from newsloom.reading.values.reading import FullArticle, ListQuery, Revision, Rows

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.ranking.ports import HalfLives
    from newsloom.reading.values.reading import Listed

_FULLEST = text("""
    SELECT f.id, f.title, f.url, f.content, f.summary, f.published_at, f.updated_at, f.categories,
        f.enclosures, f.comments_url
    FROM articles o JOIN articles f ON f.id = o.fullest_id WHERE o.id = :article
""")
_REVISIONS = many("""
    SELECT seen_at, title, content, summary FROM revisions WHERE article_id IN :ids
    ORDER BY seen_at DESC, id DESC
""")
_PAGE = text(f"""
    SELECT p.html, p.url FROM articles o JOIN articles f ON f.id = o.fullest_id {SHOWN}
    WHERE o.id = :article AND p.html <> ''
""")  # noqa: S608

_PROBLEM = text("""
    SELECT p.problem FROM pages p JOIN articles a ON a.id = p.article_id
    JOIN feeds f ON f.id = a.feed_id WHERE p.article_id = :article AND f.full_text = TRUE
""")

_AGED = text("""
    SELECT g.texts_at, t.lead FROM aged_articles g JOIN texts t ON t.article_id = g.article_id
    WHERE g.article_id = :article AND g.texts_at IS NOT NULL
""")


class ArticleDetail(Aggregate):
    """An article to be read."""

    def article(
        self,
        user: UserId,
        article: ArticleId,
        now: datetime,
        half_lives: HalfLives,
        rows: Rows = Rows.CLUSTER,
    ) -> FullArticle | None:
        """None when the reader has no state for it."""
        with self.database.read() as connection:
            places, query = [ListPosition(article, article)], ListQuery(rows=rows)
            found = listed(connection, user, places, now, half_lives, query)
            return _opened(connection, user, found[0]) if found else None


def _opened(connection: Connection, user: UserId, row: Listed) -> FullArticle:
    from newsloom.duplicates.store.clusters import related  # slow to import, and only needed here

    (full,) = fetch(connection, _FULLEST, {"article": row.id})
    own = fuller(full.content, full.summary)
    (page,) = fetch(connection, _PAGE, {"article": row.id}) or (None,)
    html = page_with_feed_text(page.html, own, full.title, full.url) if page else ""
    return FullArticle(
        listed=row,
        html=html or own or _left(connection, row.id),
        undated=max(full.published_at or 0, full.updated_at or 0) < micros(EARLIEST),
        own_html=own if html else "",
        page_url=page.url if page and html else "",
        page_problem="" if html else value(connection, _PROBLEM, str, article=row.id) or "",
        categories=tuple(json.loads(full.categories or "[]")),
        enclosures=tuple(starmap(Enclosure, json.loads(full.enclosures or "[]"))),
        comments_url=full.comments_url,
        revisions=tuple(
            Revision(moment(one.seen_at), one.title, fuller(one.content, one.summary))
            for one in rows_of(connection, _REVISIONS, sorted({row.id, full.id}))
        ),
        related=related(connection, user, row.id),
    )


def _left(connection: Connection, article: ArticleId) -> str:
    """What is to be shown of a text that was removed for its age; "" when it had none."""
    found = fetch(connection, _AGED, {"article": article})
    if not found:
        return ""
    lines = (line.strip() for line in found[0].lead.split("\n"))
    shown = "".join(f"<p>{escape(line, quote=False)}</p>" for line in lines if line)
    removed = moment(found[0].texts_at)
    note = f"The rest of this text was deleted on {removed:%-d %B %Y} because of its age."
    return f"{shown}<p><em>{note} The publisher may still have it.</em></p>"


def fuller(content: str, summary: str) -> str:
    """The text to show of two a publisher gave: the longer one."""
    return content if len(content) >= len(summary) else summary


def page_with_feed_text(page: str | None, own: str, title: str, url: str) -> str:
    """The full text that was taken from an article's page, with what only its feed has; "" if there
    is none, or if it is another text than the feed's."""
    if not page:
        return ""
    from newsloom.feeds.feed_text import with_feed_text  # slow to import, and few have a page

    return with_feed_text(page, own, title=title, url=url)
