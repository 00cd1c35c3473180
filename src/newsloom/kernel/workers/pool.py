"""Workers, asked from threads: each thread has a process of its own, and kills it when need be.

Knows no task beyond its row. A process that dies takes the document it was reading with it and
nothing else; the next document starts another.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from newsloom.kernel.errors import NewsloomError, ParseError
from newsloom.kernel.settings import ReadingSettings
from newsloom.kernel.workers import child
from newsloom.kernel.workers.process import Process
from newsloom.kernel.workers.tasks import TASKS, Task
from newsloom.kernel.workers.wire import Broken

Result = TypeVar("Result")
Understands = Callable[[bytes], Result]


class WorkerDied(NewsloomError):
    """The process that read it ended before it was done."""


class Workers:
    """The processes of one Newsloom; started when first needed, ended by `close`."""

    def __init__(self, settings: ReadingSettings, tasks: tuple[Task, ...] = TASKS) -> None:
        self._settings = settings
        self._tasks = {task.name: task for task in tasks}
        self._executors: dict[str, ThreadPoolExecutor] = {}
        self._lock = threading.Lock()
        self._own = threading.local()
        self._processes: set[Process] = set()
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
        task = self._tasks[name]
        with self._lock:
            if self._closed:
                raise WorkerDied("Newsloom is shutting down.")
            executor = self._executors.get(name)
            if executor is None:
                size = task.workers or max(self._settings.workers, 1)
                executor = ThreadPoolExecutor(size, thread_name_prefix=f"worker-{name}")
                self._executors[name] = executor
        ask = self._ask if self._settings.workers else self._ask_here
        return executor.submit(ask, task, question, body, understands)

    def close(self) -> None:
        """End every process, whatever it is doing."""
        with self._lock:
            self._closed = True
            for one in self._processes:
                one.kill()
        for executor in self._executors.values():
            executor.shutdown(cancel_futures=True)
        for one in self._processes:
            one.end()
        self._processes.clear()

    def processes(self) -> tuple[int, ...]:
        """The ids of those that run now."""
        with self._lock:
            return tuple(sorted(one.pid for one in self._processes))

    def _ask(
        self, task: Task, question: Any, body: bytes, understands: Understands[Result]
    ) -> Result:
        mine = self._mine(task)
        try:
            kind, said = mine.ask(question, body)
            if kind == child.DONE:
                return understands(said)
        except (Broken, OSError, ValueError, TypeError, LookupError, RecursionError) as error:
            raise WorkerDied(mine.death(error)) from error
        finally:
            if mine.ended:
                self._own.process = None
                with self._lock:
                    self._processes.discard(mine)
                mine.end()
        raise self._failure(kind, said)

    def _ask_here(
        self, task: Task, question: Any, body: bytes, understands: Understands[Result]
    ) -> Result:
        kind, said = child.answered(task.load(), question, body)
        if kind == child.DONE:
            return understands(said)
        raise self._failure(kind, said)

    def _mine(self, task: Task) -> Process:
        """The process of this thread."""
        mine: Process | None = getattr(self._own, "process", None)
        if mine is not None:
            return mine
        with self._lock:
            if self._closed:
                raise WorkerDied("Newsloom is shutting down.")
            try:
                mine = Process(task.module, self._settings)
            except OSError as error:
                raise WorkerDied(f"The parser process could not be started: {error}") from error
            self._processes.add(mine)
        self._own.process = mine
        return mine

    def _failure(self, kind: int, said: bytes) -> NewsloomError:
        # From a process that may have been taken over, to a terminal or a page.
        words = "".join(filter(str.isprintable, said.decode("utf-8", "replace")))[:500]
        if kind == child.REFUSED:
            return ParseError(words)
        if kind == child.TOO_LARGE:
            return WorkerDied(f"Parsing exceeded {self._settings.megabytes} MB of memory.")
        return WorkerDied(f"Parsing failed ({words})")
