"""Hashed words against a dense matrix, and the corners of splitting text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.ranking.learning.lexical_features import COLUMNS, hashed, rarity, weighted

TITLES = ["Mayor wins vote", "", "How to prune roses", "!!!", "Mayor wins vote"]
TEXTS = ["The mayor won 51 to 49.", "", "", "…", "The mayor won 20 to 10."]


def dense(rows):
    matrix = np.zeros((len(rows), COLUMNS))
    ends = [*rows.starts[1:], len(rows.columns)]
    for place, (start, end) in enumerate(zip(rows.starts, ends, strict=True)):
        matrix[place, rows.columns[start:end]] = rows.values[start:end]
    return matrix


def test_products_are_those_of_the_matrix():
    rows = hashed(TITLES, TEXTS)
    weights = np.random.default_rng(0).standard_normal((COLUMNS, 3))
    others = np.random.default_rng(1).standard_normal((len(TITLES), 3))
    assert rows.times(weights) == pytest.approx(dense(rows) @ weights)
    assert rows.transposed_times(others) == pytest.approx(dense(rows).T @ others)


def test_taking_rows_takes_those_rows():
    rows = hashed(TITLES, TEXTS)
    picked = np.array([3, 0, 0])
    assert dense(rows.take(picked)).tolist() == dense(rows)[picked].tolist()


def test_rows_have_unit_length_and_rare_words_weigh_more():
    counts = hashed(TITLES, TEXTS)
    rarities = rarity(counts)
    assert np.linalg.norm(dense(weighted(counts, rarities)), axis=1) == pytest.approx(np.ones(5))
    holders = (dense(counts) != 0).sum(0)
    assert rarities[holders == 1].min() > rarities[holders == holders.max()].max()


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        pytest.param("Vote 51", "vote 49", True, id="case and figures do not matter"),
        pytest.param("Dog bites man", "Man bites dog", False, id="order matters"),
        pytest.param("Vote", "Vote?", False, id="a question is heard"),
        pytest.param("don’t go", "don’t stay", False, id="words matter"),
        pytest.param("Über Öl", "über öl", True, id="letters beyond ASCII"),
    ],
)
def test_what_counts_as_the_same(first, second, same):
    one, other = dense(hashed([first, second], ["", ""]))
    assert (one.tolist() == other.tolist()) is same


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=5))
def test_no_row_is_ever_empty_nor_seen_through_another(pairs):
    titles, texts = zip(*pairs, strict=True)
    together = dense(hashed(titles, texts))
    for row, (title, text) in zip(together, pairs, strict=True):
        assert np.abs(row).sum() > 0
        assert dense(hashed([title], [text]))[0].tolist() == row.tolist()
