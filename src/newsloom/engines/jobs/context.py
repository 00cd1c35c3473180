"""What the kinds of jobs work with, and what a kind is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from newsloom.engines.jobs.values import HistoryJob
from newsloom.kernel.errors import NewsloomError
from newsloom.kernel.ids import UserId
from newsloom.ranking.ports import Embedder, SensitivityModel
from newsloom.ranking.values.models import LabelledCopy
from newsloom.store import Store
from newsloom.stories.stages.stories import StoryAssembler
from newsloom.work.service import Leases


class Waits(NewsloomError):
    """The job cannot go on here now; it is tried again later, or elsewhere."""


class Lost(NewsloomError):
    """Another worker has the job, or it was paused: nothing of the step was kept."""


@dataclass(frozen=True, slots=True)
class JobContext:
    """What is given to jobs: they import neither models nor trainers."""

    store: Store
    now: Callable[[], datetime]
    # The chosen encoder, unless it answers already; and what lets it answer once it is whole.
    following: Callable[[], Embedder | None]
    switch: Callable[[Embedder], bool]
    heads: Callable[[], str]  # the encoder whose vectors the sensitivity heads read
    head: Callable[[str], SensitivityModel]  # by its id
    put_in_force: Callable[[str], str]  # a head that has rated everything; in words
    train: Callable[[UserId], bool]  # whether another model ranks since
    line: Callable[[bytes, str, datetime], LabelledCopy]  # of an articles file; raises UserError
    stories: StoryAssembler


@dataclass(frozen=True, slots=True)
class Working:
    """What one worker holds of a job."""

    job: HistoryJob
    leases: Leases
    token: str = ""  # of a kind that one worker at a time does


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job. `step` does one batch: how many units, 0 when nothing is left for this worker
    now. `end` then says in words what it came to, or nothing while others still work on it."""

    name: str
    words: str
    unit: str
    serial: bool  # one worker at a time; else any number, by the leases of the stages
    total: Callable[[JobContext, HistoryJob], int]
    step: Callable[[JobContext, Working], int]
    end: Callable[[JobContext, HistoryJob], str]
