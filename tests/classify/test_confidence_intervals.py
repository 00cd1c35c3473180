"""Intervals of figures from few labels: known values, laws, and how often they hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.ranking.learning import confidence_intervals
from newsloom.ranking.measure import metrics

shares = st.floats(0.0, 1.0)
counts = st.integers(1, 5_000)


@pytest.mark.parametrize(
    ("share", "count", "ends"),
    [
        # Newcombe 1998, table I, method 3.
        pytest.param(81 / 263, 263, (0.2553, 0.3662), id="81 of 263"),
        pytest.param(15 / 148, 148, (0.0624, 0.1605), id="15 of 148"),
        pytest.param(0.0, 20, (0.0, 0.1611), id="0 of 20"),
        pytest.param(1 / 29, 29, (0.0061, 0.1718), id="1 of 29"),
    ],
)
def test_shares_are_those_of_the_literature(share, count, ends):
    assert confidence_intervals.of_share(share, count) == pytest.approx(ends, abs=5e-5)


def test_perfect_order_of_few_labels_is_not_certain():
    low, high = confidence_intervals.of_roc_auc(1.0, 28, 20)
    assert (round(low, 2), high) == (0.91, 1.0)
    assert confidence_intervals.of_roc_auc(0.0, 28, 20) == pytest.approx((0.0, 1.0 - low))
    assert confidence_intervals.of_f1(1.0, 30)[0] == pytest.approx(0.94, abs=0.005)


@given(shares, counts, counts)
def test_every_interval_holds_its_figure_and_lies_between_0_and_1(value, ups, downs):
    for low, high in (
        confidence_intervals.of_share(value, ups),
        confidence_intervals.of_f1(value, ups),
        confidence_intervals.of_roc_auc(value, ups, downs),
    ):
        assert 0.0 <= low <= value + 1e-9
        assert value - 1e-9 <= high <= 1.0
        assert high - low > 0.0


@given(shares, st.integers(2, 500))
def test_more_labels_make_it_narrower(value, count):
    def width(ends):
        return ends[1] - ends[0]

    many = 4 * count
    assert width(confidence_intervals.of_share(value, many)) < width(
        confidence_intervals.of_share(value, count)
    )
    assert width(confidence_intervals.of_roc_auc(value, many, many)) < width(
        confidence_intervals.of_roc_auc(value, count, count)
    )


@pytest.mark.parametrize(
    ("likes", "dislikes", "apart"),
    [(10, 10, 1.0), (28, 20, 3.0), (20, 60, 2.0), (60, 20, 3.0), (50, 450, 1.0)],
)
def test_they_hold_the_truth_as_often_as_they_say(likes, dislikes, apart):
    """Of the ROC AUC about 95 in 100, of average precision more; resampling far fewer."""
    draw = np.random.default_rng(likes)

    def drawn(times):
        truth = np.arange(times * (likes + dislikes)) < times * likes
        return truth, draw.standard_normal(len(truth)) + apart * truth

    truth, scores = drawn(400)
    true_order = metrics.roc_auc(truth, scores)
    true_precision = metrics.average_precision(truth, scores)
    held = np.zeros(2)
    rounds = 400
    for _ in range(rounds):
        truth, scores = drawn(1)
        order = confidence_intervals.of_roc_auc(metrics.roc_auc(truth, scores), likes, dislikes)
        precise = confidence_intervals.of_share(metrics.average_precision(truth, scores), likes)
        held += order[0] <= true_order <= order[1], precise[0] <= true_precision <= precise[1]
    assert 0.92 <= held[0] / rounds <= 0.99
    assert held[1] / rounds >= 0.95


def test_what_was_not_measured_has_no_interval():
    assert all(map(math.isnan, confidence_intervals.of_share(math.nan, 10)))
    assert all(map(math.isnan, confidence_intervals.of_share(0.5, 0)))
    assert all(map(math.isnan, confidence_intervals.of_f1(math.nan, 10)))
    assert all(map(math.isnan, confidence_intervals.of_roc_auc(0.5, 0, 10)))
    assert confidence_intervals.describe("ROC AUC", confidence_intervals.UNKNOWN, 48) == ""


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        pytest.param(
            (0.9134, 1.0),
            "From 48 labels: the true ROC AUC probably lies between 0.91 and 1.00. "
            "More likes and dislikes narrow this down.",
            id="wide",
        ),
        pytest.param(
            (0.84, 0.88),
            "From 48 labels: the true ROC AUC probably lies between 0.84 and 0.88.",
            id="narrow",
        ),
    ],
)
def test_it_is_said_in_a_sentence(ends, words):
    assert confidence_intervals.describe("ROC AUC", ends, 48) == words
