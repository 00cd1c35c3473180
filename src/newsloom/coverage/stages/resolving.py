"""Where hits lead: as their addresses say, as their service redirects, or as the page there names
it. A hit whose publisher's address cannot be had stays the service's link; nobody is blamed for it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from newsloom.coverage.values import CandidateState, CoverageHit
from newsloom.feeds.service.page_reading import ACCEPT, MOST_MEGABYTES, OK, Extract
from newsloom.feeds.service.resolving import Resolver
from newsloom.feeds.service.robots import Robots
from newsloom.kernel.errors import NotNow
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Request
from newsloom.kernel.text.redirects import forwards, is_sealed, target
from newsloom.kernel.text.urls import canonical, is_article, is_http, shared_host, source
from newsloom.kernel.workers.pool import WorkerDied
from newsloom.store import Store

MOST = 200  # hits in one pass
# Pages of a service that are looked into in one pass.
MOST_PAGES = 10

SEALED = "only a browser can resolve its link"
UNKNOWN = "its link could not be resolved"


@dataclass(frozen=True, slots=True)
class Resolving:
    """The fifth step."""

    store: Store
    now: Callable[[], datetime]
    extract: Extract
    per_host: int  # links asked of one host in one pass

    async def run(self, fetcher: Fetcher) -> int:
        """How many hits are known by their publishers' addresses now."""
        waiting = await asyncio.to_thread(
            self.store.coverage.candidates_in, CandidateState.RANKED, MOST
        )
        if not waiting:
            return 0
        visit = _Visit(self, fetcher, {one.hit.provider for one in waiting})
        await visit.ask(waiting)
        done = 0
        for one in waiting:
            url, problem = await visit.leads(one)
            done += await asyncio.to_thread(self._put, one, url, problem)
        return done

    def _put(self, candidate: CoverageHit, url: str, problem: str) -> bool:
        put = self.store.coverage.put_resolved(candidate.id, url, source(url), problem, self.now())
        return put and bool(url)


@dataclass(slots=True)
class _Visit:
    """One pass."""

    step: Resolving
    fetcher: Fetcher
    services: set[str]  # hosts of the search services
    led: dict[str, str] = field(default_factory=dict)
    _pages: Counter[str] = field(default_factory=Counter)

    async def ask(self, waiting: Sequence[CoverageHit]) -> None:
        """Follow the links that only redirect, as those of feeds are followed."""
        wanted = {target(one.hit.link) for one in waiting}
        requests = sorted(url for url in wanted if self._leads_on(url) and not is_sealed(url))
        resolver = Resolver(
            self.step.store, self.fetcher, self.step.now, self.step.per_host, self._leads_on
        )
        self.led = dict(await resolver.targets(requests)) if requests else {}

    async def leads(self, candidate: CoverageHit) -> tuple[str, str]:
        """The publisher's address, or why it is not known."""
        url = target(candidate.hit.link)
        if is_sealed(url):
            return "", SEALED
        if self._leads_on(url):
            url = target(self.led.get(url, "")) or await self._named(url)
        known = is_http(url) and not self._leads_on(url)
        return (url, "") if known else ("", UNKNOWN)

    async def _named(self, url: str) -> str:
        """The address that a service's own page gives as the page's."""
        host = shared_host(url)
        if host not in self.services or self._pages[host] >= MOST_PAGES:
            return ""
        self._pages[host] += 1
        try:
            rules = await Robots(self.step.store, self.fetcher, self.step.now).rules(url)
            if not rules.allow(url):
                return ""
            reply = await self.fetcher.get(
                Request(url=url, accept=ACCEPT, max_megabytes=MOST_MEGABYTES)
            )
            if reply.status != OK:
                return ""
            said = (await self.step.extract(reply, "")).canonical
        except (NotNow, WorkerDied):
            return ""
        return said if is_article(canonical(said)) else ""

    def _leads_on(self, url: str) -> bool:
        return forwards(url) or shared_host(url) in self.services
