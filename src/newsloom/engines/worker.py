"""One worker: pass after pass of polls and stages, beside any others on the same store."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsloom.engines.port import Job, ProgressListener, Tally
from newsloom.kernel.errors import StoreError, UserError
from newsloom.kernel.settings import Settings

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.engines.pipeline import ProgressListener as StageListener
    from newsloom.engines.pipeline import Runner, Stage
    from newsloom.feeds.values.polling import PassReport

# Seconds between two looks for work: while others still hold batches that they may leave behind,
# and with `watch` while there is none.
BETWEEN_LOOKS = 1.0
WATCHING = 5.0

POLLS = "polls"  # what they are called beside the stages


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass over the stages came to."""

    done: Mapping[str, int]  # articles by stage
    problems: Mapping[str, str]  # what stopped a stage
    others: int  # batches that other processes hold

    @property
    def busy(self) -> bool:
        return any(self.done.values())


class Worker:
    """The polls and stages of a job in this process. Models are loaded once, when a stage first
    uses them."""

    def __init__(self, app: App, job: Job, over: Callable[[], bool]) -> None:
        from newsloom.engines.pipeline import BACKGROUND, STAGES

        self._app = app
        there = [one.name for one in (*STAGES, *BACKGROUND)]
        for name in job.stages:
            if name not in there:
                raise UserError(f"There is no stage {name!r}. Use one of {', '.join(there)}.")
        self._stages = frozenset(job.stages or there)
        self._runner: Runner = app.runner(_chosen(STAGES, self._stages))
        self._runner.background = _chosen(BACKGROUND, self._stages)
        self._runner.over = over
        self._over = over
        self._loop = asyncio.Runner() if job.poll else None

    def close(self) -> None:
        if self._loop is not None:
            self._loop.close()

    def once(self, progress: ProgressListener) -> Pass:
        """One pass; `over` ends it after the batch under way."""
        from newsloom.engines.pipeline import ProgressListener as StageListener

        listener = StageListener(
            on_poll=lambda polls: progress.on_step(POLLS, polls.feeds), on_step=progress.on_step
        )
        polled = self._loop.run(self._poll(listener)) if self._loop else None
        reports = polled.stages if polled else self._runner.rank(listener)
        done = {one.stage: one.done for one in reports if one.stage in self._stages}
        if polled:
            done[POLLS] = polled.polls.feeds
        if self._runner.background and not any(done.values()):
            caught_up = self._runner.catch_up(listener)
            done |= {one.stage: one.done for one in caught_up}
            reports += caught_up
        return Pass(
            done,
            {one.stage: one.problem for one in reports if one.problem},
            self._app.store.work.work_elsewhere(self._app.now()),
        )

    async def _poll(self, listener: StageListener) -> PassReport:
        """Poll what is due, then run the stages; `over` ends both after what is under way."""
        under_way = asyncio.create_task(self._runner.once(listener=listener, patient=False))
        while not (await asyncio.wait({under_way}, timeout=BETWEEN_LOOKS))[0]:
            if self._over():
                self._runner.stop()
        return under_way.result()


def work(app: App, job: Job, over: threading.Event, progress: ProgressListener) -> Tally:
    """Pass after pass, until nothing is left or `over` is set. With `watch` it waits for a database
    that is away or busy."""
    tally = Tally(workers=1)
    with closing(Worker(app, job, over.is_set)) as worker:
        while True:
            try:
                done = worker.once(progress)
            except StoreError as error:
                if not job.watch:
                    raise
                progress.on_words(f"{error} Trying again in {WATCHING:g} s.")
                if over.wait(WATCHING):
                    return tally
                continue
            tally.done.update(done.done)
            tally.problems = dict(done.problems)
            if over.is_set():
                return tally
            if done.busy:
                continue  # a batch of one stage makes work for the next
            if not (job.watch or (done.others and not done.problems)):
                return tally
            over.wait(BETWEEN_LOOKS if done.others else WATCHING)


def _chosen(stages: tuple[Stage, ...], names: frozenset[str]) -> tuple[Stage, ...]:
    return tuple(one for one in stages if one.name in names)


class Local:
    """The engine that is this process itself: one worker, here."""

    def work(
        self, settings: Settings, job: Job, over: threading.Event, progress: ProgressListener
    ) -> Tally:
        from newsloom.app import open_app

        with closing(open_app(settings, waiting=progress.on_words)) as app:
            return work(app, job, over, progress)
