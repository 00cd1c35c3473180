"""Whether a newly trained model replaces the one in force. Pure: truths and scores in, words out.

One label in five is frozen: chosen by its article's id, for ever, it only judges. Both models are
compared on the frozen labels when there are enough, else by what each said of its own folds. What
the reader only seemed to like judges nothing.
docs/work/decisions/ranking.md has the measurements behind every number here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from newsloom.kernel.ids import ArticleId
from newsloom.ranking.learning.calibration import losses
from newsloom.ranking.learning.confidence_intervals import of_roc_auc
from newsloom.ranking.learning.label_weights import explicit
from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.values.models import Label

FROZEN = "frozen"
FOLDS = "folds"

# One label in this many is frozen.
FROZEN_EVERY = 5

# Frozen labels of each kind from which on they judge.
LEAST_FROZEN = 10

# How much worse a model may look and still be promoted: facts M06.
LESS_AUC = 0.005
MORE_ERROR = 0.01

# And how many standard errors of the difference it may look worse: one chance in ten. Of models
# with merely 5% more labels, 0 refused 35%, 1 refused 15%, this 8%; of models trained on labels a
# third reversed it refuses four in ten at 200 labels, and from 1,000 on all but one in sixteen.
NOISE = 1.28

# Resamples for the standard error of the calibration error.
RESAMPLES = 200

# Bins of equally many labels, at most this many and of at least so many labels: bins of equal width
# hold one or two labels each at 60, and refused twice as many good models.
MOST_BINS = 10
LEAST_IN_BIN = 20

NO_NUMBERS = "rejected: invalid scores"

Booleans = np.ndarray


@dataclass(frozen=True, slots=True)
class Figures:
    """How well scores tell likes from dislikes."""

    roc_auc: float
    calibration_error: float | None  # None: not known
    positives: int
    negatives: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether it goes into force, why in words, and on what figures."""

    promoted: bool
    words: str
    protocol: str
    report: Mapping[str, float]


