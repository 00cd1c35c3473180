"""What can be learned where nobody dislikes: likes beside what was passed over, measured on readers
who did dislike, with their dislikes hidden.

Every model gets the same likes, and all are judged on the same later articles, which none of them
saw, nor a copy or another report of the same. Draws by fixed seeds: the same file gives the same
figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import UserError
from newsloom.ranking.learning import implicit_negatives
from newsloom.ranking.learning.confidence_intervals import Interval
from newsloom.ranking.measure import curves, metrics
from newsloom.ranking.measure.curves import RESAMPLES
from newsloom.ranking.measure.labelled import Labelled
from newsloom.ranking.measure.relevance import average, scored
from newsloom.ranking.measure.splits import Rows
from newsloom.ranking.ports import Trainer
from newsloom.ranking.values.models import NotYet

Scores = NDArray[np.float64]

MEASURES: tuple[tuple[str, Callable[..., float]], ...] = (
    ("ROC AUC", metrics.roc_auc),
    ("average precision", metrics.average_precision),
    ("P@20", partial(metrics.precision_at, count=20)),
    ("calibration error", metrics.calibration_error),
)


@dataclass(frozen=True, slots=True)
class Silence:
    """What is not known of a made-up reader: chances, of each article by itself."""

    said: float  # a like, or a dislike of what was shown, is said
    shown: float  # what is not said to be liked was shown


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean over readers, its 95% interval, and how it differs from the model with dislikes."""

    value: float
    interval: Interval
    difference: float
    difference_interval: Interval


@dataclass(frozen=True, slots=True)
class Point:
    """One model of so many likes."""

    likes: int
    model: str
    readers: int
    figures: tuple[Figure, ...]  # as MEASURES


