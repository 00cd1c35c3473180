"""All steps of related coverage, in their order: a side task after the polls, and by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.coverage.stages.fetching import Fetching
from newsloom.coverage.stages.judging import Judging
from newsloom.coverage.stages.preparing import Choosing, Preparing
from newsloom.coverage.stages.ranking import Ranking
from newsloom.coverage.stages.resolving import Resolving
from newsloom.coverage.stages.searching import Searching
from newsloom.kernel.http.ports import Fetcher
from newsloom.store import Store

# For how long answers and vectors of hits are kept; what was found stays.
KEPT = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Discovery:
    """A side task. While no reader wants it, it reads one row of the database and nothing else."""

    store: Store
    now: Callable[[], datetime]
    choosing: Choosing
    preparing: Preparing
    searching: Searching
    ranking: Ranking
    resolving: Resolving
    fetching: Fetching
    judging: Judging

    async def run(self, fetcher: Fetcher) -> int:
        """How many pages were found that are articles."""
        if not await asyncio.to_thread(self.store.coverage.coverage_readers):
            return 0
        await asyncio.to_thread(self.choosing.run)
        return await self.go_on(fetcher)

    async def go_on(self, fetcher: Fetcher) -> int:
        """The same for what is chosen already."""
        await asyncio.to_thread(self.preparing.run)
        await self.searching.run(fetcher)
        await asyncio.to_thread(self.ranking.run)
        await self.resolving.run(fetcher)
        found = await self.fetching.run(fetcher)
        await asyncio.to_thread(self.judging.run)
        await asyncio.to_thread(self.store.coverage.forget_answers, self.now() - KEPT)
        return found
