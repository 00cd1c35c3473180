"""Which hits are looked at, and how far down."""

from __future__ import annotations

import numpy as np
import pytest

from newsloom.coverage import ranking


def test_the_most_alike_first_and_no_more_than_may_be() -> None:
    found = ranking.ranked([0.6, 0.9, 0.5, 0.9], [40, 40, 40, 1], 0.55)
    assert [(one.number, one.place) for one in found] == [(1, 1), (3, None), (0, 3), (2, None)]


@pytest.mark.parametrize(
    ("right", "places"),
    [
        ([], 40),
        ([1] * 29, 40),
        ([1] * 30, 5),
        ([7] * 30, 7),
        ([*range(1, 21)] * 5, 19),
        ([39, 40] * 40, 40),
        ([1] * 95 + [40] * 5, 5),
        ([1] * 94 + [40] * 6, 40),
    ],
)
def test_places_follow_from_where_right_hits_stood(right: list[int], places: int) -> None:
    assert ranking.fitted_places(right) == places


def test_one_article_in_ten_is_looked_at_to_the_end() -> None:
    assert sum(ranking.explores(number) for number in range(1, 101)) == 10


def test_likeness_of_nothing() -> None:
    assert ranking.likeness(np.ones(3, np.float32), np.zeros((0, 3), np.float32)).shape == (0,)
