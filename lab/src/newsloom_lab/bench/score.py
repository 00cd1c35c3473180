"""Articles scored a second: by the model alone, and through the store with its rank keys.

The second is what a promotion costs: every unread article is read, scored and stored again, newest
first. scikit-learn scores the same articles in the same run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from newsloom.app import App
from newsloom.engines.pipeline.stages import STAGES, run_stages
from newsloom.kernel.errors import UserError
from newsloom.ranking.ports import RelevanceModel
from newsloom.ranking.values.models import NotYet
from newsloom_lab.bench.reader import NOW, Labelled, living
from newsloom_lab.bench.train import rows_for, vectorizer, workplace

LABELS = 1_000

# Seed 000's operating notes: 55,003 articles scored again in 44 minutes.
SEED_ARTICLES_PER_SECOND = 55_003 / (44 * 60)

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
