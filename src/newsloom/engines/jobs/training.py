"""The job `train`: every reader's own model from their labels, one reader after another."""

from __future__ import annotations

from newsloom.engines.jobs.context import JobContext, Kind, Lost, Working
from newsloom.engines.jobs.values import HistoryJob, JobStep
from newsloom.kernel.ids import UserId


def _left(context: JobContext, job: HistoryJob) -> list[UserId]:
    after = int(job.position.get("reader", 0))
    return sorted(user for user, _name in context.store.users.users() if user > after)


def _changed(job: HistoryJob) -> int:
    return int(job.position.get("changed", 0))


def _total(context: JobContext, job: HistoryJob) -> int:
    return job.done + len(_left(context, job))


def _step(context: JobContext, working: Working) -> int:
    """The next reader. After a kill between model and position the reader is looked at again; a
    training from labels that were trained on already changes nothing."""
    job = working.job
    left = _left(context, job)
    if not left:
        return 0
    changed = context.train(left[0])
    position = {"reader": left[0], "changed": _changed(job) + changed}
    step = JobStep(done=1, position=position, token=working.token)
    if not context.store.jobs.advance_job(job.id, step, context.now()):
        raise Lost
    return 1


def _end(context: JobContext, job: HistoryJob) -> str:
    if _left(context, job):
        return ""
    return f"Readers: {job.done}; of them with a new model that ranks: {_changed(job)}."


TRAIN = Kind(
    "train",
    "training every reader's own model",
    "readers",
    serial=True,
    total=_total,
    step=_step,
    end=_end,
)
