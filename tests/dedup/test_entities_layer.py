"""Layer 5: the same names within a day."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.duplicates import entities
from newsloom.duplicates.packed import Signature
from newsloom.duplicates.signing import sign
from newsloom.duplicates.values import PROFILES, Thresholds, Unsigned
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.names import GENERIC

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
SEED = Thresholds()
NAMES = ("person:angela merkel", "place:berlin", "organisation:nato", "date:monday")


def signature(
    number, found=NAMES, names=(1, 2, 3), hours=0.0, title="merkel visits nato"
) -> Signature:
    return Signature(
        id=ArticleId(number),
        feed_id=FeedId(number),
        source=f"{number}.test",
        agency="",
        dated=NOW + timedelta(hours=hours),
        title=title,
        words=100,
        names=names,
        entities=None if found is None else frozenset(found),
    )


def share(a, b, thresholds=SEED, hours=0.0):
    found = entities.compare(signature(1, a), signature(2, b, hours=hours), thresholds)
    return None if found is None else round(found.score, 2)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param(NAMES, NAMES, 1.0, id="the same"),
        pytest.param(NAMES, (*NAMES, "place:rome", "place:bonn"), 1.0, id="one names more"),
        pytest.param((*NAMES, "place:rome"), (*NAMES, "place:bonn"), 0.8, id="four of five"),
        pytest.param(NAMES, (*NAMES[:3], "date:friday"), None, id="three of four"),
        pytest.param(NAMES[:2], NAMES[:2], None, id="too few"),
        pytest.param((), (), None, id="none"),
        pytest.param(
            ("place:rome", "date:monday", "date:3 march"),
            ("place:rome", "date:monday", "date:3 march"),
            None,
            id="dates are no event",
        ),
        pytest.param(NAMES, ("person:merkel", *NAMES[1:]), 1.0, id="a last name"),
        pytest.param(NAMES, ("organisation:merkel", *NAMES[1:]), 1.0, id="of another kind"),
        pytest.param(
            (*NAMES[:3], "person:donald j trump"),
            (*NAMES[:3], "person:donald trump"),
            1.0,
            id="a middle initial",
        ),
        pytest.param(
            (*NAMES[:3], "organisation:federal bureau of investigation"),
            (*NAMES[:3], "organisation:fbi"),
            1.0,
            id="initials",
        ),
        pytest.param(
            (*NAMES[:3], "person:bush", "person:george bush", "person:barbara bush"),
            (*NAMES[:3], "person:george bush", "person:barbara bush"),
            1.0,
            id="a last name of two stays itself",
        ),
    ],
)
def test_share_of_the_names(a, b, expected):
    assert share(a, b) == expected
    assert share(b, a) == expected


@pytest.mark.parametrize(
    ("hours", "met"),
    [(0, True), (1, True), (-1, True), (12, True), (-13, True), (24, True), (24.1, False)],
)
def test_only_within_a_day_and_over_midnight_too(hours, met):
    assert (share(NAMES, NAMES, hours=hours) is not None) is met


def test_a_longer_span_reaches_no_further_than_the_keys():
    far = Thresholds(entity_span=timedelta(days=10))
    assert share(NAMES, NAMES, far, hours=30) == 1.0  # the next day
    assert share(NAMES, NAMES, far, hours=60) is None


def test_the_evidence_is_in_words():
    found = entities.compare(signature(1), signature(2, hours=3), SEED)
    assert found is not None
    assert found.layer == "entities"
    assert found.detail == "4 of 4 names in common (Angela Merkel, Berlin, Nato, ...), 3 h apart"


def test_nobody_has_looked_is_no_evidence():
    unknown = signature(1, found=None)
    assert entities.compare(unknown, signature(2), SEED) is None
    assert entities.possible(unknown, signature(2), SEED)


def test_the_measured_profile_asks_for_words_of_the_titles_and_for_fewer_names():
    measured = PROFILES["measured"]
    a = signature(1, NAMES[:4])
    b = signature(2, (*NAMES[:3], "place:rome", "place:bonn"))
    assert entities.compare(a, b, SEED) is None
    assert entities.compare(a, b, measured) is not None
    other = replace(b, title="the weather in rome")
    assert entities.compare(a, other, measured) is None
    assert not entities.possible(a, other, measured)


def named(number, title, text, hours=0.0):
    return sign(
        [
            Unsigned(
                ArticleId(number), FeedId(1), "a.test", NOW + timedelta(hours=hours), title, text
            )
        ]
    )[0]


def test_last_names_meet_whole_names_and_generic_ones_make_no_key():
    one = named(1, "Biden meets Putin", "On Monday Joe Biden met Vladimir Putin in Geneva.")
    other = named(2, "talks", "We saw Biden and Putin there.", hours=20)
    assert entities.keys(one) & entities.keys(other)
    common = ", ".join(f"the {name.title()}" for name in sorted(GENERIC))
    assert not entities.keys(named(3, "", f"he saw {common}"))


FOUND = st.frozensets(
    st.builds(
        "{}:{}".format,
        st.sampled_from(["person", "place", "organisation", "date"]),
        st.sampled_from(["a", "b c", "c", "d e f", "def", "d f", "g", "monday", "h g"]),
    ),
    max_size=9,
)
SIGNED = st.builds(
    signature,
    st.integers(1, 9),
    st.none() | FOUND,
    st.lists(st.integers(-5, 5), max_size=8, unique=True).map(tuple),
    st.floats(-60, 60),
    st.sampled_from(["a title", "merkel visits nato", "merkel visits rome", ""]),
)
THRESHOLDS = st.builds(
    Thresholds,
    entity_overlap=st.sampled_from([0.3, 0.6, 0.8]),
    entity_common=st.integers(1, 3),
    entity_title_words=st.integers(0, 2),
    entity_span=st.sampled_from([timedelta(hours=1), timedelta(days=1), timedelta(days=9)]),
)


@given(SIGNED, SIGNED, THRESHOLDS)
def test_symmetric_and_never_without_a_common_key(a, b, thresholds):
    found = entities.compare(a, b, thresholds)
    assert found == entities.compare(b, a, thresholds)
    assert entities.possible(a, b, thresholds) == entities.possible(b, a, thresholds)
    if found is not None:
        assert entities.possible(a, b, thresholds)
        assert entities.keys(a) & entities.keys(b)
        assert 0 < found.score <= 1


@given(SIGNED)
def test_few_keys_that_any_database_can_hold(one):
    found = entities.keys(one)
    assert len(found) <= 12
    assert all(-(2**63) <= key < 2**63 for key in found)


@pytest.mark.parametrize(
    "found",
    [
        pytest.param([f"person:{number} x" for number in range(5_000)], id="one last name"),
        pytest.param(["person:" + "a" * 5_000_000, *NAMES], id="a name of 5 MB"),
        pytest.param(["person:" + "a " * 100_000, *NAMES], id="a name of many words"),
        pytest.param(["person:", "place: ", "date:\ud800", *NAMES], id="empty ones"),
    ],
)  # fmt: skip
def test_any_names_are_compared(found):
    assert entities.compare(signature(1, found), signature(2, found), SEED) is not None
