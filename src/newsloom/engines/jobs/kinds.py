"""The kinds of whole-history jobs."""

from __future__ import annotations

from datetime import datetime

from newsloom.engines.jobs.context import JobContext, Kind, Lost, Working
from newsloom.engines.jobs.importing import IMPORT
from newsloom.engines.jobs.values import HistoryJob, JobStep
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.ports import Embedder
from newsloom.ranking.stages.encoders import REEMBED, VECTOR_BATCH
from newsloom.stories.stages.stories import BATCH
from newsloom.work.service import Keep
from newsloom.work.values import Lease, Put, StageKey

# The job `judge`: how fast everything expires by another head; then that head is in force.

# Fewer than the stage's: a throttle shall be smooth.
RATINGS_BATCH = 200


def _ratings_key(context: JobContext, job: HistoryJob) -> StageKey:
    """The stage whose leases share the work: its own, by another maker than the one in force."""
    return StageKey("sensitivity", str(job.wish["model"]), (context.heads(),))


def _total_ratings(context: JobContext, job: HistoryJob) -> int:
    return job.done + context.store.articles.ratings_wanting(_ratings_key(context, job))


def _step_ratings(context: JobContext, working: Working) -> int:
    store, model = context.store, str(working.job.wish["model"])

    def computed(lease: Lease) -> Keep | None:
        batch, articles, vectors = store.articles.leased_ratings(lease, RATINGS_BATCH)
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

    return working.leases.work(_ratings_key(context, working.job), RATINGS_BATCH, computed)


def _end_ratings(context: JobContext, job: HistoryJob) -> str:
    if context.store.articles.ratings_wanting(_ratings_key(context, job)):
        return ""
    return context.put_in_force(str(job.wish["model"]))


JUDGE = Kind(
    "judge",
    "rating the time sensitivity of all articles with another head",
    "articles",
    serial=False,
    total=_total_ratings,
    step=_step_ratings,
    end=_end_ratings,
)


# The job `embed`: vectors of the newly chosen encoder for everything; then they answer.


def _wanted(context: JobContext, job: HistoryJob) -> Embedder | None:
    """The encoder of the job; None: it answers already. Raises UserError when another is chosen."""
    following, wished = context.following(), str(job.wish["encoder"])
    used = context.store.models.encoder_in_use()
    if used is not None and used.model_id == wished:
        return None
    if following is None or following.model_id != wished:
        raise UserError(f"models.embedder names another encoder than {wished}.")
    return following


def _total_vectors(context: JobContext, job: HistoryJob) -> int:
    return job.done + context.store.articles.vectors_wanting(str(job.wish["encoder"]), REEMBED)


def _step_vectors(context: JobContext, working: Working) -> int:
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

    return working.leases.work(StageKey(REEMBED, encoder), VECTOR_BATCH, computed)


def _end_vectors(context: JobContext, job: HistoryJob) -> str:
    embedder = _wanted(context, job)
    if embedder is None or context.switch(embedder):
        return f"The vectors of {job.wish['encoder']} are in use."
    return ""


EMBED = Kind(
    "embed",
    "computing vectors of all articles with the chosen encoder",
    "articles",
    serial=False,
    total=_total_vectors,
    step=_step_vectors,
    end=_end_vectors,
)


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
