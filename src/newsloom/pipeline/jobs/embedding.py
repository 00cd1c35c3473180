"""The job `embed`: vectors of the newly chosen encoder for everything; then they answer."""

from __future__ import annotations

from newsloom.errors import UserError
from newsloom.pipeline.encoders import ANEW, embed
from newsloom.pipeline.jobs.context import JobContext, Kind, Working
from newsloom.ports import Embedder
from newsloom.store import Aggregates
from newsloom.types import HistoryJob, JobStep, StageKey


def key_of(encoder: str) -> StageKey:
    """The stage whose leases share the work."""
    return StageKey(ANEW, encoder)


def _wanted(context: JobContext, job: HistoryJob) -> Embedder | None:
    """The encoder of the job; None: it answers already. Raises UserError when another is chosen."""
    following, wished = context.following(), str(job.wish["encoder"])
    used = context.store.models.encoder_in_use()
    if used is not None and used.model_id == wished:
        return None
    if following is None or following.model_id != wished:
        raise UserError(f"models.embedder chooses another encoder than {wished}.")
    return following


def _total(context: JobContext, job: HistoryJob) -> int:
    return job.done + context.store.articles.vectors_wanting(str(job.wish["encoder"]), ANEW)


def _step(context: JobContext, working: Working) -> int:
    embedder, job = _wanted(context, working.job), working.job
    if embedder is None:
        return 0

    def told(tx: Aggregates, kept: int) -> None:
        tx.jobs.advance_job(job.id, JobStep(done=kept), context.now())

    return embed(context.store, working.leases, key_of(embedder.model_id), embedder, told)


def _end(context: JobContext, job: HistoryJob) -> str:
    embedder = _wanted(context, job)
    if embedder is None or context.switch(embedder):
        return f"The vectors of {job.wish['encoder']} answer."
    return ""


EMBED = Kind(
    "embed",
    "understanding everything by the chosen encoder",
    "articles",
    serial=False,
    total=_total,
    step=_step,
    end=_end,
)
