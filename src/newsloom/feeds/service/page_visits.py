"""Asking hosts for pages, politely: all hosts at once, the pages of one host one after another.

What robots.txt says of pauses is kept, also since the last pass; a server that says that it is busy
is left alone for the rest of the pass. What the pages are wanted for is whoever's asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from newsloom.feeds.service.robots import Robots, Rules
from newsloom.kernel.errors import NotNow
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply, Request

ACCEPT = "text/html, application/xhtml+xml, */*;q=0.1"
MOST_MEGABYTES = 5.0

# Seconds between two pages that a site may ask for and that are waited for; who asks for more gets
# one page, and the next when so much time has passed.
LONGEST_WAIT = 10.0

OK = 200
_LEAVE_ALONE = frozenset({429, 503})

Page = TypeVar("Page")


class _Enough(Exception):
    """The host is left alone for the rest of this pass."""


@dataclass(slots=True)
class PageVisits:
    """One pass over some hosts."""

    fetcher: Fetcher
    robots: Robots
    now: Callable[[], datetime]
    patience: timedelta  # for so long new pages are begun
    pause: Callable[[float], Awaitable[None]]
    _clock: Callable[[], float] = field(default_factory=lambda: asyncio.get_running_loop().time)
    _ends: float = 0.0

    async def run(
        self, hosts: Sequence[Sequence[Page]], visit: Callable[[Page], Awaitable[int]]
    ) -> int:
        """Visit the pages, given host by host: the sum of what the visits came to."""
        self._ends = self._clock() + self.patience.total_seconds()
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._host(pages, visit)) for pages in hosts]
        return sum(task.result() for task in tasks)

    async def _host(self, pages: Sequence[Page], visit: Callable[[Page], Awaitable[int]]) -> int:
        done = 0
        try:
            for page in pages:
                if self._clock() >= self._ends:
                    break
                done += await visit(page)
        except (_Enough, NotNow):  # the rest is for another pass
            pass
        return done

    async def wait(self, rules: Rules) -> None:
        """Keep the pauses that a site asks for; ends the visit of its host where they are long."""
        last, left = rules.known.page_at, rules.delay
        if last is not None:
            left -= max((self.now() - last).total_seconds(), 0.0)
        if rules.delay <= LONGEST_WAIT:
            await self.pause(max(left, 0.0))
        elif last is not None and left > 0:
            raise _Enough

    async def ask(self, url: str, rules: Rules) -> Reply:
        """The page at an address that the rules allow."""
        if rules.delay:
            await self.robots.record_page_request(url)
        return await self.fetcher.get(Request(url=url, accept=ACCEPT, max_megabytes=MOST_MEGABYTES))

    def go_on(self, reply: Reply, rules: Rules) -> None:
        """After a page was kept: end the visit of a host that wants to be left alone."""
        if reply.status in _LEAVE_ALONE or rules.delay > LONGEST_WAIT:
            raise _Enough
