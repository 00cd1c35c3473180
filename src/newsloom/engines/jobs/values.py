"""Values of whole-history jobs: what is computed anew of everything that is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NewType

from newsloom.kernel.ids import UserId

JobId = NewType("JobId", int)


class JobState(StrEnum):
    """How it stands with a job. Only a running one is worked on."""

    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    CANCELLED = "cancelled"


OPEN_JOBS = (JobState.RUNNING, JobState.PAUSED)


@dataclass(frozen=True, slots=True)
class HistoryJob:
    """One job over everything stored. One of each kind is open at a time."""

    id: JobId
    kind: str  # the name of a row of pipeline.jobs.KINDS
    state: JobState
    started: datetime
    user: UserId | None = None  # whose it is; None: everybody's
    wish: Mapping[str, Any] = field(default_factory=dict)  # what the kind was asked for
    total: int = 0  # units to do in all, as counted last; 0: not counted yet
    done: int = 0
    refused: int = 0  # units that cannot be read
    position: Mapping[str, Any] = field(default_factory=dict)  # where a kind goes on that reads on
    pace: float | None = None  # units a second at most, 0: no limit; None: as set
    share: float | None = None  # of the time, at most; None: as set
    words: str = ""  # what it came to, or what stops it
    ended: datetime | None = None
    moved: datetime | None = None  # when anything was done last
    rate: float = 0.0  # units a second, over the last half minute of work or so

    @property
    def open(self) -> bool:
        return self.state in OPEN_JOBS

    @property
    def left(self) -> timedelta | None:
        """How long it takes at the present rate; None: unknown."""
        if not self.open or self.rate <= 0 or self.total <= 0:
            return None
        return timedelta(seconds=max(0, self.total - self.done) / self.rate)


@dataclass(frozen=True, slots=True)
class JobStep:
    """What one step of a job adds to it, in the transaction that keeps its results."""

    done: int = 0
    refused: int = 0
    position: Mapping[str, Any] | None = None  # None: where it was
    token: str = ""  # of the worker, for kinds that one worker at a time does


def progress_words(one: HistoryJob) -> str:
    """Units done, how fast, and how long it takes still."""
    of = f" of {one.total:,}" if one.total else ""
    parts = [f"{one.done + one.refused:,}{of}"]
    if one.rate and one.state is JobState.RUNNING:
        parts.append(f"{one.rate:,.1f} a second")
    if left := left_words(one):
        parts.append(f"{left} left")
    return ", ".join(parts)


def left_words(one: HistoryJob) -> str:
    """The time left; nothing where it is unknown."""
    left = one.left
    if left is None or one.state is not JobState.RUNNING:
        return ""
    if left < timedelta(minutes=2):
        return f"{left.total_seconds():.0f} s"
    if left < timedelta(hours=2):
        return f"{left / timedelta(minutes=1):.0f} min"
    return f"{left / timedelta(hours=1):.1f} h"
