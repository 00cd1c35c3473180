"""Sources are measured in a pass, once a day at most. Asks nothing of the network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.kernel.http.ports import Fetcher
from newsloom.store import Store

EVERY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class MeasuredSources:
    """A side task: measures all sources when the last time is a day ago."""

    store: Store
    now: Callable[[], datetime]

    async def run(self, _fetcher: Fetcher) -> int:
        """How many sources were measured."""
        return await asyncio.to_thread(self.measure_due)

    def measure_due(self) -> int:
        """Measure, if it is due; a clock that was set back lets nothing wait for ever."""
        now = self.now()
        last = self.store.sources.sources_measured_at()
        if last is not None and timedelta(0) <= now - last < EVERY:
            return 0
        return self.store.sources.measure_sources(now)
