"""The kinds of whole-history jobs."""

from __future__ import annotations

from newsloom.engines.jobs.context import JobContext, Kind, Lost, Working
from newsloom.engines.jobs.embedding import EMBED
from newsloom.engines.jobs.importing import IMPORT
from newsloom.engines.jobs.judging import JUDGE
from newsloom.engines.jobs.values import HistoryJob, JobStep
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.stories.stages.stories import BATCH

# The job `stories`: every article is placed again, in place.
#
# Stories keep their numbers, for readers follow and correct them by those; so there is no second
# set that is switched to (docs/work/decisions/workers.md). An article stays in its story until it
# is placed anew, in the transaction of its batch. What readers placed, parted or joined holds.


def _after(job: HistoryJob) -> ArticleId:
    return ArticleId(int(job.position.get("article", 0)))


def _total_stories(context: JobContext, job: HistoryJob) -> int:
    return job.done + context.store.stories.stories_after(_after(job))


def _step_stories(context: JobContext, working: Working) -> int:
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


def _end_stories(context: JobContext, job: HistoryJob) -> str:
    after = _after(job)
    if context.store.stories.stories_after(after) or context.store.stories.stories_awaited(after):
        return ""
    context.stories.finish()
    return f"{job.done:,} articles were grouped again."


STORIES = Kind(
    "stories",
    "grouping all articles into stories again",
    "articles",
    serial=True,
    total=_total_stories,
    step=_step_stories,
    end=_end_stories,
)


# The job `train`: every reader's own model from their labels, one reader after another.


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
    return f"Readers: {job.done}; with a new active model: {_changed(job)}."


TRAIN = Kind(
    "train",
    "training the model of every reader",
    "readers",
    serial=True,
    total=_total,
    step=_step,
    end=_end,
)


KINDS = (EMBED, JUDGE, STORIES, TRAIN, IMPORT)


def kind_of(name: str) -> Kind:
    """Raises UserError."""
    for one in KINDS:
        if one.name == name:
            return one
    raise UserError(
        f"There is no kind {name!r:.40}. Use one of {', '.join(one.name for one in KINDS)}."
    )