@dataclass(frozen=True, slots=True)
class UnlabelledReport:
    trainer: str
    readers: int
    judged: int  # articles, of all readers together
    silence: Silence
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What there is to learn from for one reader and one number of likes, as rows in time."""

    likes: Rows
    dislikes: Rows  # said
    shown: Rows  # and passed over
    rest: Rows  # of which nothing was said, shown or not


def run(
    readers: Sequence[Labelled],
    trainer: Trainer,
    sizes: Sequence[int],
    silence: Silence,
    few: float = 0.0,
) -> UnlabelledReport:
    """With `few`, also models of so many dislikes for each like.

    Raises UserError when no reader has said likes enough for the smallest size.
    """
    models = (*MODELS, *_few(few)) if few else MODELS
    parts = [curves.split(one, "time") for one in readers]
    points: list[Point] = []
    for size in sorted(set(sizes)):
        held: dict[str, list[tuple[NDArray[np.bool_], Scores]]] = {name: [] for name, _ in models}
        for number, (reader, part) in enumerate(zip(readers, parts, strict=True)):
            known = _known(reader, part.kept, size, silence, number)
            if known is None:
                continue
            scores = [model(reader, trainer, known, part.held) for _, model in models]
            if any(one is None for one in scores):
                continue  # the same readers for every model
            for (name, _), found in zip(models, scores, strict=True):
                assert found is not None
                held[name].append((reader.known.positive[part.held], found))
        if held[MODELS[0][0]]:
            points += _points(size, held)
    if not points:
        raise UserError(f"No reader said {min(sizes)} likes, and dislikes to compare with.")
    judged = sum(len(part.held) for part in parts)
    return UnlabelledReport(trainer.name, len(readers), judged, silence, tuple(points))


def words(figure: Figure) -> str:
    """A figure in a table."""
    low, high = figure.interval
    text = f"{figure.value:.3f} [{low:.3f}, {high:.3f}]"
    return text if math.isfinite(figure.value) else "-"


def _known(reader: Labelled, kept: Rows, size: int, silence: Silence, number: int) -> _Known | None:
    """The newest `size` likes that are said, and all that lay among them."""
    draw = np.random.default_rng(number)
    liked = reader.known.positive[kept]
    said = draw.random(len(kept)) < silence.said
    shown = draw.random(len(kept)) < silence.shown
    likes = np.flatnonzero(liked & said)[-size:]
    if len(likes) < size:
        return None
    among = np.arange(likes[0], len(kept))
    silent = among[~(liked & said)[among]]
    return _Known(
        likes=kept[likes],
        dislikes=kept[among[(~liked & said & shown)[among]]],
        shown=kept[silent[shown[silent]]],
        rest=kept[silent],
    )


def _with_dislikes(
    reader: Labelled, trainer: Trainer, known: _Known, judged: Rows
) -> Scores | None:
    return _trained(reader, trainer, known.likes, known.dislikes, judged)


def _with_passed_over(
    reader: Labelled, trainer: Trainer, known: _Known, judged: Rows
) -> Scores | None:
    """As Newsloom does: what was perhaps not shown weighs least."""
    weights = np.where(np.isin(known.rest, known.shown), 1.0, implicit_negatives.LEAST_WEIGHT)
    return _trained(reader, trainer, known.likes, known.rest, judged, weights)


def _with_shown(reader: Labelled, trainer: Trainer, known: _Known, judged: Rows) -> Scores | None:
    return _trained(reader, trainer, known.likes, known.shown, judged)


def _with_all(reader: Labelled, trainer: Trainer, known: _Known, judged: Rows) -> Scores | None:
    return _trained(reader, trainer, known.likes, known.rest, judged)


def _centroid(reader: Labelled, _trainer: Trainer, known: _Known, judged: Rows) -> Scores:
    """How near each article is to the middle of the likes, 0 to 1; no chance of anything."""
    middle = reader.vectors[known.likes].astype(np.float64).mean(0)
    return np.asarray((1.0 + reader.vectors[judged] @ middle) / 2.0, np.float64)


def _trained(
    reader: Labelled,
    trainer: Trainer,
    likes: Rows,
    others: Rows,
    judged: Rows,
    weights: Scores | None = None,
) -> Scores | None:
    """Chances of a like; None when there are too few to train on. `weights` are of the others."""
    rows = np.concatenate([likes, others])
    heavy = np.concatenate(
        [np.ones(len(likes)), np.ones(len(others)) if weights is None else weights]
    )
    liked = np.arange(len(rows)) < len(likes)
    order = np.argsort(rows, kind="stable")
    labels = [
        replace(reader.labels[row], positive=bool(liked[place]), weight=float(heavy[place]))
        for place, row in ((place, rows[place]) for place in order)
    ]
    model = trainer.train(labels, reader.vectors[rows[order]], labels[-1].at)
    return None if isinstance(model, NotYet) else scored(reader, model, judged) / 100.0


_Model = Callable[[Labelled, Trainer, _Known, Rows], Scores | None]

# The first is what the others are compared with.
MODELS: tuple[tuple[str, _Model], ...] = (
    ("likes and dislikes", _with_dislikes),
    ("likes and what was passed over", _with_passed_over),
    ("likes and only what was shown", _with_shown),
    ("likes and all else, alike", _with_all),
    ("likes alone: their centroid", _centroid),
)
_CENTROID = MODELS[-1][0]


def _few(share: float) -> tuple[tuple[str, _Model], ...]:
    """Models with so many dislikes for each like, the newest, alone and beside what was passed
    over."""
    return (
        (f"likes and {share:g} dislikes each", partial(_with_some, share, beside=False)),
        ("and what was passed over", partial(_with_some, share, beside=True)),
    )


def _with_some(
    share: float,
    reader: Labelled,
    trainer: Trainer,
    known: _Known,
    judged: Rows,
    *,
    beside: bool,
) -> Scores | None:
    count = round(share * len(known.likes))
    dislikes = known.dislikes[-count:]
    if len(dislikes) < count:
        return None
    if not beside:
        return _trained(reader, trainer, known.likes, dislikes, judged)
    rest = known.rest[~np.isin(known.rest, dislikes)]
    weights = np.where(np.isin(rest, known.shown), 1.0, implicit_negatives.LEAST_WEIGHT)
    others = np.concatenate([dislikes, rest])
    heavy = np.concatenate([np.ones(count), weights])
    return _trained(reader, trainer, known.likes, others, judged, heavy)


def _points(size: int, held: dict[str, list[tuple[NDArray[np.bool_], Scores]]]) -> list[Point]:
    """One for each model, every model on the same resamples of each reader's articles."""
    first = held[MODELS[0][0]]
    base = _samples(first)
    found = []
    for name, those in held.items():
        samples = base if those is first else _samples(those)
        figures = []
        for column, (measure, of) in enumerate(MEASURES):
            if name == _CENTROID and measure == "calibration error":
                figures.append(Figure(math.nan, (math.nan,) * 2, math.nan, (math.nan,) * 2))
                continue
            value = average([of(truth, scores) for truth, scores in those])
            other = average([of(truth, scores) for truth, scores in first])
            drawn = samples[:, column]
            figures.append(
                Figure(
                    value,
                    metrics.middle(drawn),
                    value - other,
                    metrics.middle(drawn - base[:, column]),
                )
            )
        found.append(Point(size, name, len(those), tuple(figures)))
    return found


def _samples(held: Sequence[tuple[NDArray[np.bool_], Scores]]) -> Scores:
    """Means over readers of each measure (column) on each resample of their articles (row)."""
    measures = [measure for _, measure in MEASURES]
    each = [metrics.resampled(measures, pair, RESAMPLES) for pair in held]
    return np.asarray(np.mean(each, axis=0), np.float64)
