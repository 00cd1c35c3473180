"""The store as what fetches icons and full texts sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from newsloom.types import (
    FeedId,
    FetchedPage,
    FollowedSite,
    KnownRobots,
    SiteIcon,
    UserId,
    WantedPage,
)


class IconStore(Protocol):
    """Icons of sites; that a site has none is kept too."""

    def followed_sites(self, now: datetime) -> tuple[FollowedSite, ...]:
        """Feeds that somebody follows, that have answered, and that are neither dead nor at a host
        which is left alone now."""

    def asked_icons(self) -> Mapping[str, SiteIcon]:
        """What is known of every site, without the pictures."""

    def put_icons(self, icons: Sequence[SiteIcon]) -> None:
        """Remember what asking came to, instead of what was known before."""

    def icon(self, site: str) -> SiteIcon | None:
        """One site's, with its picture; None when there is none."""

    def icon_tags(self) -> Mapping[str, str]:
        """Sites that have a picture, and what changes when it does."""

    def feed_home(self, user: UserId, feed: FeedId) -> tuple[str, str] | None:
        """The address of a feed of theirs and that of its site."""


class PageStore(Protocol):
    """Full texts of articles, for feeds where they are asked for."""

    def set_full_text(self, feed: FeedId, on: bool) -> None:
        """Ask for full texts of a feed, or no more; what was fetched is shown accordingly."""

    def wanted_pages(
        self, now: datetime, since: datetime, limit: int, most_per_feed: int
    ) -> tuple[WantedPage, ...]:
        """Articles dated since then whose page is to be fetched, the newest first; at most so many
        of each feed. Feeds of hosts that are left alone now are left out."""

    def put_page(self, page: FetchedPage) -> bool:
        """Keep what fetching came to; its text only if it is longer than what the feed has. Whether
        it was."""

    def fetched_pages(self, urls: Collection[str]) -> frozenset[str]:
        """Those of the addresses that have been asked for an article's text."""

    def paused_hosts(self, hosts: Collection[str], now: datetime) -> frozenset[str]:
        """Those of the hosts that are left alone now."""

    def robots(self, site: str) -> KnownRobots | None: ...

    def put_robots(self, robots: KnownRobots) -> None:
        """Remember it instead of what was known before."""
