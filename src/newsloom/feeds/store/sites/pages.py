"""Full texts that were taken out of articles' pages: which are wanted, and what came of it.

Whether one is shown follows from the feeds' switches and from lengths when it is read, so turning a
feed's switch changes no text that is kept.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Text, bindparam, select, text, update

from newsloom.articles.store.tables import texts
from newsloom.feeds.store.tables import feeds
from newsloom.feeds.values.pages import WantedPage
from newsloom.kernel.db import makers
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import CHUNK
from newsloom.kernel.ids import FeedId
from newsloom.reading.store.article_detail import fuller, page_with_feed_text

if TYPE_CHECKING:
    from newsloom.feeds.values.pages import FetchedPage

# A page whose article is in two such feeds is wanted once, for the feed that had it first.
_WANTED = text("""
    SELECT article_id, feed_id, url, title, tries FROM (
        SELECT a.original_id AS article_id, a.feed_id, a.url, a.title, a.dated_at,
            COALESCE(p.tries, 0) AS tries,
            ROW_NUMBER() OVER (PARTITION BY a.feed_id ORDER BY a.dated_at DESC, a.id DESC) AS place,
            ROW_NUMBER() OVER (PARTITION BY a.original_id ORDER BY a.id) AS turn
        FROM feeds f CROSS JOIN articles a
        LEFT JOIN pages p ON p.article_id = a.original_id
        WHERE f.full_text = TRUE AND f.dead = FALSE AND f.held_at IS NULL
        AND EXISTS (SELECT 1 FROM subscriptions s WHERE s.feed_id = f.id)
        AND NOT EXISTS (SELECT 1 FROM pauses h WHERE h.host = f.host AND h.until > :now)
        AND a.feed_id = f.id AND a.dated_at >= :since AND a.url <> ''
        AND (p.article_id IS NULL OR p.next_at <= :now)
    ) AS wanted
    WHERE place <= :most_per_feed AND turn = 1
    ORDER BY dated_at DESC, article_id DESC LIMIT :limit
""")
_PUT = text("""
    INSERT INTO pages (article_id, at, tries, next_at, url, problem, length, html)
    VALUES (:article_id, :at, :tries, :next_at, :url, :problem, :length, :html)
    ON CONFLICT (article_id) DO UPDATE SET at = excluded.at, tries = excluded.tries,
        next_at = excluded.next_at, url = excluded.url, problem = excluded.problem,
        length = excluded.length, html = excluded.html
""")
_OWN = text("""
    SELECT f.length, f.title, f.url, f.content, f.summary FROM articles o
    JOIN articles f ON f.id = o.fullest_id WHERE o.id = :article
""")
_FILLED = text("""
    SELECT DISTINCT a.original_id FROM articles a JOIN pages p ON p.article_id = a.original_id
    WHERE a.feed_id = :feed AND p.length > 0
""")
_ASKED = text("SELECT url FROM pages WHERE url IN :urls").bindparams(
    bindparam("urls", expanding=True, type_=Text)
)
_PAUSED = text("SELECT host FROM pauses WHERE until > :now AND host IN :hosts").bindparams(
    bindparam("hosts", expanding=True, type_=Text)
)

NO_LONGER = "its page has no more than the feed"
OTHER_TEXT = "its page has another text than the feed"


class Pages(Aggregate):
    """Full texts."""

    def set_full_text(self, feed: FeedId, on: bool) -> None:
        """Ask for full texts of a feed, or no more; what was fetched is shown accordingly."""
        with self.database.write() as connection:
            before = select(feeds.c.full_text).where(feeds.c.id == feed)
            if connection.scalar(before) in {None, on}:
                return
            connection.execute(update(feeds).where(feeds.c.id == feed).values(full_text=on))
            filled = connection.scalars(_FILLED, {"feed": feed}).all()
            for start in range(0, len(filled), CHUNK):
                some = filled[start : start + CHUNK]
                connection.execute(
                    update(texts).where(texts.c.article_id.in_(some)).values(maker_id=makers.NOBODY)
                )

    def wanted_pages(
        self, now: datetime, since: datetime, limit: int, most_per_feed: int
    ) -> tuple[WantedPage, ...]:
        """Articles dated since then whose page is to be fetched, the newest first; at most so many
        of each feed. Feeds of hosts that are left alone now are left out."""
        return self._rows(
            _WANTED,
            WantedPage,
            now=now,
            since=since,
            limit=limit,
            most_per_feed=most_per_feed,
        )

    def put_page(self, page: FetchedPage) -> bool:
        """Save what fetching came to; its text only if it has what the feed's has, and more.
        Whether it does."""
        with self.database.write() as connection:
            known = connection.execute(_OWN, {"article": page.article_id}).one_or_none()
            if known is None:
                return False
            own = fuller(known.content, known.summary)
            longer = page.length > int(known.length)
            problem = page.problem or ("" if longer else NO_LONGER)
            if longer and not page_with_feed_text(page.html, own, known.title, known.url):
                longer, problem = False, OTHER_TEXT
            values = {
                "article_id": page.article_id,
                "at": micros(page.at),
                "tries": page.tries,
                "next_at": None if page.next_at is None else micros(page.next_at),
                "url": page.url,
                "problem": problem,
                "length": page.length if longer else 0,
                "html": page.html if longer else "",
            }
            connection.execute(_PUT, values)
            if longer:
                connection.execute(
                    update(texts)
                    .where(texts.c.article_id == page.article_id)
                    .values(maker_id=makers.NOBODY)
                )
            return longer

    def fetched_pages(self, urls: Collection[str]) -> frozenset[str]:
        """Those of the addresses that have been asked for an article's text."""
        return frozenset(self._column(_ASKED, str, urls=list(urls)))

    def paused_hosts(self, hosts: Collection[str], now: datetime) -> frozenset[str]:
        """Those of the hosts that are left alone now."""
        return frozenset(self._column(_PAUSED, str, hosts=list(hosts), now=now))