def frozen(article: ArticleId) -> bool:
    """Whether a label of this article judges and never trains. The same for ever."""
    digest = hashlib.blake2b(f"frozen@1 {article}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % FROZEN_EVERY == 0


def held_out(labels: Sequence[Label]) -> Booleans:
    """Which labels are frozen, or none when the reader said too little of one kind to judge by."""
    held = np.array([frozen(one.article.id) for one in labels], bool)
    said = [one.positive for one, out in zip(labels, held, strict=True) if out and explicit(one)]
    enough = min(sum(said), len(said) - sum(said)) >= LEAST_FROZEN
    return held if enough else np.zeros(len(labels), bool)


def on_frozen(positive: Booleans, scores: Floats, before: Floats | None) -> Verdict:
    """Judge by scores (0..100) of frozen labels; `before` are those of the model in force."""
    if not np.isfinite(scores).all():
        return Verdict(False, NO_NUMBERS, FROZEN, {})
    figures = _figures(positive, scores)
    report = _report(figures, positive, scores)
    if before is None or not np.isfinite(before).all():
        return _first(figures, FROZEN, report)
    old = _figures(positive, before)
    report |= {
        "before_roc_auc": old.roc_auc,
        "before_calibration_error": old.calibration_error or 0.0,
    }
    worse = _worse_order(positive, scores, before) or _worse_chances(positive, scores, before)
    on = f"on {len(positive)} labels it was not trained on"
    return Verdict(not worse, f"{_compared(figures, old)} {on}{worse}", FROZEN, report)


def on_folds(new: Figures, old: Figures | None) -> Verdict:
    """Judge by figures of each model's own folds: not the same labels, so noise counts twice."""
    report = {
        "roc_auc": new.roc_auc,
        "positives": float(new.positives),
        "negatives": float(new.negatives),
    }
    if old is None:
        return _first(new, FOLDS, report)
    report["before_roc_auc"] = old.roc_auc
    allowed = max(LESS_AUC, NOISE * float(np.hypot(_deviation(new), _deviation(old))))
    worse = "" if old.roc_auc - new.roc_auc <= allowed else "; rejected: worse ranking"
    return Verdict(not worse, f"{_compared(new, old)} in cross-validation{worse}", FOLDS, report)


def on_passed_over(positive: Booleans, scores: Floats, untrained: Floats, protocol: str) -> Verdict:
    """Judge a model of likes and passed-over articles by those that it did not see, beside the
    order that there would be without it."""
    if not np.isfinite(scores).all():
        return Verdict(False, NO_NUMBERS, protocol, {})
    figures, without = _figures(positive, scores), _figures(positive, untrained)
    report = {
        "roc_auc": figures.roc_auc,
        "positives": float(figures.positives),
        "negatives": float(figures.negatives),
        "untrained_roc_auc": without.roc_auc,
    }
    first = _first(figures, protocol, report)
    better = figures.roc_auc > without.roc_auc
    end = "" if better else "; rejected: no better than without a model"
    words = (
        f"{_order(figures)} on {figures.positives} likes and {figures.negatives} skipped articles "
        f"held out; without a model {without.roc_auc:.3f}"
    )
    chance = "" if first.promoted else f"; rejected: chance gives {0.5 + _luck(figures):.2f}"
    return replace(first, promoted=first.promoted and better, words=words + (chance or end))


def upright(verdict: Verdict, positive: Booleans, scores: Floats) -> Verdict:
    """The verdict of folds, unless the frozen labels say that likes stand below dislikes.

    A trainer that learns the opposite of what it is told finds its own folds in good order.
    """
    if not verdict.promoted:
        return verdict
    if not np.isfinite(scores).all():
        return replace(verdict, promoted=False, words=NO_NUMBERS)
    figures = _figures(positive, scores)
    if figures.roc_auc > 0.5 - _luck(figures):
        return verdict
    words = f"rejected: ranks likes below dislikes, ROC AUC {figures.roc_auc:.3f}"
    return replace(verdict, promoted=False, words=f"{words} on {len(positive)} frozen labels")


def _luck(figures: Figures) -> float:
    """How far from a half chance alone takes a ROC AUC, by the rank sum of Mann and Whitney."""
    ups, downs = figures.positives, figures.negatives
    return NOISE * float(np.sqrt((ups + downs + 1) / (12 * ups * downs)))


def _first(new: Figures, protocol: str, report: Mapping[str, float]) -> Verdict:
    """Nothing to compare with: it must order better than chance would."""
    ups, downs = new.positives, new.negatives
    luck = _luck(new)
    good = new.roc_auc > 0.5 + luck
    end = "" if good else f"; rejected: chance gives up to {0.5 + luck:.2f}"
    words = f"{_order(new)} on {ups + downs} held-out labels{end}"
    return Verdict(good, words, protocol, report)


def _order(figures: Figures) -> str:
    """The ROC AUC with what so many labels can say of the true one."""
    if not np.isfinite(figures.roc_auc):
        return "ROC AUC unknown"
    low, high = of_roc_auc(figures.roc_auc, figures.positives, figures.negatives)
    return f"ROC AUC {figures.roc_auc:.3f} (probably {low:.2f} to {high:.2f})"


def _compared(new: Figures, old: Figures) -> str:
    words = f"{_order(new)}, previously {old.roc_auc:.3f}"
    if new.calibration_error is not None and old.calibration_error is not None:
        words += f"; calibration error {new.calibration_error:.3f}, {old.calibration_error:.3f}"
    return words + ","


def _worse_order(positive: Booleans, scores: Floats, before: Floats) -> str:
    """DeLong, DeLong and Clarke-Pearson 1988: the error of a difference of paired ROC AUCs."""
    new, old = _placements(positive, scores), _placements(positive, before)
    ups, downs = (one - other for one, other in zip(new, old, strict=True))
    deviation = np.sqrt(ups.var(ddof=1) / len(ups) + downs.var(ddof=1) / len(downs))
    lost = -float(ups.mean())
    return "; rejected: worse ranking" if lost > max(LESS_AUC, NOISE * deviation) else ""


def _worse_chances(positive: Booleans, scores: Floats, before: Floats) -> str:
    """The same for the calibration error, by resampling: it has no formula."""
    count = len(positive)
    once = np.ones((1, count))
    gained = float((_errors(positive, scores, once) - _errors(positive, before, once))[0])
    if gained <= MORE_ERROR:
        return ""
    counts = np.random.default_rng(0).multinomial(count, np.full(count, 1 / count), RESAMPLES)
    gains = _errors(positive, scores, counts) - _errors(positive, before, counts)
    surely = gained > max(MORE_ERROR, NOISE * float(gains.std()))
    return "; rejected: worse calibration" if surely else ""


def _placements(positive: Booleans, scores: Floats) -> tuple[Floats, Floats]:
    """Of each like, the share of dislikes it stands above; of each dislike, of likes above it."""
    ups, downs = scores[positive], scores[~positive]
    above = (ups[:, None] > downs) + 0.5 * (ups[:, None] == downs)
    return above.mean(1), above.mean(0)


def _errors(positive: Booleans, scores: Floats, counts: np.ndarray) -> Floats:
    """Expected calibration errors, one per row of how often each label counts."""
    bins = min(max(len(scores) // LEAST_IN_BIN, 2), MOST_BINS)
    place = np.empty(len(scores), int)
    place[np.argsort(scores, kind="stable")] = np.arange(len(scores)) * bins // len(scores)
    gaps = (positive - scores / 100.0)[:, None] * (place[:, None] == np.arange(bins))
    return np.asarray(np.abs(counts @ gaps).sum(1) / len(positive))


def _figures(positive: Booleans, scores: Floats) -> Figures:
    error = float(_errors(positive, scores, np.ones((1, len(positive))))[0])
    ups = int(positive.sum())
    auc = float(_placements(positive, scores)[0].mean())
    return Figures(auc, error, ups, len(positive) - ups)


def _report(figures: Figures, positive: Booleans, scores: Floats) -> dict[str, float]:
    chances = np.clip(scores / 100.0, 1e-6, 1.0 - 1e-6)
    return {
        "roc_auc": figures.roc_auc,
        "calibration_error": figures.calibration_error or 0.0,
        "log_loss": float(losses(np.log(chances / (1.0 - chances)), positive).mean()),
        "positives": float(figures.positives),
        "negatives": float(figures.negatives),
    }


def _deviation(figures: Figures) -> float:
    """Hanley and McNeil 1982: the standard error of one ROC AUC."""
    auc, ups, downs = figures.roc_auc, figures.positives, figures.negatives
    first, second = auc / (2 - auc), 2 * auc * auc / (1 + auc)
    spread = auc * (1 - auc) + (ups - 1) * (first - auc * auc) + (downs - 1) * (second - auc * auc)
    return float(np.sqrt(max(spread, 0.0) / (ups * downs)))


# Those labels are of articles the ranking showed, so they say how the model does where it is used,
# not how well it orders everything.

# Fewer new labels say nothing yet.
LEAST = 20

# Standard errors from which on the difference is told: by chance alone once in 370 looks.
ALARM = 3.0


@dataclass(frozen=True, slots=True)
class Drift:
    """What a model expected of the labels given since, and what came."""

    labels: int
    expected: float  # share liked, by the model
    liked: float  # share liked
    errors: float  # how many standard errors apart

    @property
    def alarming(self) -> bool:
        return self.errors > ALARM

    @property
    def words(self) -> str:
        """For a person."""
        text = f"of {self.labels} new labels: expected {self.expected:.0%} liked"
        end = "; your interests or feeds have changed" if self.alarming else ""
        return f"{text}, {self.liked:.0%} were{end}"


def drift(positive: np.ndarray, scores: Floats) -> Drift | None:
    """Compare scores (0..100) of labels given since with what they came to; None: too few."""
    if len(positive) < LEAST:
        return None
    chances = np.clip(scores / 100.0, 0.0, 1.0)
    # Also certainty may err by one label.
    deviation = float(np.sqrt(max((chances * (1.0 - chances)).sum(), 1.0)))
    apart = abs(float(positive.sum() - chances.sum()))
    return Drift(
        labels=len(positive),
        expected=float(chances.mean()),
        liked=float(positive.mean()),
        errors=apart / deviation,
    )
