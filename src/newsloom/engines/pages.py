"""Whole-history jobs on the administrator's page: how far they are; pause, resume, cancel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import Response

from newsloom.engines.jobs.values import HistoryJob, JobId, JobState, progress_words
from newsloom.kernel.errors import NotFound
from newsloom.store import Store
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here, bare, go
from newsloom.web.wording import clean

SHOWN = 8

# What can be done to a job, by the last part of the address.
STEPS = {
    "pause": JobState.PAUSED,
    "resume": JobState.RUNNING,
    "cancel": JobState.CANCELLED,
}

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]

router = APIRouter()


@dataclass(frozen=True, slots=True)
class ShownJob:
    """A job as the page shows it."""

    job: HistoryJob
    progress: str
    words: str
    steps: Sequence[str]  # of STEPS, what can be done to it now


def shown(store: Store) -> tuple[ShownJob, ...]:
    """The last ones, the newest first."""
    return tuple(
        ShownJob(one, progress_words(one), clean(one.words, 300), _steps(one))
        for one in store.jobs.jobs(SHOWN)
    )


def _steps(one: HistoryJob) -> Sequence[str]:
    if not one.open:
        return ()
    return ("resume" if one.state is JobState.PAUSED else "pause", "cancel")


@router.post("/admin/jobs/{number}/{step}")
def set_state(site: Here, number: Number, step: str) -> Response:
    """For administrators alone, as all below /admin."""
    to = STEPS.get(step)
    if to is None or site.reader.store.jobs.job(JobId(number)) is None:
        raise NotFound("There is no such job.")
    site.reader.store.jobs.set_job_state(JobId(number), to, site.reader.now())
    return go(bare(Page.ADMIN), "edited")
