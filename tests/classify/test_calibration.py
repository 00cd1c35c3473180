"""What all trainers share: chances from held-out logits, whatever their size and place."""

from __future__ import annotations

import numpy as np
import pytest

from newsloom.ranking.learning.calibration import balanced, calibrate, folds, usual
from newsloom.ranking.learning.logistic import sigmoid


def drawn(count=400, seed=0):
    """Logits that are right log odds, and truths drawn by them."""
    draw = np.random.default_rng(seed)
    logits = 2.0 * draw.standard_normal(count) - 0.5
    return logits, (draw.random(count) < sigmoid(logits)).astype(float)


@pytest.mark.parametrize("size", [1e-6, 0.01, 1.0, 1e4])
@pytest.mark.parametrize("place", [0.0, 3.0, -1_000.0])
def test_chances_do_not_depend_on_how_logits_are_measured(size, place):
    logits, truth = drawn()
    moved = (logits + place) * size
    plain = calibrate(logits, truth, np.ones(400), usual(logits))
    other = calibrate(moved, truth, np.ones(400), usual(moved))
    assert other.logits(moved[:, None]) == pytest.approx(plain.logits(logits[:, None]), abs=1e-3)


def test_right_log_odds_stay_what_they_are():
    logits, truth = drawn(20_000)
    line = calibrate(logits, truth, np.ones(20_000))
    assert line.weights[0] == pytest.approx(1.0, abs=0.05)
    assert line.bias == pytest.approx(0.0, abs=0.05)


def test_contradictions_give_the_rate_and_never_turn_the_order():
    truth = np.array([1.0, 0.0] * 50)
    line = calibrate(-truth, truth, np.ones(100), 0.5)
    assert line.weights[0] > 0
    assert sigmoid(line.logits(np.array([[0.0], [-1.0]]))) == pytest.approx([0.5, 0.5], abs=0.02)


def test_logits_all_alike_give_the_rate():
    truth = np.array([1.0] * 20 + [0.0] * 60)
    alike = np.full(80, 0.3)
    line = calibrate(alike, truth, np.ones(80), usual(alike))
    assert sigmoid(line.logits(alike[:1, None])) == pytest.approx([0.25], abs=0.02)


def test_balanced_classes_weigh_the_same():
    truth = np.array([1.0] * 10 + [0.0] * 90)
    weights = balanced(truth, np.ones(100))
    assert weights[truth > 0].sum() == pytest.approx(weights[truth == 0].sum())
    assert weights.sum() == pytest.approx(100)


def test_folds_hold_some_of_each_class_once():
    truth = np.array([1.0] * 7 + [0.0] * 30)
    parts = folds(truth)
    assert sorted(np.concatenate(parts).tolist()) == list(range(37))
    assert all(0 < truth[part].sum() < len(part) for part in parts)
