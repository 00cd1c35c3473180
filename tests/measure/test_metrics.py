"""The measures against scikit-learn's on random arrays, ties and small cases included."""

from __future__ import annotations

import math

import numpy as np
import pytest

from newsloom.ranking.learning import ordinal
from newsloom.ranking.measure import metrics


@pytest.fixture(scope="module")
def peers():
    return pytest.importorskip("sklearn.metrics", reason="scikit-learn is the peer compared with")


SEEDS = pytest.mark.parametrize("seed", range(20))


def binary(seed):
    draw = np.random.default_rng(seed)
    rows = int(draw.integers(4, 200))
    truth = draw.random(rows) < draw.uniform(0.1, 0.9)
    truth[:2] = True, False
    # Rounding makes ties, which is where the definitions differ.
    return truth, draw.random(rows).round(int(draw.integers(1, 6)))


def rated(seed):
    draw = np.random.default_rng(seed)
    rows = int(draw.integers(5, 200))
    truth = np.append(draw.integers(1, 6, rows - 2), [1, 5])
    return truth, np.clip(truth + draw.integers(-2, 3, rows), 1, 5)


@SEEDS
def test_binary_measures_agree(peers, seed):
    truth, scores = binary(seed)
    assert metrics.roc_auc(truth, scores) == pytest.approx(peers.roc_auc_score(truth, scores))
    assert metrics.average_precision(truth, scores) == pytest.approx(
        peers.average_precision_score(truth, scores)
    )
    assert metrics.log_loss(truth, scores) == pytest.approx(peers.log_loss(truth, scores))


@SEEDS
def test_kappa_and_confusion_agree(peers, seed):
    truth, answers = rated(seed)
    levels = [1, 2, 3, 4, 5]
    assert ordinal.quadratic_weighted_kappa(truth, answers) == pytest.approx(
        peers.cohen_kappa_score(truth, answers, weights="quadratic", labels=levels)
    )
    expected = peers.confusion_matrix(truth, answers, labels=levels)
    assert ordinal.confusion(truth, answers).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        pytest.param([[0, 0, 1, 0, 0]], 0.0, id="sure and right"),
        pytest.param([[0, 0, 0, 0, 1]], 0.5, id="sure and two off"),
        pytest.param([[0, 1, 0, 0, 0]], 0.25, id="sure and one off"),
        pytest.param([[0.2] * 5], (0.04 + 0.16 + 0.16 + 0.04) / 4, id="no idea"),
    ],
)
def test_rank_probability_score(probabilities, expected):
    score = ordinal.rank_probability_score(np.array([3]), np.array(probabilities, float))
    assert score == pytest.approx(expected)


def test_calibration_error_is_the_gap_between_said_and_seen():
    said = np.full(100, 0.7)
    assert metrics.calibration_error(np.arange(100) < 70, said) == pytest.approx(0.0)
    assert metrics.calibration_error(np.arange(100) < 40, said) == pytest.approx(0.3)


def test_precision_among_the_best():
    truth, scores = np.array([True, False, True, False]), np.array([4.0, 3.0, 2.0, 1.0])
    assert metrics.precision_at(truth, scores, 1) == 1.0
    assert metrics.precision_at(truth, scores, 2) == 0.5
    assert metrics.precision_at(truth, scores, 50) == 0.5


def test_an_interval_holds_its_measure_and_repeats():
    truth, scores = binary(3)
    low, high = metrics.interval(metrics.roc_auc, truth, scores)
    assert low < metrics.roc_auc(truth, scores) < high
    assert (low, high) == metrics.interval(metrics.roc_auc, truth, scores)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(metrics.roc_auc(np.ones(3), np.arange(3)), id="one class"),
        pytest.param(metrics.average_precision(np.zeros(3), np.arange(3)), id="no positive"),
        pytest.param(ordinal.quadratic_weighted_kappa(np.ones(3), np.ones(3)), id="one level"),
        pytest.param(metrics.log_loss(np.ones(0), np.ones(0)), id="nothing"),
        pytest.param(metrics.interval(metrics.roc_auc, np.ones(0), np.ones(0))[0], id="no rows"),
    ],
)
def test_no_answer_is_nan(value):
    assert math.isnan(value)
