"""When an address is believed to be another's: after the same permanent answer, long enough."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.health import LEAST_SPAN, LEAST_TIMES, moved, target
from newsloom.feeds.values.health import Moving
from newsloom.feeds.values.polling import DueFeed
from newsloom.kernel.http.values import Redirect, Reply, Request
from newsloom.kernel.ids import FeedId

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
OLD, NEW, OTHER = (f"https://{name}.example/feed" for name in ("old", "new", "other"))


def due(moving: Moving | None = None, declined: str = "") -> DueFeed:
    return DueFeed(FeedId(1), OLD, "lease", moving=moving, declined=declined)


def reply(*hops: tuple[int, str], status: int = 200) -> Reply:
    url = hops[-1][1] if hops else OLD
    redirects = tuple(Redirect(*hop) for hop in hops)
    return Reply(Request(OLD), NOW, 0.1, status=status, url=url, redirects=redirects)


@pytest.mark.parametrize(
    ("hops", "to"),
    [
        pytest.param((), "", id="no redirect"),
        pytest.param(((301, NEW),), NEW, id="301"),
        pytest.param(((308, NEW),), NEW, id="308"),
        pytest.param(((301, OTHER), (308, NEW)), NEW, id="every hop permanent"),
        pytest.param(((302, NEW),), "", id="302"),
        pytest.param(((303, NEW),), "", id="303"),
        pytest.param(((307, NEW),), "", id="307"),
        pytest.param(((301, OTHER), (302, NEW)), "", id="the last hop passing"),
        pytest.param(((302, OTHER), (301, NEW)), "", id="the first hop passing"),
        pytest.param(((301, OTHER), (301, OLD)), "", id="back to where it began"),
    ],
)
def test_only_a_wholly_permanent_way_has_a_target(hops: tuple[tuple[int, str], ...], to: str):
    assert target(OLD, reply(*hops)) == to


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("https://ann:secret@old.example/feed", NEW, id="the reader's"),
        pytest.param(OLD, "https://ann:secret@new.example/feed", id="the server's"),
    ],
)
def test_secrets_in_an_address_are_neither_lost_nor_kept(old: str, new: str):
    assert target(old, reply((301, new))) == ""


@pytest.mark.parametrize(
    ("moving", "to"),
    [
        pytest.param(None, "", id="the first time"),
        pytest.param(Moving(NEW, NOW - 60 * HOUR, 1), "", id="the second time, long after"),
        pytest.param(Moving(NEW, NOW - 47 * HOUR, 2), "", id="the third time, too soon"),
        pytest.param(Moving(NEW, NOW - 48 * HOUR, 2), NEW, id="the third time in 48 hours"),
        pytest.param(Moving(NEW, NOW - 20 * HOUR, 30), "", id="often, too soon"),
        pytest.param(Moving(OTHER, NOW - 90 * HOUR, 9), "", id="to another target before"),
    ],
)
def test_it_takes_three_times_and_two_days(moving: Moving | None, to: str):
    assert moved(due(moving), reply((301, NEW)), NOW).to == to


def test_another_target_begins_anew():
    found = moved(due(Moving(OTHER, NOW - 90 * HOUR, 9)), reply((301, NEW)), NOW)
    assert found.moving == Moving(NEW, NOW, 1)


def test_a_304_of_the_target_counts():
    before = Moving(NEW, NOW - 50 * HOUR, 2)
    assert moved(due(before), reply((301, NEW), status=304), NOW).to == NEW


def test_where_a_reader_took_it_back_from_it_never_goes_again():
    before = Moving(NEW, NOW - 50 * HOUR, 9)
    found = moved(due(before, declined=NEW), reply((301, NEW)), NOW)
    assert (found.to, found.still) == ("", True)


CHAINS = st.lists(
    st.tuples(st.sampled_from([301, 302, 303, 307, 308]), st.sampled_from([OLD, NEW, OTHER])),
    max_size=4,
)


@given(st.lists(st.tuples(CHAINS, st.integers(1, 40)), max_size=12))
def test_what_is_believed_was_said_three_times_in_a_row_over_two_days(polls):
    moving, now, seen = None, NOW, []
    for hops, hours in polls:
        now += hours * HOUR
        answer = reply(*hops)
        found = moved(due(moving), answer, now)
        seen.append((now, target(OLD, answer)))
        moving = found.moving
        if found.to:
            row = seen[-LEAST_TIMES:]
            assert {to for _at, to in row} == {found.to}
            first = next(
                at
                for place, (at, _to) in enumerate(seen)
                if all(to == found.to for _at, to in seen[place:])
            )
            assert now - first >= LEAST_SPAN
            return
