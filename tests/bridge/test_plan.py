"""Which events follow from the marks of another program, and when to try again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.bridges.plan import LONGEST_PAUSE, MANY_AT_ONCE, Mapped, longer, marks, next_try
from newsloom.bridges.values import KnownEntry, RemoteState
from newsloom.kernel.ids import ArticleId

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
AGO = NOW - timedelta(hours=1)


def known(key: int = 1, **values: object) -> dict[int, KnownEntry]:
    blank = {"digest": "", "read": False, "starred": False, "disliked": False}
    fields = {**blank, "rating": 0, "starred_here": False, **values}
    return {key: KnownEntry(key, ArticleId(key), **fields)}


def kinds(before: dict[int, KnownEntry], *states: RemoteState) -> list[str]:
    return [one.kind.value for one in marks(before, states, Mapped(), NOW)]


def test_as_many_as_nobody_reads_one_by_one_were_marked_together():
    for count, expected in ((MANY_AT_ONCE, "finished"), (MANY_AT_ONCE + 1, "bulk read")):
        before = {key: one for n in range(count) for key, one in known(n).items()}
        states = [RemoteState(n, read=True) for n in range(count)]
        assert set(kinds(before, *states)) == {expected}


def test_a_time_told_counts_even_among_many():
    before = {key: one for n in range(99) for key, one in known(n).items()}
    states = [RemoteState(n, read=True, in_bulk=False) for n in range(99)]
    assert set(kinds(before, *states)) == {"finished"}


def test_an_event_is_of_when_it_was_there_and_never_of_the_future():
    for moment, at in ((AGO, AGO), (None, NOW), (NOW + timedelta(days=1), NOW)):
        (mark,) = marks(known(), [RemoteState(1, read=True, read_at=moment)], Mapped(), NOW)
        assert mark.at == at


@given(
    st.fixed_dictionaries({one: st.booleans() for one in ("read", "starred", "disliked")}),
    st.sampled_from([-1, 0, 1]),
    st.booleans(),
)
def test_what_is_as_it_was_gives_no_event(flags, rating, starred_here):
    before = known(**flags, rating=rating, starred_here=starred_here)
    assert kinds(before, RemoteState(1, **flags, in_bulk=False)) == []


def test_unknown_entries_give_no_event():
    assert kinds({}, RemoteState(1, read=True, starred=True)) == []


@pytest.mark.parametrize(("failures", "minutes"), [(0, 1), (1, 2), (4, 16), (9, 360), (999, 360)])
def test_pauses_double(failures, minutes):
    assert next_try(failures, NOW) - NOW == timedelta(minutes=minutes)
    assert longer(timedelta(minutes=1), failures) == timedelta(minutes=minutes) <= LONGEST_PAUSE
