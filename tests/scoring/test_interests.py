"""The interest profile: what it begins with, what moves it, how it fades."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.ranking.scoring.interests import LARGEST, WEEK, Evidence, is_fading, profile

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def liked(days: float = 0, weight: float = 1.0, **terms: float) -> Evidence:
    return Evidence(terms, weight, NOW - days * DAY, article=int(days))


def test_nothing_known_is_near_to_nothing():
    assert profile([], [], NOW).nearness({"sail": 1.0}) == 0


def test_what_was_stated_counts_before_anything_was_read():
    found = profile([{"sail": 2.0, "race": 2.0}], [], NOW)
    assert found.nearness({"sail": 1.0, "race": 1.0}) == pytest.approx(1)
    assert found.nearness({"bank": 1.0}) == 0
    assert found.stated == {"sail", "race"}


def test_a_like_brings_a_topic_in_and_a_dislike_takes_it_out():
    assert profile([], [liked(sail=1.0)], NOW).nearness({"sail": 1.0}) == pytest.approx(1)
    assert profile([], [liked(sail=1.0), liked(weight=-2.0, sail=1.0)], NOW).weights == {}


def test_a_dislike_alone_is_no_topic():
    assert profile([], [liked(weight=-1.0, sail=1.0)], NOW).weights == {}


@pytest.mark.parametrize("weeks", [0, 1, 2, 10])
def test_a_tenth_goes_with_every_week_without_it(weeks):
    """Beside a topic of today: their shares are compared, as lengths are made one."""
    found = profile([], [liked(days=7 * weeks, sail=1.0), liked(days=0, bank=1.0)], NOW)
    assert found.weights["sail"] / found.weights["bank"] == pytest.approx(0.9**weeks)


def test_engaging_again_stops_the_fading():
    old = profile([], [liked(days=70, sail=1.0), liked(days=0, bank=1.0)], NOW)
    again = profile(
        [], [liked(days=70, sail=1.0), liked(days=0, sail=1.0), liked(days=0, bank=1.0)], NOW
    )
    assert again.weights["sail"] / again.weights["bank"] == pytest.approx(2)
    assert is_fading(old, "sail", NOW)
    assert not is_fading(again, "sail", NOW)


def test_what_is_stated_does_not_fade():
    later = profile([{"sail": 1.0}], [], NOW + 52 * WEEK)
    assert later.weights == {"sail": 1.0}
    assert not is_fading(later, "sail", NOW)


@pytest.mark.parametrize(("factor", "kept"), [(0.0, False), (0.5, True), (4.0, True)])
def test_edits(factor, kept):
    found = profile([], [liked(sail=1.0), liked(bank=1.0)], NOW, {"sail": factor})
    assert ("sail" in found.weights) is kept
    if kept:
        assert found.weights["sail"] / found.weights["bank"] == pytest.approx(factor)


def test_each_topic_names_the_articles_behind_it():
    found = profile([], [liked(days=3, sail=1.0), liked(days=1, sail=1.0)], NOW)
    assert {article for article, _weight in found.taught_by["sail"]} == {1, 3}


terms = st.dictionaries(st.text(min_size=1, max_size=4), st.floats(0.001, 100), max_size=30)


@given(
    stated=st.lists(terms, max_size=4),
    evidence=st.lists(
        st.builds(
            Evidence,
            terms,
            st.floats(-3, 3),
            st.timedeltas(timedelta(0), timedelta(days=3_000)).map(lambda age: NOW - age),
        ),
        max_size=30,
    ),
    asked=terms,
)
def test_a_profile_has_length_one_and_nearness_lies_between_0_and_1(stated, evidence, asked):
    found = profile(stated, evidence, NOW)
    assert len(found.weights) <= LARGEST
    assert all(weight > 0 for weight in found.weights.values())
    if found.weights:
        assert sum(one * one for one in found.weights.values()) == pytest.approx(1)
    assert 0 <= found.nearness(asked) <= 1
    assert profile(stated, evidence, NOW) == found
