"""A head held to another, and the comparison of the two."""

from __future__ import annotations

import numpy as np
import pytest
from readers import article, unit_rows

from newsloom.ranking.learning import sensitivity
from newsloom.ranking.training import distillation
from newsloom.ranking.training.distillation import Comparison, Quality, Taught

WIDTH = 8


def taught(count, seed, slope=1.0):
    """Made-up articles whose first vector column shows the rating."""
    ratings = np.array([1, 2, 3, 4, 5] * (count // 5))
    rows = unit_rows(count, WIDTH, seed=seed)
    rows[:, 0] = slope * (ratings - 3) / 2
    articles = [article(f"Number {seed} {row}") for row in range(count)]
    named = [
        type(one)(one.id, one.title, one.text, f"s{row % 7}.test", "en", one.dated, one.feed_id)
        for row, one in enumerate(articles)
    ]
    return Taught(tuple(named), rows, tuple(ratings.tolist()))


@pytest.fixture(scope="module")
def shipped():
    known = taught(60, 1)
    return sensitivity.train(known.articles, known.vectors, known.ratings, known.sources)


def test_a_head_held_to_another_moves_as_far_as_ratings_pull(shipped):
    few, many = taught(10, 2, slope=-1.0), taught(60, 2, slope=-1.0)
    moved = [
        np.abs(distillation.learned(some, shipped).scale.dense - shipped.scale.dense).sum()
        for some in (few, many)
    ]
    assert 0 < moved[0] < moved[1]


def test_it_knows_what_both_were_trained_on(shipped):
    new = distillation.learned(taught(10, 2), shipped)
    assert distillation.unseen(taught(10, 2), new).tolist() == []
    assert distillation.unseen(taught(60, 1), new).tolist() == []
    assert len(distillation.unseen(taught(60, 1), shipped)) == 0
    assert len(distillation.unseen(taught(10, 2), shipped)) == 10


def test_the_head_that_says_the_opposite_is_told_apart(shipped):
    opposite = taught(30, 3, slope=-1.0)
    rows = np.arange(30)
    found = distillation.compared(opposite, rows, shipped, shipped)
    assert found.old.quadratic_weighted_kappa < 0
    assert found.not_worse


def test_ratings_by_lot_teach_nothing(shipped):
    good = taught(30, 4)
    lot = Taught(
        good.articles, good.vectors, tuple(np.random.default_rng(0).permuted(good.ratings))
    )
    new = distillation.learned(lot, shipped)
    found = distillation.compared(good, np.arange(30), shipped, new)
    assert found.new.quadratic_weighted_kappa > found.old.quadratic_weighted_kappa


@pytest.mark.parametrize(
    ("new", "old", "said"),
    [
        pytest.param(0.05, 0.06, True, id="better"),
        pytest.param(0.06, 0.06, True, id="alike"),
        pytest.param(0.0601, 0.06, False, id="worse"),
    ],
)
def test_not_worse(new, old, said):
    quality = (Quality(score, 0.8, 0.5) for score in (new, old))
    assert Comparison(300, *quality).not_worse is said


@pytest.mark.parametrize(
    ("ratings", "said"),
    [
        pytest.param([1, 2, 3, 4] * 200, False, id="none of 5"),
        pytest.param([1, 2, 3, 4, 5] * 59, False, id="too few"),
        pytest.param([1, 2, 3, 4, 5] * 60, True, id="as many as needed"),
    ],
)
def test_enough(ratings, said):
    assert distillation.enough(ratings) is said
