"""The program that a child process runs; see children.py for what it is given and says."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from newsloom.engines.children import FAILED, PASSED, STEP, WORDS, Task
from newsloom.engines.port import ProgressListener
from newsloom.kernel.errors import NewsloomError, UserError

Say = Callable[..., None]

# What a child can be: "module:function", given the task, when it is over, and what to say things
# by. Imported where it is used: Ray is not installed everywhere.
TASKS = {
    "worker": "newsloom.engines.child:as_worker",
    "ray driver": "newsloom.engines.ray_driver:drive",
    "ray status": "newsloom.engines.ray_driver:answer_status",
    "pages": "newsloom.cli.page_processes:serve",
}


def as_worker(task: Task, over: threading.Event, say: Say) -> None:
    """The same loop as in the process that was asked to work."""
    from newsloom.engines.worker import Local

    progress = ProgressListener(
        on_step=lambda stage, done: say(STEP, stage=stage, done=done),
        on_words=lambda words: say(WORDS, words=words),
    )
    tally = Local().work(task.settings, task.job, over, progress)
    say(PASSED, problems=tally.problems)


def main() -> int:
    """Read the task, do it, say what came of it. Exit status: 0 done, 1 failed."""
    # Only the parent process writes to this pipe, and what it sends is its own Task.
    task = pickle.load(sys.stdin.buffer)  # noqa: S301
    said = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer
    lock = threading.Lock()

    def say(what: str, **more: Any) -> None:
        with lock:
            said.write(json.dumps({"what": what, **more}) + "\n")

    over = _over()
    module, _, name = TASKS[task.name].partition(":")
    try:
        getattr(import_module(module), name)(task, over, say)
    except BrokenPipeError:  # nobody hears any more: what was stored is stored
        return 1
    except NewsloomError as error:
        say(FAILED, words=str(error), asked=isinstance(error, UserError))
        return 1
    return 0


def _over() -> threading.Event:
    """Set when the input ends, or by SIGTERM."""
    over, source = threading.Event(), sys.stdin.fileno()
    signal.signal(signal.SIGTERM, lambda _number, _frame: over.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the process that started this one

    def wait() -> None:
        # By number: a thread in the buffered file would keep the interpreter from ending.
        while os.read(source, 1024):
            pass
        over.set()

    threading.Thread(target=wait, name="input", daemon=True).start()
    return over


if __name__ == "__main__":
    sys.exit(main())
