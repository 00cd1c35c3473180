"""The job `judge`: how fast everything expires by another head; then that head is in force."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from newsloom.engines.jobs.context import JobContext, Kind, Working
from newsloom.engines.jobs.values import HistoryJob, JobStep
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.ports import Vectors
from newsloom.ranking.values.models import ArticleText, Rating
from newsloom.work.service import Keep
from newsloom.work.values import Batch, Lease, Put, StageKey

# Fewer than the stage's: a throttle shall be smooth.
BATCH = 200


Found = tuple[Sequence[ArticleText], Vectors]
Made = tuple[Sequence[ArticleId], Sequence[Rating]]


def key_of(context: JobContext, job: HistoryJob) -> StageKey:
    """The stage whose leases share the work: its own, by another maker than the one in force."""
    return StageKey("sensitivity", str(job.wish["model"]), (context.heads(),))


def _total(context: JobContext, job: HistoryJob) -> int:
    return job.done + context.store.articles.ratings_wanting(key_of(context, job))


def read(context: JobContext, lease: Lease) -> tuple[Batch, Found]:
    """What is to be rated of a lease."""
    batch, articles, vectors = context.store.articles.leased_ratings(lease, BATCH)
    return batch, (articles, vectors)


def compute(context: JobContext, job: HistoryJob, found: Found) -> Made:
    """Their ratings. Raises UserError when the head is gone, ModelError."""
    ids = [one.id for one in found[0]]
    return ids, context.head(str(job.wish["model"])).rate(*found)


def keep(
    context: JobContext, job: HistoryJob, batch: Batch, made: Made, until: datetime | None = None
) -> Put:
    """Store them with the progress of the job, in the transaction that ends the lease."""
    model, (ids, ratings), now = str(job.wish["model"]), made, context.now()
    with context.store.write() as tx:
        put = tx.articles.put_ratings(model, ids, ratings, now, batch=batch, until=until)
        tx.jobs.advance_job(job.id, JobStep(done=put.kept), now)
    return put


def _step(context: JobContext, working: Working) -> int:
    job = working.job

    def computed(lease: Lease) -> Keep | None:
        batch, found = read(context, lease)
        if not found[0]:
            return None
        made = compute(context, job, found)
        return lambda until: keep(context, job, batch, made, until)

    return working.leases.work(key_of(context, job), BATCH, computed)


def _end(context: JobContext, job: HistoryJob) -> str:
    if context.store.articles.ratings_wanting(key_of(context, job)):
        return ""
    return context.put_in_force(str(job.wish["model"]))


JUDGE = Kind(
    "judge",
    "judging how fast everything expires by another head",
    "articles",
    serial=False,
    total=_total,
    step=_step,
    end=_end,
)
