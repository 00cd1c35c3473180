"""How good the model made of one reader's own labels is, with its curves, for `/you`.

It measures the way the model is made, on labels held out in turn: the model in force has seen them
all. Draws nothing; the result is a frozen value of plain numbers, and JSON can hold it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import UserId
from newsloom.kernel.settings import Settings
from newsloom.ranking.encoders import registry
from newsloom.ranking.learning import confidence_intervals
from newsloom.ranking.learning.label_weights import explicit
from newsloom.ranking.measure import curves, metrics, relevance
from newsloom.ranking.measure.labelled import Labelled, of_store
from newsloom.ranking.measure.relevance import RelevanceReport
from newsloom.ranking.measure.splits import cross_validated, splits
from newsloom.ranking.ports import Trainer, Vectors
from newsloom.ranking.values.models import Label

if TYPE_CHECKING:
    from newsloom.app import App

# The newest labels, which is all that some seconds of training allow; and a taste changes.
MOST_LABELS = 2_000

# Half of the folds of `newsloom eval`, for half of the time: a point or two of average precision
# less, since each model sees a tenth less.
FOLDS = 5

# The learning curve doubles from here.
FEWEST = 50

BINS = 10  # of the histogram


@dataclass(frozen=True, slots=True)
class OwnReport(RelevanceReport):
    """The figures, and the points of each curve."""

    roc: tuple[tuple[float, float], ...]  # share of the rest let through, of likes found
    precision_recall: tuple[tuple[float, float], ...]  # share of likes found, of shown liked
    reliability: tuple[tuple[float, float, int], ...]  # mean chance, share liked, labels
    histogram: tuple[tuple[float, int, int], ...]  # chance from, likes, the rest
    learning_curve: tuple[tuple[int, float, float, float], ...]  # labels, average precision, ends


def measure(app: App, user: UserId, fit: str = "cv") -> str:
    """Measure the reader's labels by the trainer of the settings, keep it, and say what came out.

    Raises UserError when there are too few labels, or when that trainer takes more than seconds.
    """
    name = app.settings.training.trainer
    if not registry.trainer_row(name).quick:
        raise UserError(
            f"{name} is too slow for cross-validation. Use `newsloom eval relevance --fit time`."
        )
    found = of_user(app, user, trainer(app, name), fit)
    said = confidence_intervals.describe("ROC AUC", found.roc_auc_interval, found.judged)
    return f"ROC AUC {found.roc_auc:.3f}, average precision {found.average_precision:.3f}. {said}"


def of_user(app: App, user: UserId, by: Trainer, fit: str) -> OwnReport:
    """Measure what one user said and keep what came out. What was only noticed is no truth."""
    dataset = app.services.training.dataset(user)
    dataset = dataset.only(np.array([explicit(one) for one in dataset.labels], bool))
    found = run(dataset.labels, dataset.vectors, by, app.services.embedder.model_id, fit)
    app.store.models.add_evaluation(user, app.now(), by.name, fit, json_safe(asdict(found)))
    return found


def trainer(app: App, name: str) -> Trainer:
    """A trainer that asks for no more labels than its folds do."""
    return by_name(name, app.settings, app.services.embedder.model_id)


def by_name(name: str, settings: Settings, vector_model: str) -> Trainer:
    """The same, with no app opened."""
    workplace = registry.Workplace(
        settings=settings.training,
        needed=(FOLDS, FOLDS),
        vector_model=vector_model,
        folder=settings.store.path.with_suffix(".measured"),
    )
    return registry.trainer(name, workplace)


def json_safe(value: Any) -> Any:
    """As every database holds JSON: what has no answer is null."""
    if isinstance(value, dict):
        return {name: json_safe(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_safe(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def run(
    labels: Sequence[Label],
    vectors: Vectors,
    trainer: Trainer,
    vector_model: str,
    fit: str = "cv",
) -> OwnReport:
    """Measure on the newest labels, given oldest first. Raises UserError when they are too few."""
    if not labels:
        raise UserError("There are no likes or dislikes yet.")
    reader = of_store(labels[-MOST_LABELS:], vectors[-MOST_LABELS:])
    parts = cross_validated(reader.known, FOLDS) if fit == "cv" else splits(fit, reader.known)
    held = relevance.judged(reader, trainer, parts)
    figures, _ = relevance.figures(reader, held, metrics.RESAMPLES)
    counted = [np.histogram(held.chances[held.truth == side], BINS, (0, 1))[0] for side in (1, 0)]
    return OwnReport(
        **asdict(figures),
        trainer=trainer.name,
        vector_model=vector_model,
        fit=fit,
        readers=1,
        per_reader=(),
        left_out=(),
        roc=tuple(metrics.roc_points(held.truth, held.chances)),
        precision_recall=tuple(metrics.precision_recall_points(held.truth, held.chances)),
        reliability=tuple(metrics.reliability(held.truth, held.chances)),
        histogram=tuple(
            (place / BINS, int(likes), int(rest))
            for place, (likes, rest) in enumerate(zip(*counted, strict=True))
        ),
        learning_curve=_learning(reader, trainer),
    )


def _learning(reader: Labelled, trainer: Trainer) -> tuple[tuple[int, float, float, float], ...]:
    """Trained on ever more labels drawn from three quarters, judged on the fourth."""
    most = len(curves.split(reader, "cv").kept)
    sizes = [FEWEST * 2**doubling for doubling in range(20) if FEWEST * 2**doubling < most]
    try:
        found = curves.run([reader], trainer, [*sizes, most], "cv")
    except UserError:  # too few of one kind for any size
        return ()
    return tuple(
        (one.labels, one.average_precision, *one.average_precision_interval) for one in found.curve
    )
