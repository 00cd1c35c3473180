"""The job `embed`: vectors of the newly chosen encoder for everything; then they answer."""

from __future__ import annotations

from datetime import datetime

from newsloom.engines.jobs.context import JobContext, Kind, Working
from newsloom.engines.jobs.values import HistoryJob, JobStep
from newsloom.kernel.errors import UserError
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.ports import Embedder
from newsloom.ranking.stages.encoders import ANEW, VECTOR_BATCH
from newsloom.work.service import Keep
from newsloom.work.values import Lease, Put, StageKey


def _wanted(context: JobContext, job: HistoryJob) -> Embedder | None:
    """The encoder of the job; None: it answers already. Raises UserError when another is chosen."""
    following, wished = context.following(), str(job.wish["encoder"])
    used = context.store.models.encoder_in_use()
    if used is not None and used.model_id == wished:
        return None
    if following is None or following.model_id != wished:
        raise UserError(f"models.embedder names another encoder than {wished}.")
    return following


def _total(context: JobContext, job: HistoryJob) -> int:
    return job.done + context.store.articles.vectors_wanting(str(job.wish["encoder"]), ANEW)


def _step(context: JobContext, working: Working) -> int:
    store, encoder = context.store, str(working.job.wish["encoder"])
    embedder = _wanted(context, working.job)
    if embedder is None:
        return 0

    def computed(lease: Lease) -> Keep | None:
        batch, articles = store.articles.leased_vectors(lease, VECTOR_BATCH)
        if not articles:
            return None
        ids = [one.id for one in articles]
        vectors = embedder.embed([embedding_text(one.title, one.text) for one in articles])

        def keep(until: datetime) -> Put:
            with store.write() as tx:
                put = tx.articles.put_vectors(encoder, ids, vectors, batch=batch, until=until)
                tx.jobs.advance_job(working.job.id, JobStep(done=put.stored), context.now())
            return put

        return keep

    return working.leases.work(StageKey(ANEW, encoder), VECTOR_BATCH, computed)


def _end(context: JobContext, job: HistoryJob) -> str:
    embedder = _wanted(context, job)
    if embedder is None or context.switch(embedder):
        return f"The vectors of {job.wish['encoder']} are in use."
    return ""


EMBED = Kind(
    "embed",
    "computing vectors of all articles with the chosen encoder",
    "articles",
    serial=False,
    total=_total,
    step=_step,
    end=_end,
)
