"""The job `judge`: how fast everything expires by another head; then that head is in force."""

from __future__ import annotations

from datetime import datetime

from newsloom.pipeline.jobs.context import JobContext, Kind, Working
from newsloom.pipeline.leases import Keep
from newsloom.types import HistoryJob, JobStep, Lease, Put, StageKey

# Fewer than the stage's: a throttle shall be smooth.
BATCH = 200


def key_of(context: JobContext, job: HistoryJob) -> StageKey:
    """The stage whose leases share the work: its own, by another maker than the one in force."""
    return StageKey("sensitivity", str(job.wish["model"]), (context.heads(),))


def _total(context: JobContext, job: HistoryJob) -> int:
    return job.done + context.store.articles.ratings_wanting(key_of(context, job))


def _step(context: JobContext, working: Working) -> int:
    model, store = context.head(str(working.job.wish["model"])), context.store

    def compute(lease: Lease) -> Keep | None:
        batch, articles, vectors = store.articles.leased_ratings(lease, BATCH)
        if not articles:
            return None
        ids, ratings, at = (
            [one.id for one in articles],
            model.rate(articles, vectors),
            context.now(),
        )

        def keep(until: datetime) -> Put:
            with store.write() as tx:
                put = tx.articles.put_ratings(
                    model.model_id, ids, ratings, at, batch=batch, until=until
                )
                tx.jobs.advance_job(working.job.id, JobStep(done=put.kept), context.now())
            return put

        return keep

    return working.leases.work(key_of(context, working.job), BATCH, compute)


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
