"""What sites ask of robots, as last seen. Asks none, decides nothing."""

from __future__ import annotations

from sqlalchemy import select, text

from newsloom.feeds.store.sites.tables import robots
from newsloom.feeds.values.pages import KnownRobots
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros

_PUT = text("""
    INSERT INTO robots (site, at, status, page_at, body)
    VALUES (:site, :at, :status, :page_at, :body)
    ON CONFLICT (site) DO UPDATE SET at = excluded.at, status = excluded.status,
        page_at = excluded.page_at, body = excluded.body
""")


class Robots(Aggregate):
    """Rules for robots."""

    def robots(self, site: str) -> KnownRobots | None:
        with self.database.read() as connection:
            row = connection.execute(select(robots).where(robots.c.site == site)).one_or_none()
            if row is None:
                return None
            return KnownRobots(row.site, row.at, row.status, row.body, row.page_at)

    def put_robots(self, robots: KnownRobots) -> None:
        """Remember it instead of what was known before."""
        self._change(
            _PUT,
            site=robots.site,
            at=robots.at,
            status=robots.status,
            page_at=None if robots.page_at is None else micros(robots.page_at),
            body=robots.body,
        )
