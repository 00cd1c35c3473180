"""`store.sharing`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, text, update

from newsloom.articles.store.reader_tables import events
from newsloom.articles.store.tables import articles
from newsloom.feeds.store.tables import feeds
from newsloom.kernel.db import sql
from newsloom.kernel.db.columns import beginning, micros
from newsloom.kernel.delivery.store import OutboxStore
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.sharing.store.tables import share_services, shares
from newsloom.sharing.values import (
    Share,
    SharedArticle,
    ShareId,
    ShareService,
    ShareServiceId,
    ShareState,
)

_SERVICES, _SHARES = share_services.c, shares.c
_WITH_GIVEN = select(share_services, _SERVICES.secrets.label("given"))
_ARTICLE = select(
    articles.c.id,
    articles.c.url,
    articles.c.title,
    func.coalesce(func.nullif(feeds.c.title, ""), articles.c.source).label("source"),
    articles.c.author,
    articles.c.published_at,
).outerjoin(feeds, feeds.c.id == articles.c.feed_id)
_BEGINNING = beginning("articles.id", "articles.title")

_ASK = text("""
    INSERT INTO shares (service_id, article_id, state, at, attempts, error, held_by)
    VALUES (:service, :article, 'waiting', :now, 0, '', '')
    ON CONFLICT (service_id, article_id) DO UPDATE
    SET state = 'waiting', at = excluded.at, attempts = 0, error = ''
    WHERE shares.state <> 'waiting'
""")

# What was starred, and is still, since a service was last looked after.
_STARRED = text("""
    INSERT INTO shares (service_id, article_id, state, at, attempts, error, held_by)
    SELECT DISTINCT s.id, e.article_id, 'waiting', CAST(:now AS BIGINT), 0, '', ''
    FROM share_services s
    JOIN events e ON e.user_id = s.user_id
    WHERE s.stars = 1 AND e.id > s.seen_event AND e.id <= :newest
      AND e.kind = 'star' AND e.undone_by IS NULL AND e.via NOT IN ('ttrss', 'greader', 'import')
      AND EXISTS (
          SELECT 1 FROM states st JOIN articles a ON a.original_id = st.article_id
          WHERE a.id = e.article_id AND st.user_id = e.user_id AND st.starred
      )
    ON CONFLICT (service_id, article_id) DO NOTHING
""")
_SEEN = text("UPDATE share_services SET seen_event = :newest WHERE stars = 1")
_BEHIND = text("SELECT 1 FROM share_services WHERE stars = 1 AND seen_event < :newest LIMIT 1")

# How long writing an event takes at most.
SETTLED = timedelta(seconds=3)


class SharingStore(OutboxStore[Share]):
    """Services to which readers save articles, and the outbox of what is still to be saved."""

    outbox = shares

    def add_share_service(
        self, user: UserId, kind: str, name: str, given: Mapping[str, str], now: datetime
    ) -> ShareServiceId:
        with self.database.write() as connection:
            made = insert(share_services).values(
                user_id=user, kind=kind, name=name, secrets=dict(given), made_at=now
            )
            number = connection.execute(made.returning(_SERVICES.id)).scalar_one()
            return ShareServiceId(number)

    def share_services(self, user: UserId) -> tuple[ShareService, ...]:
        """Those of a reader, the oldest first."""
        query = _WITH_GIVEN.where(_SERVICES.user_id == user).order_by(_SERVICES.id)
        return self._rows(query, ShareService)

    def save_stars(self, user: UserId, service: ShareServiceId, wanted: bool) -> bool:
        """Whether what is starred from now on is saved there. False: no such service."""
        newest = select(func.coalesce(func.max(events.c.id), 0)).scalar_subquery()
        with self.database.write() as connection:
            done = connection.execute(
                update(share_services)
                .where(_SERVICES.user_id == user, _SERVICES.id == service)
                .values(stars=int(wanted), seen_event=newest)
            )
            return done.rowcount > 0

    def drop_share_service(self, user: UserId, service: ShareServiceId) -> bool:
        """Forget a service, with what waits for it. False: no such service."""
        mine = (_SERVICES.user_id == user) & (_SERVICES.id == service)
        with self.database.write() as connection:
            if connection.scalar(select(_SERVICES.id).where(mine)) is None:
                return False
            connection.execute(delete(shares).where(_SHARES.service_id == service))
            connection.execute(delete(share_services).where(mine))
            return True

    def ask_share(
        self, user: UserId, service: ShareServiceId, article: ArticleId, now: datetime
    ) -> bool:
        """Put an article into the outbox, again where it was sent or failed before.

        False: no such service.
        """
        mine = select(_SERVICES.id).where(_SERVICES.user_id == user, _SERVICES.id == service)
        with self.database.write() as connection:
            if connection.scalar(mine) is None:
                return False
            row = {"service": service, "article": article, "now": micros(now)}
            connection.execute(_ASK, row)
            return True

    def ask_shares_of_stars(self, now: datetime) -> int:
        """Put into the outbox what was starred since the last time, for services that want it.

        How many. Every star leaves an event, whatever set it; those that a bridge or a file brought
        in are not meant. Events of the last seconds wait: another process may still be writing one
        with a lower number.
        """
        settled = (
            select(events.c.id).where(events.c.at <= now - SETTLED).order_by(events.c.id.desc())
        )
        with self.database.read() as connection:
            newest = connection.scalar(settled.limit(1)) or 0
            if connection.scalar(_BEHIND, {"newest": newest}) is None:
                return 0
        with self.database.write() as connection:
            made = connection.execute(_STARRED, {"now": micros(now), "newest": newest}).rowcount
            connection.execute(_SEEN, {"newest": newest})
            return made

    def _claimed(self, row: Row[Any]) -> Share | None:
        with self.database.read() as connection:
            mine = _WITH_GIVEN.where(_SERVICES.id == row.service_id)
            service = sql.one(connection, mine, ShareService)
            article = sql.one(
                connection, _ARTICLE.where(articles.c.id == row.article_id), SharedArticle
            )
        if service is None or article is None:
            return None
        return Share(ShareId(row.id), service, article, row.attempts)

    def shares_of(
        self, user: UserId, limit: int, article: ArticleId | None = None
    ) -> tuple[ShareState, ...]:
        """How it stands with what a reader saved, the newest first; of one article, or of all."""
        query = (
            select(shares, articles.c.title, text(_BEGINNING))
            .join(share_services, _SERVICES.id == _SHARES.service_id)
            .join(articles, articles.c.id == _SHARES.article_id)
            .where(_SERVICES.user_id == user)
            .order_by(_SHARES.id.desc())
            .limit(limit)
        )
        if article is not None:
            query = query.where(_SHARES.article_id == article)
        return self._rows(query, ShareState)
