"""Half-lives of a reader's own: what is refused, and which are in force."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.errors import UserError
from newsloom.ranking.scoring import LONGEST, SHORTEST, checked, in_days, lasting

USUAL = {level: timedelta(days=days) for level, days in enumerate((365, 183, 30, 10, 5), start=1)}
fives = st.lists(st.floats(SHORTEST, LONGEST), min_size=5, max_size=5).map(
    lambda days: tuple(sorted(days, reverse=True))
)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ((), "0 were given"),
        ((5, 4, 3, 2), "4 were given"),
        ((6, 5, 4, 3, 2, 1), "6 were given"),
        ((5, 4, 3, 2, 0), "sensitivity 5 is 0 days"),
        ((5, 4, 3, 2, -1), "sensitivity 5 is -1 days"),
        ((5, 4, float("nan"), 2, 1), "sensitivity 3 is nan days"),
        ((float("inf"), 4, 3, 2, 1), "sensitivity 1 is inf days"),
        ((40_000, 4, 3, 2, 1), "from 0.01 to 36,500"),
        ((5, 4, 3, 3.5, 1), "Sensitivity 4 would last longer (3.5 days) than 3 (3 days)"),
    ],
    ids=str,
)
def test_what_cannot_be_half_lives_is_refused_in_words(days, words):
    with pytest.raises(UserError) as refused:
        checked(days)
    assert words in str(refused.value)


@given(fives)
def test_half_lives_that_can_be_are_in_force_as_given(days):
    assert in_days(lasting(checked(days), USUAL)) == pytest.approx(days, abs=1e-10)


def test_equal_half_lives_are_allowed():
    assert checked([2, 2, 2, 2, 2]) == (2.0,) * 5


def test_without_ones_own_the_usual_ones_hold():
    assert lasting(None, USUAL) is USUAL
    assert in_days(USUAL) == (365, 183, 30, 10, 5)
