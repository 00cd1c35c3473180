"""What `/you` shows of the model, computed from values: status, figures, curves, history. Pure.

Reports come out of the database as JSON: what is not there, or is no number, is not shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from markupsafe import Markup

from newsloom.ranking.learning import confidence_intervals
from newsloom.ranking.learning.confidence_intervals import Interval
from newsloom.ranking.values.models import Evaluation, Learned, StoredModel
from newsloom.web import charts
from newsloom.web.charts import Axis, Line, finite
from newsloom.web.wording import clean, count_words

# The figures that are shown, in this order, by their plain metric names.
FIGURES = (
    ("roc_auc", "ROC AUC", "chance that a liked article ranks above one you do not like"),
    ("average_precision", "Average precision", "precision averaged over the ranked list"),
    ("precision", "Precision", "share of recommended articles that you like"),
    ("recall", "Recall", "share of liked articles that are recommended"),
    ("f1", "F1", "precision and recall combined"),
    ("precision_at_50", "P@50", "share of likes among the top 50"),
    ("log_loss", "Log loss", "error of the predicted probabilities; lower is better"),
    (
        "calibration_error",
        "Calibration error",
        "difference between predicted and actual share of likes",
    ),
)

# What trainings are judged on (ranking/learning/promotion.py), and the class of its line.
TRAININGS = {"frozen": "line", "folds": "other"}

# What was measured on, in words.
PROTOCOLS = {
    "frozen": "held-out labels",
    "passed over": "newest likes against skipped articles",
    "folds": "cross-validation during training",
    "cv": "cross-validation",
    "time": "newest labels",
}

MOST_MODELS = 50  # rows of the history
SMALLEST_DOT, LARGEST_DOT = 2.5, 8.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with what it means."""

    name: str
    meaning: str
    value: str
    interval: str  # "" when none was computed


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart, what it says in a sentence, and its numbers."""

    name: str
    sentence: str
    svg: Markup
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What was measured, and of what."""

    when: datetime
    model: str
    protocol: str
    figures: tuple[Figure, ...]
    caution: str  # how far the first figure may lie from the true one, in a sentence
    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One trained model of the history."""

    name: str
    trained: datetime
    trainer: str
    labels: str
    verdict: str
    standing: str  # "active", "rolled back", "replaced", "rejected"


def history(models: Sequence[StoredModel]) -> tuple[ModelRow, ...]:
    """The models, newest first."""
    return tuple(_model(one) for one in models[:MOST_MODELS])


def _model(one: StoredModel) -> ModelRow:
    learned = one.learned
    standing = (
        "active"
        if one.active
        else "rolled back"
        if one.withdrawn
        else "replaced"
        if one.promoted
        else "rejected"
    )
    return ModelRow(
        name=clean(one.model_id, 80),
        trained=one.trained,
        trainer=clean(one.trainer, 40),
        labels=_labels(learned),
        verdict=clean(one.verdict, 200),
        standing=standing,
    )


def _labels(learned: Learned) -> str:
    likes = count_words(learned.likes, "like")
    dislikes = count_words(learned.dislikes, "dislike")
    passed = f", {count_words(learned.implicit_negatives, 'skipped article')}"
    return f"{likes}, {dislikes}{passed if learned.implicit_negatives else ''}"


def reports(evaluations: Sequence[Evaluation]) -> tuple[Report, ...]:
    """The newest measurement of each kind that has anything to show, those with curves first."""
    newest: dict[str, Report] = {}
    for one in evaluations:
        if one.protocol not in newest:
            made = Report(
                when=one.at,
                model=clean(one.model_id, 80),
                protocol=PROTOCOLS.get(one.protocol, clean(one.protocol, 80)),
                figures=figures(one.report),
                caution=caution(one.report),
                pictures=pictures(one.report),
            )
            if made.figures or made.pictures:
                newest[one.protocol] = made
    return tuple(sorted(newest.values(), key=lambda one: not one.pictures))


def figures(report: Mapping[str, Any]) -> tuple[Figure, ...]:
    """The known figures of a report."""
    return tuple(
        Figure(name, meaning, f"{value[0][0]:.3f}", _ends(_interval(key, report)))
        for key, name, meaning in FIGURES
        if (value := finite([[report.get(key)]], 1))
    )


def caution(report: Mapping[str, Any]) -> str:
    """How far the ROC AUC may lie from the true one, from so few labels."""
    ends = _interval("roc_auc", report)
    likes, dislikes = _counts(report)
    judged = finite([[report.get("judged", likes + dislikes)]], 1)
    return confidence_intervals.describe("ROC AUC", ends, judged[0][0]) if ends and judged else ""


def _interval(key: str, report: Mapping[str, Any]) -> Interval | None:
    """What was kept with the figure, else what its labels allow: trainings keep none, and figures
    without a mistake were once kept with none."""
    kept = finite([report.get(f"{key}_interval")], 2)
    if kept and kept[0][0] < kept[0][1]:
        return kept[0][0], kept[0][1]
    value = finite([[report.get(key)]], 1)
    if key != "roc_auc" or not value:
        return None
    likes, dislikes = _counts(report)
    return (
        confidence_intervals.of_roc_auc(value[0][0], likes, dislikes)
        if likes and dislikes
        else None
    )


def _counts(report: Mapping[str, Any]) -> tuple[float, float]:
    found = finite([[report.get("positives"), report.get("negatives")]], 2)
    return (found[0][0], found[0][1]) if found else (0.0, 0.0)


def _ends(ends: Interval | None) -> str:
    return f"{ends[0]:.3f} to {ends[1]:.3f}" if ends else ""


def pictures(report: Mapping[str, Any]) -> tuple[Picture, ...]:
    """The curves of a report, as far as it has them."""
    drawn = (
        _roc(report),
        _precision_recall(report),
        _reliability(report),
        _learning(report),
        _histogram(report),
    )
    return tuple(one for one in drawn if one is not None)


def _roc(report: Mapping[str, Any]) -> Picture | None:
    points = tuple((x, y) for x, y in finite(report.get("roc"), 2))
    if len(points) < 2:
        return None
    even = Line(((0.0, 0.0), (1.0, 1.0)), "even")
    sentence = (
        "The closer to the upper left corner, the better the model separates likes from the rest."
    )
    return _picture(
        "ROC curve",
        sentence,
        (charts.unit("false positive rate"), charts.unit("recall")),
        [even, Line(points)],
        points,
    )


def _precision_recall(report: Mapping[str, Any]) -> Picture | None:
    points = tuple((x, y) for x, y in finite(report.get("precision_recall"), 2))
    if len(points) < 2:
        return None
    sentence = "The closer to the upper right corner, the better."
    return _picture(
        "Precision and recall",
        sentence,
        (charts.unit("recall"), charts.unit("precision")),
        [Line(points)],
        points,
    )


def _reliability(report: Mapping[str, Any]) -> Picture | None:
    bins = finite(report.get("reliability"), 3)
    if not bins:
        return None
    most = max(count for _mean, _seen, count in bins) or 1.0
    points = tuple((mean, seen) for mean, seen, _count in bins)
    radii = tuple(
        SMALLEST_DOT + (LARGEST_DOT - SMALLEST_DOT) * (max(count, 0.0) / most) ** 0.5
        for _mean, _seen, count in bins
    )
    sentence = "On the dotted line, scores match reality: of articles with score 70, you like 70%."
    return _picture(
        "Reliability",
        sentence,
        (charts.unit("predicted probability"), charts.unit("share of likes")),
        [Line(((0.0, 0.0), (1.0, 1.0)), "even"), Line(points, dots=radii)],
        bins,
        whole=(2,),
    )


def _learning(report: Mapping[str, Any]) -> Picture | None:
    rows = finite(report.get("learning_curve"), 4)
    if len(rows) < 2:
        return None
    points = tuple((labels, middle) for labels, middle, _low, _high in rows)
    band = tuple((labels, low, high) for labels, _middle, low, high in rows)
    least = min(low for _labels, low, _high in band)
    sentence = "Quality by number of labels."
    return _picture(
        "Learning curve",
        sentence,
        (
            charts.counts("training labels", [labels for labels, _ in points]),
            charts.unit("average precision", 0.5 if least >= 0.5 else 0.0),
        ),
        [Line(points, dots=(2.5,) * len(points), band=band)],
        rows,
        whole=(0,),
    )


def _histogram(report: Mapping[str, Any]) -> Picture | None:
    bins = finite(report.get("histogram"), 3)
    if len(bins) < 2:
        return None
    half = (bins[1][0] - bins[0][0]) / 2
    most = max(max(likes, rest) for _from, likes, rest in bins)
    sides = {
        kind: tuple((row[0] + half, row[side]) for row in bins)
        for kind, side in (("line", 1), ("other", 2))
    }
    sentence = "Likes in colour, the rest in grey. The further apart, the better."
    return _picture(
        "Score distribution",
        sentence,
        (charts.unit("predicted probability"), charts.tally("labels", most)),
        [Line(points, kind) for kind, points in sides.items()],
        bins,
        whole=(1, 2),
    )


def over_time(evaluations: Sequence[Evaluation]) -> Picture | None:
    """ROC AUC of each training, oldest first, by what it was judged on."""
    judged = [
        (one.at, one.protocol, value[0][0])
        for one in sorted(evaluations, key=lambda one: one.at)
        if one.protocol in TRAININGS
        if (value := finite([[one.report.get("roc_auc")]], 1))
    ]
    if len(judged) < 2:
        return None
    last = len(judged) - 1
    ends = tuple((float(at), f"{judged[at][0]:%-d %b %Y}") for at in (0, last))
    across = Axis("trainings", -0.05 * last, 1.05 * last, ends)
    values = [value for _at, _protocol, value in judged]
    up = charts.unit("ROC AUC", 0.5 if min(values) >= 0.5 else 0.0)
    words = f"ROC AUC of {len(values)} trainings, from {values[0]:.3f} to {values[-1]:.3f}."
    lines = []
    for protocol, kind in TRAININGS.items():
        points = [(float(n), row[2]) for n, row in enumerate(judged) if row[1] == protocol]
        lines.append(Line(tuple(points), kind, dots=(2.5,) * len(points)))
    return Picture(
        name="Quality over time",
        sentence="ROC AUC of each model on held-out labels; paler: cross-validation.",
        svg=charts.chart(words, across, up, lines),
        columns=("trained", "ROC AUC", "on"),
        rows=tuple((f"{at:%Y-%m-%d %H:%M}", f"{value:.3f}", on) for at, on, value in judged[-12:]),
    )


def _picture(
    name: str,
    sentence: str,
    axes: tuple[Axis, Axis],
    lines: list[Line],
    rows: Sequence[tuple[float, ...]],
    whole: tuple[int, ...] = (),
) -> Picture:
    """A chart with its numbers, a dozen rows of them at most."""
    across, up = axes
    more = {
        "Reliability": ["labels"],
        "Learning curve": ["low", "high"],
        "Score distribution": ["rest"],
    }
    names = [across.name, up.name, *more.get(name, [])]
    if name == "Score distribution":
        names[:2] = ["score from", "likes"]
    step = max(1, -(-len(rows) // 12))
    shown = [*rows[::step], *([rows[-1]] if (len(rows) - 1) % step else [])]
    return Picture(
        name=name,
        sentence=sentence,
        svg=charts.chart(f"{name}: {up.name}, by {across.name}.", across, up, lines),
        columns=tuple(names[: len(rows[0])]),
        rows=tuple(
            tuple(
                f"{value:,.0f}" if place in whole else f"{value:.3f}"
                for place, value in enumerate(row)
            )
            for row in shown
        ),
    )
