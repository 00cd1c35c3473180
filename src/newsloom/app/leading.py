"""Several `serve`s on one store: one of them leads, and does what is done once for all.

It runs the scheduler, bridges, digests and briefs. The others serve pages, and ask it for a pass
when something changed. Each writes every few seconds that it is there; where none leads, the next
that writes does. So a leader that was killed is followed by another within LOST and BEAT. That two
lead for a moment, after one hung, costs nothing: all work is claimed in the store besides.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from newsloom import __version__
from newsloom.kernel.errors import NewsloomError, StoreBusy, StoreFull
from newsloom.serving.values import Presence

if TYPE_CHECKING:
    from newsloom.app.reader import Activity
    from newsloom.engines.pipeline import Runner
    from newsloom.store import Store

log = logging.getLogger(__name__)

# Seconds between two signs of life; and between two looks of the leader whether it is asked for a
# pass, and of the others whether that is done.
BEAT, LOOK = 10.0, 1.0


@dataclass(slots=True)
class Term:
    """What is done while this process leads."""

    runner: Runner
    ended: asyncio.Event
    tasks: Sequence[asyncio.Task[None]]


@dataclass(slots=True)
class Leading:
    """This process among those that serve the pages of one store."""

    store: Store
    now: Callable[[], datetime]
    begin: Callable[[asyncio.Event], Term]  # starts what is done once for all, until it is set
    end: Callable[[Term], object]  # awaited
    may_lead: bool = True
    sample: bool = False
    presence: Presence = field(default_factory=lambda: Presence(leads=False))
    term: Term | None = None
    _nudged: threading.Event = field(default_factory=threading.Event)
    _behind: bool = False
    _wakeups: int = 0  # nudges of others that were heard
    _done: int = 0  # those of them that the order follows

    def nudge(self) -> None:
        """Something changed that a pass should see soon. Callable from any thread."""
        term = self.term
        if term is not None:
            term.runner.nudge()
        else:
            self._behind = True
            self._nudged.set()

    def together(self) -> int:
        """So many processes serve these pages."""
        return self.presence.together

    def leads(self) -> bool:
        return self.term is not None

    def activity(self) -> Activity:
        from newsloom.app.reader import Activity

        term = self.term
        if term is None:
            return Activity(sample=self.sample, behind=self._behind)
        runner = term.runner
        return Activity(runner.running, runner.last, self.sample, runner.behind)

    async def run(self, stopping: asyncio.Event) -> None:
        """Until `stopping`. Raises StoreError when a newer Newsloom changed what this one needs."""
        beat_at = 0.0
        loop = asyncio.get_running_loop()
        try:
            while not stopping.is_set():
                try:
                    if loop.time() >= beat_at:
                        await self.beat()
                        beat_at = loop.time() + BEAT
                    await asyncio.to_thread(self._look)
                except (StoreBusy, StoreFull) as error:
                    log.info("the other processes are looked after later: %s", error)
                with suppress(TimeoutError):
                    await asyncio.wait_for(stopping.wait(), LOOK)
        finally:
            await self._end()
            with suppress(NewsloomError):
                await asyncio.to_thread(self.store.serving.leave)

    async def beat(self) -> None:
        """Say that this process serves still; lead if nobody does, and end if another does."""
        await asyncio.to_thread(self.store.check_schema)
        self.presence = await asyncio.to_thread(
            lambda: self.store.serving.beat(__version__, self.now(), may_lead=self.may_lead)
        )
        if self.presence.leads and self.term is None:
            self._behind, self._wakeups = False, self.presence.nudges
            self.term = self.begin(asyncio.Event())
        elif not self.presence.leads:
            await self._end()

    async def _end(self) -> None:
        term, self.term = self.term, None
        if term is not None:
            ended = self.end(term)
            if asyncio.iscoroutine(ended):
                await ended

    def _look(self) -> None:
        """Pass on nudges: the leader does what others asked for, and tells when that is done."""
        term = self.term
        if term is None:
            if self._nudged.is_set():
                self._nudged.clear()
                try:
                    self.store.serving.nudge_leader()
                except NewsloomError:
                    self._nudged.set()
                    raise
            if self._behind:
                leader = next(
                    (one for one in self.store.serving.serves(self.now()) if one.leads), None
                )
                self._behind = leader is not None and leader.followed < leader.nudges
            return
        mine = next((one for one in self.store.serving.serves(self.now()) if one.leads), None)
        if mine is None:
            return
        if mine.nudges != self._wakeups:
            self._wakeups = mine.nudges
            term.runner.nudge()
        elif mine.followed != self._wakeups and not term.runner.behind:
            self.store.serving.followed(self._wakeups)
