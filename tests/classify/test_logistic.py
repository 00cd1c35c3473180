"""The fit against scikit-learn's, and what holds on any input."""

from __future__ import annotations

import numpy as np
import pytest
from readers import tasteful

from newsloom.ranking.learning.lbfgs import minimize
from newsloom.ranking.learning.logistic import Line, problem, sigmoid, solve


@pytest.mark.parametrize("penalty", [0.01, 0.3, 10.0])
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_scikit_learn(penalty, seed):
    linear_model = pytest.importorskip(
        "sklearn.linear_model", reason="scikit-learn is the peer compared with"
    )
    rows, liked = tasteful(200, seed=seed)
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, 200)
    ours = solve(problem(rows.astype(float), liked.astype(float), weights), penalty)
    peer = linear_model.LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=10_000)
    peer.fit(rows.astype(float), liked, sample_weight=weights)
    assert ours.weights == pytest.approx(peer.coef_[0], abs=2e-3 * np.abs(peer.coef_).max())
    assert ours.bias == pytest.approx(peer.intercept_[0], abs=2e-3)


def test_a_start_nearby_ends_in_the_same_place():
    rows, liked = tasteful(100)
    given = problem(rows.astype(float), liked.astype(float), np.ones(100))
    cold, warm = solve(given, 0.3), solve(given, 0.3, start=solve(given, 3.0))
    assert warm.weights == pytest.approx(cold.weights, abs=1e-3)


def test_separable_labels_stay_finite():
    rows = np.array([[1.0, 0.0], [-1.0, 0.0]] * 5)
    line = solve(problem(rows, (rows[:, 0] > 0).astype(float), np.ones(10)), 1e-3)
    assert np.isfinite(line.weights).all()
    assert (line.logits(rows) > 0).tolist() == (rows[:, 0] > 0).tolist()


def test_the_slope_is_the_slope_of_the_loss():
    optimize = pytest.importorskip("scipy.optimize", reason="scipy comes with the lab")
    rows, liked = tasteful(50)
    given = problem(rows.astype(float), liked.astype(float), np.ones(50))
    ridge = np.full(rows.shape[1] + 1, 0.3)
    point = np.random.default_rng(0).standard_normal(len(ridge))
    error = optimize.check_grad(
        lambda line: given.loss(ridge, line)[0], lambda line: given.loss(ridge, line)[1], point
    )
    assert error < 1e-4


def test_descent_finds_the_bottom_of_a_skewed_bowl():
    skew = np.array([1.0, 100.0, 1e4])
    target = np.array([3.0, -2.0, 1.0])

    def bowl(point):
        away = point - target
        return float((skew * away * away).sum() / 2), skew * away

    assert minimize(bowl, np.zeros(3), 1e-9, lambda v: v) == pytest.approx(target)


def test_a_row_scores_the_same_in_any_company():
    rows = tasteful(300)[0].astype(float)
    line = Line(np.linspace(-1, 1, rows.shape[1]), 0.2)
    together = line.logits(rows)
    assert together.tolist() == [line.logits(rows[[row]])[0] for row in range(300)]
    assert together[:7].tolist() == line.logits(rows[:7]).tolist()


def test_the_sigmoid_never_overflows():
    assert sigmoid(np.array([-1e9, 0.0, 1e9])).tolist() == [0.0, 0.5, 1.0]
