"""How well a model trained on one reader's labels finds what they like among the rest.

Reads no file. Every label judged is of an article that the model which judged it never saw, nor a
copy of it, nor another report of the event (ranking/measure/splits.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import UserError
from newsloom.ranking.learning.confidence_intervals import Interval, of_f1, of_roc_auc, of_share
from newsloom.ranking.measure import metrics
from newsloom.ranking.measure.labelled import EARLY, Labelled
from newsloom.ranking.measure.splits import Rows, Split, splits
from newsloom.ranking.ports import PersonalModel, Trainer
from newsloom.ranking.values.models import NotYet

Truth = NDArray[np.bool_]
Chances = NDArray[np.float64]

# Every measure by its plain name: of truths and of chances from 0 to 1.
MEASURES: tuple[tuple[str, Callable[..., float]], ...] = (
    ("precision", metrics.precision),
    ("recall", metrics.recall),
    ("f1", metrics.f1),
    ("roc_auc", metrics.roc_auc),
    ("average_precision", metrics.average_precision),
    ("precision_at_50", lambda truth, chances: metrics.precision_at(truth, chances, 50)),
    ("log_loss", metrics.log_loss),
    ("calibration_error", metrics.calibration_error),
)

# The intervals that have a formula, which holds also where every label was judged right: then
# resampling says "1.000 to 1.000" (see confidence_intervals). Of the others only resampling tells.
FORMULAS: tuple[tuple[str, Callable[[Truth, Chances, float], Interval]], ...] = (
    ("precision", lambda _truth, p, value: of_share(value, (p >= 0.5).sum())),
    ("recall", lambda truth, _p, value: of_share(value, truth.sum())),
    ("f1", lambda truth, p, value: of_f1(value, (truth | (p >= 0.5)).sum())),
    ("roc_auc", lambda truth, _p, value: of_roc_auc(value, truth.sum(), (~truth).sum())),
    ("average_precision", lambda truth, _p, value: of_share(value, truth.sum())),
    ("precision_at_50", lambda truth, _p, value: of_share(value, min(len(truth), 50))),
)

# Resamples of each of many readers; their mean is steadier than each of them.
MANY = 200


@dataclass(frozen=True, slots=True)
class Figures:
    """Quality on labels held out, with 95% intervals. Precision, recall and F1 are of what scores
    50 or more.

    One reader's intervals are those of FORMULAS, else, and for the mean over several readers, the
    middle of resampled labels.
    """

    reader: str
    positives: int
    negatives: int
    judged: int
    precision: float
    precision_interval: Interval
    recall: float
    recall_interval: Interval
    f1: float
    f1_interval: Interval
    roc_auc: float
    roc_auc_interval: Interval
    average_precision: float
    average_precision_interval: Interval
    precision_at_50: float
    precision_at_50_interval: Interval
    log_loss: float
    log_loss_interval: Interval
    calibration_error: float
    calibration_error_interval: Interval


@dataclass(frozen=True, slots=True)
class RelevanceReport(Figures):
    """The figures of one reader, or their mean over many: each counts alike."""

    trainer: str
    vector_model: str
    fit: str
    readers: int
    per_reader: tuple[Figures, ...]  # when there are several
    left_out: tuple[str, ...]  # readers with too few labels, and why


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Labels held out, with the chance of a like that a model gave each."""

    truth: Truth
    chances: Chances

    @property
    def figures(self) -> dict[str, float]:
        return {name: measure(self.truth, self.chances) for name, measure in MEASURES}

    @property
    def intervals(self) -> dict[str, Interval]:
        """Of the measures whose interval has a formula."""
        values = self.figures
        return {name: of(self.truth, self.chances, values[name]) for name, of in FORMULAS}

    def resampled(self, times: int) -> NDArray[np.float64]:
        """Each measure on each resample."""
        return metrics.resampled(
            [measure for _, measure in MEASURES], (self.truth, self.chances), times
        )


