"""Articles scored a second: by the model alone, and through the store with its rank keys.

The second is what a promotion costs: every unread article is read, scored and stored again, newest
first. scikit-learn scores the same articles in the same run.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import text

from newsloom.app import App
from newsloom.engines.pipeline.stages import STAGES, run_stages
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import UserId
from newsloom.kernel.settings import Settings, StoreSettings
from newsloom.ranking.learning.head import HeadTrainer
from newsloom.ranking.ports import RelevanceModel
from newsloom.ranking.values.models import NotYet
from newsloom.reading.values.reading import ListQuery
from newsloom_lab.bench.growth import Processors
from newsloom_lab.bench.reader import NOW, Labelled, living, made_up
from newsloom_lab.bench.train import rows_for, vectorizer, workplace
from newsloom_lab.databases import fresh

LABELS = 1_000

# Seed 000's operating notes: 55,003 articles scored again in 44 minutes.
SEED_ARTICLES_PER_SECOND = 55_003 / (44 * 60)

# With `readers`.
PER_FEED, FOLLOWED = 100, 10
NEW_SHARE = 20  # one in so many articles is scored again as a new one

_UNREAD = text("""
    INSERT INTO states (user_id, article_id, feed_id, dated_at, rank_key)
    SELECT u.user_id, a.id, a.feed_id, a.dated_at, 0
    FROM subscriptions u JOIN articles a ON a.feed_id = u.feed_id WHERE u.user_id <> :owner
    ON CONFLICT DO NOTHING
""")
_NEW = text("""
    UPDATE states SET scored_by = 0 WHERE user_id <> :owner AND article_id <= :last
