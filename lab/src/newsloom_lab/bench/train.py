"""Seconds from labels to a model that could be promoted, beside scikit-learn on the same labels.

Newsloom's seconds include what scikit-learn's plain fits leave out: five folds, calibration, and
the bytes to keep. Rounds are interleaved, so that what else the machine does falls on all; medians
are reported. What no model was trained on says what each is worth.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from newsloom.kernel.errors import UserError
from newsloom.kernel.settings import TrainingSettings
from newsloom.ranking.encoders.registry import TRAINERS, TrainerRow, Workplace
from newsloom.ranking.learning.calibration import average_precision, roc_auc
from newsloom.ranking.values.models import NotYet
from newsloom_lab.bench.reader import NOW, Labelled, living

SIZES = (100, 300, 1_000, 3_000)
NEEDED = (5, 5)  # a hundred labels may hold few of one kind
LEAST_JUDGED = 50
SPARE = 1_000  # made-up labels to judge on

# What the author of seed 000 gives for fine-tuning ModernBERT-base on about 1,000 articles on the
# processor of his server.
SEED_SECONDS, SEED_LABELS = 30 * 60.0, 1_000

PEERS = "scikit-learn is not installed"


@dataclass(frozen=True, slots=True)
class Fit:
    """One trainer on one number of labels."""

    seconds: float
    roc_auc: float | None  # on labels it never saw; None where too few are left
    average_precision: float | None
    kilobytes: float | None = None  # of what is kept


@dataclass(frozen=True, slots=True)
class SizeTimes:
    """All trainers on the same labels."""

    labels: int
    positives: int
    judged: int  # labels left to judge on
    trainers: Mapping[str, Fit]
    peers: Mapping[str, Fit]


@dataclass(frozen=True, slots=True)
class Promotion:
    """`newsloom train` through the store: labels read, trained, judged, kept and put in force."""

    labels: int
    seconds: float
    words: str


@dataclass(frozen=True, slots=True)
class TrainBench:
    """Times by number of labels, and what the seed took."""

    articles: str
    mean_characters: float
    vector_model: str
    rounds: int
    times: tuple[SizeTimes, ...]
    promotion: Promotion
    seed_seconds: float = SEED_SECONDS  # fine-tuning on its processor, as its author says
    seed_ratio: Mapping[str, float] = field(default_factory=dict)  # at SEED_LABELS
    problem: str = ""  # why peers have no figures


# Learns from some labels; returns what scores others, and the bytes kept.
Fitted = tuple[Callable[[Labelled], Any], bytes | None]
Fitting = Callable[[Labelled], Fitted]


def run(
    reader: Labelled,
    *,
    sizes: Sequence[int] = SIZES,
    rounds: int = 3,
    base_model: str = "",
) -> TrainBench:
    """Train on the first so many labels, judge on the rest. `base_model` adds `modernbert`."""
    whole = len(reader.labels)
    sizes = [size for size in sizes if size <= whole]
    if not sizes:
        raise UserError(f"There are {whole} labels; the least to train on here is {SIZES[0]}.")
    with TemporaryDirectory() as folder:
        ours = _ours(reader.vector_model, Path(folder), base_model)
        peers, problem = _peers()
        times = tuple(_measure(reader, size, ours, peers, rounds) for size in sizes)
    at_seeds = next((one for one in times if one.labels == SEED_LABELS), None)
    ratios = {} if at_seeds is None else at_seeds.trainers
    texts = [f"{one.article.title} {one.article.text}" for one in reader.labels]
    return TrainBench(
        articles=f"{whole:,} labels, {reader.source}",
        mean_characters=statistics.fmean(len(one) for one in texts),
        vector_model=reader.vector_model,
        rounds=rounds,
        times=times,
        promotion=_promotion(reader.take(0, sizes[-1])),
        seed_ratio={name: SEED_SECONDS / fit.seconds for name, fit in ratios.items()},
        problem=problem,
    )


def rows_for(base_model: str) -> tuple[TrainerRow, ...]:
    """The trainers measured: the quick ones, and the slow one where a base is named."""
    return tuple(row for row in TRAINERS if row.quick or base_model)


def workplace(vector_model: str, folder: Path, base_model: str) -> Workplace:
    """Where the measured trainers work."""
    settings = replace(TrainingSettings(), base_model=base_model)
    return Workplace(settings, NEEDED, vector_model, folder)


def _ours(vector_model: str, folder: Path, base_model: str) -> dict[str, Fitting]:
    place = workplace(vector_model, folder, base_model)
    return {row.name: partial(_train, row, place) for row in rows_for(base_model)}


def _train(row: TrainerRow, workplace: Workplace, given: Labelled) -> Fitted:
    model = row.make(workplace).train(given.labels, given.vectors, NOW)
    if isinstance(model, NotYet):
        raise UserError(
            f"Among the first {len(given.labels)} labels are {model.positives} likes and "
            f"{model.negatives} dislikes; {max(model.needed)} of each are needed."
        )
    payload = model.to_payload()

    def score(other: Labelled) -> Any:
        articles = [one.article for one in other.labels]
        return model.score(articles, other.vectors, [one.category for one in other.labels])

    return score, payload


def _peers() -> tuple[dict[str, Fitting], str]:
    """The same words, weights of classes and vectors, by scikit-learn; or why not."""
    if find_spec("sklearn") is None:
        return {}, f"not measured: {PEERS}"
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    svm = LinearSVC(C=0.05, class_weight="balanced")

    def on_texts(make: Callable[[], Any]) -> Fitting:
        def fit(given: Labelled) -> Fitted:
            model = make().fit(_texts(given), _truth(given))
            name = "decision_function" if hasattr(model, "decision_function") else "predict_proba"
            return lambda other: _last(getattr(model, name)(_texts(other))), None

        return fit

    def on_vectors(given: Labelled) -> Fitted:
        line = LogisticRegression(class_weight="balanced", max_iter=1_000)
        line.fit(given.vectors, _truth(given))
        return lambda other: line.decision_function(other.vectors), None

    return {
        "TfidfVectorizer + LinearSVC": on_texts(lambda: make_pipeline(vectorizer(), svm)),
        "TfidfVectorizer + LinearSVC, calibrated": on_texts(
            lambda: make_pipeline(vectorizer(), CalibratedClassifierCV(svm, cv=5))
        ),
        "LogisticRegression on the same vectors": on_vectors,
    }, ""


def vectorizer() -> Any:
    """scikit-learn's, as people use it: English stop words, logarithmic counts."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(stop_words="english", sublinear_tf=True)


