"""How many of a cluster know by themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.duplicates.independence import independent
from newsloom.duplicates.values import Witness

CASES = {
    "nobody": ((), 0),
    "one": ((Witness(1, "a.example"),), 1),
    "two papers": ((Witness(1, "a.example"), Witness(2, "b.example")), 2),
    "one text in two papers": ((Witness(1, "a.example"), Witness(1, "b.example")), 1),
    "two texts of one paper": ((Witness(1, "a.example"), Witness(2, "a.example")), 1),
    "an agency in two papers": (
        (Witness(1, "a.example", "AP"), Witness(2, "b.example", "AP")),
        1,
    ),
    "two agencies in one paper": (
        (Witness(1, "a.example", "AP"), Witness(2, "a.example", "Reuters")),
        2,
    ),
    "an agency and the paper's own": (
        (Witness(1, "a.example", "AP"), Witness(2, "a.example")),
        2,
    ),
    "a copy that does not say whose": (
        (Witness(1, "a.example", "AP"), Witness(1, "b.example"), Witness(2, "c.example", "AP")),
        1,
    ),
    "agencies together": (
        (
            Witness(1, "a.example", "AP"),
            Witness(2, "b.example", "Reuters"),
            Witness(3, "c.example", "AP/Reuters"),
        ),
        1,
    ),
    "unknown sources": ((Witness(1, ""), Witness(2, ""), Witness(2, "")), 2),
    "a source named like an agency": ((Witness(1, "AP"), Witness(2, "b.example", "AP")), 2),
}


@pytest.mark.parametrize(("witnesses", "number"), CASES.values(), ids=CASES.keys())
def test_independent(witnesses: tuple[Witness, ...], number: int) -> None:
    assert independent(witnesses) == number


WITNESSES = st.lists(
    st.builds(
        Witness,
        st.integers(0, 5),
        st.sampled_from(["", "a.example", "b.example"]),
        st.sampled_from(["", "AP", "Reuters", "AP/Reuters"]),
    ),
    max_size=8,
)


@given(WITNESSES, st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(witnesses, random) -> None:
    number = independent(witnesses)
    assert number <= len({one.text for one in witnesses})
    assert bool(witnesses) == bool(number)
    shuffled = [*witnesses, *witnesses[:3]]
    random.shuffle(shuffled)
    assert independent(shuffled) == number
