"""`store.sites`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import Text, bindparam, select, text, update

from newsloom.articles.store.reader_tables import subscriptions
from newsloom.articles.store.tables import texts
from newsloom.feeds.store.host_turns import HostTurns, Pauses
from newsloom.feeds.store.tables import feeds, icons, pages, robots
from newsloom.feeds.values.pages import (
    NO_LONGER,
    OTHER_TEXT,
    FetchedPage,
    FollowedSite,
    KnownRobots,
    SiteIcon,
    WantedPage,
)
from newsloom.kernel.db import producers
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import CHUNK, change, upsert
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.reading.store.article_detail import fuller, page_with_feed_text

# Full texts that were taken out of articles' pages: which are wanted, and what came of it.
#
# Whether one is shown follows from the feeds' switches and from lengths when it is read, so turning
# a feed's switch changes no text that is kept.

# A page whose article is in two such feeds is wanted once, for the feed that had it first. A page
# that only digests want has no address yet (`queue_pages`), so the index of addresses finds it.
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
        UNION ALL
        SELECT a.id, a.feed_id, a.url, a.title, a.dated_at, 0, 1, 1
        FROM pages p JOIN articles a ON a.id = p.article_id JOIN feeds f ON f.id = a.feed_id
        WHERE :digests AND p.url = '' AND p.next_at <= :now
        AND f.full_text = FALSE AND f.dead = FALSE AND f.held_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM pauses h WHERE h.host = f.host AND h.until > :now)
        AND a.dated_at >= :since AND a.url <> ''
    ) AS wanted
    WHERE place <= :most_per_feed AND turn = 1
    ORDER BY dated_at DESC, article_id DESC LIMIT :limit
""")
_PUT_PAGES = upsert(pages)
_QUEUE = text("""
    INSERT INTO pages (article_id, at, tries, next_at, url) VALUES (:article, :now, 0, :now, '')
    ON CONFLICT (article_id) DO NOTHING
""")
_OWN = text("""
    SELECT f.length, f.title, f.url, f.content, f.summary FROM articles o
    JOIN articles f ON f.id = o.fullest_id WHERE o.id = :article
""")
_FILLED = text("""
    SELECT DISTINCT a.original_id FROM articles a JOIN pages p ON p.article_id = a.original_id
    WHERE a.feed_id = :feed AND p.length > 0
""")
_ASKED_PAGES = text("SELECT url FROM pages WHERE url IN :urls").bindparams(
    bindparam("urls", expanding=True, type_=Text)
)
_PAUSED = text("SELECT host FROM pauses WHERE until > :now AND host IN :hosts").bindparams(
    bindparam("hosts", expanding=True, type_=Text)
)


# Icons of sites, and which feeds' sites there are. Decides nothing.

_FOLLOWED = text("""
    SELECT f.url, f.site_url, f.image FROM feeds f
    WHERE f.dead = FALSE AND f.ok_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM subscriptions s WHERE s.feed_id = f.id)
    AND NOT EXISTS (SELECT 1 FROM pauses p WHERE p.host = f.host AND p.until > :now)
    ORDER BY f.id
""")
_ASKED = text("""
    SELECT site, url, at, etag, last_modified, validated_url, type, tag, problem, tries FROM icons
""")
_TAGS = text("SELECT site, tag FROM icons WHERE type <> ''")
_PUT_ICONS = upsert(icons)
# The picture that is there stays: it was confirmed, or is still better than none.
_PUT_AROUND = text("""
    UPDATE icons SET url = :url, at = :at, etag = :etag, last_modified = :last_modified,
        validated_url = :validated_url, problem = :problem, tries = :tries
    WHERE site = :site
""")


# What sites ask of robots, as last seen. Asks none, decides nothing.

_PUT_ROBOTS = upsert(robots)


# The key of the addresses under which we serve pictures: one for all processes of a store.

_KEY = text("SELECT secret FROM picture_keys WHERE id = 1")
_KEEP = text("""
    INSERT INTO picture_keys (id, secret) VALUES (1, :secret) ON CONFLICT (id) DO NOTHING
""")


