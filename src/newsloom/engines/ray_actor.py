"""A worker on Ray: an actor whose process has an opened Newsloom, and its models, for all its life.

It is given settings without secrets and the names of stages, and gives back counts. Articles go
between it and the database alone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from newsloom.engines.port import Heard, Job
from newsloom.engines.sent import SentSettings, receive
from newsloom.engines.worker import Worker
from newsloom.kernel.errors import NewsloomError, UserError


@dataclass(frozen=True, slots=True)
class Slice:
    """What an actor did in the seconds it was given."""

    done: Mapping[str, int] = field(default_factory=dict)  # articles by stage
    problems: Mapping[str, str] = field(default_factory=dict)  # what stopped a stage
    others: int = 0  # batches that other processes hold
    trouble: str = ""  # why it did less than it could: the store does not answer
    refusal: str = ""  # why it cannot work where it is, whatever time passes


class RayWorker:
    """The loop of worker.py, a few seconds at a time, so that its driver hears of it."""

    def __init__(self, sent: SentSettings, job: Job, threads: int) -> None:
        self._sent, self._job, self._threads = sent, job, threads
        self._worker: Worker | None = None
        self._ends = 0.0

    def work(self, seconds: float) -> Slice:
        """Until nothing is left, or so long; then to the end of the batch under way.

        May be called twice for one answer, when the first was lost: what was stored is not done
        again.
        """
        self._ends = time.monotonic() + seconds
        try:
            if self._worker is None:
                self._worker = self._opened()
            done = self._worker.once(Heard())
        except UserError as error:
            return Slice(refusal=str(error))
        except NewsloomError as error:
            return Slice(trouble=str(error))
        return Slice(done.done, done.problems, done.others)

    def _opened(self) -> Worker:
        from newsloom.app import open_app

        settings = receive(self._sent, os.environ)
        if not settings.models.threads:
            models = replace(settings.models, threads=self._threads)
            settings = replace(settings, models=models)
        return Worker(open_app(settings), self._job, lambda: time.monotonic() >= self._ends)
