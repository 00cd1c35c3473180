"""The job `embed`: vectors of the newly chosen encoder for everything; then they answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from newsloom.engines.jobs.context import JobContext, Kind, Working
from newsloom.engines.jobs.values import HistoryJob, JobStep
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.ports import Embedder, Vectors
from newsloom.ranking.stages.encoders import ANEW, VECTOR_BATCH
from newsloom.work.service import Keep
from newsloom.work.values import Batch, Lease, Put, StageKey

Texts = Sequence[tuple[ArticleId, str]]
Made = tuple[Sequence[ArticleId], Vectors]


def key_of(encoder: str) -> StageKey:
    """The stage whose leases share the work."""
    return StageKey(ANEW, encoder)


def read(context: JobContext, lease: Lease) -> tuple[Batch, Texts]:
    """What is to be encoded of a lease."""
    batch, articles = context.store.articles.leased_vectors(lease, VECTOR_BATCH)
    return batch, [(one.id, embedding_text(one.title, one.text)) for one in articles]


def compute(context: JobContext, job: HistoryJob, texts: Texts) -> Made:
    """Their vectors. Raises UserError when another encoder is chosen, ModelError."""
    embedder = _wanted(context, job)
    if embedder is None:
        raise UserError(f"{job.wish['encoder']} answers already.")
    return [one for one, _text in texts], embedder.embed([text for _one, text in texts])


def keep(
    context: JobContext, job: HistoryJob, batch: Batch, made: Made, until: datetime | None = None
) -> Put:
    """Store them with the progress of the job, in the transaction that ends the lease."""
    encoder, (ids, vectors) = str(job.wish["encoder"]), made
    with context.store.write() as tx:
        put = tx.articles.put_vectors(encoder, ids, vectors, batch=batch, until=until)
        tx.jobs.advance_job(job.id, JobStep(done=put.kept), context.now())
    return put


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
    job = working.job
    if _wanted(context, job) is None:
        return 0

    def computed(lease: Lease) -> Keep | None:
        batch, texts = read(context, lease)
        if not texts:
            return None
        made = compute(context, job, texts)
        return lambda until: keep(context, job, batch, made, until)

    return working.leases.work(key_of(str(job.wish["encoder"])), VECTOR_BATCH, computed)


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
