"""How relevance decays. That the list is in its exact order is tested with the store's."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.ranking.scoring import decayed, remaining

spans = st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=3_000))
half_lives = st.floats(min_value=0.01, max_value=5_000).map(lambda days: timedelta(days=days))


@pytest.mark.parametrize(
    ("relevance", "days", "half_life", "expected"),
    [
        pytest.param(85, 2, 2, 42.5, id="the seed's own example"),
        pytest.param(80, 0, 5, 80, id="new"),
        pytest.param(80, -3, 5, 80, id="dated in the future"),
        pytest.param(80, 5, 5, 40, id="one half-life"),
        pytest.param(80, 365, 365, 40, id="evergreen after a year"),
        pytest.param(0, 1, 5, 0, id="worthless stays worthless"),
    ],
)
def test_decayed(relevance, days, half_life, expected):
    age, life = timedelta(days=days), timedelta(days=half_life)
    assert decayed(relevance, age, life) == pytest.approx(expected)
    assert decayed(relevance, age, life) == relevance * remaining(age, life)


@given(age=spans, more=spans, half_life=half_lives)
def test_nothing_grows_with_age(age, more, half_life):
    assert 0.0 <= remaining(age + more, half_life) <= remaining(age, half_life) <= 1.0
