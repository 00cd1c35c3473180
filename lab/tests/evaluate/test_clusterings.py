"""Groupings compared: figures worked out by hand, then scikit-learn's on random groupings."""

from __future__ import annotations

import math

import numpy as np
import pytest

from newsloom_lab.evaluate.clusterings import agreement

#  gold a a a b b c; found 1 1 2 2 3 3. Together in gold: 3 + 1; found: 3; in both: the first two.
GOLD, FOUND = "aaabbc", "112233"


def test_figures_worked_by_hand():
    found = agreement(GOLD, FOUND)
    assert (found.pairs_gold, found.pairs_found, found.pairs_right) == (4, 3, 1)
    assert found.pairwise_precision == pytest.approx(1 / 3)
    assert found.pairwise_recall == pytest.approx(1 / 4)
    assert found.pairwise_f1 == pytest.approx(2 / 7)
    # Article by article, of its found group: 2/2, 2/2, 1/2, 1/2, 1/2, 1/2.
    assert found.b_cubed_precision == pytest.approx(4 / 6)
    # Of its gold group: 2/3, 2/3, 1/3, 1/2, 1/2, 1.
    assert found.b_cubed_recall == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 / 2 + 1 / 2 + 1) / 6)
    # (1 - 12/15) / (7/2 - 12/15)
    assert found.adjusted_rand == pytest.approx(0.2 / 2.7)


@pytest.mark.parametrize(
    ("gold", "found", "precision", "recall", "rand"),
    [
        pytest.param("aabb", "xxyy", 1.0, 1.0, 1.0, id="the same under other names"),
        pytest.param("aabb", "1234", math.nan, 0.0, 0.0, id="nothing joined"),
        pytest.param("abcd", "1111", 0.0, math.nan, 0.0, id="all joined that was apart"),
        pytest.param("abcd", "1234", math.nan, math.nan, 1.0, id="nothing to join, nothing joined"),
        pytest.param("a", "1", math.nan, math.nan, math.nan, id="one article"),
        pytest.param("", "", math.nan, math.nan, math.nan, id="none"),
    ],
)
def test_edges(gold, found, precision, recall, rand):
    measured = agreement(gold, found)
    assert measured.pairwise_precision == pytest.approx(precision, nan_ok=True)
    assert measured.pairwise_recall == pytest.approx(recall, nan_ok=True)
    assert measured.adjusted_rand == pytest.approx(rand, nan_ok=True)


def test_turned_around_precision_is_recall():
    there, back = agreement(GOLD, FOUND), agreement(FOUND, GOLD)
    assert there.b_cubed_precision == pytest.approx(back.b_cubed_recall)
    assert there.pairwise_precision == pytest.approx(back.pairwise_recall)
    assert there.adjusted_rand == pytest.approx(back.adjusted_rand)


def test_very_many_articles_take_no_pairs_of_them():
    names = np.arange(200_000) // 40_000  # of five groups: four milliards of pairs
    found = agreement(names.tolist(), names.tolist())
    assert found.pairs_right == 5 * 40_000 * 39_999 // 2
    assert found.b_cubed_f1 == found.adjusted_rand == 1.0


@pytest.mark.parametrize("seed", range(10))
def test_as_scikit_learn_has_it(seed):
    peers = pytest.importorskip("sklearn.metrics", reason="scikit-learn is the peer compared with")
    draw = np.random.default_rng(seed)
    size = int(draw.integers(2, 120))
    gold, found = draw.integers(0, int(draw.integers(1, 40)) + 1, (2, size))
    measured = agreement(gold.tolist(), found.tolist())
    assert measured.adjusted_rand == pytest.approx(peers.adjusted_rand_score(gold, found))
    (_, wrong), (missed, right) = peers.cluster.pair_confusion_matrix(gold, found)
    assert measured.pairs_right == right // 2
    assert measured.pairs_found - measured.pairs_right == wrong // 2
    assert measured.pairs_gold - measured.pairs_right == missed // 2
