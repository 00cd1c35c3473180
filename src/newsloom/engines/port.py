"""What every engine takes and gives."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from newsloom.kernel.settings import Settings


@dataclass(frozen=True, slots=True)
class Job:
    """What the workers are to do."""

    stages: tuple[str, ...] = ()  # by name; empty: all
    watch: bool = False  # go on when nothing is left, until told to end
    poll: bool = False  # poll feeds that are due before each pass; not with Ray
    workers: int = 0  # at once, at most; 0: one for each processor
    config: str = ""  # the settings file, for workers on other machines that have one there too


@dataclass(frozen=True, slots=True)
class ProgressListener:
    """Who hears of progress."""

    on_step: Callable[[str, int], None] = lambda _stage, _done: None  # a stage, and how many more
    on_words: Callable[[str], None] = lambda _words: None  # what a person should know


@dataclass(slots=True)
class Tally:
    """What all workers did."""

    done: Counter[str] = field(default_factory=Counter)  # articles by stage
    problems: dict[str, str] = field(default_factory=dict)  # what stopped a stage the last time
    workers: int = 0  # the most there were at once
    restarts: int = 0  # workers started again because one died


class Engine(Protocol):
    """Where workers run."""

    def work(
        self, settings: Settings, job: Job, over: threading.Event, progress: ProgressListener
    ) -> Tally:
        """Until nothing is left, or `over` is set: then it ends after the batches under way.

        Raises NewsloomError when it cannot work.
        """
        ...