class SiteStore(HostTurns, Pauses):
    """Sites of feeds and articles: turns at hosts, pauses, robots.txt, icons, pages, pictures."""

    def robots(self, site: str) -> KnownRobots | None:
        return self._one(select(robots).where(robots.c.site == site), KnownRobots)

    def put_robots(self, robots: KnownRobots) -> None:
        """Remember it instead of what was known before."""
        self._change(_PUT_ROBOTS, **asdict(robots))

    def followed_sites(self, now: datetime) -> tuple[FollowedSite, ...]:
        """Feeds that somebody follows, that have answered, and that are neither dead nor at a host
        which is left alone now."""
        with self.database.read() as connection:
            rows = connection.execute(_FOLLOWED, {"now": micros(now)})
            return tuple(FollowedSite(*row) for row in rows)

    def icons_by_site(self) -> Mapping[str, SiteIcon]:
        """What is known of every site, without the pictures."""
        return {one.site: one for one in self._rows(_ASKED, SiteIcon)}

    def put_icons(self, icons: Sequence[SiteIcon]) -> None:
        """Remember what asking came to; one without a body leaves the picture that is there."""
        if not icons:
            return
        with self.database.write() as connection:
            for one in icons:
                keeps = bool(one.type) and not one.body
                change(connection, _PUT_AROUND if keeps else _PUT_ICONS, **asdict(one))

    def icon(self, site: str) -> SiteIcon | None:
        """One site's, with its picture; None when there is none."""
        return self._one(select(icons).where(icons.c.site == site, icons.c.type != ""), SiteIcon)

    def icon_tags(self) -> Mapping[str, str]:
        """Sites that have a picture, and what changes when it does."""
        return dict(self._rows(_TAGS, tuple))

    def feed_home(self, user: UserId, feed: FeedId) -> tuple[str, str] | None:
        """The address of a feed of theirs and that of its site."""
        query = (
            select(feeds.c.url, feeds.c.site_url)
            .join(subscriptions, subscriptions.c.feed_id == feeds.c.id)
            .where(subscriptions.c.user_id == user, feeds.c.id == feed)
        )
        return self._one(query, tuple)

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
                    update(texts)
                    .where(texts.c.article_id.in_(some))
                    .values(maker_id=producers.NOBODY)
                )

    def queue_pages(self, articles: Sequence[ArticleId], now: datetime) -> None:
        """Queue the pages of these articles for digests. What was queued or fetched before stays as
        it is."""
        known = select(pages.c.article_id).where(pages.c.article_id.in_(articles))
        with self.database.read() as connection:
            new = set(articles) - set(connection.scalars(known))
        if new:
            with self.database.write() as connection:
                rows = [{"article": one, "now": micros(now)} for one in sorted(new)]
                connection.execute(_QUEUE, rows)

    def wanted_pages(
        self,
        now: datetime,
        since: datetime,
        limit: int,
        most_per_feed: int,
        *,
        digests: bool = False,
    ) -> tuple[WantedPage, ...]:
        """Articles dated since then whose page is to be fetched, the newest first; at most so many
        of each feed. Feeds of hosts that are left alone now are left out. `digests`: also those
        that only digests want."""
        return self._rows(
            _WANTED,
            WantedPage,
            now=now,
            since=since,
            limit=limit,
            most_per_feed=most_per_feed,
            digests=digests,
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
            kept = replace(page, problem=problem)
            if not longer:
                kept = replace(kept, length=0, html="")
            change(connection, _PUT_PAGES, **asdict(kept))
            if longer:
                connection.execute(
                    update(texts)
                    .where(texts.c.article_id == page.article_id)
                    .values(maker_id=producers.NOBODY)
                )
            return longer

    def page(self, article: ArticleId) -> FetchedPage | None:
        """What asking for an article's page came to; None: it was not asked for."""
        return self._one(select(pages).where(pages.c.article_id == article), FetchedPage)

    def fetched_pages(self, urls: Collection[str]) -> frozenset[str]:
        """Those of the addresses that have been asked for an article's text."""
        return frozenset(self._column(_ASKED_PAGES, str, urls=list(urls)))

    def paused_hosts(self, hosts: Collection[str], now: datetime) -> frozenset[str]:
        """Those of the hosts that are left alone now."""
        return frozenset(self._column(_PAUSED, str, hosts=list(hosts), now=now))

    def picture_key(self, made: bytes) -> bytes:
        """The key in use; `made` where there was none."""
        with self.database.read() as connection:
            found = connection.scalar(_KEY)
        if found is None:
            with self.database.write() as connection:
                connection.execute(_KEEP, {"secret": made})
                found = connection.scalar(_KEY)
        return bytes(found) if found is not None else made