def run(
    readers: Sequence[Labelled], trainer: Trainer, vector_model: str, fit: str
) -> RelevanceReport:
    """Judge each reader by themselves. Raises UserError when that can be done for none."""
    times = metrics.RESAMPLES if len(readers) == 1 else MANY
    found: list[tuple[Figures, NDArray[np.float64]]] = []
    left_out = []
    for reader in readers:
        try:
            held = judged(reader, trainer, splits(fit, reader.known))
            found.append(figures(reader, held, times))
        except UserError as error:
            if len(readers) == 1:
                raise
            left_out.append(f"{reader.reader}: {error}")
    if not found:
        raise UserError(left_out[0])
    each = tuple(one for one, _ in found)
    whole = each[0] if len(each) == 1 else _mean(each, [samples for _, samples in found])
    return RelevanceReport(
        **asdict(whole),
        trainer=trainer.name,
        vector_model=vector_model,
        fit=fit,
        readers=len(each),
        per_reader=each if len(readers) > 1 else (),
        left_out=tuple(left_out),
    )


def judged(reader: Labelled, trainer: Trainer, parts: Iterable[Split]) -> Judged:
    """Every label held out, scored by a model trained on the other side."""
    scores = np.full(len(reader.labels), np.nan)
    for part in parts:
        scores[part.held] = scored(reader, trained(reader, trainer, part.kept), part.held)
    rows = np.flatnonzero(~np.isnan(scores))
    if not len(rows):
        raise UserError("Nothing to evaluate.")
    return Judged(reader.known.positive[rows], scores[rows] / 100.0)


def trained(reader: Labelled, trainer: Trainer, rows: Rows) -> PersonalModel:
    """A model of those labels. Raises UserError when they are too few."""
    labels, vectors = reader.only(rows)
    model = trainer.train(labels, vectors, max((one.at for one in labels), default=EARLY))
    if isinstance(model, NotYet):
        raise UserError(
            f"Training needs {model.needed[0]} likes and {model.needed[1]} dislikes in each part; "
            f"there are {model.positives} and {model.negatives}."
        )
    return model


def scored(reader: Labelled, model: PersonalModel, rows: Rows) -> NDArray[np.float64]:
    """What a model makes of those labels' articles, 0 to 100."""
    labels, vectors = reader.only(rows)
    articles = [one.article for one in labels]
    return model.score(articles, vectors, [one.category for one in labels])


def figures(reader: Labelled, held: Judged, times: int) -> tuple[Figures, NDArray[np.float64]]:
    """The figures of what was judged, and each measure on each resample."""
    samples = held.resampled(times)
    positives = int(reader.known.positive.sum())
    counts: dict[str, Any] = {
        "positives": positives,
        "negatives": len(reader.labels) - positives,
        "judged": len(held.truth),
    }
    named = _named(held.figures, samples)
    named |= {f"{name}_interval": ends for name, ends in held.intervals.items()}
    return Figures(reader=reader.reader, **counts, **named), samples


def _mean(each: Sequence[Figures], samples: Sequence[NDArray[np.float64]]) -> Figures:
    """The mean over readers; the interval is of the readers' resampled means."""
    values = {name: average([getattr(one, name) for one in each]) for name, _ in MEASURES}
    sums: dict[str, Any] = {
        name: sum(getattr(one, name) for one in each)
        for name in ("positives", "negatives", "judged")
    }
    with np.errstate(invalid="ignore"):
        averaged = np.mean(samples, axis=0)
    return Figures(reader="", **sums, **_named(values, averaged))


def average(values: Sequence[float]) -> float:
    """The mean of those that have an answer; nan when none has."""
    known = [one for one in values if not math.isnan(one)]
    return sum(known) / len(known) if known else math.nan


def _named(values: dict[str, float], samples: NDArray[np.float64]) -> dict[str, Any]:
    intervals = {
        f"{name}_interval": metrics.middle(column)
        for (name, _), column in zip(MEASURES, samples.T, strict=True)
    }
    return {**values, **intervals}
