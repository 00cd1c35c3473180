"""The job `judge`: how fast everything expires by another head; then that head is in force."""

from __future__ import annotations

from datetime import datetime

from newsloom.engines.jobs.context import JobContext, Kind, Working
from newsloom.engines.jobs.values import HistoryJob, JobStep
from newsloom.work.service import Keep
from newsloom.work.values import Lease, Put, StageKey

# Fewer than the stage's: a throttle shall be smooth.
BATCH = 200


def _key(context: JobContext, job: HistoryJob) -> StageKey:
    """The stage whose leases share the work: its own, by another maker than the one in force."""
    return StageKey("sensitivity", str(job.wish["model"]), (context.heads(),))


def _total(context: JobContext, job: HistoryJob) -> int:
    return job.done + context.store.articles.ratings_wanting(_key(context, job))


def _step(context: JobContext, working: Working) -> int:
    store, model = context.store, str(working.job.wish["model"])

    def computed(lease: Lease) -> Keep | None:
        batch, articles, vectors = store.articles.leased_ratings(lease, BATCH)
        if not articles:
            return None
        ids = [one.id for one in articles]
        ratings = context.head(model).rate(articles, vectors)

        def keep(until: datetime) -> Put:
            now = context.now()
            with store.write() as tx:
                put = tx.articles.put_ratings(model, ids, ratings, now, batch=batch, until=until)
                tx.jobs.advance_job(working.job.id, JobStep(done=put.stored), now)
            return put

        return keep

    return working.leases.work(_key(context, working.job), BATCH, computed)


def _end(context: JobContext, job: HistoryJob) -> str:
    if context.store.articles.ratings_wanting(_key(context, job)):
        return ""
    return context.put_in_force(str(job.wish["model"]))


JUDGE = Kind(
    "judge",
    "rating the time sensitivity of all articles with another head",
    "articles",
    serial=False,
    total=_total,
    step=_step,
    end=_end,
)
