"""The engine of several worker processes on this machine."""

from __future__ import annotations

import os
import queue
import threading
import time
from dataclasses import dataclass, field, replace

from newsloom.engines.children import (
    PASSED,
    STEP,
    WORDS,
    Child,
    Ended,
    Said,
    Task,
)
from newsloom.engines.port import Job, ProgressListener, Tally
from newsloom.kernel.errors import UserError, WorkError
from newsloom.kernel.settings import Settings

# Seconds before a worker that died is started again: twice as many after each death without an
# article done between them.
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0

# Without `watch`: so many deaths in a row, with nothing done between them, end the work. An article
# that kills its workers is set aside by the store after the third.
MOST_DEATHS = 6


class Processes:
    """Workers that are processes, each with an even share of the processors."""

    def work(
        self, settings: Settings, job: Job, over: threading.Event, progress: ProgressListener
    ) -> Tally:
        crew = _WorkerPool(_shared(settings, job.workers), job, progress)
        try:
            return crew.work(over)
        finally:
            crew.close()


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _shared(settings: Settings, workers: int) -> Settings:
    """Threads of the encoder shared out among the workers, where no number is set."""
    if settings.models.threads:
        return settings
    threads = max(processors() // (workers or processors()), 1)
    return replace(settings, models=replace(settings.models, threads=threads))


@dataclass(slots=True)
class _WorkerPool:
    """The workers there are, and what they did."""

    settings: Settings
    job: Job
    progress: ProgressListener
    tally: Tally = field(default_factory=Tally)
    _said: queue.Queue[tuple[Child, Said]] = field(default_factory=queue.Queue)
    _running: set[Child] = field(default_factory=set)
    _due: list[float] = field(default_factory=list)  # when those that died are started again
    _deaths: int = 0  # in a row, with nothing done between them
    _ending: bool = False

    def work(self, over: threading.Event) -> Tally:
        number = self.job.workers or processors()
        self._due = [0.0] * number
        while self._running or self._due:
            if over.is_set() and not self._ending:
                self._ending = True
                self._due.clear()
                for one in self._running:
                    one.stop()
            now = time.monotonic()
            for _ in [one for one in self._due if one <= now]:
                self._running.add(Child(Task("worker", self.settings, self.job), self._said))
            self._due = [one for one in self._due if one > now]
            self._hear()
        self.tally.workers = number
        return self.tally

    def close(self) -> None:
        """None of them outlives this."""
        for one in self._running:
            one.kill()

    def _hear(self) -> None:
        """Whatever is said next, or nothing for a moment."""
        try:
            child, said = self._said.get(timeout=0.2)
        except queue.Empty:
            return
        if isinstance(said, Ended):
            self._running.discard(child)
            child.stop()
            if said.status and not self._ending:
                self._died(child, said.status)
        elif said["what"] == STEP:
            self._deaths = 0
            self.tally.done[said["stage"]] += said["done"]
            self.progress.on_step(said["stage"], said["done"])
        elif said["what"] == PASSED:
            self.tally.problems |= said["problems"]
        elif said["what"] == WORDS:
            self.progress.on_words(said["words"])

    def _died(self, child: Child, status: int) -> None:
        """Have another start in its place, unless there is no use."""
        self._deaths += 1
        failure = child.failure
        why = failure["words"] if failure else _words(status)
        if failure is not None and failure["asked"]:
            raise UserError(why)
        if not self.job.watch and self._deaths >= MOST_DEATHS:
            raise WorkError(f"{self._deaths} workers stopped in a row: {why}")
        pause = min(FIRST_PAUSE * 2 ** (self._deaths - 1), LONGEST_PAUSE)
        self.progress.on_words(f"A worker stopped: {why}. Restart in {pause:g} s.")
        self.tally.restarts += 1
        self._due.append(time.monotonic() + pause)


def _words(status: int) -> str:
    return f"killed by signal {-status}" if status < 0 else f"exit status {status}"
