"""Workers, asked from threads: each thread has a process of its own, and kills it when need be.

Knows no task beyond its name. A process that dies takes the document it was reading with it and
nothing else; the next document starts another.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from newsloom.errors import NewsloomError, ParseError
from newsloom.settings import ReadingSettings
from newsloom.workers import child
from newsloom.workers.tasks import task
from newsloom.workers.wire import Broken, frame, receive

Result = TypeVar("Result")
Understands = Callable[[bytes], Result]

# A worker counts its processor time itself; on a busy machine that is a fraction of the time that
# passes. After this many times as much it is taken for stuck.
_PATIENCE = 6
_START_SECONDS = 60
# What a worker may know of this process's surroundings: where Python finds things, no secrets.
_SURROUNDINGS = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "SYSTEMROOT")


class WorkerDied(NewsloomError):
    """The process that read it ended before it was done."""


class Workers:
    """The processes of one Newsloom; started when first needed, ended by `close`."""

    def __init__(self, settings: ReadingSettings) -> None:
        self._settings = settings
        self._executors: dict[str, ThreadPoolExecutor] = {}
        self._lock = threading.Lock()
        self._own = threading.local()
        self._children: set[_Child] = set()
        self._closed = False

    async def call(
        self, name: str, question: Any, body: bytes, understands: Understands[Result]
    ) -> Result:
        """What a worker of that task answers. Raises ParseError as the task does, and WorkerDied
        with words for a person when it could not be told."""
        return await asyncio.wrap_future(self.submit(name, question, body, understands))

    def submit(
        self, name: str, question: Any, body: bytes, understands: Understands[Result]
    ) -> Future[Result]:
        """The same for callers without a loop."""
        with self._lock:
            if self._closed:
                raise WorkerDied("Newsloom is ending.")
            executor = self._executors.get(name)
            if executor is None:
                size = task(name).workers or max(self._settings.workers, 1)
                executor = ThreadPoolExecutor(size, thread_name_prefix=f"worker-{name}")
                self._executors[name] = executor
        return executor.submit(self._ask, name, question, body, understands)

    def close(self) -> None:
        """End every process, whatever it is doing."""
        with self._lock:
            self._closed = True
            for one in self._children:
                one.kill()
        for executor in self._executors.values():
            executor.shutdown(cancel_futures=True)
        for one in list(self._children):
            one.end()
        self._children.clear()

    def _ask(
        self, name: str, question: Any, body: bytes, understands: Understands[Result]
    ) -> Result:
        if self._settings.workers == 0:
            return understands(task(name).load()(question, body))
        mine = self._mine(name)
        try:
            kind, said = mine.ask(question, body, self._settings.seconds)
            if kind == child.DONE:
                return understands(said)
        except (Broken, OSError, ValueError, TypeError, LookupError, RecursionError) as error:
            mine.kill()
            raise WorkerDied(mine.why(error, self._settings)) from error
        finally:
            if mine.ended:
                self._drop(mine)
        raise _failure(kind, said.decode("utf-8", "replace"), self._settings)

    def _mine(self, name: str) -> _Child:
        """The process of this thread."""
        mine: _Child | None = getattr(self._own, "child", None)
        if mine is not None:
            return mine
        with self._lock:
            if self._closed:
                raise WorkerDied("Newsloom is ending.")
            try:
                mine = _Child(name, self._settings.megabytes)
            except OSError as error:
                raise WorkerDied(
                    f"The process that reads it could not be started: {error}."
                ) from error
            self._children.add(mine)
        self._own.child = mine
        return mine

    def _drop(self, mine: _Child) -> None:
        self._own.child = None
        with self._lock:
            self._children.discard(mine)
        mine.end()


class _Child:
    """One process and the connection to it; used by one thread."""

    def __init__(self, name: str, megabytes: int) -> None:
        self._link, theirs = socket.socketpair()
        self._deadline = 0.0
        self.ended = False
        self._ready = False
        known = {key: os.environ[key] for key in _SURROUNDINGS if key in os.environ}
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this Python, with our own words
                [sys.executable, "-P", "-m", child.__name__, name, str(megabytes)],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env={**known, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                start_new_session=True,  # Ctrl-C is for Newsloom, which ends its workers itself
            )
        except BaseException:
            self._link.close()
            raise
        finally:
            theirs.close()

    def ask(self, question: Any, body: bytes, seconds: float) -> tuple[int, bytes]:
        """Its answer. Raises what `wire.receive` does."""
        if not self._ready:
            self._within(_START_SECONDS)
            receive(self._link, self._wait)
            self._ready = True
        self._within(_PATIENCE * seconds)
        self._wait()
        self._link.sendall(frame([seconds, question], body))
        (kind, self.ended), said = receive(self._link, self._wait)
        return kind, said

    def _within(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds

    def _wait(self) -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._link.settimeout(left)

    def kill(self) -> None:
        """At once; from any thread."""
        self.ended = True
        self._process.kill()

    def end(self) -> None:
        """Leave no zombie. One that answers its last question ends by itself, if it is honest."""
        self._link.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
            return
        self._process.kill()
        self._process.wait()

    def why(self, error: BaseException, settings: ReadingSettings) -> str:
        """What went wrong with it, in words; after `kill`, which changes nothing for the dead."""
        code = self._process.wait()
        if not self._ready:
            return "The process that reads documents could not be started."
        if code == -signal.SIGPROF:
            return f"Reading it took more than {settings.seconds:g} seconds of processor time."
        if isinstance(error, TimeoutError):
            return f"Reading it took more than {_PATIENCE * settings.seconds:g} seconds."
        if code < 0 and code != -signal.SIGKILL:
            return f"Reading it ended the process that did it ({signal.Signals(code * -1).name})."
        return "Reading it ended the process that did it."


def _failure(kind: int, words: str, settings: ReadingSettings) -> NewsloomError:
    if kind == child.REFUSED:
        return ParseError(words)
    if kind == child.TOO_LARGE:
        return WorkerDied(f"Reading it took more than {settings.megabytes} MB of memory.")
    return WorkerDied(f"Newsloom failed to read it ({words})")