def _texts(given: Labelled) -> list[str]:
    return [f"{one.article.title} {one.article.text}" for one in given.labels]


def _truth(given: Labelled) -> Any:
    return np.array([one.positive for one in given.labels])


def _last(scores: Any) -> Any:
    """The positive class of what may have a column each."""
    return scores[:, -1] if scores.ndim == 2 else scores


def _measure(
    reader: Labelled,
    size: int,
    ours: Mapping[str, Fitting],
    peers: Mapping[str, Fitting],
    rounds: int,
) -> SizeTimes:
    given, rest = reader.take(0, size), reader.take(size, len(reader.labels))
    every = {**ours, **peers}
    taken: dict[str, list[float]] = {name: [] for name in every}
    fitted: dict[str, Fitted] = {}
    for number in range(rounds):
        for name, fit in every.items():
            if number and taken[name][0] > 60:
                continue  # a fine-tuning is measured once
            began = time.perf_counter()
            fitted[name] = fit(given)
            taken[name].append(time.perf_counter() - began)
    fits = {name: _fit(statistics.median(taken[name]), fitted[name], rest) for name in every}
    return SizeTimes(
        labels=size,
        positives=int(_truth(given).sum()),
        judged=len(rest.labels),
        trainers={name: fits[name] for name in ours},
        peers={name: fits[name] for name in peers},
    )


def _fit(seconds: float, fitted: Fitted, rest: Labelled) -> Fit:
    score, payload = fitted
    size = None if payload is None else len(payload) / 1e3
    truth = _truth(rest)
    if len(truth) < LEAST_JUDGED or truth.all() or not truth.any():
        return Fit(seconds, None, None, size)
    scores = np.asarray(score(rest), np.float64)
    return Fit(seconds, roc_auc(truth, scores), average_precision(truth, scores), size)


def _promotion(given: Labelled) -> Promotion:
    with living(given, marked=True) as app:
        began = time.perf_counter()
        result = app.services.training.train(app.user)
        return Promotion(len(given.labels), time.perf_counter() - began, result.words)
