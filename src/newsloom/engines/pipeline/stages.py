"""What is derived from stored articles: plain text, duplicates, vectors, sensitivity, relevance.

Each stage leases a batch of what is left, computes it, and stores it with its done-mark in one
transaction: any number of processes share the work. A kill at any point loses at most one batch of
it, which whoever comes next does again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from newsloom.duplicates.stage import DuplicateDetector
from newsloom.feeds.values.polling import StageReport
from newsloom.importance.score import NO_BLEND
from newsloom.importance.stages.importance import ImportanceContext, points, signals
from newsloom.kernel.errors import ModelError
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.kernel.text.html import to_text
from newsloom.ranking.learning.delays import Delays
from newsloom.ranking.ports import Embedder, HalfLives, RelevanceModel, SensitivityModel
from newsloom.ranking.scoring import in_days, lasting
from newsloom.ranking.stages import encoders
from newsloom.ranking.stages.encoders import Encoders
from newsloom.ranking.values.models import ArticleText, PlainText, Score
from newsloom.rules.stage import by_rules
from newsloom.store import Store
from newsloom.stories.stages.same_event import SameEvents
from newsloom.stories.stages.stories import StoryAssembler
from newsloom.work.service import Keep, Leases
from newsloom.work.values import Lease, StageKey

# When a stage may begin whose results depend on the order of articles.
#
# Several workers come to the end of a stage at different times. One that has nothing left to embed
# would put what is embedded into stories while another still embeds older articles, and the stories
# would not be those of one worker alone. So such a stage waits for the batches under way before it.

# Seconds. Where many workers have new articles all the time, some batch is always under way.
PATIENCE = 60.0


@dataclass(slots=True)
class InOrder:
    """Since when stages wait, in this process."""

    _since: dict[str, float] = field(default_factory=dict)

    def waits(
        self, context: StageContext, stage: str, before: Sequence[Stage], seconds: float
    ) -> bool:
        """Whether other workers still do what comes before a stage; not for longer than a minute.

        `seconds` is the time of a clock that only goes forward.
        """
        names = [one.name for one in before]
        if not names or not context.store.work.work_elsewhere(context.now(), names):
            self._since.pop(stage, None)
            return False
        return seconds - self._since.setdefault(stage, seconds) < PATIENCE


TEXT_VERSION = "text@2"  # 2: without what its own tag hides

# What full-text search and the lead can use of one article; the rest of a longer one stays in its
# HTML. 200,000 characters are some 35,000 words.
TEXT_LIMIT = 200_000

# As VECTOR_BATCH: progress moves, and a kill costs a second or two.
TEXT_BATCH = 500
SCORE_BATCH = 2_000


@dataclass(frozen=True, slots=True)
class StageContext:
    """What the stages work with. `sensitivity` and `relevance` give what is in force now."""

    store: Store
    embedder: Embedder
    sensitivity: Callable[[], SensitivityModel]
    users: Callable[[], Iterable[UserId]]
    present: Callable[[], Iterable[UserId]]  # those whose articles are scored
    relevance: Callable[[UserId], RelevanceModel]
    broken: Callable[[UserId, str, str], None]  # that model id could not score, and why
    half_lives: HalfLives  # of readers who set none of their own
    now: Callable[[], datetime]
    language_model: str = ""  # the maker whose ratings go before the sensitivity model's
    delays: Callable[[UserId], Delays] = lambda _user: Delays()
    matcher: DuplicateDetector = field(default_factory=DuplicateDetector)
    same_events: SameEvents | None = None  # None: reports of the same event are not looked for
    importance: ImportanceContext | None = None  # None: importance is not computed
    # Asked at the beginning of every pass; None: `embedder` is all there is.
    encoders: Callable[[], Encoders] | None = None
    using: Encoders | None = None  # what was answered for this pass

    @property
    def event_vectors(self) -> str:
        """The encoder that the probability that two articles report one event is fitted on."""
        return self.using.events if self.using else self.embedder.model_id

    @property
    def rated_vectors(self) -> str:
        """The encoder whose vectors the sensitivity model reads."""
        return self.using.rated_vectors if self.using else self.embedder.model_id

    def for_pass(self) -> StageContext:
        """The same, with the encoders of now: none is changed for another within a pass."""
        if self.encoders is None:
            return self
        now = self.encoders()
        return replace(
            self,
            embedder=now.active,
            sensitivity=now.sensitivity,
            relevance=now.relevance,
            broken=now.broken,
            using=now,
        )

    stories: StoryAssembler | None = None  # None: articles are put into none
    order: InOrder = field(default_factory=InOrder)


@dataclass(frozen=True, slots=True)
class Stage:
    """A name and one step: do a batch, say how many articles it did; 0 ends the stage."""

    name: str
    step: Callable[[StageContext, Leases], int]
    # What comes of an article depends on those before it: one worker at a time, as in store.work.
    in_order: bool = False
    joined: Callable[[StageContext], int] = lambda _context: 0  # articles that found others, ever
    end: Callable[[StageContext], None] = lambda _context: None


def _text(context: StageContext, leases: Leases) -> int:
    def compute(lease: Lease) -> Keep | None:
        batch, raw = context.store.articles.leased_texts(lease, TEXT_BATCH)
        plain = [PlainText(one.id, one.title, to_text(one.html, TEXT_LIMIT)) for one in raw]
        if not plain:
            return None
        return lambda until: context.store.articles.put_texts(
            TEXT_VERSION, plain, batch=batch, until=until
        )

    return leases.work(StageKey("text", TEXT_VERSION), TEXT_BATCH, compute)


def _rules(context: StageContext, leases: Leases) -> int:
    return by_rules(context.store, leases, context.users(), context.now)


def _duplicates(context: StageContext, leases: Leases) -> int:
    return context.matcher.step(context.store, TEXT_VERSION, context.now, leases)


def _importance(context: StageContext, leases: Leases) -> int:
    return signals(context.importance, leases) if context.importance else 0


def _interest(context: StageContext, leases: Leases) -> int:
    return points(context.importance, leases, context.relevance) if context.importance else 0


def _vectors(context: StageContext, leases: Leases) -> int:
    key = StageKey(encoders.ACTIVE, context.embedder.model_id)
    watch = context.using.watch if context.using else None
    return encoders.embed(context.store, leases, key, context.embedder, watch)


def _for_heads(context: StageContext, leases: Leases) -> int:
    return encoders.for_heads(context.store, leases, context.using)


def _anew(context: StageContext, leases: Leases) -> int:
    return encoders.anew(context.store, leases, context.using)


def _of_languages(context: StageContext, leases: Leases) -> int:
    return encoders.of_languages(context.store, leases, context.using)


def _same_event(context: StageContext, leases: Leases) -> int:
    if context.same_events is None:
        return 0
    return context.same_events.step(leases, context.event_vectors)


def _stories(context: StageContext, leases: Leases) -> int:
    return context.stories.step(leases) if context.stories else 0


def _stories_end(context: StageContext) -> None:
    if context.stories:
        context.stories.finish()


def _sensitivity(context: StageContext, leases: Leases) -> int:
    model = context.sensitivity()

    def compute(lease: Lease) -> Keep | None:
        batch, articles, vectors = context.store.articles.leased_ratings(lease, SCORE_BATCH)
        if not articles:
            return None
        ids, ratings, at = _ids(articles), model.rate(articles, vectors), context.now()
        return lambda until: context.store.articles.put_ratings(
            model.model_id, ids, ratings, at, batch=batch, until=until
        )

    key = StageKey("sensitivity", model.model_id, (context.rated_vectors,))
    return leases.work(key, SCORE_BATCH, compute)


def _relevance(context: StageContext, leases: Leases) -> int:
    sensitivity, sole = context.sensitivity(), context.store.articles.sole_producers("relevance")
    return sum(
        _relevance_of(context, leases, user, sensitivity, sole.get(user, ""))
        for user in context.present()
    )


def _relevance_of(
    context: StageContext, leases: Leases, user: UserId, sensitivity: SensitivityModel, sole: str
) -> int:
    """A batch of one reader's articles, unless `sole` scored them all and is in force."""
    model = context.relevance(user)
    half_lives = lasting(context.store.users.half_lives(user), context.half_lives)
    delays = context.delays(user)
    blend = context.importance.blend_with(model) if context.importance else NO_BLEND
    days = ",".join(f"{one:.12g}" for one in in_days(half_lives))
    told_by = f" {context.language_model}" if context.language_model else ""
    scored_by = f"{model.model_id} {sensitivity.model_id} {days}{told_by}{delays.name()}"
    if blend.share:
        scored_by += f" importance {blend.share:g}"
    if scored_by == sole:
        return 0
    inputs = (context.embedder.model_id, sensitivity.model_id)

    def compute(lease: Lease) -> Keep | None:
        batch, (articles, vectors, categories, ratings) = context.store.articles.leased_scores(
            lease, SCORE_BATCH, context.language_model
        )
        if not articles:
            return None
        try:
            relevance = model.score(articles, vectors, categories)
        except ModelError as error:
            raise _Unusable(str(error)) from error
        followed = context.store.stories.followed_articles(user, _ids(articles))
        scores = [
            Score(
                article.id,
                float(points),
                delays.shifted(article.feed_id, rating),
                article.id in followed,
            )
            for article, points, rating in zip(articles, relevance, ratings, strict=True)
        ]
        return lambda until: context.store.articles.put_scores(
            user,
            scored_by,
            scores,
            context.half_lives,
            blend=blend,
            batch=batch,
            until=until,
        )

    try:
        return leases.work(StageKey("relevance", scored_by, inputs, user), SCORE_BATCH, compute)
    except _Unusable as error:
        if not model.personal:
            raise
        context.broken(user, model.model_id, str(error))
        # By what answers in its place.
        return _relevance_of(context, leases, user, sensitivity, sole)


