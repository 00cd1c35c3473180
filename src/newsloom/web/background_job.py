"""One long piece of work at a time, in a thread beside the pages: training, measuring."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from newsloom.errors import NewsloomError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JobStatus:
    """What is under way, and what the last piece of work came to."""

    running: str = ""  # "training"; empty: nothing is
    words: str = ""
    failed: bool = False
    at: datetime | None = None  # when it ended


class BackgroundJob:
    """Runs one piece of work; the page asks how it goes. Nothing of it outlives the process."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._told = JobStatus()

    @property
    def told(self) -> JobStatus:
        with self._lock:
            return self._told

    def begin(self, name: str, act: Callable[[], str], after: Callable[[], None]) -> bool:
        """Start it, unless something is under way. `after` is called once it is done."""
        with self._lock:
            if self._told.running:
                return False
            self._told = JobStatus(running=name)
        # A daemon: a training under way must not keep a stopped server alive; what it would have
        # stored is one transaction.
        threading.Thread(target=self._run, args=(act, after), name=name, daemon=True).start()
        return True

    def _run(self, act: Callable[[], str], after: Callable[[], None]) -> None:
        try:
            told = JobStatus(words=act())
            after()
        except NewsloomError as error:
            told = JobStatus(words=str(error), failed=True)
        except Exception:
            log.exception("work beside the pages failed")
            told = JobStatus(
                words="That failed; the terminal Newsloom runs in shows why.", failed=True
            )
        with self._lock:
            self._told = replace(told, at=self._now())
