"""Groups by distances: the same as by trying every pair, and vectors as they are compared there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from newsloom.stories.grouping import WARD_SHARE, grouped
from newsloom.stories.prepared import Prepared, rows_of
from stories.test_linking import NOON, made

Table = NDArray[np.float64]


def by_trying(table: Table, most: float, single: Table) -> list[int]:
    """Of all pairs of groups join the cheapest, by the definitions of both methods."""
    groups = [[one] for one in range(len(table))]

    def mean(one: list[int], other: list[int]) -> float:
        return float(table[np.ix_(one, other)].mean())

    def cost(one: list[int], other: list[int]) -> float:
        between = mean(one, other)
        share = len(one) * len(other) / (len(one) + len(other))
        ward = share * (2 * between - mean(one, one) - mean(other, other))
        found = (1 - WARD_SHARE) * between + WARD_SHARE * ward
        return found + (single[one[0], other[0]] if len(one) == len(other) == 1 else 0.0)

    while len(groups) > 1:
        least, one, other = min(
            (cost(a, b), at, beside)
            for at, a in enumerate(groups)
            for beside, b in enumerate(groups[:at])
        )
        if least > most:
            break
        groups[other] = sorted(groups[other] + groups.pop(one))
    names = {row: min(group) for group in groups for row in group}
    return [names[row] for row in range(len(table))]


@given(st.integers(0, 2**32 - 1), st.integers(0, 18), st.floats(0.0, 2.0), st.floats(0.0, 0.5))
def test_the_cheapest_groups_are_joined(seed: int, count: int, most: float, more: float) -> None:
    chance = np.random.default_rng(seed)
    table, single = (np.triu(chance.uniform(0.0, top, (count, count)), 1) for top in (2.0, more))
    table, single = table + table.T, single + single.T
    assert grouped(table, most, single) == by_trying(table, most, single)


def test_a_loose_group_takes_what_a_tight_one_does_not() -> None:
    """Ward's share: what is as far from both members is farther from a pair that is nearer."""

    def three(within: float) -> list[int]:
        table = np.array([[0, within, 0.5], [within, 0, 0.5], [0.5, 0.5, 0]])
        return grouped(table, 0.52, np.zeros((3, 3)))

    assert three(0.45) == [0, 0, 0]
    assert three(0.05) == [0, 0, 2]


def crowd(number: int, direction: NDArray[np.float64]) -> list[Prepared]:
    chance = np.random.default_rng(7)
    noise = chance.normal(size=(number, len(direction)))
    return [made(at, f"w{at}", 4 * direction + one, dated=NOON) for at, one in enumerate(noise, 10)]


def test_what_many_articles_have_in_common_brings_none_nearer() -> None:
    axes = np.eye(8)
    pairs = [
        made(1, "a", axes[0] + axes[1], dated=NOON),
        made(2, "b", axes[0] + axes[2], dated=NOON),
        made(3, "c", axes[3] + axes[4], dated=NOON),
        made(4, "d", axes[3] + axes[5], dated=NOON),
    ]
    rows, slots = rows_of([*pairs, *crowd(2_000, axes[0])])
    found = rows.whitened(slots)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1)
    common, rare = found[0] @ found[1], found[2] @ found[3]
    assert rare > 0.4
    assert common < rare / 2


def test_what_left_counts_no_more() -> None:
    axes = np.eye(8)
    pair = [made(1, "a", axes[0] + axes[1]), made(2, "b", axes[0] + axes[2])]
    rows, slots = rows_of([*pair, *crowd(2_000, axes[0])])
    crowded = rows.whitened(slots[:2])
    for slot in slots[2:].tolist():
        rows.free(slot)
    others, places = rows_of(pair)
    alone = others.whitened(places)
    assert rows.whitened(slots[:2]) == pytest.approx(alone, abs=1e-9)
    assert crowded[0] @ crowded[1] < 0.2 < alone[0] @ alone[1]
