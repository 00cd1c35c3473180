"""Scores keep the order exactly, and as many as possible of what stands there."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.bridges.ttrss.remote import LEAST, MOST, POINT, TOLERANCE, scores

POINTS = st.lists(st.floats(0, 100), max_size=60).map(lambda one: sorted(one, reverse=True))
PRESENT = st.none() | st.integers(-1000, MOST) | st.integers(0, 100 * POINT)


@given(POINTS, st.data())
def test_each_is_below_the_one_before_whatever_stands_there(points, data):
    present = data.draw(st.lists(PRESENT, min_size=len(points), max_size=len(points)))
    found = scores(points, present)
    assert len(found) == len(points)
    assert all(LEAST <= one <= MOST for one in found)
    assert all(before > after for before, after in pairwise(found))


@given(POINTS, st.integers(0, 59))
def test_all_others_stand_when_one_was_reset(points, at):
    """Though time has passed, and all are a little less than when they were written."""
    held = scores([min(one + 0.3, 100) for one in points], [None] * len(points))
    if points:
        reset = [0 if place == at % len(points) else one for place, one in enumerate(held)]
        found = scores(points, reset)
        assert sum(one != was for one, was in zip(found, held, strict=True)) <= 1


@given(POINTS)
def test_what_stands_stays(points):
    found = scores(points, [None] * len(points))
    assert scores(points, found) == found


@given(POINTS, st.data())
def test_one_that_moves_is_the_only_one_written(points, data):
    """With room between: each at least a point from the next."""
    apart = [100 - 1.5 * place for place in range(len(points))]
    before = scores(apart, [None] * len(apart))
    if not apart:
        return
    mover = data.draw(st.integers(0, len(apart) - 1))
    to = data.draw(st.integers(0, len(apart) - 1))
    rest = [one for place, one in enumerate(apart) if place != mover]
    held = [one for place, one in enumerate(before) if place != mover]
    rest.insert(to, rest[to] + 0.7 if to < len(rest) else rest[-1] - 0.7 if rest else 5.0)
    held.insert(to, before[mover])
    found = scores(rest, held)
    changed = [place for place, one in enumerate(found) if one != held[place]]
    assert changed in ([], [to])


@pytest.mark.parametrize(
    ("points", "present", "expected"),
    [
        pytest.param([85.3, 10.0], [None, None], [8_530_000, 1_000_000], id="as-they-are"),
        pytest.param([50, 50, 50], [None] * 3, [5_000_002, 5_000_001, 5_000_000], id="ties"),
        pytest.param([0, 0, 0], [0, 0, 0], [3, 2, 1], id="none-at-zero"),
        pytest.param([80.0], [8_000_000 + TOLERANCE], [8_050_000], id="within-half-a-point"),
        pytest.param([80.0], [8_000_001 + TOLERANCE], [8_000_000], id="beyond-half-a-point"),
        pytest.param([80.0], [0], [8_000_000], id="reset-there"),
        pytest.param([80.0], [-900], [8_000_000], id="a-filters-own"),
        pytest.param(
            [70.2, 70.1, 70.0],
            [7_020_000, 7_019_999, 7_019_998],
            [7_020_000, 7_019_999, 7_019_998],
            id="no-room-and-none-needed",
        ),
        pytest.param(
            [70.2, 70.1, 70.0],
            [7_020_000, None, 7_019_999],
            [7_020_000, 7_010_000, 7_000_000],
            id="no-room-where-one-is-needed",
        ),
    ],
)
def test_scores(points, present, expected):
    assert scores(points, present) == expected


def test_many_worthless_ones_stay_in_order_and_where_they_are():
    points = [0.0] * 60_000
    found = scores(points, [None] * len(points))
    assert found[0] == 60_000
    assert scores(points, found) == found
