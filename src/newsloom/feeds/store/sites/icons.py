"""Icons of sites, and which feeds' sites there are. Decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Row, select, text

from newsloom.feeds.store.sites.tables import icons
from newsloom.feeds.store.tables import feeds
from newsloom.feeds.values.pages import FollowedSite, SiteIcon
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import FeedId, UserId
from newsloom.reading.store.tables import subscriptions

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
_PUT = text("""
    INSERT INTO icons (
        site, url, at, etag, last_modified, validated_url, type, tag, problem, tries, body
    )
    VALUES (
        :site, :url, :at, :etag, :last_modified, :validated_url, :type, :tag, :problem, :tries,
        :body
    )
    ON CONFLICT (site) DO UPDATE SET url = excluded.url, at = excluded.at, etag = excluded.etag,
        last_modified = excluded.last_modified, validated_url = excluded.validated_url,
        type = excluded.type, tag = excluded.tag, problem = excluded.problem,
        tries = excluded.tries, body = excluded.body
""")
# The picture that is there stays: it was confirmed, or is still better than none.
_PUT_AROUND = text("""
    UPDATE icons SET url = :url, at = :at, etag = :etag, last_modified = :last_modified,
        validated_url = :validated_url, problem = :problem, tries = :tries
    WHERE site = :site
""")


class Icons(Aggregate):
    """Icons of sites."""

    def followed_sites(self, now: datetime) -> tuple[FollowedSite, ...]:
        """Feeds that somebody follows, that have answered, and that are neither dead nor at a host
        which is left alone now."""
        with self.database.read() as connection:
            rows = connection.execute(_FOLLOWED, {"now": micros(now)})
            return tuple(FollowedSite(*row) for row in rows)

    def asked_icons(self) -> Mapping[str, SiteIcon]:
        """What is known of every site, without the pictures."""
        with self.database.read() as connection:
            return {row.site: _icon(row, b"") for row in connection.execute(_ASKED)}

    def put_icons(self, icons: Sequence[SiteIcon]) -> None:
        """Remember what asking came to; one without a body leaves the picture that is there."""
        if not icons:
            return
        with self.database.write() as connection:
            for one in icons:
                keeps = bool(one.type) and not one.body
                connection.execute(_PUT_AROUND if keeps else _PUT, _values(one))

    def icon(self, site: str) -> SiteIcon | None:
        """One site's, with its picture; None when there is none."""
        query = select(icons).where(icons.c.site == site, icons.c.type != "")
        return self._one(query, lambda row: _icon(row, row.body or b""))

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


def _values(icon: SiteIcon) -> dict[str, object]:
    return {
        "site": icon.site,
        "url": icon.url,
        "at": micros(icon.at),
        "etag": icon.etag,
        "last_modified": icon.last_modified,
        "validated_url": icon.validated_url,
        "type": icon.type,
        "tag": icon.tag,
        "problem": icon.problem,
        "tries": icon.tries,
        "body": icon.body or None,
    }


def _icon(row: Row[tuple[object, ...]], body: bytes) -> SiteIcon:
    at = row.at if isinstance(row.at, datetime) else moment(row.at)
    return SiteIcon(
        site=row.site,
        url=row.url,
        at=at,
        etag=row.etag,
        last_modified=row.last_modified,
        validated_url=row.validated_url,
        type=row.type,
        tag=row.tag,
        body=body,
        problem=row.problem,
        tries=row.tries,
    )
