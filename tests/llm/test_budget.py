"""The day's tokens and their shares, as laws over any day."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.app.purposes import PURPOSES
from newsloom.llm.budget import LENT_FROM, Budget, allot, lenders
from newsloom.llm.values import Spent

SHARES = {"judge": 0.5, "sensitivity": 0.25, "summary": 0.0}
LIMIT = 1_000
TRIES = st.lists(st.tuples(st.sampled_from(list(SHARES)), st.integers(1, 300)), max_size=40)


def spend(tries, budget: Budget, lent=frozenset()) -> dict[str, int]:
    """What each has spent when all tried in that order."""
    spent = dict.fromkeys(SHARES, 0)
    for name, tokens in tries:
        if budget.allows(Spent(sum(spent.values()), spent), name, tokens, lent):
            spent[name] += tokens
    return spent


@given(TRIES)
def test_whatever_others_spend_a_share_is_there(tries):
    budget = Budget(LIMIT, SHARES)
    spent = spend(tries, budget)
    assert sum(spent.values()) <= LIMIT
    for name, share in SHARES.items():
        left = int(share * LIMIT) - spent[name]
        if left > 0:
            assert budget.allows(Spent(sum(spent.values()), spent), name, left)


def test_what_no_share_covers_is_for_whoever_comes_first():
    budget = Budget(LIMIT, SHARES)
    assert budget.allows(Spent(), "summary", 250)
    assert not budget.allows(Spent(), "summary", 251)
    assert budget.allows(Spent(), "judge", 750)
    assert not budget.allows(Spent(), "judge", 751)


def test_a_share_that_is_lent_is_for_others_too():
    budget = Budget(LIMIT, SHARES)
    assert budget.allows(Spent(), "summary", 750, {"judge"})
    assert not budget.allows(Spent(), "summary", 751, {"judge"})


def test_what_was_spent_under_no_purpose_counts():
    """Of the day on which a database was brought to purposes."""
    assert not Budget(LIMIT, SHARES).allows(Spent(total=LIMIT), "judge", 1)


def test_no_limit_is_no_limit():
    assert Budget(0, SHARES).allows(Spent(10**9), "summary", 10**9)


@pytest.mark.parametrize(("hour", "lend"), [(0, False), (LENT_FROM - 1, False), (LENT_FROM, True)])
def test_shares_are_lent_late_in_the_day(hour: int, lend: bool):
    now = datetime(2026, 11, 1, hour, 59, tzinfo=UTC)
    assert lenders(["judge"], now) == (frozenset({"judge"}) if lend else frozenset())


WAITING = st.fixed_dictionaries({name: st.integers(0, 80) for name in SHARES})


@given(st.integers(1, 60), WAITING)
def test_a_round_is_full_and_each_has_its_share_of_it(places, waiting):
    given_to = allot(places, SHARES, waiting)
    assert sum(given_to.values()) == min(places, sum(waiting.values()))
    for name, share in SHARES.items():
        assert min(waiting[name], int(share * places)) <= given_to[name] <= waiting[name]


def test_what_is_left_of_a_round_goes_by_priority():
    assert allot(8, SHARES, {"judge": 9, "sensitivity": 9, "summary": 9}) == {
        "judge": 6,
        "sensitivity": 2,
        "summary": 0,
    }


def test_the_shares_of_all_purposes_fit_in_a_day():
    assert all(0 <= one.share <= 1 for one in PURPOSES)
    assert sum(one.share for one in PURPOSES) <= 1


def test_purposes_are_told_apart_by_name_and_by_version():
    assert len({one.name for one in PURPOSES}) == len(PURPOSES)
    assert len({one.version for one in PURPOSES}) == len(PURPOSES)
