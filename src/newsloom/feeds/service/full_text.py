"""Full texts: fetches the page of an article, once and politely, if its feed has full texts turned
on or digests want it.

A site is asked for its robots.txt before, no host for many pages in one pass, and none that is left
alone. What cannot be had is tried twice more on later days. Whether a text is shown is the store's.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urldefrag

from newsloom.feeds.page_gates import WALLS
from newsloom.feeds.service.page_reading import Extract, PageVisits, read_reply, refused
from newsloom.feeds.service.robots import Robots, Rules
from newsloom.feeds.values.pages import FetchedPage, WantedPage
from newsloom.kernel.errors import UserError
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply
from newsloom.kernel.text.html import visible
from newsloom.kernel.text.response_headers import retry_after
from newsloom.kernel.text.urls import canonical, is_article, is_http, shared_host
from newsloom.store import Store

log = logging.getLogger(__name__)

# Older articles have been read or left: turning a switch is not to fetch an archive.
NOT_OLDER = timedelta(days=7)

# After the first failure, and after the second.
AGAIN_AFTER = (timedelta(days=1), timedelta(days=2))

# Pages looked through in one pass, and how long new ones are begun: the stages wait for it.
MOST_WANTED = 500
PATIENCE = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class FullTexts:
    """A side task."""

    store: Store
    now: Callable[[], datetime]
    extract: Extract
    per_host: int
    queue: Callable[[], None] | None = None  # queues pages for digests; None: those are not fetched
    patience: timedelta = PATIENCE
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run(self, fetcher: Fetcher) -> int:
        """Fetch what is wanted now; how many articles have a longer text than before."""
        if not self.per_host:
            return 0
        return await self._visit(fetcher, await asyncio.to_thread(self._wanted))

    async def one(self, fetcher: Fetcher, wanted: WantedPage) -> FetchedPage:
        """The page of an article, fetched now unless an answer is stored. After a failure the site
        gets the next request no earlier than from `run`. Raises UserError without an answer."""
        known = await asyncio.to_thread(self.store.sites.page, wanted.article_id)
        if known is None or (known.next_at is not None and known.next_at <= self.now()):
            page = replace(wanted, tries=0 if known is None else known.tries)
            await self._visit(fetcher, await asyncio.to_thread(self._by_host, [page]))
            known = await asyncio.to_thread(self.store.sites.page, wanted.article_id)
        if known is None:
            raise UserError("The page cannot be fetched now. Try again later.")
        return known

    async def _visit(self, fetcher: Fetcher, hosts: list[list[WantedPage]]) -> int:
        if not hosts:
            return 0
        robots = Robots(self.store, fetcher, self.now)
        visits = PageVisits(fetcher, robots, self.now, self.patience, self.pause)
        return await visits.run(hosts, _Visit(self, visits).page)

    def _wanted(self) -> list[list[WantedPage]]:
        """The pages to fetch, host by host, the newest first."""
        if self.queue is not None:
            self.queue()
        now = self.now()
        return self._by_host(
            self.store.sites.wanted_pages(
                now, now - NOT_OLDER, MOST_WANTED, 5 * self.per_host, digests=self.queue is not None
            )
        )

    def _by_host(self, found: Sequence[WantedPage]) -> list[list[WantedPage]]:
        """Those that may be fetched now. Of one that is no article's, this is noted."""
        now = self.now()
        pages = [replace(one, url=urldefrag(one.url).url) for one in found]
        taken = set(self.store.sites.fetched_pages({one.url for one in pages if not one.tries}))
        hosts: dict[str, list[WantedPage]] = {}
        for page in pages:
            problem = _no_page(page, taken)
            taken.add(page.url)
            if problem:
                self.store.sites.put_page(_fetched(page, now, problem=problem))
            else:
                hosts.setdefault(shared_host(page.url), []).append(page)
        paused = self.store.sites.paused_hosts(hosts, now) if hosts else frozenset()
        return [some[: self.per_host] for host, some in hosts.items() if host not in paused]


@dataclass(frozen=True, slots=True)
class _Visit:
    """One pass over the hosts."""

    side_task: FullTexts
    visits: PageVisits

    async def page(self, page: WantedPage) -> bool:
        """Whether it gave a longer text."""
        rules = await self.visits.robots.rules(page.url)
        if not rules.allow(page.url):
            await self._put(_refused(page, rules, self.side_task.now()))
            return False
        await self.visits.wait(rules)
        # Written down before asking: a pass that is killed has asked all the same.
        tried = _fetched(page, self.side_task.now(), problem="the download was incomplete")
        await self._put(_again(tried, timedelta(0)))
        reply = await self.visits.ask(page.url, rules)
        longer = await self._put(await self._read(tried, page, reply))
        self.visits.go_on(reply, rules)
        return longer

    async def _read(self, tried: FetchedPage, page: WantedPage, reply: Reply) -> FetchedPage:
        tried = replace(tried, at=self.side_task.now(), next_at=None)
        if (
            reply.status
            and reply.url != page.url
            and not (await self.visits.robots.rules(reply.url)).allow(reply.url)
        ):
            return replace(tried, problem="robots.txt forbids the page")
        verdict = await read_reply(self.side_task.extract, reply, page.url, page.title, rules=WALLS)
        if verdict.passes:
            wait = retry_after(reply.headers, reply.received) or timedelta(0)
            return _again(replace(tried, problem=verdict.words), wait)
        html = verdict.html
        return replace(tried, html=html, length=len(visible(html)), problem=verdict.words)

    async def _put(self, page: FetchedPage) -> bool:
        return await asyncio.to_thread(self.side_task.store.sites.put_page, page)


def _no_page(page: WantedPage, taken: set[str]) -> str:
    """Why an address is no page of its article alone; "" when it may be."""
    if not is_http(page.url) or not is_article(canonical(page.url)):
        return "its link has no page of its own"
    if page.url in taken and not page.tries:
        return "another article has the same page"
    return ""


def _fetched(page: WantedPage, at: datetime, *, problem: str) -> FetchedPage:
    return FetchedPage(page.article_id, page.url, at, page.tries + 1, problem=problem)


def _refused(page: WantedPage, rules: Rules, at: datetime) -> FetchedPage:
    """Not asked for: for good when the site says so, a day later when it could not say."""
    verdict = refused(rules)
    found = _fetched(page, at, problem=verdict.words)
    return _again(found, timedelta(0)) if verdict.passes else found


def _again(page: FetchedPage, at_least: timedelta) -> FetchedPage:
    """Tried again on a later day, unless it was tried often enough."""
    if page.tries > len(AGAIN_AFTER):
        return replace(page, next_at=None)
    return replace(page, next_at=page.at + max(AGAIN_AFTER[page.tries - 1], at_least))