""")

RELEVANCE = tuple(stage for stage in STAGES if stage.name == "relevance")


@dataclass(frozen=True, slots=True)
class Speed:
    """One model on all articles."""

    articles_per_second: float  # the model alone
    through_the_store_per_second: float | None = None  # read, scored, rank keys stored
    seed_ratio: float | None = None  # through the store, beside the seed


@dataclass(frozen=True, slots=True)
class ScoreBench:
    """Speeds of models trained on the same labels."""

    source: str
    articles: int
    labels: int
    rounds: int
    trainers: Mapping[str, Speed]
    peers: Mapping[str, Speed]
    seed_articles_per_second: float = SEED_ARTICLES_PER_SECOND
    problem: str = ""  # why peers have no figures


@dataclass(frozen=True, slots=True)
class ReadersBench:
    """Readers of ten feeds each, with a head each. Seconds are of the processor, the server's too.

    A head is the same for all but its bias, and counts in `model_bytes_per_reader` alone.
    """

    store: str
    readers: int
    articles: int
    scores: int
    seconds: float  # every article of each reader's feeds scored
    seconds_per_reader: float
    microseconds_per_score: float
    new_articles_per_reader: float
    new_ms_per_reader: float  # those scored after all others
    idle_ms_per_reader: float  # a pass with nothing to score
    row_bytes_per_reader: float  # subscriptions and states in the database, with their indexes
    model_bytes_per_reader: int
    page_ms: float  # the first page of the ranked list, in the store
    memory_mb: float  # the most that this process used


Scorer = Callable[[], Any]


def run(
    reader: Labelled, *, labels: int = LABELS, rounds: int = 3, base_model: str = ""
) -> ScoreBench:
    """Train on the first `labels`, then score all. `base_model` adds `modernbert`."""
    given = reader.take(0, labels)
    with TemporaryDirectory() as folder:
        models = _models(given, Path(folder), base_model)
        articles = [one.article for one in reader.labels]
        categories = [one.category for one in reader.labels]
        ours: dict[str, Scorer] = {
            name: lambda model=model: model.score(articles, reader.vectors, categories)  # type: ignore[misc]
            for name, model in models.items()
        }
        peers, problem = _peers(given, reader)
        alone = _interleaved({**ours, **peers}, len(articles), rounds)
        stored = _through_the_store(reader, models)
    return ScoreBench(
        source=reader.source,
        articles=len(articles),
        labels=len(given.labels),
        rounds=rounds,
        trainers={
            name: Speed(alone[name], stored[name], stored[name] / SEED_ARTICLES_PER_SECOND)
            for name in ours
        },
        peers={name: Speed(alone[name]) for name in peers},
        problem=problem,
    )


def _models(given: Labelled, folder: Path, base_model: str) -> dict[str, RelevanceModel]:
    place = workplace(given.vector_model, folder, base_model)
    found: dict[str, RelevanceModel] = {}
    for row in rows_for(base_model):
        model = row.make(place).train(given.labels, given.vectors, NOW)
        if isinstance(model, NotYet):
            raise UserError(
                f"{model.positives} likes and {model.negatives} dislikes are too few to train on."
            )
        found[row.name] = model
    return found


def _peers(given: Labelled, reader: Labelled) -> tuple[dict[str, Scorer], str]:
    if find_spec("sklearn") is None:
        return {}, "not measured: scikit-learn is not installed"
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    truth = [one.positive for one in given.labels]
    words = vectorizer()
    svm = LinearSVC(C=0.05, class_weight="balanced").fit(words.fit_transform(_texts(given)), truth)
    line = LogisticRegression(class_weight="balanced", max_iter=1_000).fit(given.vectors, truth)
    texts = _texts(reader)
    return {
        "TfidfVectorizer + LinearSVC": lambda: svm.decision_function(words.transform(texts)),
        "LogisticRegression on the same vectors": lambda: line.predict_proba(reader.vectors),
    }, ""


def _texts(given: Labelled) -> Sequence[str]:
    return [f"{one.article.title} {one.article.text}" for one in given.labels]


def _interleaved(scorers: Mapping[str, Scorer], articles: int, rounds: int) -> dict[str, float]:
    rates: dict[str, list[float]] = {name: [] for name in scorers}
    for _ in range(rounds):
        for name, score in scorers.items():
            began = time.perf_counter()
            score()
            rates[name].append(articles / (time.perf_counter() - began))
    return {name: statistics.median(found) for name, found in rates.items()}


def _through_the_store(reader: Labelled, models: Mapping[str, RelevanceModel]) -> dict[str, float]:
    """Each model in turn is in force and scores every unread article, as after a promotion."""
    with living(reader, marked=False) as app:
        return {name: _pass(app, model) for name, model in models.items()}


def _pass(app: App, model: RelevanceModel) -> float:
    shop = replace(app.runner().context, relevance=lambda _user: model, encoders=None)
    (report,) = run_stages(shop, clock=time.perf_counter, stages=RELEVANCE)
    if report.problem:
        raise UserError(report.problem)
    return report.done / report.seconds


def run_readers(articles: int, readers: int, url: str) -> ReadersBench:
    """Of made-up articles in feeds of a hundred: each reader's scored, then new ones, then none.

    In a new database of that PostgreSQL server, or on SQLite without one.
    """
    feeds = articles // PER_FEED
    reader = made_up(articles, "", feeds)
    head = HeadTrainer((20, 20), reader.vector_model).train(
        reader.labels[:LABELS], reader.vectors[:LABELS], NOW
    )
    if isinstance(head, NotYet):
        raise UserError("These labels are too few to train on.")
    with (
        fresh(url) if url else nullcontext("") as place,
        living(reader, marked=False, settings=Settings(store=StoreSettings(url=place))) as app,
    ):
        store, clock = app.store, Processors(app.store)
        before = store.database.size()
        models: dict[UserId, RelevanceModel] = {}
        for number in range(readers):
            user = store.users.user(f"reader {number}", NOW)
            line = replace(head.line, bias=head.line.bias + number / readers)
            models[user] = replace(head, line=line, model_id=f"{head.model_id}/{number}")
            followed = [(number * FOLLOWED + one) % feeds + 1 for one in range(FOLLOWED)]
            store.reading.subscribe_all(
                user, [(f"https://feed-{one}.test/", "", "") for one in followed], NOW
            )
        with store.database.write() as connection:
            connection.execute(_UNREAD, {"owner": app.user})
        store.database.settle()
        context = replace(
            app.runner().context,
            present=lambda: models,
            relevance=models.__getitem__,
            encoders=None,
        )

        def scored() -> tuple[int, float]:
            began = clock()
            (report,) = run_stages(context, clock=time.perf_counter, stages=RELEVANCE)
            if report.problem:
                raise UserError(report.problem)
            return report.done, clock() - began

        scores, seconds = scored()
        size = store.database.size() - before
        _, idle = scored()
        with store.database.write() as connection:
            last = articles // NEW_SHARE
            connection.execute(_NEW, {"owner": app.user, "last": last})
        new, new_seconds = scored()
        asked = list(models)[:100]
        for _ in range(2):  # the first time plans are made
            began = clock()
            for user in asked:
                store.lists.page(user, ListQuery(limit=50), NOW, context.half_lives)
            page_ms = (clock() - began) * 1_000 / len(asked)
        return ReadersBench(
            store="PostgreSQL" if url else "SQLite",
            readers=readers,
            articles=articles,
            scores=scores,
            seconds=seconds,
            seconds_per_reader=seconds / readers,
            microseconds_per_score=seconds * 1e6 / scores,
            new_articles_per_reader=new / readers,
            new_ms_per_reader=new_seconds * 1_000 / readers,
            idle_ms_per_reader=idle * 1_000 / readers,
            row_bytes_per_reader=size / readers,
            model_bytes_per_reader=len(head.to_payload()),
            page_ms=page_ms,
            memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024,
        )
