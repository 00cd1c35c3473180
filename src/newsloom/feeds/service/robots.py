"""What sites ask of robots (RFC 9309): robots.txt, asked for once a day at most, and remembered.

Rules for "newsloom" go before those for all. A site that says there are none allows everything; one
that cannot say allows nothing until it is asked again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from newsloom.feeds.values.pages import KnownRobots
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply, Request
from newsloom.store import Store

if TYPE_CHECKING:
    from protego import Protego

PRODUCT = "newsloom"
EVERY = timedelta(days=1)  # the longest that RFC 9309 lets anyone remember it

# RFC 9309 asks for at least 500 KiB to be read; what comes after is left out.
MOST_READ = 512_000
MOST_MEGABYTES = 2.0

OK = 200
TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class Rules:
    """What one site asks of us."""

    known: KnownRobots
    parsed: Protego | None = None  # None: all, or nothing, is allowed

    def allow(self, url: str) -> bool:
        if self.parsed is None:
            # 4xx, but for the one that means "later".
            return 400 <= self.known.status < 500 and self.known.status != TOO_MANY
        return bool(self.parsed.can_fetch(url, PRODUCT))

    @property
    def delay(self) -> float:
        """Seconds that it wants between two pages."""
        return 0.0 if self.parsed is None else float(self.parsed.crawl_delay(PRODUCT) or 0.0)


@dataclass(slots=True)
class Robots:
    """The rules of sites during one pass."""

    store: Store
    fetcher: Fetcher
    now: Callable[[], datetime]
    _rules: dict[str, Rules] = field(default_factory=dict)
    _gates: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def rules(self, url: str) -> Rules:
        """Those of a page's site."""
        site = site_of(url)
        async with self._gates.setdefault(site, asyncio.Lock()):
            if site not in self._rules:
                known = await asyncio.to_thread(self.store.sites.robots, site)
                if known is None or self.now() - known.at >= EVERY:
                    known = await self._fetched(site, known)
                self._rules[site] = await asyncio.to_thread(_read, known)
        return self._rules[site]

    async def _fetched(self, site: str, before: KnownRobots | None) -> KnownRobots:
        reply = await self.fetcher.get(
            Request(url=f"{site}/robots.txt", accept="text/plain", max_megabytes=MOST_MEGABYTES)
        )
        known = KnownRobots(
            site=site,
            at=self.now(),
            status=0 if reply.failure is not None else reply.status,
            body=_text(reply),
            page_at=None if before is None else before.page_at,
        )
        await asyncio.to_thread(self.store.sites.put_robots, known)
        return known

    async def record_page_request(self, url: str) -> None:
        """Remember when a page of its site was asked for, where the site wants pauses."""
        rules = await self.rules(url)
        known = replace(rules.known, page_at=self.now())
        self._rules[known.site] = replace(rules, known=known)
        await asyncio.to_thread(self.store.sites.put_robots, known)


def site_of(url: str) -> str:
    """What a robots.txt speaks for: scheme and authority."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def _text(reply: Reply) -> str:
    if reply.failure is not None or reply.status != OK:
        return ""
    text = reply.body[:MOST_READ].decode("utf-8-sig", "replace").replace("\0", "")
    return text if len(reply.body) <= MOST_READ else text.rpartition("\n")[0]


def _read(known: KnownRobots) -> Rules:
    if known.status != OK:
        return Rules(known)
    from protego import Protego  # its price is for those who ask for full texts

    return Rules(known, Protego.parse(known.body))
