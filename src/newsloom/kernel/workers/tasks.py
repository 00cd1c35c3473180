"""What a worker may be asked: one row each. To add one, write a module with `answer` and a row.

`answer(question, body)` takes a plain value (what JSON can say) and bytes, gives bytes, and raises
ParseError, in words for a person, for bytes that are not what they should be. A worker does one
task for life and opens no file once it has begun: what `answer` imports or reads only when some
document needs it, a function `get_ready` of its module loads before. tests/workers/test_sealed.py
watches that nothing is left.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Answer = Callable[[Any, bytes], bytes]


@dataclass(frozen=True, slots=True)
class Task:
    """A task and where its code is, which only its workers import."""

    name: str
    module: str
    workers: int | None = None  # None: as many as the settings say

    def load(self) -> Answer:
        """What answers, in this process."""
        return loaded(self.module)


def loaded(module: str) -> Answer:
    """What answers; it may load more when some document needs it."""
    answer: Answer = importlib.import_module(module).answer
    return answer


def files_of(module: str) -> int:
    """How many files it may hold open at once, to read them; nearly every task none."""
    return int(getattr(importlib.import_module(module), "FILES", 0))


def ready(module: str) -> Answer:
    """What answers, with all loaded that it may ever need: for who opens no file later."""
    prepare: Callable[[], None] | None = getattr(importlib.import_module(module), "get_ready", None)
    if prepare is not None:
        prepare()
    return loaded(module)


TASKS = (
    Task("read", "newsloom.feeds.workers.documents"),
    Task("page", "newsloom.feeds.workers.page", workers=1),
    Task("picture", "newsloom.feeds.workers.picture", workers=1),
)
