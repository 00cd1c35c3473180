"""A bridge kept in step by the clock, beside the scheduler of `serve`. Knows no other program."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from newsloom.bridges import plan
from newsloom.bridges.service.sync import Synchroniser, SyncReport
from newsloom.kernel.errors import NewsloomError

log = logging.getLogger(__name__)

# Looked at this often: a failure's pause is over by then, and a clock that was set is noticed.
LOOK = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Bridge:
    """One other program, and how often it is visited."""

    synchroniser: Synchroniser
    every: timedelta
    look: timedelta = LOOK

    async def run(
        self,
        ended: asyncio.Event,
        apart: Callable[[Callable[[], SyncReport]], Awaitable[SyncReport]],
        on_report: Callable[[SyncReport], None],
    ) -> None:
        """Synchronise when it is due, in a thread of `apart`, until `ended`. Never raises."""
        text, failures = "", 0
        while not ended.is_set():
            try:
                report = await apart(lambda: self.synchroniser.sync(every=self.every))
            except NewsloomError as error:
                log.warning("the bridge to %s waits: %s", self.synchroniser.remote.bridge, error)
            else:
                # The same trouble is told once, not every minute.
                if report.problem and report.problem != text:
                    log.warning("%s: %s", report.bridge, report.problem)
                text = report.problem
                failures = failures + 1 if report.problem else 0
                if report.accounts:
                    on_report(report)
            # A wrong password has no account here yet that could wait: the looking itself does.
            pause = plan.longer(self.look, failures)
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), pause.total_seconds())
