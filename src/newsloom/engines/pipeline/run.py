"""A whole pass, and passes for ever: what `newsloom run` and the scheduler of `serve` do."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from newsloom.engines.pipeline.stages import BACKGROUND, STAGES, Stage, StageContext, run_stages
from newsloom.feeds.service.poll import Poller
from newsloom.feeds.values.polling import PassReport, PollCounts, StageReport
from newsloom.kernel.errors import NewsloomError
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.ids import FeedId
from newsloom.llm.values import AskReport

if TYPE_CHECKING:
    from newsloom.llm.service.runner import LlmRunner

log = logging.getLogger(__name__)

# The scheduler looks again at least this often, so that feeds added by another process, and a clock
# that was set, are noticed.
LONGEST_SLEEP = timedelta(minutes=1)
SHORTEST_SLEEP = timedelta(seconds=1)

# How long `stop` waits for a training under way: a head is done by then.
GRACE = timedelta(seconds=5)

# Between two looks for articles that the language model has not seen.
BETWEEN_ROUNDS = timedelta(seconds=30)

# Between two looks for whole-history jobs: who begins one wants to see it move.
BETWEEN_JOBS = timedelta(seconds=5)

ASKING = "language model"  # what its steps are called beside the stages'

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ProgressListener:
    """Who hears of progress; both are called from worker threads."""

    on_poll: Callable[[PollCounts], None] = lambda _counts: None
    on_step: Callable[[str, int], None] = lambda _stage, _done: None


@dataclass(frozen=True, slots=True)
class SideTask:
    """What is asked of the network besides feeds, after the polls of each pass, in one process at a
    time. It bounds itself: the stages wait for it. Says how much it did; what it raises ends only
    itself."""

    name: str
    run: Callable[[Fetcher], Awaitable[int]]


@asynccontextmanager
async def _always(_name: str) -> AsyncIterator[bool]:
    yield True


@dataclass(slots=True)
class Runner:
    """Runs passes. One per process; `running` and `last` are for the page to show."""

    fetching: Callable[[], AbstractAsyncContextManager[Fetcher]]
    poller: Callable[[Fetcher, Callable[[PollCounts], None]], Poller]
    context: StageContext
    next_due: Callable[[], datetime | None]
    clock: Callable[[], float]  # monotonic seconds
    # The daily training, if it is due: whether any reader's model changed. It may take an hour.
    train_due: Callable[[], bool] = lambda: False
    # The language model, while in use; None when the settings name none.
    questions: Callable[[], AbstractAsyncContextManager[LlmRunner]] | None = None
    stages: tuple[Stage, ...] = STAGES
    background: tuple[Stage, ...] = BACKGROUND
    # Asked between two batches besides `stop`, which is for good: whether a pass ends early.
    over: Callable[[], bool] = lambda: False
    side_tasks: tuple[SideTask, ...] = ()
    # Works on whole-history jobs until nothing runs, or the event is set: units done.
    jobs: Callable[[threading.Event], int] = lambda _over: 0
    # Whether no other process does a piece of work now; none begins it meanwhile.
    alone: Callable[[str], AbstractAsyncContextManager[bool]] = _always
    background_seconds: float = 0.0  # of a pass that is not followed by another
    grace: timedelta = GRACE
    running: bool = False
    last: PassReport | None = None
    _nudged: asyncio.Event = field(default_factory=asyncio.Event)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _changes: int = 0  # so many nudges
    _followed: int = 0  # the last of them that the order follows
    _ended: asyncio.Event = field(default_factory=asyncio.Event)
    _ranking: threading.Lock = field(default_factory=threading.Lock)
    _over: threading.Event = field(default_factory=threading.Event)
    _stopping: bool = False
    _loop: asyncio.AbstractEventLoop | None = None

    async def once(
        self,
        feeds: Sequence[FeedId] | None = None,
        listener: ProgressListener = ProgressListener(),
        *,
        patient: bool = True,
    ) -> PassReport:
        """Poll what is due (or the feeds named), then run the stages until nothing is left.

        Not `patient`, it leaves what a host has too many of for the next pass.
        """
        began = self.clock()
        self.running = True
        self._loop = asyncio.get_running_loop()
        try:
            async with self.fetching() as fetcher:
                poller = self.poller(fetcher, listener.on_poll)
                polls = await poller.due(feeds, patient=patient, stop=self._ended)
                # Who asks for one feed by hand waits for that feed, not for icons.
                done = await self._run_side_tasks(fetcher, listener) if feeds is None else ()
            reports = (*done, *await asyncio.to_thread(self.rank, listener))
            if patient and feeds is None:
                reports += await asyncio.to_thread(self.catch_up, listener)
        finally:
            self.running = False
        self.last = PassReport(polls, reports, self.clock() - began)
        return self.last

    async def _run_side_tasks(
        self, fetcher: Fetcher, listener: ProgressListener
    ) -> tuple[StageReport, ...]:
        """All, unless another process is at it."""
        if not self.side_tasks:
            return ()
        try:
            async with self.alone("side_tasks") as alone:
                side_tasks = self.side_tasks if alone else ()
                return tuple(
                    [await self._run_side_task(one, fetcher, listener) for one in side_tasks]
                )
        except NewsloomError as error:  # the store is busy or full
            log.warning("icons, full texts and hubs are for the next pass: %s", error)
            return ()

    async def _run_side_task(
        self, side_task: SideTask, fetcher: Fetcher, listener: ProgressListener
    ) -> StageReport:
        began = self.clock()
        done, problem = 0, ""
        try:
            done = await side_task.run(fetcher)
        except NewsloomError as error:
            problem = str(error)
            log.warning("%s: %s", side_task.name, error)
        except Exception as error:  # our own fault, whatever it is; the articles are there
            problem = f"Newsloom failed ({type(error).__name__})"
            log.exception("%s failed", side_task.name)
        listener.on_step(side_task.name, done)
        return StageReport(side_task.name, done, self.clock() - began, problem)

    def rank(self, listener: ProgressListener = ProgressListener()) -> tuple[StageReport, ...]:
        """Run the stages alone until nothing is left; one thread of this process at a time."""
        with self._ranking:
            changes = self._changes
            reports = run_stages(
                self.context,
                clock=self.clock,
                stages=self.stages,
                on_step=listener.on_step,
                stop=lambda: self._stopping or self.over(),
            )
            self._followed = changes
            return reports

    def catch_up(
        self, listener: ProgressListener = ProgressListener(), *, limited: bool = True
    ) -> tuple[StageReport, ...]:
        """What nothing waits for, such as vectors of an encoder chosen anew; `limited` to the
        seconds that the settings give one pass. Then rank, if another encoder answers now."""
        ends = self.clock() + self.background_seconds if limited else float("inf")
        before = self.context.for_pass().embedder.model_id
        reports = run_stages(
            self.context,
            clock=self.clock,
            stages=self.background,
            on_step=listener.on_step,
            stop=lambda: self._stopping or self.over() or self.clock() >= ends,
        )
        if self.context.for_pass().embedder.model_id != before:
            return reports + self.rank(listener)
        return tuple(one for one in reports if one.done or one.problem)

    @property
    def behind(self) -> bool:
        """Whether something changed that the order does not follow yet."""
        return self._followed != self._changes

    async def forever(self, listener: ProgressListener = ProgressListener()) -> None:
        """Pass after pass, and the daily training beside them, until `stop`."""
        self._loop = asyncio.get_running_loop()
        beside = {
            asyncio.create_task(self._follow()),
            asyncio.create_task(self._train_daily()),
            asyncio.create_task(self._ask_on()),
            asyncio.create_task(self._catch_up_on()),
            asyncio.create_task(self._work_on_jobs()),
        }
        try:
            while not self._stopping:
                self._nudged.clear()
                try:
                    await self.once(listener=listener, patient=False)
                except NewsloomError as error:
                    # The store is busy or full: nothing is lost, the next pass tries again.
                    log.warning("this pass ended early: %s", error)
                except Exception:  # our own fault, whatever it is; the next pass is not
                    log.exception("this pass failed")
                await self._sleep()
        finally:
            await asyncio.wait(beside, timeout=self.grace.total_seconds())
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)

    async def ask_for(
        self, span: timedelta, listener: ProgressListener = ProgressListener()
    ) -> AskReport:
        """Ask the language model for so long at most, then rank by what it said."""
        total = AskReport()
        if self.questions is None:
            return total
        ends = self.clock() + span.total_seconds()
        async with self.questions() as questions:
            while not self._stopping and self.clock() < ends:
                report = await questions.round(stop=lambda: self._stopping or self.clock() >= ends)
                total += report
                listener.on_step(ASKING, report.stored)
                if not report.more:
                    break
        if total.stored:
            await asyncio.to_thread(self.rank, listener)
        return total

    async def _ask_on(self) -> None:
        """Round after round beside the passes; whatever goes wrong there ends here."""
        if self.questions is None:
            return
        async with self.questions() as questions:
            while not self._stopping:
                more = False
                try:
                    report = await questions.round(stop=lambda: self._stopping)
                    more = report.more
                    if report.stored:
                        self.nudge()
                except NewsloomError as error:
                    log.warning("the language model is asked later: %s", error)
                except Exception:  # our own fault, whatever it is; the passes go on
                    log.exception("asking the language model failed")
                if not more:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._ended.wait(), BETWEEN_ROUNDS.total_seconds())

    async def _catch_up_on(self) -> None:
        """What takes hours, beside the passes."""
        while not self._stopping:
            try:
                reports = await run_in_daemon_thread(lambda: self.catch_up(limited=False))
                for one in reports:
                    if one.problem:
                        log.warning("%s: %s", one.stage, one.problem)
            except NewsloomError as error:
                log.warning("new vectors wait: %s", error)
            except Exception:  # our own fault, whatever it is; the passes go on
                log.exception("making new vectors failed")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), BETWEEN_ROUNDS.total_seconds())

    async def _work_on_jobs(self) -> None:
        """Whole-history jobs, beside the passes and at their own pace."""
        while not self._stopping:
            try:
                if await run_in_daemon_thread(lambda: self.jobs(self._over)):
                    self.nudge()
            except NewsloomError as error:
                log.warning("jobs wait: %s", error)
            except Exception:  # our own fault, whatever it is; the passes go on
                log.exception("a job failed")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), BETWEEN_JOBS.total_seconds())

    async def _follow(self) -> None:
        """Rank as soon as something changes, beside the polls: a reader who likes an article sees
        its feed move within a second or two, and not when some server has answered at last."""
        while not self._stopping:
            await self._changed.wait()
            self._changed.clear()
            try:
                await run_in_daemon_thread(self.rank)
            except NewsloomError as error:
                log.warning("the order follows with the next pass: %s", error)
            except Exception:  # our own fault, whatever it is; the passes go on
                log.exception("ranking after a change failed")

    async def _train_daily(self) -> None:
        while not self._stopping:
            try:
                if await run_in_daemon_thread(self.train_due):
                    self.nudge()
            except NewsloomError as error:
                log.warning("the daily training waits: %s", error)
            except Exception:  # the model in force goes on ranking
                log.exception("the daily training failed")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), LONGEST_SLEEP.total_seconds())

    async def _sleep(self) -> None:
        try:
            due = await asyncio.to_thread(self.next_due)
        except NewsloomError as error:
            log.warning("asking when a feed is due failed: %s", error)
            due = None
        wait = LONGEST_SLEEP if due is None else due - self.context.now()
        seconds = min(max(wait, SHORTEST_SLEEP), LONGEST_SLEEP).total_seconds()
        try:
            await asyncio.wait_for(self._nudged.wait(), seconds)
        except TimeoutError:
            return

    def nudge(self) -> None:
        """Something changed that a pass should see soon. Callable from any thread."""
        self._changes += 1
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._nudged.set)
            self._loop.call_soon_threadsafe(self._changed.set)

    def stop(self) -> None:
        """End `forever` after the batch under way. A training that takes longer is given up."""
        self._stopping = True
        self._over.set()
        self.nudge()
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ended.set)


async def run_in_daemon_thread(work: Callable[[], Result]) -> Result:
    """What `work` returns, from a thread that does not keep the process from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(put: Callable[..., None], value: object) -> None:
        with suppress(RuntimeError):  # the loop has ended, and nobody waits
            loop.call_soon_threadsafe(lambda: None if done.done() else put(value))

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - it is raised where it is awaited
            settle(done.set_exception, error)
        else:
            settle(done.set_result, result)

    threading.Thread(target=run, name="apart", daemon=True).start()
    return await done
