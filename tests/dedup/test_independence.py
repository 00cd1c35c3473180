"""How many of a cluster know by themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.dedup.independence import Account, independent

CASES = {
    "nobody": ((), 0),
    "one": ((Account(1, "a.example"),), 1),
    "two papers": ((Account(1, "a.example"), Account(2, "b.example")), 2),
    "one text in two papers": ((Account(1, "a.example"), Account(1, "b.example")), 1),
    "two texts of one paper": ((Account(1, "a.example"), Account(2, "a.example")), 1),
    "an agency in two papers": (
        (Account(1, "a.example", "AP"), Account(2, "b.example", "AP")),
        1,
    ),
    "two agencies in one paper": (
        (Account(1, "a.example", "AP"), Account(2, "a.example", "Reuters")),
        2,
    ),
    "an agency and the paper's own": (
        (Account(1, "a.example", "AP"), Account(2, "a.example")),
        2,
    ),
    "a copy that does not say whose": (
        (Account(1, "a.example", "AP"), Account(1, "b.example"), Account(2, "c.example", "AP")),
        1,
    ),
    "agencies together": (
        (
            Account(1, "a.example", "AP"),
            Account(2, "b.example", "Reuters"),
            Account(3, "c.example", "AP/Reuters"),
        ),
        1,
    ),
    "unknown sources": ((Account(1, ""), Account(2, ""), Account(2, "")), 2),
    "a source named like an agency": ((Account(1, "AP"), Account(2, "b.example", "AP")), 2),
}


@pytest.mark.parametrize(("accounts", "number"), CASES.values(), ids=CASES.keys())
def test_independent(accounts: tuple[Account, ...], number: int) -> None:
    assert independent(accounts) == number


ACCOUNTS = st.lists(
    st.builds(
        Account,
        st.integers(0, 5),
        st.sampled_from(["", "a.example", "b.example"]),
        st.sampled_from(["", "AP", "Reuters", "AP/Reuters"]),
    ),
    max_size=8,
)


@given(ACCOUNTS, st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(accounts, random) -> None:
    number = independent(accounts)
    assert number <= len({one.text for one in accounts})
    assert bool(accounts) == bool(number)
    shuffled = [*accounts, *accounts[:3]]
    random.shuffle(shuffled)
    assert independent(shuffled) == number
