"""Who trains and who is judged, by protocol; what belongs together stays together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.splits import PROTOCOLS, Facts, Known, sides, splits

DAY = 86_400.0


def known(count, every=2, times=True, together=1, step=DAY):
    rows = np.arange(count)
    return Known(
        rows % every == 0, rows * step if times else None, (rows // together).astype(np.intp)
    )


@pytest.mark.parametrize("fit", PROTOCOLS)
@pytest.mark.parametrize("together", [1, 3])
def test_no_side_is_on_both_sides(fit, together):
    given = known(330, together=together)
    for part in splits(fit, given):
        assert len(part.kept)
        assert len(part.held)
        assert not set(given.sides[part.kept]) & set(given.sides[part.held])


def test_folds_judge_every_label_once():
    parts = splits("cv", known(95))
    assert sorted(np.concatenate([one.held for one in parts]).tolist()) == list(range(95))
    assert all(len(one.kept) + len(one.held) == 95 for one in parts)


def test_by_time_the_past_judges_the_future():
    [part] = splits("time", known(90))
    assert part.kept.max() < part.held.min()
    assert (len(part.kept), len(part.held)) == (60, 30)


def test_by_time_what_is_told_again_is_not_judged():
    given = known(90)
    again = Known(given.positive, given.times, np.where(given.sides == 75, 3, given.sides))
    [part] = splits("time", again)
    assert 75 not in part.held
    assert len(part.held) == 29


def test_the_seed_holds_out_the_oldest_of_a_balanced_year():
    # A like every third day for two years: 122 fall into the last one, so that of the dislikes
    # there the newest 122 count.
    given = known(730, every=3)
    [part] = splits("seed", given)
    positive = given.positive[part.held]
    assert positive.sum() == (~positive).sum() == 61
    assert min(part.held.min(), part.kept.min()) > 364
    for side in (True, False):
        of_side = [rows[given.positive[rows] == side] for rows in (part.held, part.kept)]
        assert of_side[0].max() < of_side[1].min()
        assert len(of_side[0]) + len(of_side[1]) == 122


def test_the_seed_draws_where_it_is_told_to():
    given = known(600, step=DAY / 2)
    [oldest], [drawn] = splits("seed", given), splits("seed-random", given)
    assert len(oldest.held) == len(drawn.held) == 200
    assert given.positive[drawn.held].sum() == 100
    assert drawn.held.tolist() != oldest.held.tolist()
    assert drawn.held.tolist() == splits("seed-random", given)[0].held.tolist()


@pytest.mark.parametrize("fit", ["time", "seed", "seed-random"])
def test_protocols_in_time_need_times(fit):
    with pytest.raises(UserError, match="labelled_at"):
        splits(fit, known(300, times=False))


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        pytest.param(Facts("One"), Facts("Two"), False, id="other titles"),
        pytest.param(Facts("", ()), Facts("", ()), False, id="no titles"),
        pytest.param(Facts("Rust 2.0!"), Facts("rust 2 0"), True, id="the same words"),
        pytest.param(Facts("A", ("story s",)), Facts("B", ("story s",)), True, id="one story"),
        pytest.param(Facts("A", ("story s",)), Facts("B", ("id s",)), False, id="other keys"),
        pytest.param(
            Facts("Storm hits the coast of Spain late on Monday"),
            Facts("UPDATE: Storm hits the coast of Spain late on Monday"),
            True,
            id="a word more",
        ),
        pytest.param(
            Facts("Storm hits the coast of Spain"),
            Facts("Storm hits the coast of France and Italy"),
            False,
            id="another place",
        ),
        pytest.param(Facts("Weekly quiz 12"), Facts("Weekly quiz 13"), False, id="a short series"),
    ],
)
def test_who_belongs_together(first, second, together):
    found = sides([first, second])
    assert (found[0] == found[1]) is np.bool_(together)


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4)).map(
            lambda pair: Facts("", (f"a {pair[0]}", f"b {pair[1]}"))
        ),
        max_size=12,
    )
)
def test_belonging_together_is_handed_on(facts):
    """Any two that share a key have one side, whatever the order."""
    found = sides(facts)
    for one, side in zip(facts, found, strict=True):
        for other, its in zip(facts, found, strict=True):
            if set(one.keys) & set(other.keys):
                assert side == its
    assert len(sides([])) == 0
