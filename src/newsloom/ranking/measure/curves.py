"""What more labels bring: models trained on the newest k, judged on labels none of them saw.

Each size is judged on the same labels of the same readers, so that a curve rises for no other
reason than its labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from newsloom.kernel.errors import UserError
from newsloom.ranking.learning.confidence_intervals import Interval
from newsloom.ranking.measure import metrics, relevance
from newsloom.ranking.measure.labelled import Labelled
from newsloom.ranking.measure.relevance import Judged
from newsloom.ranking.measure.splits import Rows, Split, cross_validated, in_time, splits
from newsloom.ranking.ports import Trainer

# By time, the newest quarter is judged: enough to judge by, and most are left to train on.
JUDGED_SHARE = 0.25

RESAMPLES = 200


@dataclass(frozen=True, slots=True)
class Point:
    """One size of the curve: the mean over readers that have so many labels."""

    labels: int
    readers: int
    average_precision: float
    average_precision_interval: Interval
    roc_auc: float
    roc_auc_interval: Interval


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """The curve of one trainer."""

    trainer: str
    fit: str
    judged: int  # labels, of all readers together
    curve: tuple[Point, ...]
    # Of several readers: their average precision at each size.
    per_reader: tuple[tuple[str, tuple[tuple[int, float], ...]], ...]


def run(
    readers: Sequence[Labelled], trainer: Trainer, sizes: Sequence[int], fit: str = "time"
) -> LearningCurve:
    """Raises UserError when no reader has labels for the smallest size."""
    parts = {one.reader: split(one, fit) for one in readers}
    found: dict[int, dict[str, Judged]] = {size: {} for size in sorted(set(sizes))}
    for reader in readers:
        for size in found:
            held = at_size(reader, trainer, parts[reader.reader], size)
            if held is not None:
                found[size][reader.reader] = held
    curve = tuple(_point(size, list(those.values())) for size, those in found.items() if those)
    if not curve:
        raise UserError(f"No reader has {min(found)} labels of both kinds to train on.")
    return LearningCurve(
        trainer.name,
        fit,
        sum(len(part.held) for part in parts.values()),
        curve,
        tuple((one.reader, _by_size(one.reader, found)) for one in readers[1:] and readers),
    )


def _by_size(
    reader: str, found: Mapping[int, Mapping[str, Judged]]
) -> tuple[tuple[int, float], ...]:
    return tuple(
        (size, those[reader].figures["average_precision"])
        for size, those in found.items()
        if reader in those
    )


def split(reader: Labelled, fit: str) -> Split:
    """Rows to train on, those used first at the end, and rows to judge."""
    if fit == "time":
        order = in_time(reader.known)
        cut = len(order) - int(len(order) * JUDGED_SHARE)
        kept, held = order[:cut], order[cut:]
        return Split(kept, held[~np.isin(reader.known.sides[held], reader.known.sides[kept])])
    if fit == "cv":
        first = cross_validated(reader.known, round(1 / JUDGED_SHARE))[0]
        return Split(np.random.default_rng(0).permutation(first.kept), first.held)
    return splits(fit, reader.known)[0]


def at_size(reader: Labelled, trainer: Trainer, part: Split, size: int) -> Judged | None:
    """What is judged after training on the newest `size`; None when there are not so many."""
    rows: Rows = part.kept[-size:]
    if len(rows) < size:
        return None
    try:
        return relevance.judged(reader, trainer, [Split(rows, part.held)])
    except UserError:  # too few of one kind among so few
        return None


def _point(size: int, held: Sequence[Judged]) -> Point:
    values, ends = {}, {}
    for name, measure in (
        ("average_precision", metrics.average_precision),
        ("roc_auc", metrics.roc_auc),
    ):
        values[name] = relevance.average([measure(one.truth, one.chances) for one in held])
        if len(held) == 1:
            ends[name] = held[0].intervals[name]
            continue
        samples = [
            metrics.resampled([measure], (one.truth, one.chances), RESAMPLES) for one in held
        ]
        ends[name] = metrics.middle(np.mean(samples, axis=0)[:, 0])
    return Point(
        size,
        len(held),
        values["average_precision"],
        ends["average_precision"],
        values["roc_auc"],
        ends["roc_auc"],
    )
