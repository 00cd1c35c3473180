"""Where hits lead: as their addresses say, or as their service says when it is asked. A hit whose
publisher's address cannot be had stays the service's link; nobody is blamed for that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from newsloom.pipeline.resolving import Resolver
from newsloom.ports import Fetcher
from newsloom.store import Store
from newsloom.text.redirects import forwards, is_sealed, target
from newsloom.text.urls import is_http, publisher, shared_host, source
from newsloom.types import Candidate, CandidateState

MOST = 200  # hits in one pass

SEALED = "only a browser finds out where its link leads"
UNKNOWN = "where its link leads could not be found out"


@dataclass(frozen=True, slots=True)
class Resolving:
    """The fifth step."""

    store: Store
    now: Callable[[], datetime]
    per_host: int  # links asked of one host in one pass

    async def run(self, fetcher: Fetcher) -> int:
        """How many hits are known by their publishers' addresses now."""
        waiting = await asyncio.to_thread(
            self.store.coverage.candidates_in, CandidateState.RANKED, MOST
        )
        if not waiting:
            return 0
        services = {one.hit.provider for one in waiting}

        def leads_on(url: str) -> bool:
            return forwards(url) or shared_host(url) in services

        known = {one.id: target(one.hit.link) for one in waiting}
        asked = {url for url in known.values() if leads_on(url) and not is_sealed(url)}
        resolver = Resolver(self.store, fetcher, self.now, self.per_host, forwards=leads_on)
        led = await resolver.targets(sorted(asked)) if asked else {}
        done = 0
        for one in waiting:
            url = known[one.id]
            if is_sealed(url):
                url, problem = "", SEALED
            else:
                url = target(led.get(url, "")) if url in asked else url
                problem = "" if url else UNKNOWN
            done += await asyncio.to_thread(self._put, one, url, problem)
        return done

    def _put(self, candidate: Candidate, url: str, problem: str) -> bool:
        usable = url if is_http(url) else ""
        domain = publisher(usable) or source(usable)
        put = self.store.coverage.put_resolved(candidate.id, usable, domain, problem, self.now())
        return put and bool(usable)