class _Unusable(ModelError):
    """A relevance model that could not score."""


def _ids(articles: Iterable[ArticleText]) -> list[ArticleId]:
    return [article.id for article in articles]


# In order: each needs what the one before it stored.
STAGES = (
    Stage("text", _text),
    Stage("rules", _rules),
    Stage(
        "duplicates",
        _duplicates,
        in_order=True,
        joined=lambda context: context.matcher.joined,
        end=lambda context: context.matcher.close(),
    ),
    Stage("embed", _vectors),
    Stage("embed for heads", _for_heads),
    Stage(
        "same event",
        _same_event,
        joined=lambda context: context.same_events.joined if context.same_events else 0,
    ),
    Stage("importance", _importance),
    Stage("interest", _interest),
    Stage("stories", _stories, in_order=True, end=_stories_end),
    Stage("sensitivity", _sensitivity),
    Stage("relevance", _relevance),
)

# What takes hours after a new encoder was chosen, and nothing waits for: done beside the passes.
BACKGROUND = (Stage("embed anew", _anew), Stage("embed languages", _of_languages))


def run_stages(
    context: StageContext,
    *,
    clock: Callable[[], float],
    stages: tuple[Stage, ...] = STAGES,
    on_step: Callable[[str, int], None] = lambda _name, _done: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[StageReport, ...]:
    """Run each stage until nothing is left, or `stop` says so between two batches.

    A model that cannot be loaded ends its stage with words in the report; the articles stay listed
    by what is known of them, and the next pass tries again.
    """
    reports = []
    context = context.for_pass()
    embeds = any(one.name == encoders.ACTIVE for one in stages)
    if embeds and context.using and context.using.begin():
        context = context.for_pass()
    leases = Leases(context.store, context.now, stop)
    for place, stage in enumerate(stages):
        if stage.in_order and context.order.waits(context, stage.name, stages[:place], clock()):
            continue
        began, before, total, problem = clock(), stage.joined(context), 0, ""
        try:
            while not stop() and (done := stage.step(context, leases)):
                total += done
                on_step(stage.name, done)
        except ModelError as error:
            problem = str(error)
        finally:
            leases.close()
            stage.end(context)
        joined = stage.joined(context) - before
        reports.append(StageReport(stage.name, total, clock() - began, problem, joined))
    return tuple(reports)
