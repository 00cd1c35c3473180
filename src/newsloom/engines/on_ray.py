"""The engine whose workers are actors on the machines of a Ray cluster.

A driver process has them (ray_driver.py). Where Ray is lost, with its head or with the network,
this process does the work itself until Ray answers again: everything that counts is in the store.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass, field

from newsloom.app import App, open_app
from newsloom.engines.children import PASSED, STATE, STEP, WORDS, Child, Ended, Said, Task
from newsloom.engines.port import Job, ProgressListener, Tally
from newsloom.engines.worker import BETWEEN_LOOKS, Worker
from newsloom.kernel.errors import NewsloomError, UserError
from newsloom.kernel.extras import require
from newsloom.kernel.settings import Settings

# Seconds that the driver may be silent, or have workers of which none answers, before this process
# helps. Workers answer every four seconds, and within the batch under way.
SILENCE = 25.0

# Seconds before it helps the first time: Ray and its workers take some to begin.
BEGINNING = 60.0

# Seconds that it helps before it looks at the driver again.
HELP = 4.0

# Seconds between two starts of a driver whose cluster was lost.
AGAIN = 5.0


# Seconds that a driver may take to end: its workers finish what is under way.
END = 45.0


class OnRay:
    """Workers on Ray, and this process where there are none."""

    def work(
        self, settings: Settings, job: Job, over: threading.Event, progress: ProgressListener
    ) -> Tally:
        require("ray", "work.engine = ray")
        driven = _Driven(settings, job, over, progress)
        try:
            return driven.work()
        finally:
            driven.close()


@dataclass(slots=True)
class _Driven:
    """A driver, and what is done without it."""

    settings: Settings
    job: Job
    over: threading.Event
    progress: ProgressListener
    tally: Tally = field(default_factory=Tally)
    _said: queue.Queue[tuple[Child, Said]] = field(default_factory=queue.Queue)
    _child: Child | None = None
    _known: bool = False  # whether a driver has ever reached Ray
    _last: float = 0.0  # when a worker was heard of, or there was nothing for them to do
    _due: float = 0.0  # when another driver is started
    _app: App | None = None
    _worker: Worker | None = None
    _helped_until: float = 0.0
    _rests: float = 0.0  # until when it does not help again
    _ends: float = 0.0  # when a driver that was told to end is killed

    def work(self) -> Tally:
        self._last = time.monotonic() + BEGINNING - SILENCE
        while True:
            if self._child is None and time.monotonic() >= self._due and not self.over.is_set():
                self._child = Child(Task("ray driver", self.settings, self.job), self._said)
            finished = self._hear()
            if finished or (self.over.is_set() and self._child is None):
                return self.tally
            if self.over.is_set():
                self._end()
            elif self._alone() and self._help() and not self.job.watch:
                return self.tally

    def close(self) -> None:
        if self._child is not None:
            self._child.kill()
        if self._app is not None:
            self._app.close()

    def _alone(self) -> bool:
        """Whether nobody on Ray is heard of, and this process has not just found nothing to do."""
        now = time.monotonic()
        return now >= self._rests and (self._child is None or now - self._last > SILENCE)

    def _end(self) -> None:
        """Have the driver end; one that cannot, because its cluster is gone, is killed."""
        if self._child is None:
            return
        self._child.stop()
        self._ends = self._ends or time.monotonic() + END
        if time.monotonic() > self._ends:
            self._child.kill()

    def _hear(self) -> bool:
        """Whatever is said next; whether the driver says that all is done."""
        try:
            child, said = self._said.get(timeout=0.2)
        except queue.Empty:
            return False
        if isinstance(said, Ended):
            return self._ended(child, said.status)
        self._known |= said["what"] in {STEP, PASSED, STATE}
        if said["what"] == STEP:
            self._last = time.monotonic()
            self.tally.done[said["stage"]] += said["done"]
            self.progress.on_step(said["stage"], said["done"])
        elif said["what"] == PASSED:
            self._last = time.monotonic()
            self.tally.problems = said["problems"]
        elif said["what"] == STATE:
            self.tally.workers = max(self.tally.workers, said["workers"])
            if not said["busy"]:
                self._last = time.monotonic()
        elif said["what"] == WORDS:
            self.progress.on_words(said["words"])
        return False

    def _ended(self, child: Child, status: int) -> bool:
        """Whether a driver ended because it was done. Raises UserError for what never worked."""
        self._child = None
        child.stop()
        if not status:
            return True
        failure = child.failure
        if failure and (failure["asked"] or not self._known):
            raise UserError(failure["words"])
        self._due = time.monotonic() + AGAIN
        self.tally.restarts += 1
        why = failure["words"] if failure else "its driver ended"
        self.progress.on_words(f"Ray is unavailable ({why}); this process continues the work.")
        return False

    def _help(self) -> bool:
        """Work here for some seconds; whether nothing is left."""
        self._helped_until = time.monotonic() + HELP
        try:
            if self._worker is None:
                self._app = open_app(self.settings, waiting=self.progress.on_words)
                self._worker = Worker(self._app, self.job, self._enough)
            done = self._worker.once(self.progress)
        except NewsloomError as error:
            if not self.job.watch and self._child is None:
                raise
            self.progress.on_words(str(error))
            return False
        self.tally.done.update(done.done)
        self.tally.problems = dict(done.problems)
        if not done.busy:
            self._rests = time.monotonic() + BETWEEN_LOOKS
        return not done.busy and (not done.others or bool(done.problems))

    def _enough(self) -> bool:
        return self.over.is_set() or time.monotonic() >= self._helped_until
