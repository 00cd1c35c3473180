"""Works on the jobs that run, one after the other, until nothing is left to do here."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from newsloom.engines.jobs.context import JobContext, Kind, Lost, Waits, Working
from newsloom.engines.jobs.kinds import KINDS
from newsloom.engines.jobs.store.store import LONGEST_WORDS
from newsloom.engines.jobs.values import HistoryJob, JobId, JobState
from newsloom.kernel.db.leases import renewing
from newsloom.kernel.errors import ModelError, NewsloomError, UserError
from newsloom.work.service import LEASE, Leases

log = logging.getLogger(__name__)

# Between two counts of what there is in all: new articles come while a job runs.
RECOUNT = 600.0
# A rest is ended within this when the job is paused, throttled otherwise, or the process ends.
SHORT_REST = 1.0


@dataclass(slots=True)
class JobRunner:
    """One worker. `sleep` waits so many seconds, or until the process ends."""

    context: Callable[[], JobContext]
    clock: Callable[[], float]
    sleep: Callable[[float], object]
    stop: Callable[[], bool]
    pace: float  # of a job that has none of its own
    share: float
    on_step: Callable[[HistoryJob, int], None] = lambda _job, _done: None
    workers: int = 1  # that share the pace
    _counted: dict[JobId, float] = field(default_factory=dict)

    def run(self, kinds: tuple[Kind, ...] = KINDS) -> int:
        """All that run now, in the order of KINDS; how many units were done here."""
        context, done = self.context(), 0
        for kind in kinds:
            job = context.store.jobs.open_job(kind.name)
            if job is not None and job.state is JobState.RUNNING and not self.stop():
                done += self._work(context, kind, job)
        return done

    def _work(self, context: JobContext, kind: Kind, job: HistoryJob) -> int:
        done = 0
        try:
            with self._held(context, kind, job) as working:
                if working is not None:
                    done = self._steps(context, kind, working)
        except Lost:
            pass
        except (ModelError, Waits) as error:
            self._tell(context, job, str(error)[:LONGEST_WORDS])
        except UserError as error:
            context.store.jobs.set_job_state(job.id, JobState.PAUSED, context.now(), str(error))
        return done

    def _steps(self, context: JobContext, kind: Kind, working: Working) -> int:
        done = 0
        while not self.stop():
            job = context.store.jobs.job(working.job.id)
            if job is None or job.state is not JobState.RUNNING:
                break
            began = self.clock()
            units = kind.step(context, Working(job, working.leases, working.token))
            if not units:
                self._end(context, kind, job)
                break
            done += units
            self._count(context, kind, job.id)
            self._tell(context, job, "")
            self.on_step(job, units)
            self._rest(context, job, units, self.clock() - began)
        return done

    def _end(self, context: JobContext, kind: Kind, job: HistoryJob) -> None:
        if self.stop():
            return
        now = context.store.jobs.job(job.id) or job
        if now.state is JobState.RUNNING and (words := kind.end(context, now)):
            now = context.store.jobs.job(job.id) or now  # others may have done the last
            context.store.jobs.count_job(job.id, now.done + now.refused)
            context.store.jobs.set_job_state(job.id, JobState.DONE, context.now(), words)
            log.info("%s: %s", kind.name, words)

    def _count(self, context: JobContext, kind: Kind, number: JobId) -> None:
        """After a step: where none can be done, nothing needs counting again and again."""
        if self.clock() - self._counted.get(number, float("-inf")) < RECOUNT:
            return
        job = context.store.jobs.job(number)
        if job is not None:
            context.store.jobs.count_job(number, kind.total(context, job))
            self._counted[number] = self.clock()

    def _tell(self, context: JobContext, job: HistoryJob, words: str) -> None:
        """Written only where it is new: it is looked at every few seconds."""
        if job.words != words:
            context.store.jobs.tell_job(job.id, words)

    def _rest(self, context: JobContext, job: HistoryJob, units: int, seconds: float) -> None:
        """As long as the throttle says, which may change meanwhile."""
        began = self.clock()
        while not self.stop():
            pace = self.pace if job.pace is None else job.pace
            share = self.share if job.share is None else job.share
            whole = rest(units, seconds, pace=pace / self.workers, share=share)
            left = whole - (self.clock() - began)
            if left <= 0:
                return
            self.sleep(min(left, SHORT_REST))
            found = context.store.jobs.job(job.id)
            if found is None or found.state is not JobState.RUNNING:
                return
            job = found

    @contextmanager
    def _held(self, context: JobContext, kind: Kind, job: HistoryJob) -> Iterator[Working | None]:
        """The leases of stages, and of a serial kind the job itself; None: another has it."""
        leases = Leases(context.store, context.now, self.stop)
        try:
            if not kind.serial:
                yield Working(job, leases)
                return
            until = context.now() + LEASE
            token = context.store.jobs.claim_job(job.id, now=context.now(), until=until)
            if token is None:
                yield None
                return
            with _beating(context, token):
                yield Working(job, leases, token)
        finally:
            leases.close()


@contextmanager
def _beating(context: JobContext, token: str) -> Iterator[None]:
    """Holds a job while the block runs, and gives it back."""
    try:
        with renewing(
            lambda: context.store.jobs.renew_job(token, context.now() + LEASE), LEASE / 3, "a job"
        ):
            yield
    finally:
        try:
            context.store.jobs.release_job(token)
        except NewsloomError as error:  # it ends with this process, or in a minute
            log.warning("the lease of a job ends later: %s", error)


# Less of the time would be as good as paused.
LEAST_SHARE = 0.01


def rest(units: int, seconds: float, *, pace: float, share: float) -> float:
    """Seconds, so that no more than `pace` units a second are done (0: no limit) and no more than
    `share` of the time is worked."""
    share = min(max(share, LEAST_SHARE), 1.0)
    by_share = seconds * (1 - share) / share
    by_pace = units / pace - seconds if pace > 0 else 0.0
    return max(by_share, by_pace, 0.0)
