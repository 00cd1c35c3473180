"""Importance: the seed's numbers, and laws of the sum."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.digests.select import NOTEWORTHY, TOP
from newsloom.importance.score import (
    FADE,
    WEIGHTS,
    Blend,
    SignalFacts,
    corroboration,
    importance,
    lasting_points,
    parts,
    recency,
    topic,
)

facts = st.builds(
    SignalFacts,
    authority=st.floats(0, 100),
    age=st.timedeltas(timedelta(days=-10), timedelta(days=20_000)),
    fade=st.floats(0.001, 1),
    sources=st.integers(0, 10_000),
    nearness=st.floats(-1, 1),
    depth=st.floats(0, 100),
    vouched=st.booleans(),
)


@pytest.mark.parametrize(
    ("hours", "points"), [(0, 100), (6, 84), (12, 70), (24, 49), (48, 24), (72, 12)]
)
def test_recency_has_the_table_of_the_seed(hours, points):
    assert round(recency(timedelta(hours=hours))) == pytest.approx(points, abs=0.51)


@pytest.mark.parametrize(
    ("sources", "points"),
    [
        pytest.param(0, 0, id="nobody"),
        pytest.param(1, 0, id="alone"),
        pytest.param(2, 50, id="one other"),
        pytest.param(3, 75, id="two others"),
        pytest.param(10_000, 100, id="everybody"),
    ],
)
def test_corroboration(sources, points):
    assert corroboration(sources) == pytest.approx(points)


def test_the_weights_are_the_seeds_and_add_up():
    assert [*WEIGHTS.items()] == [
        ("authority", 0.25),
        ("recency", 0.20),
        ("corroboration", 0.20),
        ("topic", 0.20),
        ("depth", 0.15),
    ]
    assert sum(WEIGHTS.values()) == pytest.approx(1)


def test_a_future_date_is_no_newer_than_now():
    assert recency(timedelta(days=-3)) == 100


@given(facts=facts)
def test_every_signal_and_the_sum_stay_between_0_and_100(facts):
    values = parts(facts)
    assert set(values) == set(WEIGHTS)
    assert all(0 <= value <= 100 for value in values.values())
    whole = importance(lasting_points(facts), facts.age, facts.fade)
    assert 0 <= whole <= 100 + 1e-9
    assert whole == pytest.approx(sum(WEIGHTS[name] * value for name, value in values.items()))


@given(facts=facts, only=st.sampled_from([*WEIGHTS]))
def test_a_weight_of_one_leaves_that_signal_alone(facts, only):
    weights = {name: float(name == only) for name in WEIGHTS}
    whole = importance(lasting_points(facts, weights), facts.age, facts.fade, weights)
    assert whole == pytest.approx(parts(facts, weights)[only])


@given(fewer=st.integers(1, 30), more=st.integers(1, 30))
def test_more_sources_never_count_less(fewer, more):
    assert corroboration(fewer + more) >= corroboration(fewer)


@given(facts=facts, more=st.integers(1, 30), nearer=st.floats(0, 1))
def test_evidence_never_lowers_importance(facts, more, nearer):
    points = lasting_points(facts)
    assert lasting_points(replace(facts, sources=facts.sources + more)) >= points - 1e-9
    nearer = max(nearer, facts.nearness)
    assert lasting_points(replace(facts, nearness=nearer)) >= points - 1e-9


@given(authority=st.floats(0, 100), depth=st.floats(0, 100))
def test_signals_that_cannot_be_known_pass_their_weight_to_the_others(authority, depth):
    known = (WEIGHTS["authority"] * authority + WEIGHTS["depth"] * depth) / 0.4
    alone = SignalFacts(authority=authority, depth=depth, vouched=True)
    assert lasting_points(alone) == pytest.approx((1 - WEIGHTS["recency"]) * known)
    assert parts(alone)["corroboration"] == pytest.approx(parts(alone)["topic"])


@pytest.mark.parametrize(
    ("facts", "tier"),
    [
        pytest.param(SignalFacts(authority=82, depth=32, sources=2, vouched=True), TOP, id="major"),
        pytest.param(SignalFacts(authority=67, depth=32, sources=4, vouched=True), TOP, id="niche"),
        pytest.param(SignalFacts(authority=82, depth=32, vouched=True), NOTEWORTHY, id="one major"),
        pytest.param(SignalFacts(authority=67, depth=32, vouched=True), NOTEWORTHY, id="one niche"),
        pytest.param(SignalFacts(authority=45, depth=32, sources=1), 0, id="one unknown"),
    ],
)
def test_excerpts_of_the_morning_use_the_scale(facts, tier):
    whole = importance(lasting_points(facts), timedelta(hours=5), FADE)
    assert tier == max(one for one in (TOP, NOTEWORTHY, 0) if one <= whole)


def test_only_a_vouched_source_may_be_alone():
    anyone = SignalFacts(authority=45, depth=60)
    assert parts(anyone)["corroboration"] == 0
    assert lasting_points(anyone) < lasting_points(replace(anyone, vouched=True))


def test_nearness_is_cut_at_its_ends():
    assert (topic(-1), topic(0), topic(1)) == (0, 0, 100)


@given(
    relevance=st.floats(0, 100),
    points=st.floats(0, 80),
    share=st.floats(0, 0.9),
    recency=st.floats(0, 0.9),
)
def test_a_blend_can_be_taken_apart(relevance, points, share, recency):
    blend = Blend(share, recency)
    mixed = blend.of(relevance, points)
    assert 0 <= mixed <= 100 + 1e-9
    assert blend.relevance(mixed, points) == pytest.approx(relevance, abs=1e-6)
    assert Blend().of(relevance, points) == relevance
