"""Marks of very many articles and their undoing: begun by a request, which does not wait for ever.

One at a time for a reader, in whichever process. Nothing of it outlives the process that does it:
what was marked until then is one step for undo.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

from newsloom.app.reader import Reader
from newsloom.kernel.errors import Audience, NewsloomError, error_reply
from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.reading import Event, ListQuery, Rows
from newsloom.web.shared_activity import SharedActivity, number_of, text_of

log = logging.getLogger(__name__)

Result = TypeVar("Result")

# How long a request waits before it answers that the work goes on.
PATIENCE = timedelta(seconds=1.5)

# Seconds between two looks whether another process is done, and between two tellings of how far
# this one is.
LOOK, TELL = 0.1, 1.0


@dataclass(frozen=True, slots=True)
class HowFar:
    """What is under way, or how the last of it failed."""

    doing: str = ""  # "read" or "undo"; empty: nothing
    done: int = 0
    of: int = 0  # 0: not known
    problem: str = ""


class Marking:
    """Marks lists read, and takes steps back, in a thread where they take long."""

    def __init__(
        self,
        reader: Reader,
        via: str,
        patience: timedelta = PATIENCE,
        shared: SharedActivity | None = None,
    ) -> None:
        """`shared` is what other processes know of it; None: there are none."""
        self._reader = reader
        self._shared = shared
        self._reported_at = 0.0
        self._via = via
        self._patience = patience.total_seconds()
        self._lock = threading.Lock()
        self._wanted = True
        self._how_far = HowFar()
        self._last: threading.Thread | None = None

    def finish(self) -> None:
        """Wait until what was started here is done."""
        if self._last is not None:
            self._last.join()

    @property
    def how_far(self) -> HowFar:
        """Here, or in another process."""
        if self._shared is None or self._how_far.doing:
            return self._how_far
        other = self._shared.elsewhere()
        if other is None:
            return self._how_far
        return HowFar(text_of(other, "doing", 20), number_of(other, "done"), number_of(other, "of"))

    def clear(self, query: ListQuery, reader: Reader | None = None) -> int | None:
        """Mark read all that a query lists: how many rows; None: it goes on. `reader`: the one
        that made the list, where its rows are not as set."""
        lister = reader or self._reader
        return self._begin("read", lambda: lister.clear(query, self._via, self._report))

    def these(self, articles: Sequence[ArticleId], rows: Rows) -> int | None:
        """The same of articles that are named; `rows`: what is read together with each."""
        reader = self._reader

        def clear() -> int:
            return reader.store.reading.clear_these(
                reader.user,
                articles,
                reader.now(),
                self._via,
                rows=rows,
                counted=reader.rows,
                heard=self._report,
            )

        return self._begin("read", clear)

    def undo(self) -> tuple[Event, ...] | None:
        """Take back the last step: what it was; None: it goes on. A marking under way ends."""
        self._wanted = False
        if self._shared is not None:
            self._shared.stop_others()
        return self._begin("undo", lambda: self._reader.undo(self._via))

    def _report(self, done: int, of: int) -> bool:
        self._how_far = HowFar("read", done, of)
        if self._shared is not None and time.monotonic() - self._reported_at >= TELL:
            self._reported_at = time.monotonic()
            self._wanted &= self._shared.tell(doing="read", done=done, of=of)
        return self._wanted

    def _begin(self, doing: str, act: Callable[[], Result]) -> Result | None:
        work = _Work(lambda: self._in_turn(doing, act))
        self._last = work
        work.start()
        return work.result(self._patience)

    def _in_turn(self, doing: str, act: Callable[[], Result]) -> Result:
        with self._lock:
            self._wanted = True
            self._how_far = HowFar(doing)
            self._wait_for_others(doing)
            try:
                result = act()
            except NewsloomError as error:
                self._how_far = HowFar(problem=error_reply(error, Audience.READER).message)
                raise
            except BaseException:
                self._how_far = HowFar(problem="Marking failed. See the server log.")
                raise
            finally:
                if self._shared is not None:
                    self._shared.end()
            self._how_far = HowFar()
            return result

    def _wait_for_others(self, doing: str) -> None:
        """One that dies is not waited for."""
        self._reported_at = time.monotonic()
        try:
            while self._shared is not None and not self._shared.begin(doing=doing):
                time.sleep(LOOK)
        except NewsloomError as error:
            self._how_far = HowFar(problem=error_reply(error, Audience.READER).message)
            raise


class _Work(threading.Thread, Generic[Result]):
    """A daemon: a stopped server need not wait for it."""

    def __init__(self, act: Callable[[], Result]) -> None:
        super().__init__(name="marking", daemon=True)
        self._act = act
        self._result: Result | None = None
        self._error: BaseException | None = None
        self._waited_for = True

    def run(self) -> None:
        try:
            self._result = self._act()
        except BaseException as error:
            self._error = error
            if not self._waited_for:
                log.exception("marking failed")

    def result(self, seconds: float) -> Result | None:
        """What came of it, if it comes in time. Raises what it raised."""
        self.join(seconds)
        if self.is_alive():
            self._waited_for = False
            return None
        if self._error is not None:
            raise self._error
        return self._result
