"""The `tfidf-svm` trainer: the words of what a reader liked and disliked, and a linear SVM.

What seed 000's author did before there were encoders: cleaning, stop words, TF-IDF, a linear
support vector machine. It reads no vectors, and every score is a sum over words. Both classes weigh
the same; scores are calibrated on folds that did not train them.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.learning.calibration import (
    FOLDS,
    balanced,
    calibrate,
    calibrated,
    folds,
    held_out_figures,
    usual,
)
from newsloom.ranking.learning.features import rounded
from newsloom.ranking.learning.lbfgs import Floats, minimize
from newsloom.ranking.learning.logistic import Line, sigmoid
from newsloom.ranking.learning.payload import taken_apart, undamaged
from newsloom.ranking.learning.prior import points
from newsloom.ranking.learning.terms import (
    MOST_TERMS,
    Rows,
    Vocabulary,
    counted,
    learned,
    vocabulary,
)
from newsloom.ranking.ports import Vectors
from newsloom.ranking.values.models import ArticleText, Label, NotYet, Reason, StoredModel

# A linear support vector machine on sparse rows: squared hinge, L2 penalty. Numbers only.
#
# liblinear's problem, bias penalised like any weight; the tests hold it to scikit-learn's
# LinearSVC.

# The largest slope left. The penalty alone curves by 1, so no weight is further off than that.
TOLERANCE = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    rows: Rows
    signs: Floats  # -1 or 1
    costs: Floats

    def loss(self, point: Floats) -> tuple[float, Floats]:
        """|w|^2 / 2 plus the squared shortfalls from a margin of 1, and the slope."""
        margins = self.signs * (self.rows.times(point[:-1]) + point[-1])
        short = np.maximum(0.0, 1.0 - margins)
        pull = -2.0 * self.costs * self.signs * short
        slope = point + np.append(self.rows.transposed_times(pull), pull.sum())
        value = 0.5 * np.einsum("i,i->", point, point) + (self.costs * short * short).sum()
        return float(value), slope


def solve(rows: Rows, truth: Floats, costs: Floats) -> Line:
    """The line that keeps rows of `truth` 1 from those of 0. `costs` are C times each row's weight.

    L-BFGS: liblinear's coordinate descent visits one row at a time, which numpy cannot do fast.
    """
    given = _Problem(rows, 2.0 * truth - 1.0, costs)
    spread = replace(rows, values=rows.values**2).transposed_times(costs)
    scale = 1.0 / (1.0 + 2.0 * np.append(spread, costs.sum()))
    start = np.zeros(rows.width + 1)
    found = minimize(given.loss, start, TOLERANCE, partial(np.multiply, scale))
    return Line(found[:-1], float(found[-1]))


VERSION = "tfidf-svm@2"

# scikit-learn's C. On six simulated readers with 100 to 3,000 labels the mean average precision was
# within .003 from 0.01 to 0.1, and .006 to .033 lower at 1, so it is not chosen anew each time.
COST = 0.05

# Articles made into rows at once: bounds the memory of scoring tens of thousands.
BATCH = 2_000

SHOWN = 8  # words named in an explanation; the rest is one line


@dataclass(frozen=True, slots=True, eq=False)
class TermModel:
    """Implements ports.PersonalModel with a weight for each word."""

    vocabulary: Vocabulary = field(repr=False)
    line: Line = field(repr=False)  # calibrated: its logits are log odds of a like
    positives: int
    negatives: int
    metrics: tuple[tuple[str, float], ...]  # on folds held out
    trained: datetime
    model_id: str = ""
    vector_model: str = ""  # reads texts alone
    personal: bool = True

    def score(
        self, articles: Sequence[ArticleText], vectors: Vectors, categories: Sequence[str]
    ) -> NDArray[np.float64]:
        """100 * the calibrated chance of a like, by the words alone."""
        del vectors, categories
        logits = np.empty(len(articles))
        for start in range(0, len(articles), BATCH):
            batch = articles[start : start + BATCH]
            logits[start : start + BATCH] = self._rows(batch).times(self.line.weights)
        return 100.0 * sigmoid(logits + self.line.bias)

    def parts(self, article: ArticleText, vector: Vectors, category: str) -> tuple[Reason, ...]:
        """The words that moved the score away from 50, in points, largest first."""
        del vector, category
        row = self._rows([article])
        odds = row.values * self.line.weights[row.columns]
        order = sorted(range(len(odds)), key=lambda place: (-abs(odds[place]), place))
        told = [
            ("term", self.vocabulary.terms[row.columns[place]], float(odds[place]))
            for place in order[:SHOWN]
        ]
        rest = float(odds[order[SHOWN:]].sum())
        prior = ("prior", "your overall share of likes", self.line.bias)
        return points((prior, *told, ("words", "its other words", rest)))

    def to_payload(self) -> bytes:
        """The bytes to keep. Their SHA-256 is what `from_payload` asks for."""
        return _pack(self)

    def _rows(self, articles: Sequence[ArticleText]) -> Rows:
        return self.vocabulary.rows(counted(one) for one in articles)


@dataclass(frozen=True, slots=True)
class SvmTrainer:
    """Implements ports.Trainer. Needs no vectors."""

    needed: tuple[int, int]  # likes, dislikes
    name: str = "tfidf-svm"

    def train(self, labels: Sequence[Label], vectors: Vectors, now: datetime) -> TermModel | NotYet:
        """A weight for each word of the labelled articles, or how many labels there are."""
        del vectors
        truth = np.array([one.positive for one in labels], np.float64)
        positives, negatives = int(truth.sum()), int(len(truth) - truth.sum())
        # Folds need one of each class whatever the settings allow.
        needed = max(self.needed[0], FOLDS), max(self.needed[1], FOLDS)
        if positives < needed[0] or negatives < needed[1]:
            return NotYet(positives, negatives, needed)
        counts = [counted(one.article) for one in labels]
        known = learned(counts)
        rows = known.rows(counts)
        weights = np.array([one.weight for one in labels], np.float64)
        held_out = _held_out(rows, truth, weights)
        calibration = calibrate(held_out, truth, weights, usual(held_out))
        line = calibrated(solve(rows, truth, COST * balanced(truth, weights)), calibration)
        model = TermModel(
            vocabulary=known,
            line=Line(rounded(line.weights), line.bias),
            positives=positives,
            negatives=negatives,
            metrics=held_out_figures(calibration.logits(held_out[:, None]), truth),
            trained=now,
        )
        return _named(model)

    def load(self, stored: StoredModel) -> TermModel:
        """The model that was stored. Raises ModelError when its bytes are not the ones kept."""
        return from_payload(stored.payload, stored.sha256)


def from_payload(payload: bytes, sha256: str) -> TermModel:
    """A model from its bytes. Raises ModelError when they are not the ones kept."""
    return taken_apart(undamaged(payload, sha256), _unpack)


def _held_out(rows: Rows, truth: Floats, weights: Floats) -> Floats:
    """Each row's distance from the line of the folds it is not in."""
    distances = np.empty(len(truth))
    for held in folds(truth):
        kept = np.setdiff1d(np.arange(len(truth)), held)
        costs = COST * balanced(truth[kept], weights[kept])
        line = solve(rows.take(kept), truth[kept], costs)
        distances[held] = rows.take(held).times(line.weights) + line.bias
    return distances


