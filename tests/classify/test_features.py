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


def test_unknown_words_have_no_column_and_keep_their_length():
    known = learned([Counter(rust=1, kernel=1), Counter(rust=1)])
    rows = known.rows([Counter(rust=1), Counter(rust=1, garden=1), Counter(garden=1)])
    assert rows.places.tolist() == [0, 1]
    assert rows.values[0] == pytest.approx(1.0)
    unknown = 1.0 + np.log(3.0)  # as a word that no text has
    assert rows.values[1] == pytest.approx(1.0 / np.sqrt(1.0 + unknown**2))
    assert rows.count == 3


def test_products_of_directions_count_less_while_there_are_few_labels():
    assert features.mix_for(50).curves == pytest.approx(features.MIX.curves / 2)
    assert features.mix_for(200) == features.mix_for(3_000) == features.MIX


def test_six_digits_are_kept():
    assert features.rounded(np.array([1.23456789, -1e-12])).tolist() == [1.23457, -1e-12]
