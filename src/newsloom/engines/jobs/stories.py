"""The job `stories`: every article is placed again, in place.

Stories keep their numbers, for readers follow and correct them by those; so there is no second set
that is switched to (docs/work/decisions/workers.md). An article stays in its story until it is
placed anew, in the transaction of its batch. What readers placed, parted or joined holds.
"""

from __future__ import annotations

from newsloom.engines.jobs.context import JobContext, Kind, Lost, Working
from newsloom.engines.jobs.values import HistoryJob, JobStep
from newsloom.kernel.ids import ArticleId
from newsloom.stories.stages.stories import BATCH


def _after(job: HistoryJob) -> ArticleId:
    return ArticleId(int(job.position.get("article", 0)))


def _total(context: JobContext, job: HistoryJob) -> int:
    return job.done + context.store.stories.stories_after(_after(job))


def _step(context: JobContext, working: Working) -> int:
    """Place what was named last, then name the next. Passes may place it too."""
    job, store = working.job, context.store
    while context.stories.step(working.leases):
        pass
    if store.stories.stories_awaited(_after(job)):
        return 0  # another process places them
    with store.write() as tx:
        named = tx.stories.judge_stories_again(_after(job), BATCH)
        if not named:
            return 0
        step = JobStep(len(named), position={"article": named[-1]}, token=working.token)
        if not tx.jobs.advance_job(job.id, step, context.now()):
            raise Lost
    return len(named)


def _end(context: JobContext, job: HistoryJob) -> str:
    after = _after(job)
    if context.store.stories.stories_after(after) or context.store.stories.stories_awaited(after):
        return ""
    context.stories.finish()
    return f"{job.done:,} articles were placed again."


STORIES = Kind(
    "stories",
    "placing every article in a story again",
    "articles",
    serial=True,
    total=_total,
    step=_step,
    end=_end,
)
