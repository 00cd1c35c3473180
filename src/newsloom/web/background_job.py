"""One long piece of work at a time, in a thread beside the pages: training, measuring.

Every process that serves the reader's pages knows of it; none begins another meanwhile.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from newsloom.kernel.errors import Audience, NewsloomError, error_reply
from newsloom.web.shared_activity import SharedActivity, number_of, text_of

log = logging.getLogger(__name__)

LATEST = 10**11  # seconds since 1970; later no job ends


@dataclass(frozen=True, slots=True)
class JobStatus:
    """What is under way, and what the last piece of work came to."""

    running: str = ""  # "training"; empty: nothing is
    words: str = ""
    failed: bool = False
    at: datetime | None = None  # when it ended


class BackgroundJob:
    """Runs one piece of work; the page asks how it goes. Nothing of it outlives the process."""

    def __init__(self, now: Callable[[], datetime], shared: SharedActivity | None = None) -> None:
        """`shared` is what other processes know of it; None: there are none."""
        self._now = now
        self._shared = shared
        self._lock = threading.Lock()
        self._status = JobStatus()
        self._thread: threading.Thread | None = None

    @property
    def status(self) -> JobStatus:
        with self._lock:
            job_status = self._status
        if job_status.running or self._shared is None:
            return job_status
        other = self._shared.elsewhere()
        if other is not None:
            return JobStatus(running=text_of(other, "running", 40) or "work")
        last = self._shared.last()
        return job_status if last is None else _read(last)

    def begin(self, name: str, act: Callable[[], str], after: Callable[[], None]) -> bool:
        """Start it, unless something is under way. `after` is called once it is done."""
        with self._lock:
            if self._status.running:
                return False
            if self._shared is not None and not self._shared.begin(running=name):
                return False
            self._status = JobStatus(running=name)
        # A daemon: a training under way must not keep a stopped server alive; what it would have
        # stored is one transaction.
        self._thread = threading.Thread(target=self._run, args=(act, after), name=name, daemon=True)
        self._thread.start()
        return True

    def finish(self) -> None:
        """Wait until what was started here is done."""
        if self._thread is not None:
            self._thread.join()

    def _run(self, act: Callable[[], str], after: Callable[[], None]) -> None:
        try:
            job_status = JobStatus(words=act())
            after()
        except NewsloomError as error:
            log.warning("work beside the pages failed: %s", error)
            job_status = JobStatus(words=error_reply(error, Audience.READER).message, failed=True)
        except Exception:
            log.exception("work beside the pages failed")
            job_status = JobStatus(words="The job failed. See the server log.", failed=True)
        job_status = replace(job_status, at=self._now())
        if self._shared is not None:
            self._shared.end(
                words=job_status.words,
                failed=int(job_status.failed),
                at=0 if job_status.at is None else int(job_status.at.timestamp()),
            )
        with self._lock:
            self._status = job_status


def _read(state: Mapping[str, Any]) -> JobStatus:
    """What a job came to, as another process wrote it down."""
    seconds = number_of(state, "at")
    if not 0 < seconds < LATEST:
        return JobStatus()
    at = datetime.fromtimestamp(seconds, UTC)
    return JobStatus("", text_of(state, "words"), bool(number_of(state, "failed")), at)