def _named(model: TermModel) -> TermModel:
    """The model with its id, which changes whenever any score could."""
    digest = hashlib.sha256(_pack(model)).hexdigest()
    return replace(model, model_id=f"{VERSION}/{digest[:12]}")


def _pack(model: TermModel) -> bytes:
    fields = {
        "version": VERSION,
        "texts": model.vocabulary.texts,
        "terms": model.vocabulary.terms,
        "holders": model.vocabulary.holders,
        "weights": model.line.weights.tolist(),
        "bias": model.line.bias,
        "positives": model.positives,
        "negatives": model.negatives,
        "metrics": model.metrics,
        "trained": model.trained.isoformat(),
    }
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()


def _unpack(fields: Mapping[str, Any]) -> TermModel:
    if fields["version"] != VERSION:
        raise ValueError(f"version {fields['version']!r}")
    terms = [str(term) for term in fields["terms"]]
    holders = [int(count) for count in fields["holders"]]
    texts = int(fields["texts"])
    line = Line(np.array(fields["weights"], np.float64), float(fields["bias"]))
    if len(terms) > MOST_TERMS or len(set(terms)) != len(terms):
        raise ValueError("too many words, or a word twice")
    if line.weights.shape != (len(terms),) or not all(0 < count <= texts for count in holders):
        raise ValueError("numbers that do not fit its words")
    if not all(map(math.isfinite, (line.bias, *line.weights))):
        raise ValueError("weights that are no finite numbers")
    model = TermModel(
        vocabulary=vocabulary(zip(terms, holders, strict=True), texts),
        line=line,
        positives=int(fields["positives"]),
        negatives=int(fields["negatives"]),
        metrics=tuple((str(name), float(value)) for name, value in fields["metrics"]),
        trained=datetime.fromisoformat(fields["trained"]),
    )
    return _named(model)
