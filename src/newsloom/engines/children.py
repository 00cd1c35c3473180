"""Processes of ours that work: started, heard, told to end, and what became of each.

A child gets what it is to do as the first bytes of its input, which then stays open: when it ends,
because the child is told to end or because this process died, the child ends after the batch under
way. Settings travel there and not in arguments or the environment: other users of the machine can
read those. It answers by lines of JSON.
"""

from __future__ import annotations

import json
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from newsloom.engines.port import Job
from newsloom.kernel.settings import Settings

MODULE = "newsloom.engines.child"

# What a child may say, each a line {"what": ..., ...}:
STEP = "step"  # {"stage": name, "done": articles}
PASSED = "passed"  # {"problems": {stage: words}}
WORDS = "words"  # {"words": for a person}
STATE = "state"  # of the Ray driver: {"workers": number, "restarts": number}
FAILED = "failed"  # {"words": of an error, "asked": whether of what was asked}; the child ends
ANSWER = "answer"  # {"answer": what was asked}


@dataclass(frozen=True, slots=True)
class Task:
    """What a child is to do: `name` is a row of child.TASKS."""

    name: str
    settings: Settings
    job: Job


@dataclass(frozen=True, slots=True)
class Ended:
    """A child is gone, and everything that it said was heard."""

    status: int


Said = Mapping[str, Any] | Ended


@dataclass(slots=True, eq=False)
class Child:
    """One child; what it says goes into `heard`, with the child before it."""

    task: Task
    messages: queue.Queue[tuple[Child, Said]]
    process: subprocess.Popen[bytes] = field(init=False)
    failure: Mapping[str, Any] | None = None  # what it said before it ended

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - this Python, with our own words
            [sys.executable, "-P", "-m", MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for this process, which ends its children itself
        )
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # it is gone, which `_listen` tells
            pickle.dump(self.task, self.process.stdin)
            self.process.stdin.flush()
        threading.Thread(target=self._listen, name="listening", daemon=True).start()

    def stop(self) -> None:
        """Have it end after the batch under way."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                with suppress(ValueError):  # the last line of one that was killed
                    said = json.loads(line)
                    if said["what"] == FAILED:
                        self.failure = said
                    self.messages.put((self, said))
        self.messages.put((self, Ended(self.process.wait())))
