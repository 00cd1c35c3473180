"""The icons of the sites whose feeds are followed: each site asked once a week at most, politely.

That a site has none is remembered as long. Asks no site whose host is left alone, and none that
only dead feeds name. Never called while a page is made.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from newsloom.feeds.site_icons import home_of, icon_addresses, site_key
from newsloom.feeds.values.pages import FollowedSite, SiteIcon
from newsloom.kernel.errors import NotNow
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.text.pictures import picture_type
from newsloom.kernel.text.urls import shared_host
from newsloom.store import Store

EVERY = timedelta(days=7)  # P25

# What could not be asked is due again after this.
LATER = timedelta(hours=1)

# The largest that is kept: an icon of 256 by 256 with transparency has 30 KB.
MOST_BYTES = 100_000
ACCEPT = "image/avif, image/webp, image/png, image/x-icon, image/*;q=0.8, */*;q=0.1"

OK, NOT_MODIFIED = 200, 304
_NONE = frozenset({404, 410})


@dataclass(frozen=True, slots=True)
class _Site:
    key: str
    home: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Icons:
    """A side task: asks `most` sites in one pass, few of one host, and waits so long for all."""

    store: Store
    now: Callable[[], datetime]
    most: int = 50
    per_host: int = 3
    patience: timedelta = timedelta(seconds=20)

    async def run(self, fetcher: Fetcher) -> int:
        """Ask the sites that are due; how many have a new icon."""
        due = await asyncio.to_thread(self._due)
        if not due:
            return 0
        now = self.now()
        # Written down before asking: a pass that is killed has asked all the same.
        await asyncio.to_thread(self.store.sites.put_icons, [replace(one, at=now) for one in due])
        came: list[SiteIcon] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(self.patience.total_seconds()), asyncio.TaskGroup() as group:
                for one in due:
                    group.create_task(self._ask(fetcher, one, came))
        await asyncio.to_thread(self.store.sites.put_icons, came)
        return sum(bool(one.body) for one in came)

    def _due(self) -> list[SiteIcon]:
        """What is to be asked, as what is known of it: the sites never asked first."""
        now = self.now()
        asked = self.store.sites.icons_by_site()
        sites = _sites(self.store.sites.followed_sites(now), asked, now)
        hosts = {one.key: shared_host(one.home) for one in sites}
        paused = self.store.sites.paused_hosts(set(hosts.values()), now) if hosts else frozenset()
        taken: Counter[str] = Counter()
        due = []
        for one in sites:
            host = hosts[one.key]
            if host in paused or taken[host] >= self.per_host:
                continue
            taken[host] += 1
            due.append(_known(one, asked.get(one.key), now))
            if len(due) >= self.most:
                break
        return due

    async def _ask(self, fetcher: Fetcher, icon: SiteIcon, came: list[SiteIcon]) -> None:
        request = Request(
            url=icon.url,
            etag=icon.etag if icon.type else "",
            last_modified=icon.last_modified if icon.type else "",
            validated_url=icon.validated_url,
            accept=ACCEPT,
            max_megabytes=MOST_BYTES / 1_000_000,
        )
        try:
            reply = await fetcher.get(request)
        except NotNow:  # nothing was asked
            came.append(replace(icon, at=self.now() - EVERY + LATER))
        else:
            came.append(_read(icon, reply, self.now()))


def _sites(
    feeds: Sequence[FollowedSite], asked: Mapping[str, SiteIcon], now: datetime
) -> list[_Site]:
    """The sites to ask now, each once, those never asked first."""
    homes: dict[str, str] = {}
    images: dict[str, list[str]] = {}
    for feed in feeds:
        home = home_of(feed.url, feed.site_url)
        key = site_key(home)
        known = asked.get(key)
        if key and (known is None or now - known.at >= EVERY):
            homes.setdefault(key, home)
            images.setdefault(key, []).append(feed.image)
    found = [_Site(key, home, icon_addresses(home, images[key])) for key, home in homes.items()]
    return sorted((one for one in found if one.addresses), key=lambda one: one.key in asked)


def _known(site: _Site, known: SiteIcon | None, now: datetime) -> SiteIcon:
    """What is known of a site, and the address to ask: another than the last if that had none."""
    if known is None:
        return SiteIcon(site.key, site.addresses[0], now, tries=0)
    if known.url in site.addresses and known.type:
        return known
    url = site.addresses[known.tries % len(site.addresses)]
    return replace(known, url=url, etag="", last_modified="", validated_url="")


def _read(icon: SiteIcon, reply: Reply, now: datetime) -> SiteIcon:
    """What an answer says of a site's icon. What was there stays unless the site takes it away."""
    if reply.failure is None and reply.status == NOT_MODIFIED and icon.type:
        return replace(
            icon,
            at=now,
            tries=0,
            problem="",
            etag=reply.header("etag") or icon.etag,
            last_modified=reply.header("last-modified") or icon.last_modified,
        )
    kind = picture_type(reply.body) if reply.status == OK and reply.failure is None else ""
    if kind and len(reply.body) <= MOST_BYTES:
        return SiteIcon(
            site=icon.site,
            url=icon.url,
            at=now,
            etag=reply.header("etag"),
            last_modified=reply.header("last-modified"),
            validated_url=reply.url,
            type=kind,
            tag=hashlib.blake2b(reply.body, digest_size=8).hexdigest(),
            body=reply.body,
            tries=0,
        )
    gone = reply.failure is None and reply.status in _NONE | {OK}
    kept = SiteIcon(icon.site, icon.url, now) if gone else icon
    return replace(kept, at=now, tries=icon.tries + 1, problem=_problem(reply))


def _problem(reply: Reply) -> str:
    if reply.failure is not None:
        return reply.problem or reply.failure.value
    return "not a supported picture" if reply.status == OK else f"status {reply.status}"
