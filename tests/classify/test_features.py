"""What the head sees: products of directions, bounded words, and columns that have labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readers import article, unit_rows

from newsloom.ranking.learning import features
from newsloom.ranking.learning.terms import learned


def test_the_products_are_the_square_of_the_scalar_product():
    rows = unit_rows(50).astype(float)
    found = features.curves(rows)
    along = found.along(rows)
    # As many directions as dimensions: no length and no angle is lost.
    away = rows - rows.mean(axis=0)
    products = features.products(along)
    assert products @ products.T == pytest.approx((away @ away.T) ** 2, abs=1e-4)


@given(st.integers(1, 6), st.integers(0, 5))
def test_a_matrix_of_bends_says_what_the_weights_of_products_say(size, seed):
    draw = np.random.default_rng(seed)
    along = draw.standard_normal((7, size))
    weights = draw.standard_normal(size * (size + 1) // 2)
    matrix = features.bends(weights, size)
    assert (matrix == matrix.T).all()
    assert features.bent(along, matrix) == pytest.approx(features.products(along) @ weights)


def test_there_are_only_so_many_directions_and_words():
    assert len(features.curves(unit_rows(99, dimensions=80).astype(float)).directions) == 32
    counts = [Counter({f"word{number}": 1}) for number in range(features.MOST_WORDS + 9)]
    assert len(features.vocabulary(counts).terms) == features.MOST_WORDS


def test_places_have_a_column_from_three_labels_on_and_never_when_all_share_them():
    articles = [
        replace(article(feed=number % 2), source="many.test" if number < 3 else f"{number}.test")
        for number in range(8)
    ]
    found = features.places(articles, ["", "", "", "", "news", "news", "news", "few"])
    assert found.feeds == (0, 1)
    assert found.categories == ("news",)
    assert found.sources == ("many.test",)
    assert features.places(articles, ["news"] * 8).categories == ()
    columns = found.columns(articles[:1], ["news"])
    assert columns.tolist() == [[1.0, 0.0, 1.0, 1.0]]


def test_rows_of_unseen_articles_pass_over_words_no_label_had():
    counts = [Counter(rust=1, kernel=1), Counter(rust=2, garden=1), Counter(garden=1)]
    rows = learned(counts).rows(counts)
    [known, held] = rows.take(np.array([0])), rows.take(np.array([1, 2]))
    left = features.only(held, known)
    alone = learned(counts[:1]).terms
    assert {learned(counts).terms[column] for column in left.columns} <= set(alone)
    # One known word is left in the first row, with all of its length; none in the second.
    assert left.values.tolist() == pytest.approx([1.0])
    assert left.count == 2


def test_six_digits_are_kept():
    assert features.rounded(np.array([1.23456789, -1e-12])).tolist() == [1.23457, -1e-12]
